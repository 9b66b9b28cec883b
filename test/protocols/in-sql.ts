/** Compares what the SQL views of the database say about a run with its folded facts, row by row. */
import Database from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { DECISIONS } from '../../src/decisions/facts.ts';
import {
  type DecisionsView,
  decisionsOf,
  outcomeOf,
  type PredictionView,
} from '../../src/decisions/fold.ts';
import { reviewDay } from '../../src/decisions/table.ts';
import { isCall } from '../../src/kernel/call.ts';
import { KERNEL } from '../../src/kernel/facts.ts';
import { viewOf } from '../../src/kernel/view.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { BOARD } from '../../src/protocols/board/facts.ts';
import { boardOf } from '../../src/protocols/board/fold.ts';
import { planOf } from '../../src/protocols/plan/fold.ts';
import { rateAnswer } from '../../src/protocols/plan/view/question.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import { foldAllTeamFacts } from '../../src/protocols/team/fold.ts';
import type { Store } from '../../src/store/store.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns the rows that SQL views must have for a run, by the name of the view. The rows are computed from the
 * run's facts by the program's folds, without SQL. They have only the columns that are to be compared.
 */
export function foldRows(facts: readonly AnyFact[]): Readonly<Record<string, readonly Row[]>> {
  const run = viewOf(facts);
  const board = boardOf(facts);
  const decided = decisionsOf(facts);
  const plan = planOf(facts);
  const team = foldAllTeamFacts(facts);
  const deliberation = roundsOf(facts);
  const { rounds } = deliberation;
  const {
    claims,
    verifications,
    decisions,
    readings = [],
    refusals = [],
  } = convertToRecords(deliberation);
  return {
    runs: [
      {
        protocol: run.protocol,
        question: run.question,
        tokens_in: run.usage.input,
        tokens_out: run.usage.output,
        parent: run.parent,
      },
    ],
    calls: facts.filter(isCall).map((call) => {
      const started = facts.find(
        ({ type, step, ...body }) =>
          type === 'step.started' &&
          step === call.step &&
          (body as { attempt?: string }).attempt === call.attempt,
      );
      return {
        seq: call.seq,
        step: call.step,
        text: call.text,
        thinking: call.thinking,
        first_token_ms: call.firstTokenMs,
        started_at: started?.at,
        task: (started as { task?: string } | undefined)?.task,
        inherited: call.inherited === true,
      };
    }),
    syntheses: run.syntheses.map(({ question, conclusion, ...rest }) => ({
      ...rest,
      question: question ?? 1,
      conclusion: conclusion === true,
    })),
    lookups: facts.filter(KERNEL.is('tool.called')).map(({ from, refused, ...lookup }) => ({
      seq: lookup.seq,
      at: lookup.at,
      step: lookup.step,
      seat: lookup.seat,
      tool: lookup.tool,
      id: lookup.id,
      about: lookup.about,
      text: lookup.text,
      more: lookup.more,
      bytes: lookup.bytes,
      ms: lookup.ms,
      arguments: JSON.stringify(lookup.arguments),
      refused: refused === true,
      first_line: from,
    })),
    predictions: decided.predictions.map((prediction) => ({
      id: prediction.id,
      version: prediction.version,
      question: prediction.question,
      sentence: prediction.sentence,
      date: prediction.date,
      look: prediction.look,
      condition: prediction.if,
      command: prediction.command,
      drafter: prediction.drafter,
      panel: prediction.panel?.percent,
      parent: prediction.parent,
      outcome: sqlOutcome(prediction, decided),
    })),
    forecasts: facts
      .filter(DECISIONS.is('forecasts.given'))
      .flatMap(({ version, model, seats, forecasts }) =>
        forecasts
          .filter(({ prediction }) => decided.predictions.some(({ id }) => id === prediction))
          .map((forecast) => ({ ...forecast, version, model, seats })),
      ),
    decisions_taken: decided.taken.map((decision, at) => ({
      number: decision.number,
      text: decision.text,
      option: decision.option,
      follows: decision.follows,
      by: decision.by,
      note: decision.note,
      version: decision.version,
      review: reviewDay(decision),
      superseded_by: decided.taken[at + 1]?.number,
    })),
    resolutions: facts.filter(DECISIONS.is('prediction.resolved')).map((resolution) => ({
      prediction: resolution.id,
      outcome: resolution.outcome,
      date: resolution.date,
      why: resolution.why,
      by: resolution.by,
      evidence: resolution.evidence,
    })),
    ballots: board.questions.flatMap(({ ballots }) => ballots),
    ablations: run.syntheses
      .filter(({ version }) => Object.hasOwn(board.madeForAblation, version))
      .map(({ version, question = 1 }) => {
        const base = board.madeForAblation[version] ?? 0;
        // The fold keeps only the last ablation of each seat, but the database has all of them.
        const weighed = facts
          .filter(BOARD.is('influence.weighed'))
          .find((fact) => fact.base === base && fact.version === version);
        const { without, change, how } = weighed ?? {};
        return { version, question, base, without, change, how };
      }),
    rounds: rounds.map((round) => ({
      round: round.round,
      lead: round.lead,
      absent: round.absent,
      phase: round.phase,
      closed: round.closed,
      tensions: round.closed ? round.tensions : null,
      impact: round.closed ? round.impact : null,
      answer: round.answer,
      drift: round.drift?.verdict,
      deviation_score: round.drift?.deviation_score,
      satisfied: round.signals?.satisfied,
      recommendation: round.signals?.recommendation,
      why: round.signals?.why,
      alarm: round.signals?.alarm,
      suspected: round.suspicions.map(({ id }) => id),
    })),
    artifacts: rounds.flatMap(({ artifacts }) => artifacts),
    claims: claims.map((claim) => ({ ...claim, step: deliberation.claims[claim.id]?.step })),
    verifications: verifications.map((verification) => ({
      ...verification,
      // If the fold leaves `stance` or `bearing` out, SQL returns null, so put null into what the fold says.
      claim_status_changes: verification.claim_status_changes?.map((move) => ({
        stance: null,
        bearing: null,
        ...removeUndefined(move),
      })),
    })),
    decisions,
    signals: rounds.flatMap(({ round, signals }) =>
      (signals?.signals ?? []).map((signal) => ({ round, ...signal })),
    ),
    stances: rounds.flatMap(({ stances }) => stances),
    readings: [
      ...deliberation.exams.map((exam) => ({ kind: 'entrance', ...exam })),
      ...readings.filter(({ kind }) => kind !== 'entrance'),
    ],
    refusals,
    statements: plan.statements.map(({ withdrawal, conflict, ...statement }) => ({
      ...statement,
      offered_in: conflict,
      earlier: undefined,
      withdrawn_in: withdrawal?.round,
      withdrawn_by: withdrawal?.by,
      conflict: withdrawal?.conflict,
      why: withdrawal?.why,
    })),
    conflicts: plan.conflicts.map(({ alsoAsked: _alsoAsked, ...rest }) => {
      const decided = plan.decided.find(({ conflict }) => conflict === rest.id);
      return { ...rest, ended_by: decided?.by, option: decided?.option };
    }),
    contexts: plan.lookedUp.map((lookup) => {
      const found = plan.researched.find(({ id }) => id === lookup.id);
      return {
        id: lookup.id,
        seat: lookup.seat,
        question: lookup.question,
        known: rateAnswer(lookup, plan),
        place: lookup.answer?.place,
        quotation: lookup.answer?.quotation,
        missing: lookup.missing,
        researched: found?.found,
        absent: found?.absent,
        dropped: found?.dropped,
        why: found?.why ?? lookup.why,
      };
    }),
    gates: plan.gated.map(({ seat, round, shown, withheld, cut, notKnown }) => ({
      seat,
      round,
      shown,
      withheld,
      cut,
      not_known: notKnown,
      tokens: shown.reduce((sum, { tokens }) => sum + tokens, 0),
    })),
    tasks: team.tasks.map(({ task, files, brief, state, attempts, commit, why }) => {
      const { id, workstream, title, done_when, covers, depends_on, checks } = task;
      const started = attempts.at(-1)?.started;
      return {
        id,
        workstream,
        title,
        state,
        files,
        brief,
        done_when,
        covers,
        depends_on,
        checks,
        attempts: attempts.length,
        level: started?.level,
        effort: started?.effort,
        model: started?.model,
        commit_id: commit,
        why,
      };
    }),
    checks: team.checks.map((check) => ({
      check: check.check,
      argv: check.argv,
      kind: check.kind,
      target: check.on,
      workstream: check.workstream,
      task: check.task,
      attempt: check.attempt,
      exit: check.exit,
      ended: check.ended,
      failing: check.counts?.failing,
      passed: check.counts?.passed,
      failed: check.counts?.failed,
      skipped: check.counts?.skipped,
      flaky: check.flaky === true,
      ms: check.ms,
      sandbox: check.sandbox,
      output: check.output,
    })),
    joins: team.joins.map(({ of, round, commits, commit, conflicts }) => ({
      workstream: of,
      round,
      commits,
      commit_id: commit,
      conflicts,
    })),
    amendments: team.amendments.map(({ by, kind, what, why, task, files }) => ({
      by,
      kind,
      what,
      why,
      task,
      files,
    })),
    escalations: team.escalations.map(({ from, to, workstream, task, cause, why }) => ({
      from_tier: from,
      to_tier: to,
      workstream,
      task,
      cause,
      why,
    })),
    requirements: team.requirements.map((requirement) => ({ ...requirement })),
  };
}

