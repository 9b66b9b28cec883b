/** Describes how a plan's run looks in the console. */

import type { RunModel } from '../../../console/model/run-model.ts';
import { COMMON_VIEW, type ProtocolView } from '../../../console/run/protocol-view.ts';
import type { SynthesisView } from '../../../kernel/view.ts';
import { sentencesOf } from '../../../record-kinds/sentences.ts';
import { recordTabs } from '../../../record-kinds/tab.ts';
import { countCallsLeft } from '../estimate.ts';
import { formatSeatAnswer } from './answers.ts';
import { firstDecisionWords } from './carried.ts';
import { contextPage } from './context.ts';
import { PLAN_PART } from './display-state.ts';
import { documentsPage } from './documents.ts';
import { questionOf } from './lines.ts';
import { RECORDS } from './records.ts';
import { SENTENCES } from './sentences.ts';
import { decisionLines, describeStatus, formatProgress, formatResultLine } from './status.ts';
import { countEndings, formatStateSentence, MEMBERS } from './wording.ts';

const isAlwaysShown = (): boolean => true;

/** The tabs, columns and status line by which the console shows a plan. */
export const view: ProtocolView = {
  ...COMMON_VIEW,
  callsLeft: countCallsLeft,
  parts: [PLAN_PART],
  // The chair and the researcher may be asked several questions at once, so each call has a column.
  columns: {
    by: 'calls',
    subjectOf: (step, runModel) => questionOf(step, PLAN_PART.viewIn(runModel)),
  },
  answer: formatSeatAnswer,
  says: (fact, runModel) =>
    sentencesOf(SENTENCES, fact, () => PLAN_PART.state(runModel))?.join('; '),
  saidIn: 'tree',
  tabs: [
    ...recordTabs(RECORDS, PLAN_PART),
    { id: 'context', place: 4, title: 'Context', shown: isAlwaysShown, page: contextPage },
    // The tab Documents comes before the tab Tree, whose `place` in the row of tabs is 5.
    { id: 'documents', place: 4.5, title: 'Documents', shown: isAlwaysShown, page: documentsPage },
  ],
  votesIn: 'conflicts',
  holds: { votes: () => false },
  lacks: {
    ...COMMON_VIEW.lacks,
    'notes heeded': 'A plan takes no notes while it runs; put them into the topic.',
    'rounds live': 'A plan has no stress rounds.',
    'seat silent': 'A plan retries failed seats by itself, twice.',
    'seat rests': 'To change the model of a seat, fork the run.',
    answers: 'A plan has one synthesis; to write it with another model, fork the run.',
    votes: 'A plan has no vote; the Conflicts tab shows who accepts what.',
    'earlier question': 'A plan has one topic.',
    'later question': 'A plan has one topic.',
  },
  status: describeStatus,
  done: formatResultLine,
  progress: formatProgress,
  asks: decisionLines,
  lead: ({ done }, runModel) => (done === undefined ? NOTHING_YET : leadOf(runModel)),
  heading: ({ done }, runModel) => done && heardIn(done, runModel),
  marks: [
    'plan.staffed',
    'statements.made',
    'conflicts.examined',
    'conflict.decided',
    'plan.written',
  ],
};

const NOTHING_YET = { sentence: undefined, beside: [] };

/** Starts with the plan's state, which says whether the rest can be relied on. */
function leadOf(runModel: RunModel): { sentence: string | undefined; beside: readonly string[] } {
  const planned = PLAN_PART.state(runModel);
  const { written } = planned.plan;
  if (written === undefined) return NOTHING_YET;
  return {
    sentence: formatStateSentence(planned.plan),
    beside: [countEndings(planned), firstDecisionWords(planned) ?? ''].filter(
      (words) => words !== '',
    ),
  };
}

/** Says which specialists took part, such as `3 of 4 specialists` and `without Release (failed)`. */
function heardIn({ included, excluded }: SynthesisView, runModel: RunModel): string[] {
  const { title } = PLAN_PART.state(runModel);
  const absent = excluded.map(({ seat, reason }) => `${title(seat)} (${reason})`);
  return [
    `${included.length} of ${included.length + absent.length} ${MEMBERS}`,
    ...(absent.length > 0 ? [`without ${absent.join(', ')}`] : []),
  ];
}
