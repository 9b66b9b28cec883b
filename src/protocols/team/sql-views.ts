/**
 * Defines the SQL views of a team's facts. Each view says in SQL what `fold.ts` says in code;
 * test/team/views.test.ts compares them. Refused plans and graphs are ignored, and a new one keeps the
 * state of whatever it has in common with the old one.
 */
import type { SqlView } from '../../kernel/vocabulary.ts';
import { factField, fieldColumns } from '../common/sql-view-parts.ts';

/**
 * The condition that code accepted a plan or graph. An answer in which T1 gives up planning again does not
 * count.
 */
const checkAccepted = (fact: string, type: string): string =>
  `${fact}.type = '${type}' AND json_array_length(${fact}.body, '$.refused') = 0${
    type === 'team.planned'
      ? ` AND NOT (${factField(fact, 'by')} = 'replan' AND ${factField(fact, 'plan.no_team')} <> '')`
      : ''
  }`;

/** The condition that a plan or graph is the last accepted one. */
const isLast = (fact: string, type: string): string =>
  `${checkAccepted(fact, type)} AND NOT EXISTS (SELECT 1 FROM typed_fact later
      WHERE later.run_id = ${fact}.run_id AND later.seq > ${fact}.seq AND ${checkAccepted('later', type)})`;

/** The number of the fact since which every accepted plan or graph has contained this item. */
const selectSince = (fact: string, type: string, list: string, isSame: string): string =>
  `(SELECT min(one.seq) FROM typed_fact one WHERE one.run_id = ${fact}.run_id AND ${checkAccepted('one', type)}
      AND one.seq > coalesce((SELECT max(other.seq) FROM typed_fact other
        WHERE other.run_id = ${fact}.run_id AND other.seq < ${fact}.seq AND ${checkAccepted('other', type)}
        AND NOT EXISTS (SELECT 1 FROM json_each(other.body, '$.${list}') same WHERE ${isSame})), 0))`;

const compareFields = (...names: readonly string[]): string =>
  names
    .map((name) => `json_extract(same.value, '$.${name}') = json_extract(item.value, '$.${name}')`)
    .join(' AND ');

/**
 * Facts about the task of a row of `task_last` since the row's `since` or `first`; `types` are the fact
 * types as an SQL list.
 */
const ofTask = (fact: string, types: string, then: 'since' | 'first'): string =>
  `typed_fact ${fact} WHERE ${fact}.run_id = last.run_id AND ${fact}.type IN (${types})
      AND ${fact}.seq > last.${then} AND ${factField(fact, 'task')} = last.id`;

const selectLatest = (what: string, types: string, then: 'since' | 'first', and = ''): string =>
  `(SELECT ${what} FROM ${ofTask('said', types, then)} ${and} ORDER BY said.seq DESC LIMIT 1)`;

const ofItem = (name: string): string => `json_extract(last.body, '$.${name}')`;

