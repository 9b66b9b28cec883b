  -- The file that a person named on this machine for a run of their own protocol. No part of the run: an
  -- imported one has none, whatever its facts say, until somebody names a file for it.
  CREATE TABLE protocol_file (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
    file TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
