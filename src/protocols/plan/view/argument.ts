/**
 * Builds the graph of a plan's argument: who stated what, to which questions this led, and what was
 * decided.
 */
import type { Graph, GraphEdge, GraphNode } from '../../../plain/blocks.ts';
import { DECISION, TASK, taskId } from './carried.ts';
import type { PlanDisplay } from './display-state.ts';
import { statementKind, statementStatus, statementTone } from './statement.ts';
import { getEnding } from './wording.ts';

/**
 * Builds the graph of a plan's argument: who stated what, to which questions this led, and which decisions and tasks
 * came of it. Undefined if there are no statements.
 */
export function argumentOf(planned: PlanDisplay): Graph | undefined {
  const { plan, title } = planned;
  const { statements, conflicts } = plan;
  if (statements.length === 0) return undefined;
  const rounds = Math.max(
    ...statements.map(({ round }) => round),
    ...conflicts.map(({ round }) => round),
  );
  const roles = [...new Set(statements.map(({ role }) => role))];
  const questions = roles.length;
  const stated = statements.map(
    (statement): GraphNode => ({
      id: statement.id,
      kind: 'statement',
      about: statement.text,
      column: (statement.round - 1) * 2,
      lane: roles.indexOf(statement.role),
      tone: statementTone(statement),
      standing: `${statementKind(statement)}, ${statementStatus(statement)}`,
    }),
  );
  const asked = conflicts.map((conflict): GraphNode => {
    const ending = getEnding(conflict, planned);
    return {
      id: conflict.id,
      kind: 'question',
      about: conflict.question,
      column: (conflict.round - 1) * 2 + 1,
      lane: questions,
      tone: ending.tone,
      standing: ending.brief,
    };
  });
  const decisions = DECISION.all(planned);
  const tasks = TASK.all(planned);
  const decided = decisions.map(
    ({ id, text, marks }): GraphNode => ({
      id,
      kind: 'decision',
      about: text,
      ...markedNode(marks),
      column: rounds * 2,
      lane: questions + 1,
    }),
  );
  const listed = tasks.map(
    ({ id, title: name, marks }): GraphNode => ({
      id,
      kind: 'task',
      about: name,
      ...markedNode(marks),
      column: rounds * 2 + 1,
      lane: questions + 1,
    }),
  );
  const nodes = [...stated, ...asked, ...decided, ...listed];
  const there = new Set(nodes.map(({ id }) => id));
  const leaned = conflicts.flatMap(({ id, given = [] }) =>
    given.map((givenId): GraphEdge => ({ from: givenId, to: id, kind: 'given' })),
  );
  const edges: GraphEdge[] = [
    ...conflicts.flatMap(({ id, options }) =>
      options.map((option) => ({ from: option, to: id, kind: 'asked' })),
    ),
    ...leaned,
    ...[...decisions, ...tasks].flatMap(({ id, from }) =>
      from.map((statement) => ({ from: statement, to: id, kind: 'cited' })),
    ),
    ...tasks.flatMap(({ id, after }) =>
      after.map((number) => ({ from: taskId(number), to: id, kind: 'before' })),
    ),
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

/** Returns how a part with marks is shown in the graph; nothing if it has none. */
function markedNode(marks: readonly string[]): Pick<GraphNode, 'tone' | 'standing'> {
  return marks.length === 0 ? {} : { tone: 'open', standing: marks.join(' ') };
}
