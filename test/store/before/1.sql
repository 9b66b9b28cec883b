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

  -- What a fork took over from its parent was paid there: it is marked, and in no sum.
  CREATE VIEW calls AS
  SELECT
    run_id,
    json_extract(body, '$.seat') AS seat,
    json_extract(body, '$.role') AS role,
    substr(json_extract(body, '$.model'), 1, instr(json_extract(body, '$.model'), '/') - 1) AS provider,
    substr(json_extract(body, '$.model'), instr(json_extract(body, '$.model'), '/') + 1) AS model,
    CASE type WHEN 'call.completed' THEN 'done' WHEN 'call.failed' THEN 'failed' ELSE 'stopped' END AS status,
    json_extract(body, '$.usage.input') AS tokens_in,
    json_extract(body, '$.usage.output') AS tokens_out,
    json_extract(body, '$.usage.cached') AS cached,
    json_extract(body, '$.latencyMs') AS latency_ms,
    json_extract(body, '$.attempts') AS attempts,
    json_extract(body, '$.text') AS text,
    step,
    json_extract(body, '$.costUsd') AS cost_usd,
    json_extract(body, '$.message') AS error,
    json_extract(body, '$.rehearsal') AS rehearsal,
    at,
    seq,
    coalesce(json_extract(body, '$.inherited'), 0) AS inherited
  FROM fact WHERE type IN ('call.completed', 'call.failed', 'call.stopped');

  CREATE VIEW runs AS
  SELECT
    run.id,
    run.protocol,
    (SELECT json_extract(body, '$.question') FROM fact
      WHERE run_id = run.id AND seq = 1) AS question,
    CASE
      WHEN turn.type = 'run.ended' THEN json_extract(turn.body, '$.status')
      WHEN run.owner IS NOT NULL THEN 'running'
      ELSE 'interrupted' END AS status,
    run.created_at AS started_at,
    CASE turn.type WHEN 'run.ended' THEN turn.at END AS ended_at,
    coalesce((SELECT sum(tokens_in) FROM calls WHERE run_id = run.id AND NOT inherited), 0) AS tokens_in,
    coalesce((SELECT sum(tokens_out) FROM calls WHERE run_id = run.id AND NOT inherited), 0) AS tokens_out,
    (SELECT sum(cost_usd) FROM calls WHERE run_id = run.id AND NOT inherited) AS cost_usd,
    run.parent
  FROM run LEFT JOIN fact turn ON turn.run_id = run.id AND turn.seq = (
    SELECT max(seq) FROM fact
      WHERE run_id = run.id AND type IN ('run.started', 'run.resumed', 'run.ended'));

  CREATE VIEW claims AS
  SELECT
    run_id,
    json_extract(body, '$.id') AS id,
    json_extract(body, '$.round') AS round,
    json_extract(body, '$.raised_by') AS raised_by,
    json_extract(body, '$.text') AS text,
    json_extract(body, '$.testable_as') AS testable_as,
    coalesce(
      (SELECT json_extract(move.body, '$.to') FROM fact move
        WHERE move.run_id = fact.run_id AND move.type = 'claim.moved'
          AND json_extract(move.body, '$.claim') = json_extract(fact.body, '$.id')
        ORDER BY move.seq DESC LIMIT 1),
      'pending') AS status,
    json_extract(body, '$.supersedes') AS supersedes,
    json_extract(body, '$.raised_at_artifact') AS raised_at_artifact
  FROM fact WHERE type = 'claim.raised';

  CREATE VIEW verifications AS
  SELECT
    run_id,
    json_extract(body, '$.id') AS id,
    json_extract(body, '$.round') AS round,
    json_extract(body, '$.check') AS "check",
    json_extract(body, '$.result') AS result,
    json_extract(body, '$.evidence_refs') AS evidence_refs,
    json_extract(body, '$.notes') AS notes,
    (SELECT json_group_array(json_extract(move.body, '$.claim')) FROM fact move
      WHERE move.run_id = fact.run_id AND move.type = 'claim.moved'
        AND json_extract(move.body, '$.verification') = json_extract(fact.body, '$.id')) AS claims_affected,
    (SELECT json_group_array(json_object(
        'claim_id', json_extract(move.body, '$.claim'),
        'from', json_extract(move.body, '$.from'),
        'to', json_extract(move.body, '$.to'),
        'stance', json_extract(move.body, '$.stance'),
        'bearing', json_extract(move.body, '$.bearing'))) FROM fact move
      WHERE move.run_id = fact.run_id AND move.type = 'claim.moved'
        AND json_extract(move.body, '$.verification') = json_extract(fact.body, '$.id')) AS claim_status_changes
  FROM fact WHERE type = 'verification.recorded';

  CREATE VIEW decisions AS
  SELECT
    run_id,
    json_extract(body, '$.id') AS id,
    json_extract(body, '$.round') AS round,
    json_extract(body, '$.text') AS text,
    json_extract(body, '$.cites') AS cites,
    json_extract(body, '$.made_by') AS made_by,
    json_extract(body, '$.round_artifact_refs') AS round_artifact_refs
  FROM fact WHERE type = 'decision.made';
