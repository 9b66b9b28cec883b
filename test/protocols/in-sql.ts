/** What the views of the database say of a run, held against what its facts fold to, row by row. */
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

/** Each view as the folds have it: of whatever a row holds, these columns are compared. */
export function folded(facts: readonly AnyFact[]): Readonly<Record<string, readonly Row[]>> {
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
    calls: facts.filter(isCall).map((one) => {
      const started = facts.find(
        ({ type, step, ...body }) =>
          type === 'step.started' &&
          step === one.step &&
          (body as { attempt?: string }).attempt === one.attempt,
      );
      return {
        seq: one.seq,
        step: one.step,
        text: one.text,
        thinking: one.thinking,
        first_token_ms: one.firstTokenMs,
        started_at: started?.at,
        task: (started as { task?: string } | undefined)?.task,
        inherited: one.inherited === true,
      };
    }),
    syntheses: run.syntheses.map(({ question, conclusion, ...one }) => ({
      ...one,
      question: question ?? 1,
      conclusion: conclusion === true,
    })),
    lookups: facts.filter(KERNEL.is('tool.called')).map(({ from, refused, ...one }) => ({
      seq: one.seq,
      at: one.at,
      step: one.step,
      seat: one.seat,
      tool: one.tool,
      id: one.id,
      about: one.about,
      text: one.text,
      more: one.more,
      bytes: one.bytes,
      ms: one.ms,
      arguments: JSON.stringify(one.arguments),
      refused: refused === true,
      first_line: from,
    })),
    predictions: decided.predictions.map((one) => ({
      id: one.id,
      version: one.version,
      question: one.question,
      sentence: one.sentence,
      date: one.date,
      look: one.look,
      condition: one.if,
      command: one.command,
      drafter: one.drafter,
      panel: one.panel?.percent,
      parent: one.parent,
      outcome: sqlOutcome(one, decided),
    })),
    forecasts: facts
      .filter(DECISIONS.is('forecasts.given'))
      .flatMap(({ version, model, seats, forecasts }) =>
        forecasts
          .filter(({ prediction }) => decided.predictions.some(({ id }) => id === prediction))
          .map((one) => ({ ...one, version, model, seats })),
      ),
    decisions_taken: decided.taken.map((one, at) => ({
      number: one.number,
      text: one.text,
      option: one.option,
      follows: one.follows,
      by: one.by,
      note: one.note,
      version: one.version,
      review: reviewDay(one),
      superseded_by: decided.taken[at + 1]?.number,
    })),
    resolutions: facts.filter(DECISIONS.is('prediction.resolved')).map((one) => ({
      prediction: one.id,
      outcome: one.outcome,
      date: one.date,
      why: one.why,
      by: one.by,
      evidence: one.evidence,
    })),
    ballots: board.questions.flatMap(({ ballots }) => ballots),
    ablations: run.syntheses
      .filter(({ version }) => Object.hasOwn(board.madeForAblation, version))
      .map(({ version, question = 1 }) => {
        const base = board.madeForAblation[version] ?? 0;
        // The fold keeps only the last ablation of each seat, but the database has all of them.
        const weighed = facts
          .filter(BOARD.is('influence.weighed'))
          .find((one) => one.base === base && one.version === version);
        const { without, change, how } = weighed ?? {};
        return { version, question, base, without, change, how };
      }),
    rounds: rounds.map((one) => ({
      round: one.round,
      lead: one.lead,
      absent: one.absent,
      phase: one.phase,
      closed: one.closed,
      tensions: one.closed ? one.tensions : null,
      impact: one.closed ? one.impact : null,
      answer: one.answer,
      drift: one.drift?.verdict,
      deviation_score: one.drift?.deviation_score,
      satisfied: one.signals?.satisfied,
      recommendation: one.signals?.recommendation,
      why: one.signals?.why,
      alarm: one.signals?.alarm,
      suspected: one.suspicions.map(({ id }) => id),
    })),
    artifacts: rounds.flatMap(({ artifacts }) => artifacts),
    claims: claims.map((one) => ({ ...one, step: deliberation.claims[one.id]?.step })),
    verifications: verifications.map((one) => ({
      ...one,
      // SQL returns null where the fold leaves a field out.
      claim_status_changes: one.claim_status_changes?.map((move) => ({
        stance: null,
        bearing: null,
        ...defined(move),
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
    statements: plan.statements.map(({ withdrawal, conflict, ...one }) => ({
      ...one,
      offered_in: conflict,
      earlier: undefined,
      withdrawn_in: withdrawal?.round,
      withdrawn_by: withdrawal?.by,
      conflict: withdrawal?.conflict,
      why: withdrawal?.why,
    })),
    conflicts: plan.conflicts.map(({ alsoAsked: _alsoAsked, ...one }) => {
      const decided = plan.decided.find(({ conflict }) => conflict === one.id);
      return { ...one, ended_by: decided?.by, option: decided?.option };
    }),
    contexts: plan.lookedUp.map((one) => {
      const found = plan.researched.find(({ id }) => id === one.id);
      return {
        id: one.id,
        seat: one.seat,
        question: one.question,
        known: rateAnswer(one, plan),
        place: one.answer?.place,
        quotation: one.answer?.quotation,
        missing: one.missing,
        researched: found?.found,
        absent: found?.absent,
        dropped: found?.dropped,
        why: found?.why ?? one.why,
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
    checks: team.checks.map((one) => ({
      check: one.check,
      argv: one.argv,
      kind: one.kind,
      target: one.on,
      workstream: one.workstream,
      task: one.task,
      attempt: one.attempt,
      exit: one.exit,
      ended: one.ended,
      failing: one.counts?.failing,
      passed: one.counts?.passed,
      failed: one.counts?.failed,
      skipped: one.counts?.skipped,
      flaky: one.flaky === true,
      ms: one.ms,
      sandbox: one.sandbox,
      output: one.output,
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
    requirements: team.requirements.map((one) => ({ ...one })),
  };
}

function sqlOutcome(one: PredictionView, view: DecisionsView): string | undefined {
  const { state } = outcomeOf(one, view);
  return state === 'open' ? undefined : state;
}

type Rows = (view: string, run: string) => Row[];
/** By store: what asks for a view takes longer to prepare than to answer. */
const asked = new WeakMap<Store, Rows>();

/** What the views of a store say now, by a connection of its own that is open until the test is over. */
function rowsIn(store: Store): Rows {
  const known = asked.get(store);
  if (known !== undefined) return known;
  const db = new Database(store.file, { readonly: true });
  const statements = new Map<string, Database.Statement<[string], Row>>();
  const rows: Rows = (view, run) => {
    const key = view === 'runs' ? 'id' : 'run_id';
    // With a bare parameter, SQLite would prepare the statement again for every run.
    const sql = `SELECT * FROM ${view} WHERE ${key} = ? || ''`;
    const statement = statements.get(view) ?? db.prepare<[string], Row>(sql);
    statements.set(view, statement);
    return statement.all(run);
  };
  asked.set(store, rows);
  onTestFinished(() => {
    asked.delete(store);
    db.close();
  });
  return rows;
}

/** Every view of the run agrees with the folds of its facts, and has no row beyond them. */
export function expectSameInSql(store: Store, run: string): void {
  const rowsOf = rowsIn(store);
  for (const [view, rows] of Object.entries(folded(store.facts(run)))) {
    const comparable = rows.map(plain);
    const columns = new Set(comparable.flatMap((one) => Object.keys(one)));
    const said = rowsOf(view, run);
    const lacking = [...columns].filter((column) => !said.every((row) => column in row));
    expect(lacking, `columns that ${view} lacks`).toEqual([]);
    expect(sorted(said.map((row) => like(row, columns))), view).toEqual(sorted(comparable));
  }
}

/** The row's columns that the fold has too, lists and objects read. */
function like(row: Row, columns: ReadonlySet<string>): Row {
  if (columns.size === 0) return row;
  return plain(Object.fromEntries([...columns].map((column) => [column, row[column]])));
}

/** As SQL has it, which knows no booleans; what is absent is left out as NULL is. */
function plain(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([column, value]) => [
        column,
        typeof value === 'boolean'
          ? Number(value)
          : typeof value === 'string'
            ? read(value)
            : value,
      ]),
  );
}

function read(value: string): unknown {
  return /^[[{]/.test(value) ? JSON.parse(value) : value;
}

function defined(row: object): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

function sorted(rows: readonly Row[]): Row[] {
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
