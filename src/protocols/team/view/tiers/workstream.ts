/** The rows of a workstream: its tests, its tasks and its verifiers. */

import { toLine } from '../../../../text/line.ts';
import { formatCount } from '../../../../text/numbers.ts';
import { withoutFalse } from '../../../../text/without-undefined.ts';
import type { TaskView } from '../../fold.ts';
import type { Workstream } from '../../forms/plan.ts';
import {
  describeWait,
  findLastAttempt,
  formatAttempts,
  isAsked,
  isEnded,
  type TeamDisplay,
} from '../display-state.ts';
import { formatCheckTally, LEVEL_WORDS, type RowState } from '../wording.ts';
import { isWork, isWorking, levelOfSeat, type Node } from './node.ts';

/** Returns the row of a workstream in the Team tab, with the rows of its tests, tasks and verifiers below it. */
export function workstreamNode(stream: Workstream, teamed: TeamDisplay): Node {
  const { team, costs } = teamed;
  const tasks = team.tasks.filter(({ task }) => task.workstream === stream.id);
  const tests = team.tests.findLast(({ workstream }) => workstream === stream.id);
  const [state, words] = workstreamState(stream, tasks, teamed);
  const key = `workstream/${stream.id}`;
  return {
    key,
    subject: { kind: 'workstream', id: stream.id },
    // A workstream on the path `T4-T5` has no T3, so show its id alone.
    name: stream.path === 'T4-T5' ? stream.id : `T3 ${stream.id}`,
    about: stream.goal,
    state,
    words,
    level: stream.path === 'T4-T5' ? 'code' : levelOfSeat('t3', teamed),
    checks: formatCheckTally(
      team.checks.filter(({ kind, workstream }) => kind === 'joined' && workstream === stream.id),
    ),
    spent: costs.of(
      (each) => each.seat === 't3' && !isWork(each) && each.parts.includes(stream.id),
    ),
    below: withoutFalse([
      tests !== undefined && {
        key: `${key}/tests`,
        subject: { kind: 'tests' as const, id: stream.id },
        name: 'T5 tests first',
        about: tests.files.join(', '),
        state: tests.why === undefined ? ('done' as const) : ('skipped' as const),
        words:
          tests.why === undefined
            ? testsWords(tests.tests.map((each) => each.state))
            : 'no acceptance tests were written',
        level: levelOfSeat('t5-1', teamed),
        checks: formatCheckTally(
          team.checks.filter(
            ({ kind, workstream }) => kind === 'red-before' && workstream === stream.id,
          ),
        ),
        spent: costs.of((each) => each.task === 'team/tests' && each.parts.includes(stream.id)),
      },
      ...tasks.map((task) => taskNode(task, teamed)),
      ...verifierNodes(stream, teamed),
    ]),
  };
}

