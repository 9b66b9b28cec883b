/** The SQL views for what users' own protocols record. */
import type { SqlView } from '../kernel/vocabulary.ts';

/** The SQL views of what users' own protocols record in their runs. */
export const SQL_VIEWS: readonly SqlView[] = [
  {
    name: 'entries',
    select: `SELECT
    entry.run_id,
    json_extract(entry.body, '$.ledger') AS ledger,
    json_extract(entry.body, '$.id') AS id,
    json_extract(entry.body, '$.by') AS seat,
    json_extract(entry.body, '$.kind') AS kind,
    json_extract(entry.body, '$.of') AS about,
    json_extract(entry.body, '$.text') AS text,
    json_extract(entry.body, '$.quote') AS quote,
    json_extract(entry.body, '$.unquoted') AS unquoted,
    COALESCE(json_extract(mark.body, '$.status'), 'open') AS status,
    COALESCE(json_extract(mark.body, '$.why'), '') AS why,
    entry.at,
    entry.seq
  FROM typed_fact entry LEFT JOIN typed_fact mark ON mark.run_id = entry.run_id
    AND mark.type = 'entry.marked'
    AND json_extract(mark.body, '$.ledger') = json_extract(entry.body, '$.ledger')
    AND json_extract(mark.body, '$.id') = json_extract(entry.body, '$.id')
    AND NOT EXISTS (SELECT 1 FROM typed_fact later WHERE later.run_id = mark.run_id
      AND later.type = 'entry.marked' AND later.seq > mark.seq
      AND json_extract(later.body, '$.ledger') = json_extract(mark.body, '$.ledger')
      AND json_extract(later.body, '$.id') = json_extract(mark.body, '$.id'))
  WHERE entry.type = 'entry.added'`,
  },
  {
    name: 'figures',
    select: `SELECT
    figure.run_id,
    json_extract(figure.body, '$.figure.title') AS title,
    json_extract(figure.body, '$.figure.kind') AS kind,
    json_extract(figure.body, '$.figure') AS figure,
    figure.step,
    figure.at,
    figure.seq
  FROM typed_fact figure WHERE figure.type = 'figure.shown' AND NOT EXISTS (
    SELECT 1 FROM typed_fact later WHERE later.run_id = figure.run_id AND later.type = figure.type
      AND later.seq > figure.seq
      AND json_extract(later.body, '$.figure.title') = json_extract(figure.body, '$.figure.title'))`,
  },
  {
    name: 'outcomes',
    select: `SELECT
    outcome.run_id,
    json_extract(outcome.body, '$.result') AS result,
    json_extract(outcome.body, '$.first') AS first,
    json_extract(outcome.body, '$.moved') AS moved,
    json_extract(outcome.body, '$.turns') AS turns,
    json_extract(outcome.body, '$.belief') AS belief,
    outcome.at,
    outcome.seq
  FROM typed_fact outcome WHERE outcome.type = 'outcome.reached'`,
  },
];
