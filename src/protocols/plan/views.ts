/**
 * How a plan's facts are queried in the database. Each view says in SQL what `fold.ts` says of the same
 * facts; test/protocols/views.test.ts holds one against the other. Conflicts have no ids in the facts:
 * they are numbered as they are found, so the view folds them one by one.
 */
import type { View } from '../../kernel/vocabulary.ts';

/** `fact` is the name of a row of `typed_fact`. */
const field = (fact: string, name: string): string => `json_extract(${fact}.body, '$.${name}')`;

/** No later fact of the kind stands in its place. */
const isLatest = (fact: string, ...keys: readonly string[]): string =>
  `NOT EXISTS (SELECT 1 FROM typed_fact later
      WHERE later.run_id = ${fact}.run_id AND later.type = ${fact}.type AND later.seq > ${fact}.seq
      ${keys.map((key) => `AND ${field('later', key)} = ${field(fact, key)}`).join(' ')})`;

const ALONE = `('unowned', 'against-context')`;

/** Its own seat had taken the statement back by then. */
const IS_TAKEN_BACK = `EXISTS (SELECT 1 FROM typed_fact made, json_each(made.body, '$.withdraw') item
        WHERE made.run_id = said.run_id AND made.type = 'statements.made'
        AND made.seq > said.seq AND made.seq < looked.seq
        AND ${field('made', 'role')} = said.role AND json_extract(item.value, '$.id') = said.id)`;

const PLAIN = (question: string): string => `lower(trim(${question}))`;

/** Of the options of a finding, how many a known conflict has too. */
const SHARED = `(SELECT count(*) FROM json_each(item.options) mine
          WHERE mine.value IN (SELECT value FROM json_each(known.value, '$.options')))`;

/**
 * The first known conflict that asks the same: two of the options are its own, or all that one side has;
 * one is enough where the words are the same.
 */
const SAME = `(SELECT min(known.key) FROM json_each(state.conflicts) known
      WHERE (json_extract(known.value, '$.kind') IN ${ALONE}) = (item.kind IN ${ALONE})
      AND (item.kind NOT IN ${ALONE} OR json_extract(known.value, '$.kind') = item.kind)
      AND ${SHARED} >= CASE WHEN ${PLAIN(`json_extract(known.value, '$.question')`)} = ${PLAIN('item.question')}
        THEN 1 ELSE min(2, json_array_length(item.options), json_array_length(known.value, '$.options')) END)`;

/** The place of the conflict that an offered statement is a way out of; NULL where there is none of that id. */
const OFFERED = `(SELECT known.key FROM json_each(state.conflicts) known
      WHERE 'Q-' || (known.key + 1) = item.offered)`;

/** Its options, and those that the finding adds. */
const JOINED = `(SELECT json_group_array(value) FROM (
      SELECT value, 0 AS later, key FROM json_each(state.conflicts, '$[' || ${SAME} || '].options')
      UNION ALL SELECT value, 1, key FROM json_each(item.options)
        WHERE value NOT IN (SELECT value FROM json_each(state.conflicts, '$[' || ${SAME} || '].options'))
      ORDER BY later, key))`;

/** What its seat has made of a statement since, while it stood; named twice at once, the first one holds. */
const lastChange = (name: string): string =>
  `(SELECT json_extract(item.value, '$.${name}')
      FROM typed_fact made, json_each(made.body, '$.change') item
      WHERE made.run_id = said.run_id AND made.type = 'statements.made' AND made.seq > said.seq
      AND ${field('made', 'role')} = said.role AND json_extract(item.value, '$.id') = said.id
      AND (fallen.seq IS NULL OR made.seq < fallen.seq)
      AND json_extract(item.value, '$.${name}') IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM json_each(made.body, '$.change') before
        WHERE before.key < item.key AND json_extract(before.value, '$.id') = said.id)
      ORDER BY made.seq DESC LIMIT 1)`;

