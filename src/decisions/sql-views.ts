/** SQL views of predictions, forecasts, decisions and resolutions. They count the same facts as `fold.ts`. */
import type { SqlView } from '../kernel/vocabulary.ts';

/**
 * Returns an SQL condition that a later fact replaces this one: a fact of the same run and type with the
 * same values at these JSON paths.
 */
function replaced(fact: string, ...paths: readonly string[]): string {
  const same = paths.map(
    (path) => `AND json_extract(later.body, '$.${path}') = json_extract(${fact}.body, '$.${path}')`,
  );
  return `EXISTS (SELECT 1 FROM typed_fact later WHERE later.run_id = ${fact}.run_id
      AND later.type = ${fact}.type AND later.seq > ${fact}.seq ${same.join(' ')})`;
}

/** Returns an SQL expression for a field of the latest resolution of a prediction. */
function latest(what: string): string {
  return `(SELECT json_extract(told.body, '$.${what}') FROM typed_fact told
      WHERE told.run_id = drafted.run_id AND told.type = 'prediction.resolved'
        AND json_extract(told.body, '$.id') = json_extract(each.value, '$.id')
      ORDER BY told.seq DESC LIMIT 1)`;
}

const DECIDED_OTHERWISE = `(SELECT NOT json_extract(taken.body, '$.follows') FROM typed_fact taken
      WHERE taken.run_id = drafted.run_id AND taken.type = 'decision.taken'
      ORDER BY taken.seq DESC LIMIT 1)`;

export const SQL_VIEWS: readonly SqlView[] = [
  {
    name: 'predictions',
    select: `SELECT
    drafted.run_id,
    json_extract(each.value, '$.id') AS id,
    json_extract(drafted.body, '$.version') AS version,
    json_extract(drafted.body, '$.question') AS question,
    json_extract(each.value, '$.sentence') AS sentence,
    json_extract(each.value, '$.date') AS date,
    json_extract(each.value, '$.look') AS look,
    json_extract(each.value, '$.if') AS condition,
    json_extract(each.value, '$.command') AS command,
    json_extract(drafted.body, '$.model') AS drafter,
    (SELECT json_extract(figure.value, '$.percent') FROM typed_fact panel,
        json_each(panel.body, '$.panel') figure
      WHERE panel.run_id = drafted.run_id AND panel.type = 'panel.forecast'
        AND json_extract(panel.body, '$.version') = json_extract(drafted.body, '$.version')
        AND json_extract(figure.value, '$.prediction') = json_extract(each.value, '$.id')
      ORDER BY panel.seq DESC LIMIT 1) AS panel,
    CASE WHEN json_extract(each.value, '$.if') = 'recommended' AND ${DECIDED_OTHERWISE} THEN 'void'
      ELSE nullif(${latest('outcome')}, 'later') END AS outcome,
    ${latest('date')} AS put_off_to,
    nullif(json_extract(drafted.body, '$.drafted_in'), drafted.run_id) AS parent,
    json_extract(drafted.body, '$.rehearsal') AS rehearsal,
    drafted.at,
    drafted.seq
  FROM typed_fact drafted, json_each(drafted.body, '$.predictions') each
  WHERE drafted.type = 'predictions.drafted' AND NOT ${replaced('drafted', 'version')}`,
  },
  {
    name: 'forecasts',
    select: `SELECT
    given.run_id,
    json_extract(each.value, '$.prediction') AS prediction,
    json_extract(given.body, '$.version') AS version,
    json_extract(given.body, '$.model') AS model,
    json_extract(given.body, '$.seats') AS seats,
    json_extract(each.value, '$.percent') AS percent,
    json_extract(each.value, '$.why') AS why,
    json_extract(given.body, '$.rehearsal') AS rehearsal,
    given.at,
    given.seq
  FROM typed_fact given, json_each(given.body, '$.forecasts') each
  WHERE given.type = 'forecasts.given' AND NOT ${replaced('given', 'version', 'model')}
    AND NOT EXISTS (SELECT 1 FROM typed_fact anew WHERE anew.run_id = given.run_id
      AND anew.type = 'predictions.drafted' AND anew.seq > given.seq
      AND json_extract(anew.body, '$.version') = json_extract(given.body, '$.version'))`,
  },
  {
    name: 'decisions_taken',
    select: `SELECT
    taken.run_id,
    json_extract(taken.body, '$.number') AS number,
    json_extract(taken.body, '$.text') AS text,
    json_extract(taken.body, '$.option') AS option,
    json_extract(taken.body, '$.follows') AS follows,
    CASE WHEN reviewed.seq IS NULL THEN json_extract(taken.body, '$.review')
      ELSE json_extract(reviewed.body, '$.review') END AS review,
    json_extract(taken.body, '$.by') AS by,
    json_extract(taken.body, '$.note') AS note,
    json_extract(taken.body, '$.version') AS version,
    (SELECT json_extract(later.body, '$.number') FROM typed_fact later
      WHERE later.run_id = taken.run_id AND later.type = taken.type AND later.seq > taken.seq
      ORDER BY later.seq LIMIT 1) AS superseded_by,
    taken.at,
    taken.seq
  FROM typed_fact taken LEFT JOIN typed_fact reviewed ON reviewed.run_id = taken.run_id
    AND reviewed.seq = (SELECT max(again.seq) FROM typed_fact again
      WHERE again.run_id = taken.run_id AND again.type = 'decision.reviewed'
        AND json_extract(again.body, '$.number') = json_extract(taken.body, '$.number'))
  WHERE taken.type = 'decision.taken'`,
  },
  {
    name: 'resolutions',
    select: `SELECT
    told.run_id,
    json_extract(told.body, '$.id') AS prediction,
    json_extract(told.body, '$.outcome') AS outcome,
    json_extract(told.body, '$.date') AS date,
    json_extract(told.body, '$.why') AS why,
    json_extract(told.body, '$.by') AS by,
    json_extract(told.body, '$.evidence') AS evidence,
    ${replaced('told', 'id')} AS corrected,
    told.at,
    told.seq
  FROM typed_fact told WHERE told.type = 'prediction.resolved'`,
  },
  {
    // One row per model, of predictions that were answered with yes or no. The view leaves out rehearsals,
    // predictions that a fork copied, and those of a synthesis that does not count: per question only the
    // synthesis that was decided on counts, or else the latest.
    name: 'track',
    select: `SELECT
    said.model,
    count(DISTINCT said.run_id) AS decisions,
    count(*) AS predictions,
    avg((said.percent / 100.0 - (known.outcome = 'yes')) * (said.percent / 100.0 - (known.outcome = 'yes'))) AS brier,
    avg((known.panel / 100.0 - (known.outcome = 'yes')) * (known.panel / 100.0 - (known.outcome = 'yes'))) AS panel_brier
  FROM forecasts said JOIN predictions known ON known.run_id = said.run_id AND known.id = said.prediction
  WHERE known.outcome IN ('yes', 'no') AND known.panel IS NOT NULL AND known.parent IS NULL
    AND NOT known.rehearsal AND NOT said.rehearsal
    AND known.version = coalesce(
      (SELECT own.version FROM predictions own WHERE own.run_id = known.run_id AND own.question = known.question
        AND own.version = (SELECT taken.version FROM decisions_taken taken
          WHERE taken.run_id = known.run_id AND taken.superseded_by IS NULL) LIMIT 1),
      (SELECT max(own.version) FROM predictions own
        WHERE own.run_id = known.run_id AND own.question = known.question))
  GROUP BY said.model`,
  },
];
