/** Writes a plan's part of a report: whether it can be relied on, the plan, and how it came about. */
import type { Section } from '../../../html-report/parts.ts';
import type { RunView } from '../../../kernel/view.ts';
import { words } from '../../../plain/markdown.ts';
import { getSeatTitle, whyNoAnswer } from '../../../plain/naming.ts';
import { formatCallGaps, type Recorded, type ReportParts } from '../../../plain/protocol-text.ts';
import { synthesisGaps, synthesisSections } from '../../../plain/syntheses.ts';
import { recordKind } from '../../../record-kinds/kind.ts';
import { recordSection, sectionsText } from '../../../record-kinds/section.ts';
import { findSeatsNotHeard, planOf } from '../fold.ts';
import { firstDecisionWords } from './carried.ts';
import { CONFLICT } from './conflict.ts';
import { derivePlanned, type Planned } from './display-state.ts';
import { GATE } from './gate.ts';
import { QUESTION, rateAnswer } from './question.ts';
import { staffingText } from './staffing.ts';
import { STATEMENT } from './statement.ts';
import { describeStateAndQuestions, MEMBERS } from './wording.ts';

/** Returns a plan's part of a run's report. */
export function planReport({ facts, view }: Recorded): ReportParts {
  const planned = derivePlanned(view, planOf(facts));
  return {
    lead: leadOf(planned),
    sections: [
      ...(view.syntheses.length === 0
        ? ['## Plan', 'There is none.', ...sectionsText(recordSection(STATEMENT, planned))]
        : synthesisSections(view.syntheses, view, 2, () => ({}), MEMBERS)),
      ...sectionsText(processSections(planned)),
    ],
    missing: listGaps(planned, view),
  };
}

/**
 * Returns the sections on how the plan came about: files, conflicts, and what each specialist was shown and
 * asked.
 */
export function processSections(planned: Planned): Section[] {
  return [
    ...recordSection(FILE, planned),
    ...recordSection(CONFLICT, planned, { evenIfNone: true }),
    ...recordSection(GATE, planned),
    ...contextSection(planned),
  ];
}

const FILE = recordKind({
  name: 'Files',
  about: 'Written into the repository, with the SHA-256 of their content.',
  all: ({ plan }: Planned) => [...plan.files].map(([path, file]) => ({ path, ...file })),
  id: ({ path }) => path,
  heading: ({ path }) => path,
  columns: [
    { title: 'file', of: ({ path }) => path },
    { title: 'written', of: ({ at }) => at },
    { title: 'SHA-256', of: ({ sha256 }) => sha256.slice(0, 12) },
  ],
});

function contextSection(planned: Planned): Section[] {
  if (planned.plan.staffed === undefined) return [];
  return [
    {
      title: 'Context',
      blocks: [
        { kind: 'markdown', text: staffingText(planned, 3) },
        ...recordSection(QUESTION, planned).flatMap(({ blocks }) => blocks),
      ],
    },
  ];
}

/**
 * Returns sentences about what is missing or unsure in the plan, for the report. For example, they
 * name seats that did not answer, and statements that the plan omits without a reason.
 */
export function listGaps(planned: Planned, view: RunView): string[] {
  const { plan } = planned;
  return [
    ...findSeatsNotHeard(plan).map(
      ({ role, why }) => `${words(getSeatTitle(role, view))} was not heard: ${words(why)}.`,
    ),
    ...(plan.written?.state === 'unexamined'
      ? ['No search for conflicts in the statements as they stand passed a control.']
      : []),
    ...(plan.examined.some(({ isAlone }) => isAlone === true)
      ? ['One model played every seat and looked for conflicts in what it said itself.']
      : []),
    ...(plan.written?.spec.forgotten ?? []).map(
      (id) => `The plan omits ${words(id)} without a reason.`,
    ),
    ...plan.lookedUp.flatMap((one) => {
      const known = rateAnswer(one, plan);
      const who = words(planned.title(one.seat));
      if (known === 'not known') return [`${who} did not learn: ${words(one.question)}`];
      return known === 'partly known'
        ? [
            `${who} learned only a part of: ${words(one.question)} Missing: ${words(one.missing ?? '')}`,
          ]
        : [];
    }),
    // A seat is not missing if it failed and then answered when asked again.
    ...Object.values(view.calls).flatMap((call) =>
      call.state === 'running' || call.state === 'lost'
        ? formatCallGaps(words(call.step), whyNoAnswer(call))
        : [],
    ),
    ...synthesisGaps(view.syntheses.at(-1), view),
  ];
}

/** Says whether the plan can be relied on, and its first decision. */
function leadOf(planned: Planned): string[] {
  const first = firstDecisionWords(planned);
  return [
    `**${words(describeStateAndQuestions(planned))}**`,
    ...(first === undefined ? [] : [words(first)]),
  ];
}