/** Formats how tests ended on the base, such as `2 red before, 1 vacuous`. */
function testsWords(states: readonly string[]): string {
  const countTests = (state: string): number => states.filter((other) => other === state).length;
  return (
    [
      [countTests('red'), 'red before'],
      [countTests('vacuous'), 'vacuous'],
      [countTests('not-run'), 'not run'],
    ]
      .flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`]))
      .join(', ') || 'none written'
  );
}

function workstreamState(
  { id, depends_on }: Workstream,
  tasks: readonly TaskView[],
  teamed: TeamDisplay,
): readonly [RowState, string] {
  const { team, isOver } = teamed;
  const joint = team.joint.findLast(({ workstream }) => workstream === id);
  const goesOn = tasks.some((task) => !isEnded(task));
  if (tasks.some(({ state }) => state === 'stuck')) return ['stuck', 'not done'];
  if (tasks.length > 0 && tasks.every(({ state }) => state === 'dropped'))
    return ['dropped', 'dropped'];
  if (tasks.some(({ attempts }) => attempts.length > 0) && goesOn) {
    const ended = tasks.filter(isEnded).length;
    return ['working', `${ended} of ${formatCount(tasks.length, 'task')} done`];
  }
  if (tasks.length > 0 && !goesOn) {
    const round = Math.max(
      0,
      ...team.joins.map((join) => ([id, 'all'].includes(join.of) ? join.round : 0)),
    );
    // If the workstream was joined again after its last verdict, show that the new round is being verified: the
    // verdict says nothing about work that was merged since.
    const isSince = joint !== undefined && round > joint.round && !isOver;
    if (isSince) return ['working', `round ${round} is verified`];
    if (joint?.verdict === 'pass') return ['done', `passed in round ${joint.round}`];
    if (joint?.verdict === 'fail') return ['red', `failed in round ${joint.round}`];
    return isOver ? ['dropped', 'not verified'] : ['working', 'to be verified'];
  }
  const open = depends_on.filter((other) =>
    team.tasks.some(({ task, state }) => task.workstream === other && state !== 'done'),
  );
  const waits =
    open.length > 0 ? open.map(toLine).join(', ') : tasks.length === 0 ? 'its tasks' : '';
  if (team.approved === undefined) return ['waiting', 'planned'];
  return ['waiting', waits === '' ? 'ready' : `waits for ${waits}`];
}

function taskNode(task: TaskView, teamed: TeamDisplay): Node {
  const { team, costs } = teamed;
  const { id, title } = task.task;
  const last = findLastAttempt(task);
  const first = teamed.config?.tiers.t4?.level ?? 'fast-cheap';
  return {
    key: `task/${id}`,
    subject: { kind: 'task', id },
    name: `T4 ${id}`,
    about: title,
    state: isAsked(teamed, task) ? 'asks' : task.state,
    words: formatTaskState(task, teamed),
    level: LEVEL_WORDS[last?.started.level ?? first],
    tries: last === undefined ? '' : formatAttempts(team, task),
    checks: formatCheckTally((last?.checks ?? []).filter(({ kind }) => kind !== 'asked')),
    spent: costs.of((each) => isWork(each) && each.parts[1] === id),
  };
}

/**
 * Formats the state of a task, such as `working, turn 3`, `waits for json-flag` or `red: fewer
 * tests passed than on the base: 10 of 12`.
 */
export function formatTaskState(task: TaskView, teamed: TeamDisplay): string {
  if (isAsked(teamed, task)) return 'waits for you';
  const waits = describeWait(teamed, task);
  switch (task.state) {
    case 'waiting': {
      const again = task.retried.at(-1);
      if (waits !== '') return `waits for ${waits}`;
      return again === undefined ? 'ready' : `again: ${toLine(again.why)}`;
    }
    case 'working': {
      if (teamed.isOver) return 'not finished';
      const run = teamed.running.find(
        ({ parts }) => parts[0] === 'task' && parts[1] === task.task.id,
      );
      if (run?.tier !== undefined && run.tier !== 'T4') return `${run.tier} looks at it`;
      return run === undefined || run.turn < 2 ? 'working' : `working, turn ${run.turn}`;
    }
    case 'red':
      return `red: ${toLine(findLastAttempt(task)?.judged.at(-1)?.why[0] ?? 'its checks')}`;
    case 'stuck':
      // A task is `stuck` if the question about it ended the run: by a person's answer, or by the default with `--yes`.
      return `not done${task.why === undefined ? '' : `: ${toLine(task.why)}`}`;
    case 'dropped':
      return `dropped${task.why === undefined ? '' : `: ${toLine(task.why)}`}`;
    case 'green':
      return 'its checks are green';
    case 'done':
      return 'done';
  }
}

function verifierNodes({ id }: Workstream, teamed: TeamDisplay): Node[] {
  const { team, costs, config, title } = teamed;
  const given = team.verdicts.filter(({ workstream }) => workstream === id);
  const seats = ['t5-1', 't5-2'].slice(0, config?.verifiers ?? 2);
  const all = [...new Set([...seats, ...given.map(({ seat }) => seat)])];
  return all.map((seat): Node => {
    const last = given.findLast((verdict) => verdict.seat === seat);
    const runs = isWorking(
      teamed,
      (call) => call.seat === seat && call.parts.includes(id) && call.task !== 'team/tests',
    );
    const [state, words] = runs
      ? (['working', last === undefined ? 'reading' : 'looking again'] as const)
      : verdictState(last);
    return {
      key: `verifier/${id}/${seat}`,
      subject: { kind: 'verifier', id, seat },
      state,
      words,
      name: title(seat),
      about: '',
      level: levelOfSeat(seat, teamed),
      checks:
        last?.probe === undefined || last.probe.state === 'not-run'
          ? ''
          : `probe ${last.probe.state === 'passed' ? '✓' : '✗'}`,
      spent: costs.of(
        (payee) => payee.seat === seat && payee.parts.includes(id) && payee.task !== 'team/tests',
      ),
    };
  });
}

function verdictState(
  last: TeamDisplay['team']['verdicts'][number] | undefined,
): readonly [RowState, string] {
  if (last === undefined) return ['waiting', 'waits for the work'];
  const round = `round ${last.round}${last.again ? ', looked again' : ''}`;
  switch (last.verdict) {
    case 'pass':
      return ['done', `passes, ${round}`];
    case 'fail':
      return ['red', `fails, ${round}`];
    case 'partial':
      return ['green', `partly, ${round}`];
    default:
      return ['dropped', `no verdict${last.why === undefined ? '' : `: ${toLine(last.why)}`}`];
  }
}
