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
    WHERE (instr(fact.body, '\u0000') > 0 OR instr(fact.body, '\ud') > 0);
  INSERT INTO passage_index (passage_index, rowid, text)
    SELECT 'delete', id, text FROM passage_text WHERE id IN (SELECT id FROM reread);

  DROP VIEW calls;
  DROP VIEW runs;
  DROP VIEW claims;
  DROP VIEW verifications;
  DROP VIEW decisions;
  DROP VIEW passage_text;

  -- Facts with a body that every reader of SQL takes whole; "stored" is as it was recorded.
  CREATE VIEW readable AS
  SELECT run_id, seq, at, type, step, body AS stored,
    CASE WHEN (instr(fact.body, '\u0000') > 0 OR instr(fact.body, '\ud') > 0) THEN replace(replace(replace(replace(fact.body, '\\', char(1)),
      '\u0000', char(1) || 'u0000'), '\ud', char(1) || 'ud'), char(1), '\\') ELSE body END AS body
  FROM fact;

  CREATE VIEW passage_text AS
  SELECT passage.id AS id, passage.run_id AS run_id, passage.seq AS seq,
    json_extract(fact.body, CASE fact.type WHEN 'run.started' THEN '$.question' ELSE '$.text' END) AS text
  FROM passage JOIN readable fact ON fact.run_id = passage.run_id AND fact.seq = passage.seq;

  INSERT INTO passage_index (rowid, text)
    SELECT id, text FROM passage_text WHERE id IN (SELECT id FROM reread);
  DROP TABLE reread;

  CREATE VIEW calls AS
  SELECT
    run_id,
    json_extract(body, '$.seat') AS seat,
    json_extract(body, '$.role') AS role,
    substr(json_extract(body, '$.model'), 1, instr(json_extract(body, '$.model'), '/') - 1) AS provider,
    substr(json_extract(body, '$.model'), instr(json_extract(body, '$.model'), '/') + 1) AS model,
    CASE type WHEN 'call.completed' THEN 'done' WHEN 'call.failed' THEN 'failed' ELSE 'stopped' END AS status,
    CASE WHEN json_extract(stored, '$.usage.input') BETWEEN 0 AND 10000000000 THEN json_extract(stored, '$.usage.input') ELSE 0 END AS tokens_in,
    CASE WHEN json_extract(stored, '$.usage.output') BETWEEN 0 AND 10000000000 THEN json_extract(stored, '$.usage.output') ELSE 0 END AS tokens_out,
    CASE WHEN json_extract(stored, '$.usage.cached') BETWEEN 0 AND 10000000000 THEN json_extract(stored, '$.usage.cached') ELSE 0 END AS cached,
    json_extract(stored, '$.latencyMs') AS latency_ms,
    json_extract(stored, '$.attempts') AS attempts,
    json_extract(body, '$.text') AS text,
    json_extract(body, '$.step') AS step,
    CASE WHEN json_extract(stored, '$.costUsd') BETWEEN 0 AND 1000000 THEN json_extract(stored, '$.costUsd') END AS cost_usd,
    json_extract(body, '$.message') AS error,
    json_extract(stored, '$.rehearsal') AS rehearsal,
    at,
    seq,
    coalesce(json_extract(stored, '$.inherited'), 0) AS inherited,
    coalesce(json_extract(stored, '$.usage.estimated'), 0) AS estimated
  FROM readable WHERE type IN ('call.completed', 'call.failed', 'call.stopped');

  CREATE VIEW runs AS
  SELECT
    run.id,
    run.protocol,
    (SELECT json_extract(body, '$.question') FROM readable
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
    run.parent,
    EXISTS (SELECT 1 FROM calls WHERE run_id = run.id AND NOT inherited AND estimated) AS estimated,
    run.arrived
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
      (SELECT json_extract(move.body, '$.to') FROM readable move
        WHERE move.run_id = raised.run_id AND move.type = 'claim.moved'
          AND json_extract(move.body, '$.claim') = json_extract(raised.body, '$.id')
        ORDER BY move.seq DESC LIMIT 1),
      'pending') AS status,
    json_extract(body, '$.supersedes') AS supersedes,
    json_extract(body, '$.raised_at_artifact') AS raised_at_artifact
  FROM readable raised WHERE type = 'claim.raised';

  CREATE VIEW verifications AS
  SELECT
    run_id,
    json_extract(body, '$.id') AS id,
    json_extract(body, '$.round') AS round,
    json_extract(body, '$.check') AS "check",
    json_extract(body, '$.result') AS result,
    json_extract(body, '$.evidence_refs') AS evidence_refs,
    json_extract(body, '$.notes') AS notes,
    (SELECT json_group_array(json_extract(move.body, '$.claim')) FROM readable move
      WHERE move.run_id = verdict.run_id AND move.type = 'claim.moved'
        AND json_extract(move.body, '$.verification') = json_extract(verdict.body, '$.id')) AS claims_affected,
    (SELECT json_group_array(json_object(
        'claim_id', json_extract(move.body, '$.claim'),
        'from', json_extract(move.body, '$.from'),
        'to', json_extract(move.body, '$.to'),
        'stance', json_extract(move.body, '$.stance'),
        'bearing', json_extract(move.body, '$.bearing'))) FROM readable move
      WHERE move.run_id = verdict.run_id AND move.type = 'claim.moved'
        AND json_extract(move.body, '$.verification') = json_extract(verdict.body, '$.id')) AS claim_status_changes
  FROM readable verdict WHERE type = 'verification.recorded';

  CREATE VIEW decisions AS
  SELECT
    run_id,
    json_extract(body, '$.id') AS id,
    json_extract(body, '$.round') AS round,
    json_extract(body, '$.text') AS text,
    json_extract(body, '$.cites') AS cites,
    json_extract(body, '$.made_by') AS made_by,
    json_extract(body, '$.round_artifact_refs') AS round_artifact_refs
  FROM readable WHERE type = 'decision.made';
