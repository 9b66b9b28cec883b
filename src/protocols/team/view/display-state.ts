/**
 * Collects what displays need of a team: the folded state, running calls, costs, and what each task waits
 * for.
 */
import { stepOf } from '../../../kernel/tools/tools.ts';
import type { RunView } from '../../../kernel/view.ts';
import { toLine } from '../../../text/line.ts';
import { configSchema, type TeamConfig } from '../config.ts';
import type { Tier } from '../facts.ts';
import type { AttemptView, RequirementView, TaskView, TeamView } from '../fold.ts';
import type { Workstream } from '../forms/plan.ts';
import { listSome } from '../plan-lines.ts';
import { attemptsAllowed, countAttemptsUsed } from '../rules/failures.ts';
import { findStreamsToWaitFor } from '../rules/waits-for.ts';
import { Costs, tierOf } from './costs.ts';
import { REQUIREMENT_ORDER } from './wording.ts';

/** A call that is running. */
export interface RunningCall {
  readonly seat: string;
  readonly tier: Tier | undefined;
  /** The name of what the seat is asked to do, such as `team/work`; empty if the call has none. */
  readonly task: string;
  /** The step's key without the turn, split at slashes. */
  readonly parts: readonly string[];
  /** For a seat with tools: the number of the present turn, from 1. */
  readonly turn: number;
}

/** The state of a team with everything that its displays need. */
export interface TeamDisplay {
  readonly team: TeamView;
  readonly costs: Costs;
  readonly running: readonly RunningCall[];
  /** The step of the question that the person is asked now; undefined if there is none. */
  readonly gate: string | undefined;
  /** Whether the run is done, failed or stopped, so that nothing more happens unless it is resumed. */
  readonly isOver: boolean;
  /** The run's settings; undefined if this version of the program cannot read them. */
  readonly config: TeamConfig | undefined;
  /** Returns the title of a seat for people. */
  readonly title: (seat: string) => string;
}

/**
 * Derives what displays need from the state of a team.
 * @param costs the costs of the run's calls; empty unless given
 */
export function deriveTeamed(view: RunView, team: TeamView, costs = new Costs()): TeamDisplay {
  const titles = new Map(view.seats.map(({ id, title }) => [id, toLine(title || id)]));
  return {
    team,
    costs,
    running: Object.values(view.calls)
      .filter(({ state }) => state === 'running')
      .map(({ seat, task = '', step }) => ({
        seat,
        tier: tierOf(seat),
        task,
        parts: stepOf(step).split('/'),
        turn: Number(/\/turn-(\d+)$/.exec(step)?.[1] ?? 1),
      })),
    gate: view.gate?.step,
    isOver: view.status !== 'running',
    config: configSchema.safeParse(view.config).data,
    title: (seat) => titles.get(seat) ?? toLine(seat),
  };
}

/** Returns the workstream with an id; undefined if the plan has none. */
export function workstreamOf({ plan }: TeamView, id: string): Workstream | undefined {
  return plan?.workstreams.find((workstream) => workstream.id === id);
}

/**
 * Formats the number of counted attempts at a task, such as `2 of 5` if a tier above is asked after the
 * fifth. Attempts that failed through no fault of the task are not counted.
 */
export function formatCountedAttempts(team: TeamView, task: TaskView): string {
  const { retry_multiplier = 1 } = workstreamOf(team, task.task.workstream) ?? {};
  return `${countAttemptsUsed(task)} of ${attemptsAllowed(retry_multiplier)}`;
}

/**
 * Formats the attempts of a task, such as `2 of 5`, or `#3, 1 of 5` if the third attempt is the
 * first that counts.
 */
export function formatAttempts(team: TeamView, task: TaskView): string {
  const { length } = task.attempts;
  const tries = formatCountedAttempts(team, task);
  return length === countAttemptsUsed(task) ? tries : `#${length}, ${tries}`;
}

/** Returns the attempt of a task with the highest number; undefined if there is none. */
export function findLastAttempt({ attempts }: TaskView): AttemptView | undefined {
  return attempts.reduce<AttemptView | undefined>(
    (last, attempt) => (last === undefined || attempt.attempt > last.attempt ? attempt : last),
    undefined,
  );
}

/** Returns the ids that a task comes after: its dependencies and the tasks that code put before it. */
function listTasksBefore({ team }: TeamDisplay, { task }: TaskView): string[] {
  const ordered = team.graphed?.ordered.filter(({ after }) => after === task.id) ?? [];
  return [...new Set([...task.depends_on, ...ordered.map((pair) => pair.before)])];
}

/**
 * Describes what a task waits for before it can go on: a person, other tasks, a verification or a file. Empty
 * if it waits for none of these.
 */
export function describeWait(teamed: TeamDisplay, task: TaskView): string {
  const { team } = teamed;
  if (isAsked(teamed, task)) return 'a person';
  if (task.state !== 'waiting') return '';
  const missing = listTasksBefore(teamed, task).filter((id) => !isDone(team, id));
  if (missing.length > 0) return listSome(missing.map(toLine), 3);
  const unverified = unverifiedBefore(teamed, task);
  if (unverified.length > 0) return `the verification of ${listSome(unverified.map(toLine), 3)}`;
  const held = team.tasks.find(
    (other) =>
      other.task.id !== task.task.id &&
      other.state === 'working' &&
      other.files.some((file) => task.files.includes(file)),
  );
  if (held === undefined) return '';
  const file = held.files.find((path) => task.files.includes(path)) ?? '';
  return `${toLine(file)}, which ${toLine(held.task.id)} holds`;
}

/**
 * Returns the workstreams that a task builds on and whose last verdict is not a pass, without dropped ones.
 * Empty before version 4 of the rules.
 */
function unverifiedBefore({ team, config }: TeamDisplay, { task }: TaskView): readonly string[] {
  if ((config?.version ?? 1) < 4 || team.graphed === undefined) return [];
  const { tasks, ordered } = team.graphed;
  return (findStreamsToWaitFor(tasks, ordered).get(task.id) ?? []).filter((id) => {
    const isDropped = team.tasks.every(
      (task) => task.task.workstream !== id || task.state === 'dropped',
    );
    return (
      !isDropped && team.joint.findLast((verdict) => verdict.workstream === id)?.verdict !== 'pass'
    );
  });
}

/** Returns whether a task, or every task of a workstream, is done or dropped. */
function isDone({ tasks }: TeamView, id: string): boolean {
  const meant = tasks.filter(({ task }) => task.id === id);
  const all = meant.length > 0 ? meant : tasks.filter(({ task }) => task.workstream === id);
  return all.length > 0 && all.every(({ state }) => state === 'done' || state === 'dropped');
}

/** Returns whether the question that the person is asked now is about the given task. */
export function isAsked({ gate }: TeamDisplay, { task }: TaskView): boolean {
  const [phase, id] = gate?.split('/') ?? [];
  return phase === 'task' && id === task.id;
}

/** Returns whether a task is done or dropped. */
export function isEnded({ state }: TaskView): boolean {
  return state === 'done' || state === 'dropped';
}

/** Returns the requirements, those that are not met first. */
export function sortRequirements({ requirements }: TeamView): RequirementView[] {
  return requirements.toSorted(
    (one, other) => REQUIREMENT_ORDER.indexOf(one.state) - REQUIREMENT_ORDER.indexOf(other.state),
  );
}

/** Returns whether the latest valid plan waits for a person's approval. */
export function isPlanOpen({ plan, approved }: TeamView): boolean {
  return plan !== undefined && plan.no_team === '' && approved === undefined;
}
