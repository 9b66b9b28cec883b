/**
 * The views that people query with sqlite3 or Datasette: the public interface of the database, described
 * in docs/database.md. Views of all runs stand here, each protocol's own beside its facts.
 *
 * To add a column, add its line to the view. When a database is opened, views whose SQL differs are created
 * anew in one transaction. Removing a column or changing its meaning needs a line in the changelog. Views
 * with plural names are public; views with singular names are only used by other views. Each view contains a
 * mark; a view without the mark belongs to a person and is never replaced.
 *
 * The SQL keeps to SQLite 3.38: an older `sqlite3` cannot open a file with a view that it cannot parse.
 * `INDEXED BY` names the index for each type of fact, since the planner has no statistics here.
 */
import type Database from 'better-sqlite3';
import type { SqlView } from '../kernel/vocabulary.ts';
import { BODY, BY_TYPE, MOST_TOKENS, MOST_USD } from './schema.ts';

/**
 * The mark in every view of this program. A view of the same name without the mark belongs to a person and
 * is not replaced.
 */
const MARK = '-- Made by deliberate, and made anew where it was changed.';

const CALLS = `type IN ('call.completed', 'call.failed', 'call.stopped')`;

/** Selects facts by an index that contains only them; without the hint SQLite reads the whole log. */
function indexSql(index: string, which: string): string {
  return `SELECT run_id, seq, at, type, step, body AS stored, ${BODY} AS body
  FROM fact INDEXED BY ${index} WHERE ${which}`;
}

const model = `json_extract(ended.body, '$.model')`;

function plausibleFigure(path: string, most: number, otherwise: string): string {
  const value = `json_extract(ended.stored, '$.${path}')`;
  return `CASE WHEN ${value} BETWEEN 0 AND ${most} THEN ${value} ELSE ${otherwise} END`;
}

/** The SQL for a message of a prompt: its parts, joined by blank lines as they are sent. */
function textOf(message: string): string {
  return `(SELECT group_concat(text, char(10, 10)) FROM (
      SELECT part.text AS text FROM json_each(${message}, '$.parts') place
        JOIN part ON part.id = place.value ORDER BY place.key))`;
}

function ofPrompt(what: string): string {
  return `(SELECT ${what} FROM prompt
      WHERE prompt.run_id = ended.run_id AND prompt.attempt = json_extract(ended.body, '$.attempt'))`;
}

const SQL_VIEWS: readonly SqlView[] = [
  // The facts that other views look up by their type; an index makes this fast.
  { name: 'typed_fact', select: indexSql('fact_by_type', BY_TYPE) },
  { name: 'step_start', select: indexSql('fact_of_start', `type = 'step.started'`) },
  { name: 'call_end', select: indexSql('fact_of_call', CALLS) },
  {
    // A call that a fork copied was paid for by the parent run. So mark the call as `inherited`; sums leave out
    // such calls.
    name: 'calls',
    select: `SELECT
    ended.run_id,
    json_extract(ended.body, '$.seat') AS seat,
    json_extract(ended.body, '$.role') AS role,
    substr(${model}, 1, instr(${model}, '/') - 1) AS provider,
    substr(${model}, instr(${model}, '/') + 1) AS model,
    CASE ended.type WHEN 'call.completed' THEN 'done' WHEN 'call.failed' THEN 'failed' ELSE 'stopped' END AS status,
    ${plausibleFigure('usage.input', MOST_TOKENS, '0')} AS tokens_in,
    ${plausibleFigure('usage.output', MOST_TOKENS, '0')} AS tokens_out,
    ${plausibleFigure('usage.cached', MOST_TOKENS, '0')} AS cached,
    json_extract(ended.stored, '$.latencyMs') AS latency_ms,
    json_extract(ended.stored, '$.attempts') AS attempts,
    json_extract(ended.body, '$.text') AS text,
    json_extract(ended.body, '$.step') AS step,
    ${plausibleFigure('costUsd', MOST_USD, 'NULL')} AS cost_usd,
    json_extract(ended.body, '$.message') AS error,
    json_extract(ended.stored, '$.rehearsal') AS rehearsal,
    ended.at,
    ended.seq,
    coalesce(json_extract(ended.stored, '$.inherited'), 0) AS inherited,
    coalesce(json_extract(ended.stored, '$.usage.estimated'), 0) AS estimated,
    (SELECT json_extract(begun.body, '$.task') FROM step_start begun WHERE ${startCondition()}) AS task,
    (SELECT begun.at FROM step_start begun WHERE ${startCondition()}) AS started_at,
    json_extract(ended.stored, '$.firstTokenMs') AS first_token_ms,
    json_extract(ended.body, '$.served') AS served,
    ${ofPrompt('(SELECT text FROM part WHERE part.id = prompt.system)')} AS system,
    ${ofPrompt(textOf(`json_extract(prompt.messages, '$[#-1]')`))} AS prompt,
    ${ofPrompt(`(SELECT json_group_array(json(said)) FROM (
      SELECT json_object('role', json_extract(message.value, '$.role'), 'content', ${textOf('message.value')}) AS said
        FROM json_each(prompt.messages) message ORDER BY message.key))`)} AS conversation,
    ${ofPrompt('(SELECT text FROM part WHERE part.id = prompt.schema)')} AS schema,
    ${ofPrompt('prompt.options')} AS options,
    json_extract(ended.body, '$.thinking') AS thinking,
    json_extract(ended.body, '$.price.source') AS price_source,
    json_extract(ended.body, '$.price.asOf') AS price_as_of
  FROM call_end ended`,
  },
  {
    name: 'runs',
    select: `SELECT
    run.id,
    run.protocol,
    (SELECT json_extract(body, '$.question') FROM readable
      WHERE run_id = run.id AND seq = 1) AS question,
    CASE
      -- Before how it ended the last time: workers may be about to go on with it.
      WHEN EXISTS (SELECT 1 FROM queue WHERE run_id = run.id)
        THEN CASE WHEN run.owner IS NULL THEN 'queued' ELSE 'running' END
      WHEN EXISTS (SELECT 1 FROM elsewhere WHERE run_id = run.id AND NOT is_over)
        THEN CASE WHEN (SELECT batches FROM elsewhere WHERE run_id = run.id) = 0 THEN 'queued' ELSE 'running' END
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
      WHERE run_id = run.id AND type IN ('run.started', 'run.resumed', 'run.ended'))`,
  },
  {
    name: 'syntheses',
    select: `SELECT
    made.run_id,
    json_extract(made.body, '$.version') AS version,
    coalesce(json_extract(made.body, '$.question'), 1) AS question,
    json_extract(made.body, '$.model') AS model,
    json_extract(made.body, '$.text') AS text,
    json_extract(made.body, '$.included') AS included,
    json_extract(made.body, '$.excluded') AS excluded,
    json_extract(made.body, '$.labels') AS labels,
    json_extract(made.body, '$.missing') AS missing,
    json_extract(made.body, '$.note') AS note,
    json_extract(made.body, '$.compacted') AS compacted,
    coalesce(json_extract(made.body, '$.conclusion'), 0) AS conclusion,
    json_extract(made.body, '$.rehearsal') AS rehearsal,
    made.at,
    made.seq
  FROM typed_fact made WHERE made.type = 'synthesis.completed' AND NOT EXISTS (
    SELECT 1 FROM typed_fact later WHERE later.run_id = made.run_id AND later.type = made.type
      AND later.seq > made.seq
      AND json_extract(later.body, '$.version') = json_extract(made.body, '$.version'))`,
  },
  {
    name: 'lookups',
    select: `SELECT
    used.run_id,
    json_extract(used.body, '$.seat') AS seat,
    json_extract(used.body, '$.tool') AS tool,
    used.body -> '$.arguments' AS arguments,
    json_extract(used.body, '$.about') AS about,
    json_extract(used.body, '$.id') AS id,
    json_extract(used.stored, '$.bytes') AS bytes,
    json_extract(used.stored, '$.ms') AS ms,
    coalesce(json_extract(used.stored, '$.refused'), 0) AS refused,
    json_extract(used.stored, '$.from') AS first_line,
    json_extract(used.body, '$.text') AS text,
    json_extract(used.body, '$.more') AS more,
    json_extract(used.body, '$.step') AS step,
    used.at,
    used.seq
  FROM typed_fact used WHERE used.type = 'tool.called'`,
  },
];

