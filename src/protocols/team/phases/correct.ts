/**
 * Decides how failed work goes on: by the fixed rules in code, and with a corrected brief from a tier
 * above.
 */
import { readAnswer } from '../../../kernel/handle.ts';
import { toLine } from '../../../text/line.ts';
import type { SeatId } from '../config.ts';
import { type FactOf, fact } from '../facts.ts';
import type { TaskView } from '../fold.ts';
import {
  type Correction,
  correctionSchema,
  type Piece,
  permittingCorrectionSchema,
  permittingRecutSchema,
  recutSchema,
  type TestChange,
} from '../forms/work.ts';
import { correctMessages } from '../prompts/graph.ts';
import { joinBrief, replaceDoneWhen } from '../rules/briefs.ts';
import {
  type AttemptFailure,
  countAttemptsOfRun,
  decideAfterFailure,
  type Failure,
  type FailureResponse,
} from '../rules/failures.ts';
import { whyNotPermitted } from '../rules/permits.ts';
import { guardedOf, testsOf } from '../rules/plan.ts';
import { type Split, splitInto } from '../rules/split.ts';
import { castOf, type TeamRun } from '../team-run.ts';
import { reasonOf, triedRows } from '../tried.ts';
import { endOf } from './checks.ts';
import { readTexts } from './design.ts';
import { contextOf } from './graph.ts';
import { findLockedForTask, lockedFiles } from './locked.ts';
import type { WorkState } from './state.ts';

/**
 * What happens to a failed task. `again`: it is tried again. `dropped`: it is left out. `split`: pieces of
 * it are done first. `replan`: another plan is needed. `stuck`: a person ends the run because of it.
 */
export type FailureOutcome =
  | { readonly to: 'again' }
  | { readonly to: 'dropped' }
  | { readonly to: 'split' }
  | { readonly to: 'replan'; readonly why: string }
  | { readonly to: 'stuck'; readonly why: string };

/** The tier that a rejection names. It is asked first, instead of the tier that the rules would ask next. */
type Wanted = 'T4' | 'T3';

/**
 * Decides what happens to a task after a failed attempt.
 * @param key the key of that attempt, which is the prefix of the steps recorded here
 */
export function sendBack(
  state: WorkState,
  key: string,
  id: string,
  failure: AttemptFailure,
): Promise<Exclude<FailureOutcome, { to: 'replan' }>>;
/**
 * Decides what becomes of a task whose work was red after a merge, or that verifiers or T1 rejected. `wanted` is the
 * tier that the rejection names. With `T4`, a task that has attempts left is tried again without a new brief.
 */
export function sendBack(
  state: WorkState,
  key: string,
  id: string,
  failure: Failure,
  wanted?: Wanted,
): Promise<FailureOutcome>;
/**
 * Decides what becomes of a task that failed, and records it: another attempt, a split, another plan, or an
 * end.
 */
export async function sendBack(
  state: WorkState,
  key: string,
  id: string,
  failure: Failure,
  wanted?: Wanted,
): Promise<FailureOutcome> {
  const { team } = state;
  const task = team.task(id);
  const attempt = task.attempts.length + 1;
  // The inputs of the step are about this task only. The state of other tasks depends on timing, and a recorded
  // step is only found again by the same inputs.
  const next = await team.act(`${key}/next`, { id, attempt, failure, wanted }, () => {
    const found = decideAfterFailure(team.view, id, failure);
    return { value: found, facts: toEscalationFacts(task, found) };
  });
  if (next.do === 'retry') {
    const by = wanted === 'T4' || !next.counted ? 'code' : next.by;
    const corrected =
      by === 'code' ? undefined : await askForCorrection(state, key, task, by, failure);
    const uncounted = next.counted ? {} : { uncounted: true as const };
    if (by !== 'code') await permitTests(state, key, task, by, attempt, corrected);
    await recordRetry(state, key, id, { attempt, by, why: next.why, ...uncounted }, corrected);
    return { to: 'again' };
  }
  const { to, why } = next;
  if (to === 'person')
    return askPerson(state, key, task, attempt, why, countAttemptsOfRun(team.view.tasks.length));
  if (to === 'T1' && next.cause === 'design') return { to: 'replan', why };
  const corrected = await askForCorrection(state, key, task, to, failure);
  await permitTests(state, key, task, to, attempt, corrected);
  const isSplit = corrected !== undefined && (await splitTask(state, key, task, to, corrected));
  await recordRetry(state, key, id, { attempt, by: to, why }, corrected);
  return { to: isSplit ? 'split' : 'again' };
}

type Corrected = Correction & {
  readonly split?: Split | undefined;
  /** Why code refused the pieces of a split. */
  readonly refused?: readonly string[] | undefined;
  /** Tests that the task may change from now on. Used from version 3 of the rules on. */
  readonly test_changes?: readonly TestChange[] | undefined;
};