/** The SQL views of a team's facts. */
export const SQL_VIEWS: readonly SqlView[] = [
  {
    // Each row is a task of the last plan, or a piece of one.
    // - `first`: the number of the fact that added the task's id
    // - `since`: the number of the fact that gave the task its present wording
    name: 'task_last',
    select: `SELECT graph.run_id, item.key AS place, json_extract(item.value, '$.id') AS id, item.value AS body,
    ${selectSince('graph', 'team.graphed', 'tasks', 'same.value = item.value')} AS since,
    ${selectSince('graph', 'team.graphed', 'tasks', compareFields('id'))} AS first
  FROM typed_fact graph, json_each(graph.body, '$.tasks') item WHERE ${isLast('graph', 'team.graphed')}
  UNION ALL SELECT split.run_id, item.key, json_extract(item.value, '$.id'), item.value, split.seq, split.seq
  FROM typed_fact split, json_each(split.body, '$.into') item WHERE split.type = 'task.split'
    AND EXISTS (SELECT 1 FROM typed_fact graph, json_each(graph.body, '$.tasks') whole
      WHERE graph.run_id = split.run_id AND graph.seq < split.seq AND ${isLast('graph', 'team.graphed')}
      AND json_extract(whole.value, '$.id') = ${factField('split', 'task')})
    AND NOT EXISTS (SELECT 1 FROM typed_fact later
      WHERE later.run_id = split.run_id AND later.seq > split.seq AND ${checkAccepted('later', 'team.graphed')})`,
  },
  {
    name: 'tasks',
    select: `SELECT
    last.run_id,
    last.id,
    ${ofItem('workstream')} AS workstream,
    ${ofItem('title')} AS title,
    coalesce(${selectLatest(
      `CASE said.type WHEN 'task.started' THEN 'working' WHEN 'task.retried' THEN 'waiting'
        WHEN 'task.ended' THEN ${factField('said', 'state')}
        ELSE CASE WHEN ${factField('said', 'green')} THEN 'green' ELSE 'red' END END`,
      "'task.started', 'task.judged', 'task.retried', 'task.ended'",
      'since',
    )}, 'waiting') AS state,
    (SELECT json_group_array(file) FROM (
      SELECT 0 AS seq, named.key AS place, named.value AS file FROM json_each(last.body, '$.files') named
      UNION ALL SELECT more.seq, named.key, named.value
      FROM typed_fact more, json_each(more.body, '$.files') named
      WHERE more.run_id = last.run_id AND more.type = 'plan.amended' AND more.seq > last.since
        AND ${factField('more', 'task')} = last.id
        AND NOT EXISTS (SELECT 1 FROM json_each(last.body, '$.files') held WHERE held.value = named.value)
        AND NOT EXISTS (SELECT 1 FROM typed_fact before, json_each(before.body, '$.files') held
          WHERE before.run_id = last.run_id AND before.type = 'plan.amended' AND before.seq > last.since
          AND before.seq < more.seq AND ${factField('before', 'task')} = last.id AND held.value = named.value)
      ORDER BY 1, 2)) AS files,
    coalesce(${selectLatest(factField('said', 'brief'), "'task.retried'", 'since', `AND ${factField('said', 'brief')} IS NOT NULL`)},
      ${ofItem('brief')}) AS brief,
    ${ofItem('done_when')} AS done_when,
    ${ofItem('covers')} AS covers,
    ${ofItem('depends_on')} AS depends_on,
    ${ofItem('checks')} AS checks,
    (SELECT count(DISTINCT ${factField('begun', 'attempt')}) FROM ${ofTask('begun', "'task.started'", 'first')}) AS attempts,
    ${selectLatest(factField('said', 'level'), "'task.started'", 'first')} AS level,
    ${selectLatest(factField('said', 'effort'), "'task.started'", 'first')} AS effort,
    ${selectLatest(factField('said', 'model'), "'task.started'", 'first')} AS model,
    ${selectLatest(factField('said', 'commit'), "'task.ended'", 'since', `AND ${factField('said', 'commit')} IS NOT NULL`)} AS commit_id,
    ${selectLatest(factField('said', 'why'), "'task.ended'", 'since')} AS why
  FROM task_last last`,
  },
  {
    name: 'checks',
    select: `SELECT
    ran.run_id,
    ${fieldColumns('ran', 'check "check"', 'argv', 'kind', 'on target', 'workstream', 'task')},
    ${fieldColumns('ran', 'attempt', 'exit', 'ended', 'counts.passed passed')},
    ${fieldColumns('ran', 'counts.failed failed', 'counts.skipped skipped')},
    ${fieldColumns('ran', 'counts.failing failing')},
    coalesce(${factField('ran', 'flaky')}, 0) AS flaky,
    ${fieldColumns('ran', 'ms', 'sandbox', 'output')},
    ran.at,
    ran.seq
  FROM typed_fact ran WHERE ran.type = 'check.ran'`,
  },
  {
    name: 'joins',
    select: `SELECT
    joined.run_id,
    ${fieldColumns('joined', 'of workstream', 'round', 'commits', 'commit commit_id')},
    ${fieldColumns('joined', 'conflicts')},
    joined.at,
    joined.seq
  FROM typed_fact joined WHERE joined.type = 'team.joined'`,
  },
  {
    name: 'amendments',
    select: `SELECT
    amended.run_id,
    ${fieldColumns('amended', 'by "by"', 'kind', 'what', 'why', 'task', 'files')},
    amended.at,
    amended.seq
  FROM typed_fact amended WHERE amended.type = 'plan.amended'`,
  },
  {
    name: 'escalations',
    select: `SELECT
    up.run_id,
    ${fieldColumns('up', 'from from_tier', 'to to_tier', 'workstream', 'task', 'cause', 'why')},
    up.at,
    up.seq
  FROM typed_fact up WHERE up.type = 'team.escalated'`,
  },
  {
    // Each row is a requirement of the last plan, with its latest verdict. Two kinds do not count: verdicts on an
    // older wording, and verdicts from before workstreams were last verified together.
    name: 'requirement_last',
    select: `SELECT plan.run_id, json_extract(item.value, '$.id') AS id, item.value AS body,
    (SELECT CASE WHEN EXISTS (SELECT 1 FROM typed_fact later
        WHERE later.run_id = verdict.run_id AND later.seq > verdict.seq AND later.type = 'verdict.joined'
        AND ${factField('later', 'alone')} IS NULL
        AND (${factField('verdict', 'alone')} IS NOT NULL
          OR ${factField('later', 'commit')} <> ${factField('verdict', 'commit')}
          OR ${factField('later', 'round')} <> ${factField('verdict', 'round')}))
        THEN NULL ELSE said.value END
      FROM typed_fact verdict, json_each(verdict.body, '$.requirements') said
      WHERE verdict.run_id = plan.run_id AND verdict.type = 'verdict.joined'
      AND verdict.seq > ${selectSince('plan', 'team.planned', 'plan.requirements', compareFields('id', 'text', 'proof'))}
      AND json_extract(said.value, '$.id') = json_extract(item.value, '$.id')
      ORDER BY verdict.seq DESC, said.key LIMIT 1) AS verdict
  FROM typed_fact plan, json_each(plan.body, '$.plan.requirements') item
  WHERE ${isLast('plan', 'team.planned')}`,
  },
  {
    name: 'requirements',
    select: `SELECT
    last.run_id,
    last.id,
    ${ofItem('text')} AS text,
    ${ofItem('proof')} AS proof,
    coalesce(json_extract(last.verdict, '$.state'), 'unproved') AS state,
    coalesce(json_extract(last.verdict, '$.evidence'), '[]') AS evidence
  FROM requirement_last last`,
  },
];
