/** Decides how a task goes on after a failed attempt, within bounds on attempts. */

import type { Effort, FactOf, Tier } from '../facts.ts';
import type { TaskView, TeamView } from '../fold.ts';
import { LEVELS, type Level } from '../forms/plan.ts';

/** Attempts that the run has for each of its tasks, added up over all tasks. */
const ATTEMPTS_EACH = 3;
const MOST_FAULTS = 3;

/**
 * How often T4 hands in work within one attempt: once, and again after each of at most two commits that
 * were refused or red. Each try may take all turns of the settings.
 */
export const TRIES_OF_ATTEMPT = 3;

/**
 * Returns how many attempts a task has before a tier above decides: 3, or 5 if its workstream's
 * `retry_multiplier` is 2.
 */
export function attemptsAllowed(multiplier: 1 | 2): number {
  return 1 + 2 * multiplier;
}

/** Returns how many attempts all tasks of the run may take together: three times the number of tasks. */
export function countAttemptsOfRun(tasks: number): number {
  return ATTEMPTS_EACH * tasks;
}

/**
 * Returns the capability level and effort for an attempt. The effort is high from the middle attempt on (the
 * second of three, the third of five). Each attempt after the middle one uses the next higher level, if there is
 * one.
 * @param attempt the number of the attempt, from 1
 * @param allowed how many attempts the task has
 * @param first the level of the first attempt
 */
export function levelOf(
  attempt: number,
  allowed: number,
  first: Level,
): { readonly level: Level; readonly effort: Effort } {
  const middle = (allowed + 1) / 2;
  const up = LEVELS.indexOf(first) + Math.max(0, attempt - middle);
  return {
    level: LEVELS[Math.min(up, LEVELS.length - 1)] ?? first,
    effort: attempt >= middle ? 'high' : 'medium',
  };
}

/** How an attempt at a task failed. */
export type Failure =
  /** What was handed in is not good. */
  | {
      readonly kind: 'bad-output';
      /** What is at fault; `none` if the attempt itself did not pass, before anything was merged or verified. */
      readonly cause: 'none' | 'work' | 'brief' | 'design';
      readonly why: string;
    }
  /** The attempt lacks something that it cannot get, so a tier above is asked at once. */
  | { readonly kind: 'blocked'; readonly why: string }
  /** Only a part was done. `left` says what is left; `committed` says whether the part is in a commit. */
  | { readonly kind: 'partial'; readonly left: readonly string[]; readonly committed: boolean }
  /**
   * A failure that is not the work's fault, and so uses up no attempt: the environment, a flaky check, a
   * granted need, or a person's stop.
   */
  | { readonly kind: 'environment'; readonly why: string };

/**
 * How an attempt can fail before its result is merged and verified. A `bad-output` then has the cause `none`,
 * because only a later verdict says what is at fault.
 */
export type AttemptFailure =
  | Exclude<Failure, { kind: 'bad-output' }>
  | (Extract<Failure, { kind: 'bad-output' }> & { readonly cause: 'none' });

/** What is done about a failure: the task is tried again, or a tier above or a person is asked. */
export type FailureResponse =
  | {
      readonly do: 'retry';
      /** `T3`: the squad's lead may correct the brief first. `code`: the task is tried again as it is. */
      readonly by: 'T3' | 'code';
      /** Whether the failed attempt counts among those that the task may have. */
      readonly counted: boolean;
      readonly why: string;
    }
  | {
      readonly do: 'escalate';
      readonly from: Tier;
      readonly to: 'T2' | 'T1' | 'person';
      /**
       * The recorded cause. A second escalation of the same task to the same tier with the same cause goes
       * to a person.
       */
      readonly cause: FactOf<'team.escalated'>['cause'];
      readonly why: string;
    };

/**
 * Decides what is done about a task's failure: another attempt, or a decision by a tier above. A person
 * decides instead if the run has used up its attempts, if the tier above was already asked about this
 * task for the same cause (or about any task, if the cause is `design`), or after the fourth failure in a row
 * that is not the work's fault.
 */
