/** A team as its displays read it: the fold of its facts, what runs now, what it took, and who waits for what. */
import { stepOf } from '../../../kernel/tools/tools.ts';
import type { RunView } from '../../../kernel/view.ts';
import { line } from '../../../text/line.ts';
import { configSchema, type TeamConfig } from '../config.ts';
import type { Tier } from '../facts.ts';
import type { AttemptView, RequirementView, TaskView, TeamView } from '../fold.ts';
import type { Workstream } from '../forms/plan.ts';
import { someOf } from '../plan-lines.ts';
import { attemptsAllowed, attemptsUsed } from '../rules/failures.ts';
import { gatesOf } from '../rules/gates.ts';
import { Costs, tierOf } from './costs.ts';
import { REQUIREMENT_ORDER } from './wording.ts';

/** A call that goes on. */
export interface Running {
  readonly seat: string;
  readonly tier: Tier | undefined;
  /** `team/work` */
  readonly task: string;
  /** The parts of its step's key. */
  readonly parts: readonly string[];
  /** Of a seat that works with tools: how many calls it has made. */
  readonly turn: number;
}

export interface Teamed {
  readonly team: TeamView;
  readonly costs: Costs;
  readonly running: readonly Running[];
  /** The step of the question that a person is asked. */
  readonly gate: string | undefined;
  /** Nothing more comes: the run has ended. */
  readonly isOver: boolean;
  /** Undefined of a run whose settings this version cannot read. */
  readonly config: TeamConfig | undefined;
  /** A seat as people call it. */
  readonly title: (seat: string) => string;
}

export function teamedOf(view: RunView, team: TeamView, costs = new Costs()): Teamed {
  const titles = new Map(view.seats.map(({ id, title }) => [id, line(title || id)]));
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
    title: (seat) => titles.get(seat) ?? line(seat),
  };
}

export function workstreamOf({ plan }: TeamView, id: string): Workstream | undefined {
  return plan?.workstreams.find((one) => one.id === id);
}

/** `2 of 5`: attempts that count, of those that a task may take before a tier above is asked. */
export function triesOf(team: TeamView, one: TaskView): string {
  const { retry_multiplier = 1 } = workstreamOf(team, one.task.workstream) ?? {};
  return `${attemptsUsed(one)} of ${attemptsAllowed(retry_multiplier)}`;
}

/** `2 of 5`; where some did not count, which one it is as well: `#3, 1 of 5`. */
export function triedWords(team: TeamView, one: TaskView): string {
  const { length } = one.attempts;
  const tries = triesOf(team, one);
  return length === attemptsUsed(one) ? tries : `#${length}, ${tries}`;
}

export function lastAttempt({ attempts }: TaskView): AttemptView | undefined {
  return attempts.reduce<AttemptView | undefined>(
    (last, one) => (last === undefined || one.attempt > last.attempt ? one : last),
    undefined,
  );
}

/** Tasks that a task comes after: its own dependencies, and those that code put before it. */
function before({ team }: Teamed, { task }: TaskView): string[] {
  const ordered = team.graphed?.ordered.filter(({ after }) => after === task.id) ?? [];
  return [...new Set([...task.depends_on, ...ordered.map((one) => one.before)])];
}

/** Why a task that has not begun does not begin; empty where it waits for nothing but a place. */
export function waitsFor(teamed: Teamed, one: TaskView): string {
  const { team } = teamed;
  if (isAsked(teamed, one)) return 'a person';
  if (one.state !== 'waiting') return '';
  const missing = before(teamed, one).filter((id) => !isDone(team, id));
  if (missing.length > 0) return someOf(missing.map(line), 3);
  const unverified = unverifiedBefore(teamed, one);
  if (unverified.length > 0) return `the verification of ${someOf(unverified.map(line), 3)}`;
  const held = team.tasks.find(
    (other) =>
      other.task.id !== one.task.id &&
      other.state === 'working' &&
      other.files.some((file) => one.files.includes(file)),
  );
  if (held === undefined) return '';
  const file = held.files.find((path) => one.files.includes(path)) ?? '';
  return `${line(file)}, which ${line(held.task.id)} holds`;
}

/**
 * Returns the workstreams that a task builds on and whose last verdict is not a pass, without dropped ones.
 * Empty before version 4.
 */
function unverifiedBefore({ team, config }: Teamed, { task }: TaskView): readonly string[] {
  if ((config?.version ?? 1) < 4 || team.graphed === undefined) return [];
  const { tasks, ordered } = team.graphed;
  return (gatesOf(tasks, ordered).get(task.id) ?? []).filter((id) => {
    const isDropped = team.tasks.every(
      (one) => one.task.workstream !== id || one.state === 'dropped',
    );
    return !isDropped && team.joint.findLast((one) => one.workstream === id)?.verdict !== 'pass';
  });
}

/** A task, or all tasks of a workstream. */
function isDone({ tasks }: TeamView, id: string): boolean {
  const meant = tasks.filter(({ task }) => task.id === id);
  const all = meant.length > 0 ? meant : tasks.filter(({ task }) => task.workstream === id);
  return all.length > 0 && all.every(({ state }) => state === 'done' || state === 'dropped');
}

/** Whether the question that a person is asked is about that task. */
export function isAsked({ gate }: Teamed, { task }: TaskView): boolean {
  const [phase, id] = gate?.split('/') ?? [];
  return phase === 'task' && id === task.id;
}

/** Nothing more is done on it. */
export function isEnded({ state }: TaskView): boolean {
  return state === 'done' || state === 'dropped';
}

/** Those that are not met first. */
export function sortedRequirements({ requirements }: TeamView): RequirementView[] {
  return requirements.toSorted(
    (one, other) => REQUIREMENT_ORDER.indexOf(one.state) - REQUIREMENT_ORDER.indexOf(other.state),
  );
}

/** Whether the last plan that stands waits for a person's yes. */
export function isPlanOpen({ plan, approved }: TeamView): boolean {
  return plan !== undefined && plan.no_team === '' && approved === undefined;
}