export const VIEWS: readonly View[] = [
  {
    // Statements as they were first said, numbered for each seat in the order in which they came.
    name: 'statement_said',
    select: `SELECT made.run_id, made.seq, item.key AS place, ${field('made', 'role')} AS role, ${field('made', 'round')} AS round,
    ${field('made', 'role')} || '-' || (item.key + 1 + coalesce((
      SELECT sum(json_array_length(earlier.body, '$.add')) FROM typed_fact earlier
      WHERE earlier.run_id = made.run_id AND earlier.type = made.type AND earlier.seq < made.seq
      AND ${field('earlier', 'role')} = ${field('made', 'role')}), 0)) AS id,
    item.value AS body
  FROM typed_fact made, json_each(made.body, '$.add') item WHERE made.type = 'statements.made'`,
  },
  {
    // What a detector found that had seen its control, or was held to none, without what was planted: of its
    // statements those that stood then, each once. Where the plant was among them, the words may be about it.
    name: 'conflict_found',
    select: `SELECT run_id, seq, place, round, kind,
    CASE WHEN planted THEN 'Which of ' || ids || ' can be followed?' ELSE question END AS question,
    CASE WHEN planted THEN 'they do not go together' ELSE why END AS why,
    json_group_array(id) AS options
  FROM (SELECT looked.run_id, looked.seq, finding.key AS place, ${field('looked', 'round')} AS round,
      json_extract(finding.value, '$.question') AS question, json_extract(finding.value, '$.kind') AS kind,
      json_extract(finding.value, '$.why') AS why, said.id, said.role, min(named.key) AS at,
      EXISTS (SELECT 1 FROM json_each(finding.value, '$.statements')
        WHERE value = ${field('looked', 'control.planted')}) AS planted,
      (SELECT group_concat(value, ', ') FROM (SELECT value, min(key) AS at
        FROM json_each(finding.value, '$.statements')
        WHERE value IS NOT ${field('looked', 'control.planted')} GROUP BY value ORDER BY at)) AS ids
    FROM typed_fact looked CROSS JOIN json_each(looked.body, '$.found') finding
      CROSS JOIN json_each(finding.value, '$.statements') named
      CROSS JOIN statement_said said ON said.run_id = looked.run_id AND said.seq < looked.seq
        AND substr(named.value, 1, length(said.role) + 1) = said.role || '-' AND said.id = named.value
    WHERE looked.type = 'conflicts.examined' AND ${field('looked', 'control.seen')} IS NOT 0
      AND named.value IS NOT ${field('looked', 'control.planted')}
      AND NOT ${IS_TAKEN_BACK}
    GROUP BY looked.run_id, looked.seq, finding.key, said.id
    ORDER BY looked.run_id, looked.seq, finding.key, at)
  WHERE NOT planted OR instr(ids, ', ') > 0
  GROUP BY run_id, seq, place
  HAVING kind IN ${ALONE} OR count(*) > 1 AND count(DISTINCT role) > 1`,
  },
  {
    // A row for each finding and each way out that was offered: the conflicts as they are with it, in a list
    // whose places are their numbers.
    name: 'conflict_state',
    select: `WITH RECURSIVE item AS MATERIALIZED (
    SELECT step.*, row_number() OVER (PARTITION BY step.run_id ORDER BY step.seq, step.place) AS n FROM (
      SELECT run_id, seq, place, round, kind, question, why, options, NULL AS offered, NULL AS id FROM conflict_found
      UNION ALL SELECT run_id, seq, place, round, NULL, NULL, NULL, NULL, json_extract(body, '$.conflict'), id
        FROM statement_said WHERE json_extract(body, '$.conflict') IS NOT NULL) step),
  state AS (
    SELECT run_id, 0 AS n, 0 AS seq, '[]' AS conflicts FROM item WHERE n = 1
    UNION ALL
    SELECT item.run_id, item.n, item.seq, CASE
      WHEN item.offered IS NOT NULL THEN CASE WHEN ${OFFERED} IS NULL THEN state.conflicts
        ELSE json_set(state.conflicts, '$[' || ${OFFERED} || '].options[#]', item.id) END
      WHEN ${SAME} IS NULL THEN json_insert(state.conflicts, '$[#]', json_object('question', item.question,
        'kind', item.kind, 'why', item.why, 'round', item.round, 'options', json(item.options)))
      ELSE json_set(state.conflicts, '$[' || ${SAME} || '].options', json(${JOINED})) END
    FROM state JOIN item ON item.run_id = state.run_id AND item.n = state.n + 1)
  SELECT run_id, n, seq, conflicts FROM state`,
  },
  {
    // What took a statement out: its own seat, or a choice of another option of a question, as that was then.
    name: 'statement_fall',
    select: `SELECT made.run_id, made.seq, json_extract(item.value, '$.id') AS id, ${field('made', 'role')} AS role,
    ${field('made', 'round')} AS round, 'owner' AS "by",
    json_extract(item.value, '$.conflict') AS conflict, json_extract(item.value, '$.why') AS why
  FROM typed_fact made, json_each(made.body, '$.withdraw') item WHERE made.type = 'statements.made'
  UNION ALL SELECT chosen.run_id, chosen.seq, other.value, NULL, chosen.round, chosen."by",
    chosen.conflict, chosen.option || ' was chosen'
  FROM (SELECT one.run_id, one.seq, ${field('one', 'round')} AS round, ${field('one', 'by')} AS "by",
      ${field('one', 'conflict')} AS conflict, ${field('one', 'option')} AS option,
      max(known.n), known.conflicts AS conflicts
    FROM conflict_state known CROSS JOIN typed_fact one ON one.run_id = known.run_id AND one.seq > known.seq
    WHERE one.type = 'conflict.decided' AND ${field('one', 'by')} <> 'default'
    GROUP BY one.run_id, one.seq) chosen,
    json_each(chosen.conflicts) asked, json_each(asked.value, '$.options') other
  WHERE 'Q-' || (asked.key + 1) = chosen.conflict AND other.value <> chosen.option
    AND EXISTS (SELECT 1 FROM json_each(asked.value, '$.options') WHERE value = chosen.option)`,
  },
  {
    name: 'statements',
    select: `WITH fallen AS MATERIALIZED (
    SELECT said.run_id, said.id, min(fall.seq) AS seq, fall.round, fall."by", fall.conflict, fall.why
    FROM statement_fall fall CROSS JOIN statement_said said ON said.run_id = fall.run_id
      AND said.id = fall.id AND said.seq < fall.seq AND coalesce(fall.role, said.role) = said.role
    GROUP BY said.run_id, said.id)
  SELECT
    said.run_id,
    said.id,
    said.role,
    said.round,
    json_extract(said.body, '$.kind') AS kind,
    json_extract(said.body, '$.title') AS title,
    coalesce(${lastChange('text')}, json_extract(said.body, '$.text')) AS text,
    json_extract(said.body, '$.must') AS must,
    coalesce(${lastChange('because')}, json_extract(said.body, '$.because')) AS because,
    json_extract(said.body, '$.conflict') AS offered_in,
    CASE WHEN fallen.seq IS NULL THEN 'live' ELSE 'withdrawn' END AS state,
    fallen.round AS withdrawn_in,
    fallen."by" AS withdrawn_by,
    fallen.conflict,
    fallen.why
  FROM statement_said said LEFT JOIN fallen ON fallen.run_id = said.run_id AND fallen.id = said.id`,
  },
  {
    name: 'conflicts',
    select: `WITH ending AS MATERIALIZED (
    SELECT one.run_id, ${field('one', 'conflict')} AS id, max(one.seq) AS seq,
      ${field('one', 'by')} AS "by", ${field('one', 'option')} AS option
    FROM typed_fact one WHERE one.type = 'conflict.decided' GROUP BY one.run_id, id)
  SELECT
    last.run_id,
    'Q-' || (asked.key + 1) AS id,
    json_extract(asked.value, '$.question') AS question,
    json_extract(asked.value, '$.kind') AS kind,
    json_extract(asked.value, '$.why') AS why,
    json_extract(asked.value, '$.round') AS round,
    json_extract(asked.value, '$.options') AS options,
    ending."by" AS ended_by,
    ending.option
  FROM (SELECT run_id, max(n), conflicts FROM conflict_state GROUP BY run_id) last, json_each(last.conflicts) asked
    LEFT JOIN ending ON ending.run_id = last.run_id AND ending.id = 'Q-' || (asked.key + 1)`,
  },
  {
    name: 'contexts',
    select: `SELECT
    asked.run_id,
    ${field('asked', 'id')} AS id,
    ${field('asked', 'seat')} AS seat,
    ${field('asked', 'question')} AS question,
    CASE WHEN ${field('asked', 'answer')} IS NOT NULL THEN 'answered'
      WHEN json_array_length(found.body, '$.found') + coalesce(json_array_length(found.body, '$.absent'), 0) > 0
        THEN 'researched'
      ELSE 'not known' END AS known,
    ${field('asked', 'answer.place')} AS place,
    ${field('asked', 'answer.quotation')} AS quotation,
    ${field('found', 'found')} AS researched,
    ${field('found', 'absent')} AS absent,
    ${field('found', 'dropped')} AS dropped,
    coalesce(${field('found', 'why')}, ${field('asked', 'why')}) AS why
  FROM typed_fact asked LEFT JOIN typed_fact found ON found.run_id = asked.run_id
    AND found.type = 'question.researched' AND ${field('found', 'id')} = ${field('asked', 'id')}
    AND ${isLatest('found', 'id')}
  WHERE asked.type = 'question.looked-up' AND ${isLatest('asked', 'id')}`,
  },
  {
    name: 'gates',
    select: `SELECT
    gated.run_id,
    ${field('gated', 'seat')} AS seat,
    ${field('gated', 'round')} AS round,
    ${field('gated', 'shown')} AS shown,
    ${field('gated', 'withheld')} AS withheld,
    ${field('gated', 'cut')} AS cut,
    ${field('gated', 'notKnown')} AS not_known,
    (SELECT coalesce(sum(json_extract(piece.value, '$.tokens')), 0)
      FROM json_each(gated.body, '$.shown') piece) AS tokens
  FROM typed_fact gated WHERE gated.type = 'context.gated' AND ${isLatest('gated', 'seat', 'round')}`,
  },
];
