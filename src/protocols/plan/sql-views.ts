/**
 * Defines the SQL views of a plan's facts. Each view says in SQL what `fold.ts` says in code;
 * test/plan/views.test.ts compares them. Each search for conflicts records all conflicts known by then.
 */
import type { SqlView } from '../../kernel/vocabulary.ts';
import { factField, fieldColumns, isLatest } from '../common/sql-view-parts.ts';

/**
 * The latest change of a field of a statement by its seat before it was withdrawn. If one answer changes the
 * same statement twice, the first change counts.
 */
const lastChange = (name: string): string =>
  `(SELECT json_extract(item.value, '$.${name}')
      FROM typed_fact made, json_each(made.body, '$.change') item
      WHERE made.run_id = said.run_id AND made.type = 'statements.made' AND made.seq > said.seq
      AND ${factField('made', 'role')} = said.role AND json_extract(item.value, '$.id') = said.id
      AND (fallen.seq IS NULL OR made.seq < fallen.seq)
      AND json_extract(item.value, '$.${name}') IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM json_each(made.body, '$.change') before
        WHERE before.key < item.key AND json_extract(before.value, '$.id') = said.id)
      ORDER BY made.seq DESC LIMIT 1)`;

/** The SQL views of a plan's facts. */
export const SQL_VIEWS: readonly SqlView[] = [
  {
    // This view has the statements in the words in which they were first made. Their ids number the statements
    // of each seat.
    name: 'statement_said',
    select: `SELECT made.run_id, made.seq, ${factField('made', 'role')} AS role, ${factField('made', 'round')} AS round,
    ${factField('made', 'role')} || '-' || (item.key + 1 + coalesce((
      SELECT sum(json_array_length(earlier.body, '$.add')) FROM typed_fact earlier
      WHERE earlier.run_id = made.run_id AND earlier.type = made.type AND earlier.seq < made.seq
      AND ${factField('earlier', 'role')} = ${factField('made', 'role')}), 0)) AS id,
    item.key AS place, item.value AS body
  FROM typed_fact made, json_each(made.body, '$.add') item WHERE made.type = 'statements.made'`,
  },
  {
    // This view has the conflicts of the last recorded search.
    name: 'conflict_last',
    select: `SELECT looked.run_id, looked.seq, asked.key, json_extract(asked.value, '$.id') AS id, asked.value AS body
  FROM typed_fact looked, json_each(looked.body, '$.conflicts') asked
  WHERE looked.type = 'conflicts.examined' AND ${isLatest('looked')}`,
  },
  {
    // This view has the options of each question, with those that were proposed after the last search for conflicts:
    // - `since` and `place`: the last fact that lists the option, and the position of the option in this fact. The
    //   `place` of a later proposal is 1000 higher, so that it comes after the options of the search.
    // - `first`: the first fact that lists the option.
    name: 'conflict_option',
    select: `SELECT last.run_id, last.id, named.value AS option, last.seq AS since, named.key AS place,
    min(
      coalesce((SELECT min(looked.seq) FROM typed_fact looked, json_each(looked.body, '$.conflicts') asked,
          json_each(asked.value, '$.options') known
        WHERE looked.run_id = last.run_id AND looked.type = 'conflicts.examined'
          AND json_extract(asked.value, '$.id') = last.id AND known.value = named.value), last.seq),
      coalesce((SELECT min(said.seq) FROM statement_said said WHERE said.run_id = last.run_id
          AND said.id = named.value AND json_extract(said.body, '$.conflict') = last.id), last.seq)) AS first
  FROM conflict_last last, json_each(last.body, '$.options') named
  UNION ALL SELECT last.run_id, last.id, said.id, said.seq, 1000 + said.place, said.seq
  FROM conflict_last last JOIN statement_said said ON said.run_id = last.run_id AND said.seq > last.seq
    AND json_extract(said.body, '$.conflict') = last.id`,
  },
  {
    // This view has the withdrawals of statements. A seat can withdraw its own statement. If an option of a question
    // is chosen, every other statement that was an option of this question at that time is withdrawn, too.
    name: 'statement_fall',
    select: `SELECT made.run_id, made.seq, json_extract(item.value, '$.id') AS id, ${factField('made', 'role')} AS role,
    ${factField('made', 'round')} AS round, 'owner' AS "by",
    json_extract(item.value, '$.conflict') AS conflict, json_extract(item.value, '$.why') AS why
  FROM typed_fact made, json_each(made.body, '$.withdraw') item WHERE made.type = 'statements.made'
  UNION ALL SELECT one.run_id, one.seq, other.option, NULL, ${factField('one', 'round')}, ${factField('one', 'by')},
    other.id, ${factField('one', 'option')} || ' was chosen'
  FROM typed_fact one JOIN conflict_option other ON other.run_id = one.run_id
    AND other.id = ${factField('one', 'conflict')} AND other.first < one.seq
  WHERE one.type = 'conflict.decided' AND ${factField('one', 'by')} <> 'default' AND ${isLatest('one', 'conflict')}
    AND other.option <> ${factField('one', 'option')}
    AND EXISTS (SELECT 1 FROM conflict_option mine WHERE mine.run_id = one.run_id AND mine.id = other.id
      AND mine.first < one.seq AND mine.option = ${factField('one', 'option')})`,
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
    SELECT one.run_id, ${factField('one', 'conflict')} AS id, max(one.seq) AS seq,
      ${factField('one', 'by')} AS "by", ${factField('one', 'option')} AS option
    FROM typed_fact one WHERE one.type = 'conflict.decided' GROUP BY one.run_id, id)
  SELECT
    last.run_id,
    last.id,
    json_extract(last.body, '$.question') AS question,
    json_extract(last.body, '$.kind') AS kind,
    json_extract(last.body, '$.why') AS why,
    json_extract(last.body, '$.round') AS round,
    (SELECT json_group_array(option) FROM (SELECT option FROM conflict_option named
      WHERE named.run_id = last.run_id AND named.id = last.id ORDER BY since, place)) AS options,
    json_extract(last.body, '$.given') AS given,
    json_extract(last.body, '$.unconfirmed') AS unconfirmed,
    ending."by" AS ended_by,
    ending.option
  FROM conflict_last last LEFT JOIN ending ON ending.run_id = last.run_id AND ending.id = last.id`,
  },
  {
    name: 'contexts',
    select: `SELECT
    asked.run_id,
    ${fieldColumns('asked', 'id', 'seat', 'question')},
    CASE WHEN ${factField('asked', 'answer')} IS NOT NULL AND ${factField('asked', 'missing')} IS NULL THEN 'answered'
      WHEN json_array_length(found.body, '$.found') + coalesce(json_array_length(found.body, '$.absent'), 0) > 0
        THEN 'researched'
      WHEN ${factField('asked', 'answer')} IS NOT NULL THEN 'partly known'
      ELSE 'not known' END AS known,
    ${factField('asked', 'answer.place')} AS place,
    ${factField('asked', 'answer.quotation')} AS quotation,
    ${factField('asked', 'missing')} AS missing,
    ${factField('found', 'found')} AS researched,
    ${factField('found', 'absent')} AS absent,
    ${factField('found', 'dropped')} AS dropped,
    coalesce(${factField('found', 'why')}, ${factField('asked', 'why')}) AS why
  FROM typed_fact asked LEFT JOIN typed_fact found ON found.run_id = asked.run_id
    AND found.type = 'question.researched' AND ${factField('found', 'id')} = ${factField('asked', 'id')}
    AND ${isLatest('found', 'id')}
  WHERE asked.type = 'question.looked-up' AND ${isLatest('asked', 'id')}`,
  },
  {
    name: 'gates',
    select: `SELECT
    gated.run_id,
    ${fieldColumns('gated', 'seat', 'round', 'shown', 'withheld', 'cut', 'notKnown not_known')},
    (SELECT coalesce(sum(json_extract(piece.value, '$.tokens')), 0)
      FROM json_each(gated.body, '$.shown') piece) AS tokens
  FROM typed_fact gated WHERE gated.type = 'context.gated' AND ${isLatest('gated', 'seat', 'round')}`,
  },
];
