/**
 * Builds the Team tab's tree: T1 above T2's domains, above T3's workstreams, above T4's tasks and T5's
 * verifiers, each with its state and what it waits for. Pure.
 */

import { line } from '../../../text/line.ts';
import { plural } from '../../../text/numbers.ts';
import type { TaskView } from '../fold.ts';
import type { Level, TeamPlan, Workstream } from '../forms/plan.ts';
import { type CallCost, NOTHING, type Payee } from './costs.ts';
import {
  isAsked,
  isEnded,
  isPlanOpen,
  lastAttempt,
  type Running,
  type Teamed,
  triedWords,
  waitsFor,
} from './display-state.ts';
import { BY_WHOM, LEVEL_WORDS, type RowState, shortCommit, tallyWords } from './wording.ts';

/** What a row of the Team tab is about. Enter opens its page. */
export type Subject =
  | { readonly kind: 'plan' | 'design' | 'acceptance' | 'delivery' }
  | { readonly kind: 'domain' | 'workstream' | 'task' | 'tests'; readonly id: string }
  | { readonly kind: 'verifier'; readonly id: string; readonly seat: string };

/** A row of the Team tab. */
export interface TierRow {
  /** The row's identity, which stays the same while the run goes on. */
  readonly key: string;
  readonly subject: Subject;
  /** How deep the row is in the tree; 0 for the highest rows. */
  readonly depth: number;
  /** Whether the row has rows below it. */
  readonly branch: boolean;
  /** The row's name, such as `T4 json-flag`. */
  readonly name: string;
  /** A description from the plan or the design, as models wrote it. */
  readonly about: string;
  readonly state: RowState;
  /** The state in words, such as `working, turn 3` or `waits for records`. */
  readonly words: string;
  /** The capability level, such as `fast`. */
  readonly level: string;
  /** The attempts, such as `2 of 3`. */
  readonly tries: string;
  /** The results of the row's checks, such as `3✓ 1✗`. */
  readonly checks: string;
  readonly spent: CallCost;
}

type Node = Omit<TierRow, 'depth' | 'branch' | 'level' | 'tries' | 'checks' | 'spent'> &
  Partial<Pick<TierRow, 'level' | 'tries' | 'checks' | 'spent'>> & {
    readonly below?: readonly Node[];
  };

/**
 * Returns the visible rows of the tree. Rows below a folded one are left out.
 * @param query in lower case; keeps only the rows that contain it, and those above them
 */
export function tierRows(teamed: Teamed, folded: ReadonlySet<string>, query = ''): TierRow[] {
  const found = (node: Node): Node[] => {
    const below = (node.below ?? []).flatMap(found);
    const has = `${node.name} ${node.about} ${node.words}`.toLowerCase().includes(query);
    return has || below.length > 0 ? [{ ...node, below }] : [];
  };
  const rows = ({ below = [], ...node }: Node, depth: number): TierRow[] => [
    {
      ...{ level: '', tries: '', checks: '', spent: NOTHING },
      ...node,
      depth,
      branch: below.length > 0,
    },
    ...(folded.has(node.key) ? [] : below.flatMap((one) => rows(one, depth + 1))),
  ];
  return nodesOf(teamed)
    .flatMap((node) => (query === '' ? [node] : found(node)))
    .flatMap((node) => rows(node, 0));
}

function nodesOf(teamed: Teamed): Node[] {
  const { team } = teamed;
  const { plan } = team;
  if (plan === undefined || plan.no_team !== '') return [planNode(teamed, [])];
  const owned = new Set(
    team.designed?.boundaries.domains.flatMap(({ workstreams }) => workstreams) ?? [],
  );
  const deep = plan.workstreams.filter(({ path }) => path === 'T2-T5');
  const below = [
    ...(deep.length === 0 ? [] : [designNode(teamed, plan)]),
    ...plan.workstreams
      .filter(({ id }) => !owned.has(id))
      .map((one) => workstreamNode(one, teamed)),
  ];
  return [
    planNode(teamed, below),
    acceptanceNode(teamed),
    ...(team.delivered === undefined && !asksHome(teamed) ? [] : [deliveryNode(teamed)]),
  ];
}