function sqlOutcome(prediction: PredictionView, view: DecisionsView): string | undefined {
  const { state } = outcomeOf(prediction, view);
  return state === 'open' ? undefined : state;
}

type Rows = (view: string, run: string) => Row[];
/** The functions that read the views, by store: preparing a query takes longer than running it. */
const asked = new WeakMap<Store, Rows>();

/**
 * Returns a function that reads a view's rows of a run from a store. Its database connection is closed when
 * the test ends.
 */
function rowsIn(store: Store): Rows {
  const known = asked.get(store);
  if (known !== undefined) return known;
  const db = new Database(store.file, { readonly: true });
  const statements = new Map<string, Database.Statement<[string], Row>>();
  const readRows: Rows = (view, run) => {
    const key = view === 'runs' ? 'id' : 'run_id';
    // The query `= ? || ''` selects the same rows as `= ?`, and is faster: SQLite plans the query once, and not
    // again for each run's id.
    const sql = `SELECT * FROM ${view} WHERE ${key} = ? || ''`;
    const statement = statements.get(view) ?? db.prepare<[string], Row>(sql);
    statements.set(view, statement);
    return statement.all(run);
  };
  asked.set(store, readRows);
  onTestFinished(() => {
    asked.delete(store);
    db.close();
  });
  return readRows;
}

