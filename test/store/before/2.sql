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