function planNode(teamed: Teamed, below: readonly Node[]): Node {
  const { team, gate, isOver } = teamed;
  const { plan, planned, approved, survey } = team;
  const stand = (): readonly [RowState, string] => {
    if (plan?.no_team) return ['done', 'says that no team is needed'];
    if (approved !== undefined) return ['done', `approved by ${BY_WHOM[approved.by]}`];
    if (isPlanOpen(team) && gate !== undefined) return ['asks', 'waits for you'];
    if (isOver)
      return plan === undefined ? ['dropped', 'not planned'] : ['dropped', 'not approved'];
    if (survey === undefined) return ['working', 'surveying'];
    return ['working', planned.length === 0 ? 'planning' : 'criticizing its plan'];
  };
  const [state, words] = stand();
  return {
    ...{ key: 'plan', subject: { kind: 'plan' }, name: 'T1 plan', about: '', state, words, below },
    level: levelOfSeat('t1', teamed),
    checks: tallyWords(team.checks.filter(({ kind }) => kind === 'base')),
    spent: teamed.costs.of(
      (one) => one.seat === 't1' && one.task !== 'team/accept' && !isWork(one),
    ),
  };
}

function designNode(teamed: Teamed, plan: TeamPlan): Node {
  const { team } = teamed;
  const { designed } = team;
  const stand = (): readonly [RowState, string] => {
    if (designed === undefined) {
      if (isWorking(teamed, ({ task }) => task === 'team/fit'))
        return ['working', 'T1 checks it against the goal'];
      const runs = isWorking(teamed, ({ tier, task }) => tier === 'T2' && task !== 'team/correct');
      return runs ? ['working', 'designing'] : ['waiting', team.approved ? 'next' : 'waits for T1'];
    }
    if (designed.refused.length > 0) return ['red', 'refused'];
    if (designed.fit?.fits === false) return ['red', 'does not fit the goal'];
    const { length } = designed.contradictions;
    return ['done', length === 0 ? 'designed' : `designed, ${plural(length, 'contradiction')}`];
  };
  const [state, words] = stand();
  const domains = designed?.boundaries.domains ?? [];
  return {
    ...{ key: 'design', subject: { kind: 'design' }, name: 'T2 design', state, words },
    about: plan.tiers.find(({ tier }) => tier === 'T2')?.why ?? '',
    level: levelOfSeat('t2-lead', teamed),
    spent: teamed.costs.of(
      (one) => one.seat.startsWith('t2') && !isWork(one) && !isAbout(one, domains),
    ),
    below: domains.map(({ id, workstreams, owns }): Node => {
      const proposal = designed?.proposals.find(({ domain }) => domain === id);
      return {
        ...{ key: `domain/${id}`, subject: { kind: 'domain', id }, name: `T2 ${id}` },
        about: owns.join(', '),
        state: proposal === undefined ? 'waiting' : 'done',
        words: proposal === undefined ? 'no proposal' : 'proposed',
        level: levelOfSeat('t2', teamed),
        spent: teamed.costs.of((one) => one.seat === 't2' && isAbout(one, [{ id }])),
        below: plan.workstreams
          .filter((one) => workstreams.includes(one.id))
          .map((one) => workstreamNode(one, teamed)),
      };
    }),
  };
}

/** Whether the cost was for one task; it is shown with this task, whichever seat was asked. */
function isWork({ parts }: Payee): boolean {
  return parts[0] === 'task';
}

function isAbout({ parts }: Payee, things: readonly { readonly id: string }[]): boolean {
  return things.some(({ id }) => parts.includes(id));
}

function workstreamNode(one: Workstream, teamed: Teamed): Node {
  const { team, costs } = teamed;
  const tasks = team.tasks.filter(({ task }) => task.workstream === one.id);
  const tests = team.tests.findLast(({ workstream }) => workstream === one.id);
  const [state, words] = workstreamState(one, tasks, teamed);
  const key = `workstream/${one.id}`;
  return {
    ...{ key, subject: { kind: 'workstream', id: one.id } },
    // A `T4-T5` workstream has no T3.
    name: one.path === 'T4-T5' ? one.id : `T3 ${one.id}`,
    ...{ about: one.goal, state, words },
    level: one.path === 'T4-T5' ? 'code' : levelOfSeat('t3', teamed),
    checks: tallyWords(
      team.checks.filter(({ kind, workstream }) => kind === 'joined' && workstream === one.id),
    ),
    spent: costs.of((each) => each.seat === 't3' && !isWork(each) && each.parts.includes(one.id)),
    below: [
      ...(tests === undefined
        ? []
        : [
            {
              ...{ key: `${key}/tests`, subject: { kind: 'tests' as const, id: one.id } },
              ...{ name: 'T5 tests first', about: tests.files.join(', ') },
              state: tests.why === undefined ? ('done' as const) : ('skipped' as const),
              words:
                tests.why === undefined
                  ? testsWords(tests.tests.map((each) => each.state))
                  : 'no acceptance tests were written',
              level: levelOfSeat('t5-1', teamed),
              checks: tallyWords(
                team.checks.filter(
                  ({ kind, workstream }) => kind === 'red-before' && workstream === one.id,
                ),
              ),
              spent: costs.of((each) => each.task === 'team/tests' && each.parts.includes(one.id)),
            },
          ]),
      ...tasks.map((task) => taskNode(task, teamed)),
      ...verifierNodes(one, teamed),
    ],
  };
}