/**
 * Fails the test unless the SQL views have for this run exactly the rows that `foldRows` computes from its
 * facts. Columns that `foldRows` leaves out and the order of rows are not compared.
 */
export function expectSameInSql(store: Store, run: string): void {
  const rowsOf = rowsIn(store);
  for (const [view, rows] of Object.entries(foldRows(store.facts(run)))) {
    const comparable = rows.map(toPlainRow);
    const columns = new Set(comparable.flatMap((row) => Object.keys(row)));
    const said = rowsOf(view, run);
    const lacking = [...columns].filter((column) => !said.every((row) => column in row));
    expect(lacking, `columns that ${view} lacks`).toEqual([]);
    expect(sortRows(said.map((row) => selectColumns(row, columns))), view).toEqual(
      sortRows(comparable),
    );
  }
}

/** Returns the columns of a row that the folds also have, with lists and objects read from their JSON. */
function selectColumns(row: Row, columns: ReadonlySet<string>): Row {
  if (columns.size === 0) return row;
  return toPlainRow(Object.fromEntries([...columns].map((column) => [column, row[column]])));
}

/** Returns a row as SQL has it: booleans as numbers, and without columns that are null or undefined. */
function toPlainRow(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([column, value]) => [
        column,
        typeof value === 'boolean'
          ? Number(value)
          : typeof value === 'string'
            ? readValue(value)
            : value,
      ]),
  );
}

function readValue(value: string): unknown {
  return /^[[{]/.test(value) ? JSON.parse(value) : value;
}

function removeUndefined(row: object): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

function sortRows(rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => ({
    row,
    key: JSON.stringify(
      Object.entries(row)
        .filter(([, value]) => typeof value !== 'object')
        .sort(),
    ),
  }));
  return keyed.sort((left, right) => (left.key < right.key ? -1 : 1)).map(({ row }) => row);
}
