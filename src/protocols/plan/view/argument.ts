/** A plan's argument as a graph: who stated what, which questions it led to, and what was decided on it. */
import type { Graph, GraphEdge, GraphNode, Tone } from '../../../html-report/parts.ts';
import type { Statement } from '../rules/statements.ts';
import type { Planned } from './planned.ts';
import { type Ending, endingOf, kindWords } from './wording.ts';

const ENDING_TONES: Readonly<Record<Ending['state'], Tone>> = {
  settled: 'good',
  decided: 'good',
  open: 'open',
  waits: 'open',
};

export function endingTone({ state }: Ending): Tone {
  return ENDING_TONES[state];
}

export function statementTone({ state }: Statement): Tone {
  return state === 'live' ? 'good' : 'gone';
}

/** `stands`, or how it was given up. */
export function statementWords({ state, withdrawal }: Statement): string {
  if (state === 'live') return 'stands';
  const where = withdrawal?.conflict === undefined ? '' : ` in ${withdrawal.conflict}`;
  return `given up${where}`;
}

/** The decisions and tasks of a plan have no ids of their own: here they go by their numbers. */
export function decisionId(at: number): string {
  return `decision-${at + 1}`;
}

export function taskId(at: number): string {
  return `task-${at + 1}`;
}

/** Undefined where nothing was stated. */
export function argumentOf(planned: Planned): Graph | undefined {
  const { plan, title } = planned;
  const { statements, conflicts, written } = plan;
  if (statements.length === 0) return undefined;
  const rounds = Math.max(
    ...statements.map(({ round }) => round),
    ...conflicts.map(({ round }) => round),
  );
  const roles = [...new Set(statements.map(({ role }) => role))];
  const questions = roles.length;
  const stated = statements.map(
    (one): GraphNode => ({
      ...{ id: one.id, kind: 'statement', about: one.text },
      ...{ column: (one.round - 1) * 2, lane: roles.indexOf(one.role) },
      ...{ tone: statementTone(one), standing: `${kindWords(one)}, ${statementWords(one)}` },
    }),
  );
  const asked = conflicts.map((one): GraphNode => {
    const ending = endingOf(one, planned);
    return {
      ...{ id: one.id, kind: 'question', about: one.question },
      ...{ column: (one.round - 1) * 2 + 1, lane: questions },
      ...{ tone: endingTone(ending), standing: ending.brief },
    };
  });
  const { decisions = [], tasks = [] } = written?.spec ?? {};
  const decided = decisions.map(
    ({ text }, at): GraphNode => ({
      ...{ id: decisionId(at), kind: 'decision', about: text },
      ...{ column: rounds * 2, lane: questions + 1 },
    }),
  );
  const listed = tasks.map(
    ({ title: name }, at): GraphNode => ({
      ...{ id: taskId(at), kind: 'task', about: name },
      ...{ column: rounds * 2 + 1, lane: questions + 1 },
    }),
  );
  const nodes = [...stated, ...asked, ...decided, ...listed];
  const there = new Set(nodes.map(({ id }) => id));
  const leaned = conflicts.flatMap(({ id, given = [] }) =>
    given.map((one): GraphEdge => ({ from: one, to: id, kind: 'given' })),
  );
  const edges: GraphEdge[] = [
    ...conflicts.flatMap(({ id, options }) =>
      options.map((option) => ({ from: option, to: id, kind: 'asked' })),
    ),
    ...leaned,
    ...decisions.flatMap(({ from }, at) =>
      from.map((id) => ({ from: id, to: decisionId(at), kind: 'cited' })),
    ),
    ...tasks.flatMap(({ from, after }, at) => [
      ...from.map((id) => ({ from: id, to: taskId(at), kind: 'cited' })),
      ...after.map((number) => ({ from: taskId(number - 1), to: taskId(at), kind: 'before' })),
    ]),
  ];
  return {
    about: 'Who stated what, which questions came of it, and what the plan makes of both.',
    lanes: [...roles.map(title), 'Questions', 'Plan'],
    columns: [
      ...Array.from({ length: rounds * 2 }, (_one, at) => `Round ${Math.floor(at / 2) + 1}`),
      'Plan',
      'Plan',
    ],
    kinds: { statement: 'box', question: 'cut', decision: 'round', task: 'round' },
    relations: {
      asked: { forth: 'an option in', back: 'has the options' },
      cited: { forth: 'carried into', back: 'carries' },
      before: { forth: 'before', back: 'after' },
      ...(leaned.length === 0 ? {} : { given: { forth: 'given in', back: 'rests on' } }),
    },
    nodes,
    edges: edges.filter(({ from, to }) => there.has(from) && there.has(to)),
  };
}