/** The condition for the fact that began a call; copied calls have none. */
function startCondition(): string {
  return `begun.run_id = ended.run_id AND begun.step = ended.step
      AND begun.seq < ended.seq
      AND json_extract(begun.body, '$.attempt') = json_extract(ended.body, '$.attempt')`;
}

/** Returns the SQL of each view by its name. `owners`: the views of the protocols. */
function wantedViews(owners: readonly SqlView[]): ReadonlyMap<string, string> {
  return new Map(
    [...SQL_VIEWS, ...owners].map(({ name, select }) => [
      name,
      `CREATE VIEW ${name} AS ${MARK}\n  ${select.trim()}`,
    ]),
  );
}

/**
 * Returns whether `makeViews` would change nothing.
 * @param owners the SQL views that protocols add; if absent, views of protocols are not looked at
 */
export function hasViews(db: Database.Database, owners?: readonly SqlView[]): boolean {
  return changesTo(db, owners).length === 0;
}

/**
 * Creates missing SQL views, recreates those whose definition differs, and drops obsolete ones. Views that a
 * person made stay, even under the name of one of this program's views.
 * @param owners the SQL views that protocols add; if absent, views of protocols stay as they are
 */
export function makeViews(db: Database.Database, owners?: readonly SqlView[]): void {
  for (const sql of changesTo(db, owners)) db.exec(sql);
}

/**
 * Returns the SQL statements that update the views. `owners` are the views of the protocols; if
 * absent, the caller knows no protocols, and the views of protocols are left as they are.
 */
function changesTo(db: Database.Database, owners?: readonly SqlView[]): string[] {
  const things = db
    .prepare<[], { name: string; type: string; sql: string | null }>(
      `SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view')`,
    )
    .all();
  const views = wantedViews(owners ?? []);
  // SQLite does not distinguish upper and lower case in names.
  const there = new Map(things.map((thing) => [thing.name.toLowerCase(), thing]));
  const ours = things.filter(({ type, sql }) => type === 'view' && sql?.includes(MARK));
  return [
    ...ours
      .filter(
        ({ name, sql }) => views.get(name) !== sql && (owners !== undefined || views.has(name)),
      )
      .map(({ name }) => `DROP VIEW ${name}`),
    ...[...views].flatMap(([name, sql]) => {
      const known = there.get(name);
      return known === undefined || (ours.includes(known) && known.sql !== sql) ? [sql] : [];
    }),
  ];
}
