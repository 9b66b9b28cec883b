/**
 * SQL views of predictions, forecasts, decisions and resolutions. They count the same facts as `fold.ts`.
 *
 * The parts of a view are materialized: SQLite would otherwise parse the body of a fact anew for every
 * prediction in it, and look through all answers of a run for each.
 */
import type { SqlView } from '../kernel/vocabulary.ts';
import { factField, fieldColumns, isLatest } from '../protocols/common/sql-view-parts.ts';

/** Returns an SQL query for the facts of a type. `fact` names a row in `columns`, which begin after `run_id`. */
function factsOf(type: string, fact: string, columns: string): string {
  return `SELECT ${fact}.run_id, ${columns} FROM typed_fact ${fact} WHERE ${fact}.type = '${type}'`;
}

/** The SQL views of predictions and decisions. */
export const SQL_VIEWS: readonly SqlView[] = [
  {
    // Some predictions apply only if the recommendation is followed. If a run's latest decision does not follow the
    // recommendation, the view `predictions` shows these predictions as void.
    name: 'predictions',
    select: `WITH
    made AS MATERIALIZED (${factsOf(
      'predictions.drafted',
      'drafted',
      `drafted.seq, drafted.at, drafted.body,
      ${factField('drafted', 'version')} AS version,
      ${factField('drafted', 'question')} AS question,
      ${factField('drafted', 'model')} AS drafter,
      nullif(${factField('drafted', 'drafted_in')}, drafted.run_id) AS parent,
      ${factField('drafted', 'rehearsal')} AS rehearsal`,
    )} AND ${isLatest('drafted', 'version')}),
    pooled AS MATERIALIZED (SELECT panel.run_id, panel.version,
      json_extract(figure.value, '$.prediction') AS prediction,
      json_extract(figure.value, '$.percent') AS percent,
      max(panel.seq) AS seq
      FROM (${factsOf('panel.forecast', 'panel', `panel.seq, panel.body, ${factField('panel', 'version')} AS version`)}) panel,
        json_each(panel.body, '$.panel') figure
      GROUP BY panel.run_id, panel.version, prediction),
    answer AS MATERIALIZED (SELECT run_id, prediction, outcome, date, max(seq) AS seq
      FROM (${factsOf(
        'prediction.resolved',
        'told',
        `told.seq, ${factField('told', 'id')} AS prediction, ${factField('told', 'outcome')} AS outcome, ${factField('told', 'date')} AS date`,
      )}) GROUP BY run_id, prediction),
    standing AS MATERIALIZED (SELECT run_id, follows, max(seq) AS seq
      FROM (${factsOf('decision.taken', 'taken', `taken.seq, ${factField('taken', 'follows')} AS follows`)})
      GROUP BY run_id)
  SELECT
    made.run_id,
    json_extract(each.value, '$.id') AS id,
    made.version,
    made.question,
    json_extract(each.value, '$.sentence') AS sentence,
    json_extract(each.value, '$.date') AS date,
    json_extract(each.value, '$.look') AS look,
    json_extract(each.value, '$.if') AS condition,
    json_extract(each.value, '$.command') AS command,
    made.drafter,
    pooled.percent AS panel,
    CASE WHEN json_extract(each.value, '$.if') = 'recommended' AND NOT standing.follows THEN 'void'
      ELSE nullif(answer.outcome, 'later') END AS outcome,
    answer.date AS put_off_to,
    made.parent,
    made.rehearsal,
    made.at,
    made.seq
  FROM made JOIN json_each(made.body, '$.predictions') each
    LEFT JOIN pooled ON pooled.run_id = made.run_id AND pooled.version = made.version
      AND pooled.prediction = json_extract(each.value, '$.id')
    LEFT JOIN answer ON answer.run_id = made.run_id
      AND answer.prediction = json_extract(each.value, '$.id')
    LEFT JOIN standing ON standing.run_id = made.run_id`,
  },
  {
    // This view leaves out a forecast if the predictions of its synthesis were drafted again later.
    name: 'forecasts',
    select: `WITH said AS MATERIALIZED (${factsOf(
      'forecasts.given',
      'given',
      `given.seq, given.at, given.body,
      ${factField('given', 'version')} AS version,
      ${factField('given', 'model')} AS model,
      ${factField('given', 'seats')} AS seats,
      ${factField('given', 'rehearsal')} AS rehearsal`,
    )} AND ${isLatest('given', 'version', 'model')}
    AND NOT EXISTS (SELECT 1 FROM typed_fact anew WHERE anew.run_id = given.run_id
      AND anew.type = 'predictions.drafted' AND anew.seq > given.seq
      AND ${factField('anew', 'version')} = ${factField('given', 'version')}))
  SELECT
    said.run_id,
    json_extract(each.value, '$.prediction') AS prediction,
    said.version,
    said.model,
    said.seats,
    json_extract(each.value, '$.percent') AS percent,
    json_extract(each.value, '$.why') AS why,
    said.rehearsal,
    said.at,
    said.seq
  FROM said JOIN json_each(said.body, '$.forecasts') each`,
  },
  {
    name: 'decisions_taken',
    select: `SELECT
    taken.run_id,
    ${fieldColumns('taken', 'number', 'text', 'option', 'follows')},
    CASE WHEN reviewed.seq IS NULL THEN ${factField('taken', 'review')}
      ELSE ${factField('reviewed', 'review')} END AS review,
    ${fieldColumns('taken', 'by', 'note', 'version')},
    (SELECT ${factField('later', 'number')} FROM typed_fact later
      WHERE later.run_id = taken.run_id AND later.type = taken.type AND later.seq > taken.seq
      ORDER BY later.seq LIMIT 1) AS superseded_by,
    taken.at,
    taken.seq
  FROM typed_fact taken LEFT JOIN typed_fact reviewed ON reviewed.run_id = taken.run_id
    AND reviewed.type = 'decision.reviewed'
    AND reviewed.seq = (SELECT max(again.seq) FROM typed_fact again
      WHERE again.run_id = taken.run_id AND again.type = 'decision.reviewed'
        AND ${factField('again', 'number')} = ${factField('taken', 'number')})
  WHERE taken.type = 'decision.taken'`,
  },
  {
    name: 'resolutions',
    select: `SELECT run_id, prediction, outcome, date, why, by, evidence,
    seq < max(seq) OVER (PARTITION BY run_id, prediction) AS corrected, at, seq
  FROM (${factsOf(
    'prediction.resolved',
    'told',
    `${factField('told', 'id')} AS prediction,
    ${fieldColumns('told', 'outcome', 'date', 'why', 'by', 'evidence')},
    told.at,
    told.seq`,
  )})`,
  },
  {
    name: 'track',
    select: `WITH
    known AS MATERIALIZED (SELECT run_id, id, version, question, panel, outcome, parent, rehearsal FROM predictions),
    standing AS MATERIALIZED (SELECT run_id, version FROM decisions_taken WHERE superseded_by IS NULL),
    counted AS MATERIALIZED (SELECT known.run_id, known.question,
      coalesce(max(CASE WHEN known.version = standing.version THEN known.version END), max(known.version)) AS version
      FROM known LEFT JOIN standing ON standing.run_id = known.run_id
      GROUP BY known.run_id, known.question)
  SELECT
    said.model,
    count(DISTINCT said.run_id) AS decisions,
    count(*) AS predictions,
    avg((said.percent / 100.0 - (known.outcome = 'yes')) * (said.percent / 100.0 - (known.outcome = 'yes'))) AS brier,
    avg((known.panel / 100.0 - (known.outcome = 'yes')) * (known.panel / 100.0 - (known.outcome = 'yes'))) AS panel_brier
  FROM forecasts said JOIN known ON known.run_id = said.run_id AND known.id = said.prediction
    JOIN counted ON counted.run_id = known.run_id AND counted.question = known.question
      AND counted.version = known.version
  WHERE known.outcome IN ('yes', 'no') AND known.panel IS NOT NULL AND known.parent IS NULL
    AND NOT known.rehearsal AND NOT said.rehearsal
  GROUP BY said.model`,
  },
];