/**
 * Records a split. Its pieces continue from what was done of the task so far.
 * @returns whether there are pieces to be done first
 */
async function splitTask(
  { team, parts }: WorkState,
  key: string,
  { task: { id } }: TaskView,
  by: 'T1' | 'T2',
  { split: found, why }: Corrected,
): Promise<boolean> {
  if (found === undefined || found.into.length === 0) return false;
  const { into, ordered } = found;
  const ids = into.map((piece) => piece.id);
  await team.record(`${key}/split`, { by, into, why }, [
    fact('task.split', {
      task: id,
      by,
      why: toLine(why),
      into: into.map((piece) => structuredClone(piece)),
      ordered: ordered.map((pair) => ({ ...pair })),
    }),
    fact('plan.amended', {
      by,
      kind: 'split',
      what: toLine(`${id}: first ${ids.join(', ')}`),
      why: toLine(why),
      task: id,
      files: [],
    }),
  ]);
  const part = parts.get(id);
  if (part !== undefined) for (const pieceId of ids) parts.set(pieceId, part);
  return true;
}

/**
 * Records which of the existing tests the task may change, as the tier above wishes, and why it may not
 * change the others.
 */
async function permitTests(
  { team, ground, tests }: WorkState,
  key: string,
  { task: { id } }: TaskView,
  by: 'T1' | 'T2' | 'T3',
  attempt: number,
  corrected: Corrected | undefined,
): Promise<void> {
  const wanted = corrected?.test_changes ?? [];
  if (wanted.length === 0) return;
  const { plan, survey } = ground;
  const texts = await readTexts(
    team,
    `${key}/permitted-texts`,
    survey.base,
    wanted.map(({ path }) => path),
  );
  await team.act(`${key}/permitted`, { by, wanted }, () => {
    const facts = wanted.map((change) => {
      const why = whyNotPermitted(change, team.task(id), {
        tasks: team.view.tasks,
        ordered: team.graph.ordered,
        guarded: guardedOf(plan, survey),
        locked: lockedFiles({ team, tests }),
        tests: testsOf(plan, survey),
        isThere: (path) =>
          texts.has(path) ||
          team.view.tasks.some(({ attempts }) =>
            attempts.some(({ commits }) => commits.some(({ files }) => files.includes(path))),
          ),
      });
      return why === undefined
        ? fact('plan.amended', {
            by,
            kind: 'test-change',
            task: id,
            files: [change.path],
            what: toLine(`${change.path} may change`),
            why: toLine(change.why),
          })
        : fact('need.refused', {
            task: id,
            attempt,
            kind: 'test-change',
            what: toLine(change.path),
            why: toLine(why),
          });
    });
    return { value: null, facts };
  });
}

function toEscalationFacts(task: TaskView, next: FailureResponse) {
  if (next.do !== 'escalate') return [];
  return [
    fact('team.escalated', {
      from: next.from,
      to: next.to,
      workstream: task.task.workstream,
      task: task.task.id,
      cause: next.cause,
      why: next.why,
    }),
  ];
}

function tellFailure(failure: Failure): string {
  if (failure.kind === 'partial') return `a part is done; left: ${failure.left.join('; ')}`;
  return failure.why;
}

const SEATS = { T1: 't1', T2: 't2-lead', T3: 't3' } as const satisfies Record<string, SeatId>;

/** Asks a tier above for a corrected brief. Undefined if nobody answered. */
async function askForCorrection(
  { team, ground }: WorkState,
  key: string,
  task: TaskView,
  tier: 'T1' | 'T2' | 'T3',
  failure: Failure,
): Promise<Corrected | undefined> {
  const { workstream, id } = task.task;
  const cast =
    tier === 'T1'
      ? undefined
      : castOf(ground.plan, tier === 'T3' ? 'T3' : 'T2-lead', { workstream });
  const context = contextOf(team, ground, id);
  const about = {
    task,
    why: tellFailure(failure),
    locked: findLockedForTask(team, id).map(
      ({ path, requirement, by, shows, state, text, output }) => ({
        path,
        requirement,
        by,
        shows,
        ...(team.edition >= 8 && state === 'green'
          ? {}
          : { red: { text: endOf(text), output: endOf(output) } }),
        // The work may have changed since the test was locked. So from version 8 of the rules on, the prompt says how the
        // test ended then; before, it called every test red.
        ...(team.edition >= 8 ? { as: 'then' as const } : {}),
      }),
    ),
    earlier: task.retried.map(
      ({ attempt, by, why }) => `before attempt ${attempt}, by ${by}: ${why}`,
    ),
  };
  const of = {
    task: 'team/correct',
    seat: SEATS[tier],
    cast,
    about: { items: [id] },
  };
  const step = `${key}/correct-${tier}`;
  const permits = team.edition >= 3;
  if (tier === 'T3' || team.config.version === undefined || task.of !== undefined) {
    const messages = correctMessages(context, tier, about, undefined, permits);
    const schema = permits ? permittingCorrectionSchema : correctionSchema;
    const asked = await team.ask<Corrected>(step, { ...of, schema, messages });
    return 'why' in asked ? undefined : asked.value;
  }
  let refused: { handed: readonly Piece[]; why: readonly string[] } | undefined;
  for (const each of [step, `${step}-again`]) {
    const messages = correctMessages(context, tier, about, { refused }, permits);
    const schema = permits ? permittingRecutSchema : recutSchema;
    const asked = await team.ask<Corrected & { readonly tasks: Piece[] }>(each, {
      ...of,
      schema,
      messages,
    });
    if ('why' in asked) break;
    const { tasks, ...correction } = asked.value;
    const found = splitInto(task, tasks, correction.brief, {
      tasks: team.view.tasks,
      ordered: team.graph.ordered,
      guarded: guardedOf(ground.plan, ground.survey),
    });
    if (found.refused.length === 0) return { ...correction, split: found };
    refused = { handed: tasks, why: found.refused };
  }
  // If code refused every split that T1 or T2 proposed for the task, ignore the new brief in their answers as well:
  // it describes only the rest of the task after the split.
  return refused && { brief: '', done_when: '', why: '', refused: refused.why };
}

