/**
 * Builds the Team tab's tree: T1 above T2's domains, above T3's workstreams, above T4's tasks and T5's
 * verifiers, each with its state and what it waits for. Pure.
 */

import { formatCount } from '../../../../text/numbers.ts';
import type { TeamPlan } from '../../forms/plan.ts';
import { NO_COST } from '../costs.ts';
import { isPlanOpen, type TeamDisplay } from '../display-state.ts';
import { BY_WHOM, formatCheckTally, type RowState } from '../wording.ts';
import { acceptanceNode, deliveryNode, isDeliveryAsked } from './ending.ts';
import { isAbout, isWork, isWorking, levelOfSeat, type Node, type TierRow } from './node.ts';
import { workstreamNode } from './workstream.ts';

/**
 * Returns the visible rows of the Team tab's tree. Rows below a folded row are left out.
 * @param folded the keys of the folded rows
 * @param query in lower case; keeps only the rows that contain it, and those above them
 */
export function tierRows(teamed: TeamDisplay, folded: ReadonlySet<string>, query = ''): TierRow[] {
  const filterNode = (node: Node): Node[] => {
    const below = (node.below ?? []).flatMap(filterNode);
    const has = `${node.name} ${node.about} ${node.words}`.toLowerCase().includes(query);
    return has || below.length > 0 ? [{ ...node, below }] : [];
  };
  const toRows = ({ below = [], ...node }: Node, depth: number): TierRow[] => [
    {
      level: '',
      tries: '',
      checks: '',
      spent: NO_COST,
      ...node,
      depth,
      branch: below.length > 0,
    },
    ...(folded.has(node.key) ? [] : below.flatMap((node) => toRows(node, depth + 1))),
  ];
  return nodesOf(teamed)
    .flatMap((node) => (query === '' ? [node] : filterNode(node)))
    .flatMap((node) => toRows(node, 0));
}

function nodesOf(teamed: TeamDisplay): Node[] {
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
      .map((workstream) => workstreamNode(workstream, teamed)),
  ];
  return [
    planNode(teamed, below),
    acceptanceNode(teamed),
    ...(team.delivered === undefined && !isDeliveryAsked(teamed) ? [] : [deliveryNode(teamed)]),
  ];
}

function planNode(teamed: TeamDisplay, below: readonly Node[]): Node {
  const { team, gate, isOver } = teamed;
  const { plan, planned, approved, survey } = team;
  const describeState = (): readonly [RowState, string] => {
    if (plan?.no_team) return ['done', 'says that no team is needed'];
    if (approved !== undefined) return ['done', `approved by ${BY_WHOM[approved.by]}`];
    if (isPlanOpen(team) && gate !== undefined) return ['asks', 'waits for you'];
    if (isOver)
      return plan === undefined ? ['dropped', 'not planned'] : ['dropped', 'not approved'];
    if (survey === undefined) return ['working', 'surveying'];
    return ['working', planned.length === 0 ? 'planning' : 'criticizing its plan'];
  };
  const [state, words] = describeState();
  return {
    key: 'plan',
    subject: { kind: 'plan' },
    name: 'T1 plan',
    about: '',
    state,
    words,
    below,
    level: levelOfSeat('t1', teamed),
    checks: formatCheckTally(team.checks.filter(({ kind }) => kind === 'base')),
    spent: teamed.costs.of(
      (payee) => payee.seat === 't1' && payee.task !== 'team/accept' && !isWork(payee),
    ),
  };
}

function designNode(teamed: TeamDisplay, plan: TeamPlan): Node {
  const { team } = teamed;
  const { designed } = team;
  const describeState = (): readonly [RowState, string] => {
    if (designed === undefined) {
      if (isWorking(teamed, ({ task }) => task === 'team/fit'))
        return ['working', 'T1 checks it against the goal'];
      const runs = isWorking(teamed, ({ tier, task }) => tier === 'T2' && task !== 'team/correct');
      return runs ? ['working', 'designing'] : ['waiting', team.approved ? 'next' : 'waits for T1'];
    }
    if (designed.refused.length > 0) return ['red', 'refused'];
    if (designed.fit?.fits === false) return ['red', 'does not fit the goal'];
    const { length } = designed.contradictions;
    return [
      'done',
      length === 0 ? 'designed' : `designed, ${formatCount(length, 'contradiction')}`,
    ];
  };
  const [state, words] = describeState();
  const domains = designed?.boundaries.domains ?? [];
  return {
    key: 'design',
    subject: { kind: 'design' },
    name: 'T2 design',
    state,
    words,
    about: plan.tiers.find(({ tier }) => tier === 'T2')?.why ?? '',
    level: levelOfSeat('t2-lead', teamed),
    spent: teamed.costs.of(
      (payee) => payee.seat.startsWith('t2') && !isWork(payee) && !isAbout(payee, domains),
    ),
    below: domains.map(({ id, workstreams, owns }): Node => {
      const proposal = designed?.proposals.find(({ domain }) => domain === id);
      return {
        key: `domain/${id}`,
        subject: { kind: 'domain', id },
        name: `T2 ${id}`,
        about: owns.join(', '),
        state: proposal === undefined ? 'waiting' : 'done',
        words: proposal === undefined ? 'no proposal' : 'proposed',
        level: levelOfSeat('t2', teamed),
        spent: teamed.costs.of((payee) => payee.seat === 't2' && isAbout(payee, [{ id }])),
        below: plan.workstreams
          .filter((workstream) => workstreams.includes(workstream.id))
          .map((workstream) => workstreamNode(workstream, teamed)),
      };
    }),
  };
}