/** Formats how tests ended on the base, such as `2 red before, 1 vacuous`. */
function testsWords(states: readonly string[]): string {
  const count = (state: string): number => states.filter((one) => one === state).length;
  return (
    [
      [count('red'), 'red before'],
      [count('vacuous'), 'vacuous'],
      [count('not-run'), 'not run'],
    ]
      .flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`]))
      .join(', ') || 'none written'
  );
}

function workstreamState(
  { id, depends_on }: Workstream,
  tasks: readonly TaskView[],
  teamed: Teamed,
): readonly [RowState, string] {
  const { team, isOver } = teamed;
  const joint = team.joint.findLast(({ workstream }) => workstream === id);
  const goesOn = tasks.some((one) => !isEnded(one));
  if (tasks.some(({ state }) => state === 'stuck')) return ['stuck', 'not done'];
  if (tasks.length > 0 && tasks.every(({ state }) => state === 'dropped'))
    return ['dropped', 'dropped'];
  if (tasks.some(({ attempts }) => attempts.length > 0) && goesOn) {
    const ended = tasks.filter(isEnded).length;
    return ['working', `${ended} of ${plural(tasks.length, 'task')} done`];
  }
  if (tasks.length > 0 && !goesOn) {
    const round = Math.max(
      0,
      ...team.joins.map((one) => ([id, 'all'].includes(one.of) ? one.round : 0)),
    );
    // An earlier round's verdict says nothing about work that was merged since.
    const isSince = joint !== undefined && round > joint.round && !isOver;
    if (isSince) return ['working', `round ${round} is verified`];
    if (joint?.verdict === 'pass') return ['done', `passed in round ${joint.round}`];
    if (joint?.verdict === 'fail') return ['red', `failed in round ${joint.round}`];
    return isOver ? ['dropped', 'not verified'] : ['working', 'to be verified'];
  }
  const open = depends_on.filter((one) =>
    team.tasks.some(({ task, state }) => task.workstream === one && state !== 'done'),
  );
  const waits = open.length > 0 ? open.map(line).join(', ') : tasks.length === 0 ? 'its tasks' : '';
  if (team.approved === undefined) return ['waiting', 'planned'];
  return ['waiting', waits === '' ? 'ready' : `waits for ${waits}`];
}

function taskNode(one: TaskView, teamed: Teamed): Node {
  const { team, costs } = teamed;
  const { id, title } = one.task;
  const last = lastAttempt(one);
  const first = teamed.config?.tiers.t4?.level ?? 'fast-cheap';
  return {
    ...{ key: `task/${id}`, subject: { kind: 'task', id }, name: `T4 ${id}`, about: title },
    state: isAsked(teamed, one) ? 'asks' : one.state,
    words: taskWords(one, teamed),
    level: LEVEL_WORDS[last?.started.level ?? first],
    tries: last === undefined ? '' : triedWords(team, one),
    checks: tallyWords((last?.checks ?? []).filter(({ kind }) => kind !== 'asked')),
    spent: costs.of((each) => isWork(each) && each.parts[1] === id),
  };
}

/**
 * Formats the state of a task, such as `working, turn 3`, `waits for json-flag` or `red: 2 tests fewer
 * passed than on the base`.
 */
export function taskWords(one: TaskView, teamed: Teamed): string {
  if (isAsked(teamed, one)) return 'waits for you';
  const waits = waitsFor(teamed, one);
  switch (one.state) {
    case 'waiting': {
      const again = one.retried.at(-1);
      if (waits !== '') return `waits for ${waits}`;
      return again === undefined ? 'ready' : `again: ${line(again.why)}`;
    }
    case 'working': {
      if (teamed.isOver) return 'not finished';
      const run = teamed.running.find(
        ({ parts }) => parts[0] === 'task' && parts[1] === one.task.id,
      );
      if (run?.tier !== undefined && run.tier !== 'T4') return `${run.tier} looks at it`;
      return run === undefined || run.turn < 2 ? 'working' : `working, turn ${run.turn}`;
    }
    case 'red':
      return `red: ${line(lastAttempt(one)?.judged.at(-1)?.why[0] ?? 'its checks')}`;
    case 'stuck':
      // A person was asked and has ended the run here.
      return `not done${one.why === undefined ? '' : `: ${line(one.why)}`}`;
    case 'dropped':
      return `dropped${one.why === undefined ? '' : `: ${line(one.why)}`}`;
    case 'green':
      return 'its checks are green';
    case 'done':
      return 'done';
  }
}

function verifierNodes({ id }: Workstream, teamed: Teamed): Node[] {
  const { team, costs, config, title } = teamed;
  const given = team.verdicts.filter(({ workstream }) => workstream === id);
  const seats = ['t5-1', 't5-2'].slice(0, config?.verifiers ?? 2);
  const all = [...new Set([...seats, ...given.map(({ seat }) => seat)])];
  return all.map((seat): Node => {
    const last = given.findLast((one) => one.seat === seat);
    const runs = isWorking(
      teamed,
      (one) => one.seat === seat && one.parts.includes(id) && one.task !== 'team/tests',
    );
    const [state, words] = runs
      ? (['working', last === undefined ? 'reading' : 'looking again'] as const)
      : verdictState(last);
    return {
      ...{ key: `verifier/${id}/${seat}`, subject: { kind: 'verifier', id, seat }, state, words },
      ...{ name: title(seat), about: '', level: levelOfSeat(seat, teamed) },
      checks:
        last?.probe === undefined || last.probe.state === 'not-run'
          ? ''
          : `probe ${last.probe.state === 'passed' ? '✓' : '✗'}`,
      spent: costs.of(
        (one) => one.seat === seat && one.parts.includes(id) && one.task !== 'team/tests',
      ),
    };
  });
}

function verdictState(
  last: Teamed['team']['verdicts'][number] | undefined,
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
      return ['dropped', `no verdict${last.why === undefined ? '' : `: ${line(last.why)}`}`];
  }
}

function acceptanceNode(teamed: Teamed): Node {
  const { team, isOver } = teamed;
  const last = team.accepted.at(-1);
  const stand = (): readonly [RowState, string] => {
    if (isWorking(teamed, ({ task }) => task === 'team/accept'))
      return ['working', 'looking at it'];
    if (last === undefined)
      return isOver ? ['dropped', 'not reached'] : ['waiting', 'waits for T5'];
    if (last.refused.length > 0) return ['red', `code refuses it: ${line(last.refused[0] ?? '')}`];
    if (last.acceptance === undefined) return ['dropped', line(last.why ?? 'no answer')];
    const { decision, reject } = last.acceptance;
    if (decision === 'accept') return ['done', 'accepted'];
    return ['red', `rejected to ${reject?.tier ?? 'T4'}: ${line(reject?.reason ?? '')}`];
  };
  const [state, words] = stand();
  return {
    ...{ key: 'acceptance', subject: { kind: 'acceptance' }, name: 'T1 acceptance', about: '' },
    ...{ state, words, level: levelOfSeat('t1', teamed) },
    spent: teamed.costs.of((one) => one.task === 'team/accept'),
  };
}

/** Returns whether the person is asked now how the work is brought home. */
function asksHome({ gate = '' }: Teamed): boolean {
  return gate.startsWith('deliver');
}

function deliveryNode(teamed: Teamed): Node {
  const { delivered } = teamed.team;
  const how = delivered?.how;
  if (asksHome(teamed))
    return {
      ...{ key: 'delivery', subject: { kind: 'delivery' }, name: 'Bring home', about: '' },
      ...{ state: 'asks', words: 'waits for you' },
    };
  return {
    ...{ key: 'delivery', subject: { kind: 'delivery' }, name: 'Brought home', about: '' },
    state: how === 'failed' ? 'red' : how === 'kept' ? 'skipped' : 'done',
    words: deliveryWords(delivered),
  };
}

/** Formats where the work went, such as `branch deliberate-1a2b3c4d`. */
export function deliveryWords(delivered: Teamed['team']['delivered']): string {
  if (delivered === undefined) return 'nothing yet';
  const { how, branch, url, why, commit, next } = delivered;
  const named = branch === undefined ? shortCommit(commit) : `branch ${line(branch)}`;
  switch (how) {
    case 'branch':
      return next === undefined ? named : `${named}; to open the request: ${line(next)}`;
    case 'forward':
      return `your branch was moved on to ${shortCommit(commit)}`;
    case 'request':
      return `pull request ${line(url ?? '')} from ${named}`.replace(/ {2,}/g, ' ');
    case 'kept':
      return 'nothing, as you chose';
    case 'failed':
      return `failed${why === undefined ? '' : `: ${line(why)}`}`;
  }
}

function levelOfSeat(seat: string, { config }: Teamed): string {
  const tiers = new Map(Object.entries(config?.tiers ?? {}));
  const level: Level | undefined = tiers.get(seat)?.level;
  return level === undefined ? '' : LEVEL_WORDS[level];
}

function isWorking({ running }: Teamed, which: (one: Running) => boolean): boolean {
  return running.some(which);
}
