/**
 * Writes a plan's part of the HTML report: the sections of the Markdown report, and the argument as a graph.
 */
import type { Answer, PageBuilder, Section } from '../../../html-report/parts.ts';
import type { RunView } from '../../../kernel/view.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import { synthesisSections } from '../../../plain/syntheses.ts';
import { type RecordKind, recordKind } from '../../../record-kinds/kind.ts';
import { recordSection } from '../../../record-kinds/section.ts';
import { findSeatsNotHeard, planOf } from '../fold.ts';
import type { Conflict } from '../rules/conflicts.ts';
import { argumentOf } from './argument.ts';
import { DECISION, TASK } from './carried.ts';
import { derivePlanned, type Planned } from './display-state.ts';
import { listGaps, processSections } from './report.ts';
import { STATEMENT } from './statement.ts';
import { describeStateAndQuestions, getEnding, MEMBERS } from './wording.ts';

/** Builds a plan's part of the HTML report. */
export const page: PageBuilder = ({ facts, view }) => {
  const planned = derivePlanned(view, planOf(facts));
  const graph = argumentOf(planned);
  return {
    answers: [answerOf(planned, view)],
    sections: [
      ...planSection(view),
      ...recordSection(DISSENT, planned, { isTarget: false }),
      ...(graph === undefined
        ? []
        : [{ title: 'The argument', blocks: [{ kind: 'graph', graph } as const] }]),
      // The nodes of the graph above link to rows of the next three sections.
      ...recordSection(DECISION, planned),
      ...recordSection(TASK, planned),
      ...recordSection(STATEMENT, planned),
      ...processSections(planned),
    ],
    missing: listGaps(planned, view),
  };
};

function answerOf(planned: Planned, view: RunView): Answer {
  const { plan } = planned;
  const [first] = DECISION.all(planned);
  const called = plan.staffed?.seats.length ?? 0;
  const silent = findSeatsNotHeard(plan);
  return {
    title: first === undefined ? 'Plan' : 'First decision',
    text: first?.text,
    heard: [
      `${called - silent.length} of ${called} ${MEMBERS}.`,
      ...silent.map(({ role, why }) => `Without ${getSeatTitle(role, view)}: ${why}.`),
      ...(plan.written?.state === 'unexamined' ? [] : [describeStateAndQuestions(planned)]),
    ],
    warnings: [
      ...(first?.marks ?? []),
      ...(plan.written?.state === 'unexamined' ? [describeStateAndQuestions(planned)] : []),
    ],
  };
}

function planSection(view: RunView): Section[] {
  return view.syntheses
    .toReversed()
    .slice(0, 1)
    .map((one) => {
      const [, ...text] = synthesisSections([one], view, 2, () => ({}), MEMBERS);
      return { title: 'Plan', blocks: [{ kind: 'markdown', text: text.join('\n\n') }] };
    });
}

/** The kind of record for questions on which seats disagreed. */
const DISSENT: RecordKind<Planned, Conflict> = recordKind({
  name: 'Dissent',
  about: 'Questions on which the seats disagreed.',
  all: (planned: Planned) =>
    planned.plan.conflicts.filter((conflict) => {
      const sides = Object.values(acceptedIn(conflict, planned));
      const tone = getEnding(conflict, planned).tone;
      return (
        tone === 'open' || new Set(sides.map((options) => [...options].sort().join())).size > 1
      );
    }),
  id: ({ id }) => id,
  heading: ({ id, question }) => `${id} · ${question}`,
  columns: [
    { title: 'id', of: ({ id }) => id },
    {
      title: 'ended',
      of: (conflict, planned) => {
        const { brief, tone } = getEnding(conflict, planned);
        return { text: brief, tone };
      },
    },
    {
      title: 'question',
      of: (conflict, planned) => ({
        text: conflict.question,
        below: Object.entries(acceptedIn(conflict, planned)).map(
          ([role, options]) => `${planned.title(role)} accepts ${options.join(', ') || 'nothing'}`,
        ),
      }),
    },
  ],
});

/** Returns the options that each role accepts, as the seats left the question. */
function acceptedIn({ id }: Conflict, { undecided }: Planned) {
  return undecided.find(({ conflict }) => conflict === id)?.accepts ?? {};
}