async function recordRetry(
  { team }: WorkState,
  key: string,
  task: string,
  about: Pick<FactOf<'task.retried'>, 'attempt' | 'by' | 'why' | 'uncounted'>,
  corrected: Corrected | undefined,
): Promise<void> {
  const refused = corrected?.refused && { refused: [...corrected.refused] };
  const brief = briefFrom(team, task, corrected);
  const why = corrected?.why.trim() ?? '';
  const said = team.edition < 3 || about.by === 'person' || why === '' ? {} : { said: toLine(why) };
  await team.record(`${key}/retried`, { about, brief, ...refused, ...said }, [
    fact('task.retried', {
      task,
      ...about,
      ...(brief === '' ? {} : { brief }),
      ...refused,
      ...said,
    }),
    // If T1, T2 or T3 has changed the brief, record this as an amendment of the plan as well, so that all tiers
    // above see it.
    ...(brief === '' || (about.by !== 'T1' && about.by !== 'T2' && about.by !== 'T3')
      ? []
      : [
          fact('plan.amended', {
            by: about.by,
            kind: 'brief',
            task,
            files: [],
            what: `the brief of ${task}`,
            why: toLine(corrected?.why ?? about.why),
          }),
        ]),
  ]);
}

/** Returns the task's new brief; an empty text means that the old one stays. */
function briefFrom(team: TeamRun, task: string, corrected: Corrected | undefined): string {
  const { brief = '', done_when: doneWhen = '' } = corrected ?? {};
  const whole = joinBrief(brief, doneWhen);
  if (whole !== '' || team.edition < 3 || doneWhen.trim() === '') return whole;
  return replaceDoneWhen(team.task(task).brief, doneWhen);
}

/** Asks the person about a task that no tier can get done, listing what was tried. */
async function askPerson(
  state: WorkState,
  key: string,
  task: TaskView,
  attempt: number,
  why: string,
  bound: number,
): Promise<FailureOutcome> {
  const { team } = state;
  const { id, title } = task.task;
  const made = team.view.tasks.reduce((sum, { attempts }) => sum + attempts.length, 0);
  const { answer } = await team.askPerson(`${key}/person`, {
    prompt: [
      toLine(`Task ${id} (${title}) does not get done: ${reasonOf(why)}`),
      ...triedRows(task),
      `Attempts in this run: ${made}; its bound is ${bound}.`,
    ].join('\n'),
    options: [
      { value: 'stop', label: 'Stop the run here' },
      { value: 'retry', label: 'Try it again', words: 'What should be done differently?' },
      { value: 'drop', label: 'Drop the task' },
    ],
    default: 'stop',
  });
  const { value, words } = readAnswer(answer);
  if (value === 'retry') {
    const by = { attempt, by: 'person' as const, why: words === '' ? why : words };
    const brief = words === '' ? '' : `${task.brief}\n\nThe person adds: ${words}`;
    const corrected = brief === '' ? undefined : { brief, done_when: '', why: words };
    await recordRetry(state, key, id, by, corrected);
    return { to: 'again' };
  }
  const isDropped = value === 'drop';
  await team.record(`${key}/ended`, { id, value }, [
    fact('task.ended', { task: id, state: isDropped ? 'dropped' : 'stuck', why }),
    ...(isDropped
      ? [
          fact('plan.amended', {
            by: 'person',
            kind: 'drop',
            what: `task ${id}`,
            why,
            task: id,
            files: [],
          }),
        ]
      : []),
  ]);
  return isDropped ? { to: 'dropped' } : { to: 'stuck', why: `task ${id}: ${why}` };
}
