/**
 * The migrations of the database, in their order. Tables have singular names and are private; people query
 * the views of sql-views.ts.
 */

/** The `PRAGMA application_id` that marks files of this program: the letters `DLBR`. */
export const APPLICATION_ID = 0x444c4252;

/**
 * The condition for bodies with escapes that SQL readers cannot take: an unpaired surrogate is not valid
 * UTF-8, and many readers end a text at U+0000. JSON contains both as escapes, which SQLite would turn into
 * the bytes.
 */
const UNREADABLE = String.raw`(instr(fact.body, '\u0000') > 0 OR instr(fact.body, '\ud') > 0)`;
/**
 * The body with these escapes kept as visible text such as `\ud800`. Stored JSON has no other escapes that
 * begin with `\ud`, since valid pairs are written as characters, and no control characters, so one can
 * stand for an escaped backslash meanwhile.
 */
const READABLE = String.raw`replace(replace(replace(replace(fact.body, '\\', char(1)),
      '\u0000', char(1) || 'u0000'), '\ud', char(1) || 'ud'), char(1), '\\')`;

/**
 * The SQL expression for a fact's content as JSON. Some programs cannot read the characters that
 * the escapes `\u0000` and `\ud…` stand for, so these escapes become visible text.
 */
export const BODY = `CASE WHEN ${UNREADABLE} THEN ${READABLE} ELSE body END`;

/**
 * The types of facts that every step has. They are most of a log, and no view searches them across runs.
 */
const OF_STEPS = `('step.started', 'step.completed', 'step.failed', 'deadline.moved',
  'call.completed', 'call.failed', 'call.stopped')`;
/** The SQL condition that selects the facts in the index `fact_by_type`. */
export const BY_TYPE = `type NOT IN ${OF_STEPS}`;

/**
 * The most tokens that one call can plausibly have used. Higher figures are ignored, as they would
 * spoil every sum.
 */
export const MOST_TOKENS = 10_000_000_000;
/** The most US dollars that one call can plausibly have cost. Higher figures are ignored. */
export const MOST_USD = 1_000_000;

/**
 * Early versions created the public views by migrations. Files of those versions have old definitions,
 * which are dropped here; sql-views.ts creates the current ones.
 */
const DROP_OLD_VIEWS = ['calls', 'runs', 'claims', 'verifications', 'decisions']
  .map((view) => `DROP VIEW IF EXISTS ${view};`)
  .join('\n  ');

