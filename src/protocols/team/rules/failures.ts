/** How work that failed goes on: the table of the design, and its sums. */

import type { Effort, FactOf, Tier } from '../facts.ts';
import type { TaskView, TeamView } from '../fold.ts';
import { LEVELS, type Level } from '../forms/plan.ts';

/** Attempts a task of the whole run, and how often one may fail for no fault of its own. */
const ATTEMPTS_EACH = 3;
const MOST_FAULTS = 3;

/** 1 + 2 x multiplier. */
export function attemptsAllowed(multiplier: 1 | 2): number {
  return 1 + 2 * multiplier;
}

/** Attempts of the whole run: three a task. */
export function attemptsOfRun(tasks: number): number {
  return ATTEMPTS_EACH * tasks;
}

/**
 * Who does an attempt, from 1: the same level with the output, more effort, the next level. Of three
 * attempts the second is the one with more effort, of five the third; from there each is a level higher.
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

/** How a task came to an end that is no good end. */
export type Failure =
  | {
      readonly kind: 'bad-output';
      readonly cause: 'none' | 'work' | 'brief' | 'design';
      readonly why: string;
    }
  | { readonly kind: 'blocked'; readonly why: string }
  | { readonly kind: 'partial'; readonly left: readonly string[]; readonly committed: boolean }
  /** Not counted: environment faults, flaky checks, granted needs, a person's stop. */
  | { readonly kind: 'environment'; readonly why: string };

/**
 * How an attempt can fail by itself. That its brief or its design was wrong is for verifiers to say, so bad
 * output has no such cause here.
 */
export type AttemptFailure =
  | Exclude<Failure, { kind: 'bad-output' }>
  | (Extract<Failure, { kind: 'bad-output' }> & { readonly cause: 'none' });

export type Next =
  | {
      readonly do: 'retry';
      readonly by: 'T3' | 'code';
      readonly counted: boolean;
      readonly why: string;
    }
  | {
      readonly do: 'escalate';
      readonly from: Tier;
      readonly to: 'T2' | 'T1' | 'person';
      /** What the escalation is recorded with: the same again goes to a person. */
      readonly cause: FactOf<'team.escalated'>['cause'];
      readonly why: string;
    };

/**
 * What is done about a task's failure. Escalation only goes up; the same task, tier and cause twice, the
 * run's bound, or nobody above who can help: a person.
 */
export function afterFailure(team: TeamView, task: string, failure: Failure): Next {
  const view = team.tasks.find((one) => one.task.id === task);
  const workstream = team.plan?.workstreams.find(({ id }) => id === view?.task.workstream);
  const squad = workstream !== undefined && workstream.path !== 'T4-T5';
  const from = squad ? 'T3' : 'T4';
  const by = squad ? 'T3' : 'code';
  const why = sentenceOf(failure);
  const cause = causeOf(failure);
  const person = (reason: string): Next => ({
    do: 'escalate',
    from,
    to: 'person',
    cause,
    why: `${why}; ${reason}`,
  });
  if (view === undefined || workstream === undefined) return person(`there is no task ${task}`);

  if (failure.kind === 'environment')
    return uncounted(view) < MOST_FAULTS
      ? { do: 'retry', by: 'code', counted: false, why }
      : person(`that was so ${MOST_FAULTS + 1} times`);

  const allowed = attemptsAllowed(workstream.retry_multiplier);
  const left = allowed - attemptsUsed(view);
  const isAbove = failure.kind === 'blocked' || cause === 'brief' || cause === 'design';
  if (!isAbove && left > 0)
    return runBoundReached(team)
      ? person(`the run has had its ${attemptsOfRun(team.tasks.length)} attempts`)
      : { do: 'retry', by, counted: true, why };

  const to = cause !== 'design' && workstream.path === 'T2-T5' ? 'T2' : 'T1';
  const before = team.escalations.some(
    (one) =>
      one.to === to &&
      one.cause === cause &&
      // A plan that is made again has other tasks: that is done once in a run.
      (cause === 'design' || one.task === task || (one.task !== undefined && one.task === view.of)),
  );
  if (before) return person(`${to} was asked about this before`);
  const stuck = isAbove ? why : `${why}; all ${allowed} attempts are used`;
  return { do: 'escalate', from, to, cause, why: stuck };
}

/** By what a failure is told from another. */
function causeOf(failure: Failure): FactOf<'team.escalated'>['cause'] {
  if (failure.kind === 'bad-output') return failure.cause === 'none' ? 'work' : failure.cause;
  return failure.kind === 'blocked' ? 'brief' : failure.kind === 'partial' ? 'work' : 'none';
}

function sentenceOf(failure: Failure): string {
  if (failure.kind !== 'partial') return failure.why;
  const { left, committed } = failure;
  return `${committed ? 'a part is committed' : 'nothing is committed'}; left: ${left.join(', ') || 'not said'}`;
}

/** Attempts at a task that count, since somebody above gave it new ones. */
export function attemptsUsed({ attempts, retried }: TaskView): number {
  const anew = retried.findLast(({ by }) => by === 'T2' || by === 'T1' || by === 'person');
  const since = anew?.attempt ?? 1;
  const free = new Set(retried.flatMap((one) => (one.uncounted ? [one.attempt - 1] : [])));
  return attempts.filter(({ attempt }) => attempt >= since && !free.has(attempt)).length;
}

/** Attempts in a row, up to now, that failed for no fault of the work. */
function uncounted({ retried }: TaskView): number {
  const counted = retried.findLastIndex((one) => one.uncounted !== true);
  return retried.length - 1 - counted;
}

/** Whether the run has had all its attempts; a person who lets a task go on gives it three more. */
export function runBoundReached({ tasks }: TeamView): boolean {
  const made = tasks.reduce((sum, { attempts, retried }) => {
    const free = retried.filter((one) => one.uncounted).length;
    return sum + attempts.length - free;
  }, 0);
  const given = tasks.flatMap(({ retried }) => retried).filter(({ by }) => by === 'person').length;
  return made >= attemptsOfRun(tasks.length + given);
}
