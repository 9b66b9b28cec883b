/**
 * Writes a plan's part of a report: whether it can be relied on, the plan, the argument, and how the plan came
 * about.
 */
import type { RunView } from '../../../kernel/view.ts';
import { type Answer, makeSection, type RunReport } from '../../../plain/blocks.ts';
import { listUnfinishedCalls, synthesisGaps } from '../../../plain/gaps.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import type { ProtocolReport, RecordedRun } from '../../../plain/protocol-text.ts';
import { synthesisSection } from '../../../plain/syntheses.ts';
import { type RecordKind, recordKind } from '../../../record-kinds/kind.ts';
import { recordSection, recordSections } from '../../../record-kinds/section.ts';
import { findSeatsNotHeard, planOf } from '../fold.ts';
import type { Conflict } from '../rules/conflicts.ts';
import { argumentOf } from './argument.ts';
import { DECISION } from './carried.ts';
import { derivePlanned, type PlanDisplay } from './display-state.ts';
import { QUESTION, rateAnswer } from './question.ts';
import { RECORDS } from './records.ts';
import { staffingBlocks } from './staffing.ts';
import { describeStateAndQuestions, getEnding, MEMBERS } from './wording.ts';

/** The function that builds the report of a plan: spec, argument, conflicts, statements and what is missing. */
export const report: ProtocolReport = { build: planReport };

/** Returns a plan's part of a run's report. */
function planReport({ facts, view }: RecordedRun): RunReport {
  const planned = derivePlanned(view, planOf(facts));
  const graph = argumentOf(planned);
  return {
    answers: [answerOf(planned, view)],
    sections: [
      view.syntheses.length === 0
        ? makeSection('Plan', 'There is none.')
        : { ...synthesisSection(view.syntheses, view, undefined, MEMBERS), short: 'Plan' },
      recordSection(DISSENT, planned, { isTarget: false }),
      makeSection('The argument', graph === undefined ? '' : { kind: 'graph', graph }),
      // These sections have a row for each decision, conflict and so on. The graph of the argument links to these
      // rows.
      ...recordSections(RECORDS, planned),
      ...(planned.plan.staffed === undefined
        ? []
        : [
            makeSection(
              'Context',
              ...staffingBlocks(planned),
              ...recordSection(QUESTION, planned).blocks,
            ),
          ]),
    ],
    missing: listGaps(planned, view),
  };
}

/** Says first whether the plan can be relied on. */
function answerOf(planned: PlanDisplay, view: RunView): Answer {
  const { plan } = planned;
  const [first] = DECISION.all(planned);
  const called = plan.staffed?.seats.length ?? 0;
  const silent = findSeatsNotHeard(plan);
  const state = describeStateAndQuestions(planned);
  const isUnexamined = plan.written?.state === 'unexamined';
  return {
    title: 'Plan',
    isHeadline: true,
    text: isUnexamined ? undefined : state,
    warnings: [...(isUnexamined ? [state] : []), ...(first?.marks ?? [])],
    basisLines: [
      ...(first === undefined ? [] : [`First decision: ${first.text}`]),
      `${called - silent.length} of ${called} ${MEMBERS}.`,
      ...silent.map(({ role, why }) => `Without ${getSeatTitle(role, view)}: ${why}.`),
    ],
  };
}

/** The kind of record for questions on which seats disagreed. */
const DISSENT: RecordKind<PlanDisplay, Conflict> = recordKind({
  name: 'Dissent',
  about: 'Questions on which the seats disagreed.',
  all: (planned: PlanDisplay) =>
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
function acceptedIn({ id }: Conflict, { undecided }: PlanDisplay) {
  return undecided.find(({ conflict }) => conflict === id)?.accepts ?? {};
}

/**
 * Returns sentences about what is missing or unsure in the plan, for the report. For example, they
 * name seats that did not answer, and statements that the plan omits without a reason.
 */
function listGaps(planned: PlanDisplay, view: RunView): string[] {
  const { plan } = planned;
  return [
    ...findSeatsNotHeard(plan).map(
      ({ role, why }) =>
        `${escapeLine(getSeatTitle(role, view))} was not heard: ${escapeLine(why)}.`,
    ),
    ...(plan.written?.state === 'unexamined'
      ? ['No search for conflicts in the statements as they stand passed a control.']
      : []),
    ...(plan.examined.some(({ isAlone }) => isAlone === true)
      ? ['One model played every seat and looked for conflicts in what it said itself.']
      : []),
    ...(plan.written?.spec.forgotten ?? []).map(
      (id) => `The plan omits ${escapeLine(id)} without a reason.`,
    ),
    ...plan.lookedUp.flatMap((question) => {
      const known = rateAnswer(question, plan);
      const seat = escapeLine(planned.title(question.seat));
      if (known === 'not known') return [`${seat} did not learn: ${escapeLine(question.question)}`];
      return known === 'partly known'
        ? [
            `${seat} learned only a part of: ${escapeLine(question.question)} Missing: ${escapeLine(question.missing ?? '')}`,
          ]
        : [];
    }),
    ...listUnfinishedCalls(view),
    ...synthesisGaps(view.syntheses.at(-1), view),
  ];
}