/**
 * The SQL statements that upgrade the database. Each text upgrades it from one version to the next.
 * `PRAGMA user_version` is the number of upgrades that a file has.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE run (
    id TEXT PRIMARY KEY,
    protocol TEXT NOT NULL,
    created_at TEXT NOT NULL,
    parent TEXT,
    -- The process that works on the run, as JSON {host, pid, born}; NULL when nobody does.
    owner TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE fact (
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    type TEXT NOT NULL,
    step TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
  ) STRICT, WITHOUT ROWID;
  -- Only what the views look for: an index that every fact is entered in doubles what a step costs.
  CREATE INDEX fact_of_run ON fact(run_id, seq)
    WHERE type IN ('run.started', 'run.resumed', 'run.ended');
  CREATE INDEX fact_of_call ON fact(run_id, seq)
    WHERE type IN ('call.completed', 'call.failed', 'call.stopped');

  -- Finished steps: what resume and fork look up. first_seq to last_seq are the facts recorded with it.
  CREATE TABLE step (
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    result TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    PRIMARY KEY (run_id, key)
  ) STRICT, WITHOUT ROWID;

  -- What running calls have said so far; emptied when they end.
  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: a follower asks for what came after
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    step TEXT NOT NULL,
    attempt TEXT NOT NULL,
    text TEXT NOT NULL,
    thinking TEXT NOT NULL
  ) STRICT;
  CREATE INDEX chunk_by_step ON chunk(run_id, step);
  `,
  `
  -- Full-text search. A passage is a fact whose words people look for: a question, or what a call said.
  -- The index has no copy of the text; it is read from the fact where it is needed.
  CREATE TABLE passage (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    UNIQUE (run_id, seq)
  ) STRICT;

  CREATE VIEW passage_text AS
  SELECT passage.id AS id, passage.run_id AS run_id, passage.seq AS seq,
    json_extract(fact.body, CASE fact.type WHEN 'run.started' THEN '$.question' ELSE '$.text' END) AS text
  FROM passage JOIN fact ON fact.run_id = passage.run_id AND fact.seq = passage.seq;

  -- Trigrams and not words: "c++", a part of a word and a language without spaces are found as typed.
  CREATE VIRTUAL TABLE passage_index USING fts5(
    text, content='passage_text', content_rowid='id', tokenize='trigram remove_diacritics 1'
  );
  -- What is deleted leaves the index at once, not when its segments are merged some day.
  INSERT INTO passage_index(passage_index, rank) VALUES ('secure-delete', 1);

  CREATE TRIGGER passage_added AFTER INSERT ON fact
  WHEN new.type IN ('run.started', 'question.asked', 'call.completed', 'call.failed', 'call.stopped')
  BEGIN
    INSERT INTO passage (run_id, seq) VALUES (new.run_id, new.seq);
    INSERT INTO passage_index (rowid, text)
      SELECT id, text FROM passage_text WHERE run_id = new.run_id AND seq = new.seq;
  END;

  -- Before: the index forgets by the text that it once was given.
  CREATE TRIGGER passage_removed BEFORE DELETE ON fact
  WHEN old.type IN ('run.started', 'question.asked', 'call.completed', 'call.failed', 'call.stopped')
  BEGIN
    INSERT INTO passage_index (passage_index, rowid, text)
      SELECT 'delete', id, text FROM passage_text WHERE run_id = old.run_id AND seq = old.seq;
    DELETE FROM passage WHERE run_id = old.run_id AND seq = old.seq;
  END;

  INSERT INTO passage (run_id, seq)
    SELECT run_id, seq FROM fact
    WHERE type IN ('run.started', 'question.asked', 'call.completed', 'call.failed', 'call.stopped')
    ORDER BY run_id, seq;
  INSERT INTO passage_index (passage_index) VALUES ('rebuild');
  `,
  `
  -- When a run came in, by count and not by clock: also of an import, and where the clock was wrong.
  ALTER TABLE run ADD COLUMN arrived INTEGER;
  -- Passages are numbered as they are recorded, the first of a run with its question.
  UPDATE run SET arrived = known.place FROM (
    SELECT id, row_number() OVER (
      ORDER BY (SELECT min(passage.id) FROM passage WHERE run_id = run.id), id) AS place FROM run
  ) AS known WHERE known.id = run.id;
  CREATE UNIQUE INDEX run_by_arrival ON run(arrived);
  CREATE TRIGGER run_arrived AFTER INSERT ON run WHEN new.arrived IS NULL
  BEGIN
    UPDATE run SET arrived = (SELECT coalesce(max(arrived), 0) + 1 FROM run) WHERE id = new.id;
  END;

  -- The index forgets by the text that it was given; what reads otherwise from now on is given anew.
  CREATE TEMP TABLE reread AS SELECT passage.id AS id FROM passage
    JOIN fact ON fact.run_id = passage.run_id AND fact.seq = passage.seq
    WHERE ${UNREADABLE};
  INSERT INTO passage_index (passage_index, rowid, text)
    SELECT 'delete', id, text FROM passage_text WHERE id IN (SELECT id FROM reread);

  ${DROP_OLD_VIEWS}
  DROP VIEW passage_text;

  -- Facts with a body that every reader of SQL takes whole; "stored" is as it was recorded.
  CREATE VIEW readable AS
  SELECT run_id, seq, at, type, step, body AS stored,
    CASE WHEN ${UNREADABLE} THEN ${READABLE} ELSE body END AS body
  FROM fact;

  CREATE VIEW passage_text AS
  SELECT passage.id AS id, passage.run_id AS run_id, passage.seq AS seq,
    json_extract(fact.body, CASE fact.type WHEN 'run.started' THEN '$.question' ELSE '$.text' END) AS text
  FROM passage JOIN readable fact ON fact.run_id = passage.run_id AND fact.seq = passage.seq;

  INSERT INTO passage_index (rowid, text)
    SELECT id, text FROM passage_text WHERE id IN (SELECT id FROM reread);
  DROP TABLE reread;
  `,
  `
  -- The file that a person named on this machine for a run of their own protocol. No part of the run: an
  -- imported one has none, whatever its facts say, until somebody names a file for it.
  CREATE TABLE protocol_file (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
    file TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ${DROP_OLD_VIEWS}

  CREATE INDEX fact_of_start ON fact(run_id, step) WHERE type = 'step.started';
  CREATE INDEX fact_by_type ON fact(type, run_id, seq) WHERE ${BY_TYPE};

  -- What calls were asked. A part of a prompt is there once in a run, however many prompts begin with it;
  -- not once for all runs, so that a run which is removed leaves none of its words.
  CREATE TABLE part (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (run_id, hash)
  ) STRICT;
  CREATE TABLE prompt (
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    attempt TEXT NOT NULL,
    system INTEGER,
    messages TEXT NOT NULL, -- JSON: [{role, parts: [id, …]}, …]
    schema INTEGER,
    options TEXT NOT NULL, -- JSON
    PRIMARY KEY (run_id, attempt)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The folders that a person named on this machine for a run's seats to look into. No part of the run: an
  -- imported one can name any folder, and has none here until somebody names it.
  CREATE TABLE look_root (
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- How a run is worked that a process of its own works on. No part of the run: an imported one has none.
  CREATE TABLE detached (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
    -- Digest of what a program asked for, by which the same thing asked again finds the run.
    key TEXT,
    at TEXT NOT NULL,
    terms TEXT NOT NULL -- JSON: its limits, and what it was expected to take
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX detached_by_key ON detached(key);

  -- What other processes say to the one that works on a run: gone when it is taken.
  CREATE TABLE message (
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    kind TEXT NOT NULL, -- stop, answer
    step TEXT NOT NULL, -- of the gate that is answered
    value TEXT NOT NULL,
    giver TEXT NOT NULL, -- person, program
    PRIMARY KEY (run_id, kind, step)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- An evaluation: what was written down before its first call, and what came of it.
  CREATE TABLE evaluation (
    id TEXT PRIMARY KEY,
    -- Digest of what is asked of whom, by which the same evaluation is gone on with.
    key TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    plan TEXT NOT NULL, -- JSON; the targets are here, and in no run
    ended_at TEXT,
    ending TEXT, -- JSON
    log TEXT -- JSON Lines: an answer of an arm a line
  ) STRICT, WITHOUT ROWID;

  -- Which run answers an item for an arm, by the digest of both and of the seed: asked once, for all
  -- evaluations that want to know it.
  CREATE TABLE cell (
    key TEXT PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE REFERENCES run(id) ON DELETE CASCADE,
    -- JSON: the models and their editions when it began
    models TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
    `,
  `
  -- The runs that are left to workers, in their order. A run leaves with the end of its attempt, or when a
  -- person stops it or takes it up.
  CREATE TABLE queue (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL UNIQUE REFERENCES run(id) ON DELETE CASCADE,
    -- How often it was taken since it last finished a step, and how many it had finished then.
    taken INTEGER NOT NULL DEFAULT 0,
    steps INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  `,
  `
  -- Calls that were handed to a provider together, as one of its batches. Written down before it is sent:
  -- what was on its way when the process died is looked for there by its own names.
  CREATE TABLE wave (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    at TEXT NOT NULL,
    requests INTEGER NOT NULL,
    -- The provider's name for it; NULL while nobody knows whether it arrived.
    batch TEXT,
    over_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE wave_call (
    -- By which the provider tells answers apart.
    id TEXT PRIMARY KEY,
    wave_id TEXT NOT NULL REFERENCES wave(id) ON DELETE CASCADE,
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    step TEXT NOT NULL,
    -- Digest of what is asked, and of the place in its run.
    key TEXT NOT NULL,
    -- JSON, as it came; NULL until then, and once its run is done.
    answer TEXT,
    -- 1: its step has failed with it, and asks anew.
    spent INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX wave_call_by_key ON wave_call(key);
  CREATE INDEX wave_call_by_wave ON wave_call(wave_id);
  CREATE INDEX wave_call_by_run ON wave_call(run_id, step);
  `,
  `
  -- The runs that workers of a Restate server work on. Their log is there; what is here is a copy.
  CREATE TABLE elsewhere (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    -- The workflow: one for each attempt.
    key TEXT NOT NULL,
    -- How a worker is to answer what the run asks: by nobody, by default, some day.
    answered TEXT NOT NULL,
    -- Whether the server has taken it, how many batches of its log are copied, and whether it is over.
    sent INTEGER NOT NULL DEFAULT 0,
    batches INTEGER NOT NULL DEFAULT 0,
    is_over INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The runs that came out of a file, and how many facts of each did: whatever was answered there, nobody
  -- has answered here.
  CREATE TABLE imported (
    run_id TEXT PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
    seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