export function decideAfterFailure(
  team: TeamView,
  task: string,
  failure: Failure,
): FailureResponse {
  const view = team.tasks.find((taskView) => taskView.task.id === task);
  const workstream = team.plan?.workstreams.find(({ id }) => id === view?.task.workstream);
  const squad = workstream !== undefined && workstream.path !== 'T4-T5';
  const from = squad ? 'T3' : 'T4';
  const by = squad ? 'T3' : 'code';
  const why = sentenceOf(failure);
  const cause = causeOf(failure);
  const escalateToPerson = (reason: string): FailureResponse => ({
    do: 'escalate',
    from,
    to: 'person',
    cause,
    why: `${why}; ${reason}`,
  });
  if (view === undefined || workstream === undefined)
    return escalateToPerson(`there is no task ${task}`);

  if (failure.kind === 'environment')
    return countUncounted(view) < MOST_FAULTS
      ? { do: 'retry', by: 'code', counted: false, why }
      : escalateToPerson(`that was so ${MOST_FAULTS + 1} times`);

  const allowed = attemptsAllowed(workstream.retry_multiplier);
  const left = allowed - countAttemptsUsed(view);
  const isAbove = failure.kind === 'blocked' || cause === 'brief' || cause === 'design';
  if (!isAbove && left > 0)
    return isRunBoundReached(team)
      ? escalateToPerson(`the run has had its ${countAttemptsOfRun(team.tasks.length)} attempts`)
      : { do: 'retry', by, counted: true, why };

  const to = cause !== 'design' && workstream.path === 'T2-T5' ? 'T2' : 'T1';
  const isOncePerRun = cause === 'design';
  const before = team.escalations.some(
    (escalation) =>
      escalation.to === to &&
      escalation.cause === cause &&
      (isOncePerRun ||
        escalation.task === task ||
        (escalation.task !== undefined && escalation.task === view.of)),
  );
  if (before) return escalateToPerson(`${to} was asked about this before`);
  const stuck = isAbove ? why : `${why}; all ${allowed} attempts are used`;
  return { do: 'escalate', from, to, cause, why: stuck };
}

/** Returns the cause by which two failures count as the same. */
function causeOf(failure: Failure): FactOf<'team.escalated'>['cause'] {
  if (failure.kind === 'bad-output') return failure.cause === 'none' ? 'work' : failure.cause;
  return failure.kind === 'blocked' ? 'brief' : failure.kind === 'partial' ? 'work' : 'none';
}

function sentenceOf(failure: Failure): string {
  if (failure.kind !== 'partial') return failure.why;
  const { left, committed } = failure;
  return `${committed ? 'a part is committed' : 'nothing is committed'}; left: ${left.join(', ') || 'not said'}`;
}

/**
 * Counts the attempts that a task has begun since T2, T1 or a person last gave it new ones. Attempts that
 * failed through no fault of the task do not count.
 */
export function countAttemptsUsed({ attempts, retried }: TaskView): number {
  const anew = retried.findLast(({ by }) => by === 'T2' || by === 'T1' || by === 'person');
  const since = anew?.attempt ?? 1;
  const free = new Set(retried.flatMap((retry) => (retry.uncounted ? [retry.attempt - 1] : [])));
  return attempts.filter(({ attempt }) => attempt >= since && !free.has(attempt)).length;
}

/** Counts the latest attempts in a row that failed through no fault of the work. */
function countUncounted({ retried }: TaskView): number {
  const counted = retried.findLastIndex((retry) => retry.uncounted !== true);
  return retried.length - 1 - counted;
}

/**
 * Returns whether the tasks of the run have used up all their attempts together. Attempts that failed through
 * no fault of the work do not count. Each time a person lets a task go on, the run gets three more.
 */
export function isRunBoundReached({ tasks }: TeamView): boolean {
  const made = tasks.reduce((sum, { attempts, retried }) => {
    const free = retried.filter((retry) => retry.uncounted).length;
    return sum + attempts.length - free;
  }, 0);
  const given = tasks.flatMap(({ retried }) => retried).filter(({ by }) => by === 'person').length;
  return made >= countAttemptsOfRun(tasks.length + given);
}
