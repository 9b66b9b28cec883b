/** The console's view of a board. */

import { formatCountdown } from '../../../console/model/notes.ts';
import type { RunModel, Synthesis } from '../../../console/model/run-model.ts';
import { draftIn, watchForAttempt } from '../../../console/run/forms/around.ts';
import { COMMON_VIEW, type ProtocolView } from '../../../console/run/protocol-view.ts';
import { listHeardSeats } from '../../../console/run/sections/remarks.ts';
import { ConfirmForm } from '../../../console/ui/forms/confirm.ts';
import { TextForm } from '../../../console/ui/forms/text.ts';
import type { SynthesisView } from '../../../kernel/view.ts';
import { joinLines } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import {
  cutUnfinishedMention,
  hasLettersOfSeats,
  replaceLetters,
} from '../../common/quotations/names.ts';
import type { Quotation } from '../../common/quotations/quotations.ts';
import { formatForReaders, formatQuotationCounts } from '../../common/quotations/readable.ts';
import { countCallsLeft } from '../estimate.ts';
import { getAnswerStep, type QuestionView } from '../fold.ts';
import { getFirstRecommendation, warnOfRepeatedTask } from '../recommended.ts';
import { type AblationRequest, getAblationRequest } from '../requests.ts';
import { answerWords } from './answers.ts';
import { collectBoardGrounds } from './grounds.ts';
import { BOARD_PART, getBoardState, getQuestionState, QUOTATIONS_PART } from './part.ts';
import { formatBoardFact } from './says.ts';
import { findAblations, formatAblation, formatBoardVote, seatNames } from './vote.ts';
import { hasVotes } from './vote-items.ts';
import { VotePage } from './vote-tab.ts';

/** The tabs, columns and status line by which the console shows a board. */
export const view: ProtocolView = {
  ...COMMON_VIEW,
  callsLeft: countCallsLeft,
  parts: [BOARD_PART, QUOTATIONS_PART],
  columns: { by: 'answers', stepOf: getAnswerStep },
  answer: answerWords,
  named: (text, labels, nameOf, isWhole) =>
    replaceLetters(isWhole ? text : cutUnfinishedMention(text), labels, (seat) =>
      joinLines(nameOf(seat)),
    ),
  says: formatBoardFact,
  reads: (done, runModel) =>
    formatForReaders(done, quotationsAt(runModel, done.version), (seat) =>
      joinLines(runModel.nameOf(seat)),
    ),
  ablates: baseOf,
  until: (runModel, seat, question) => {
    const patience = getQuestionState(runModel, question)?.patience;
    return patience?.waitingFor.includes(seat) ? Date.parse(patience.until) : undefined;
  },
  tabs: [
    {
      id: 'vote',
      place: 2,
      title: 'Vote',
      // If a vote is expected, its tab exists from the beginning, so that the number keys of other
      // tabs do not change.
      shown: (runModel) => hasVotes(runModel) || runModel.view.config.vote === true,
      page: (around) => new VotePage(around),
    },
  ],
  commands: {
    'follow-up': (around) =>
      new TextForm({
        title: 'Follow-up question to the same seats',
        hint: 'They see the last synthesis.',
        does: ['ask', 'asks'],
        rows: 6,
        draft: draftIn(around, 'follow-up'),
        send: (question) => {
          const { runModel, reading, actions, say } = around;
          reading.turnToNewest();
          const begun = watchForAttempt(runModel);
          actions?.followUp(question);
          say('Asking the seats.', begun);
        },
      }),
    weigh: ({ runModel, reading, actions, say }) => {
      const { synthesis } = reading;
      if (synthesis?.done === undefined) return undefined;
      const { version } = synthesis;
      const count = synthesis.done.included.length;
      const text = `Rewrites v${version} without each of its ${formatCount(count, 'seat')}, and once with all of them to see what changes by chance.\nEach is compared with v${version}: up to ${2 * (count + 1)} calls.`;
      const startAblation = (): void => {
        const begun = watchForAttempt(runModel);
        actions?.ablate(version);
        say(`Ablation of v${version} has started.`, begun);
      };
      return new ConfirmForm({
        title: 'Ablation: what each seat carries',
        text,
        confirmed: startAblation,
      });
    },
  },
  holds: {},
  lacks: {
    'rounds live': 'This run has no rounds.',
    suspected: 'No failure mode is suspected.',
    filters: 'This run has no list of claims.',
    retraces: 'No link was followed to get here.',
  },
  options: (runModel) =>
    collectBoardGrounds(getBoardState(runModel), runModel.view).options.map(({ option }) => option),
  noteReader: ({ drafting }) => (drafting ? 'next synthesis' : 'synthesis'),
  leavesOut: true,
  status: statusOf,
  heading: headingOf,
  lead: ({ version, question, ablates, done, stream }, runModel) => {
    const vote = ablates === undefined ? formatBoardVote(runModel, question, version) : undefined;
    const influence = done === undefined ? undefined : formatAblation(runModel, version);
    return {
      sentence: done && getFirstRecommendation(stream.text.text),
      beside: [vote, influence].filter((line) => line !== undefined),
    };
  },
  remarks: ({ version, done, stream }, runModel) => {
    const misquoted = formatQuotationCounts(quotationsAt(runModel, version), { onlyIfBad: true });
    const repeated = done && warnOfRepeatedTask(stream.text.text);
    return [
      [],
      [
        ...(repeated === undefined ? [] : [repeated]),
        ...(misquoted === undefined ? [] : [`quotations: ${misquoted}`]),
        ...(done === undefined ? [] : makeLegend(done, runModel)),
      ],
    ];
  },
};

function quotationsAt(runModel: RunModel, version: number): readonly Quotation[] {
  return runModel.read(QUOTATIONS_PART).quotations[version] ?? [];
}

/** Returns a legend of letters in the text that could not be replaced by names. */
function makeLegend({ text, labels }: SynthesisView, runModel: RunModel): string[] {
  if (
    !hasLettersOfSeats(
      replaceLetters(text, labels, () => ''),
      labels,
    )
  )
    return [];
  const names = Object.entries(labels).map(
    ([letter, seat]) => `${letter} = ${runModel.nameOf(seat)}`,
  );
  return [names.join(' · ')];
}

/** Returns the version that another synthesis ablates. */
function baseOf(runModel: RunModel, version: number): number | undefined {
  return getBoardState(runModel).madeForAblation[version];
}

function statusOf(runModel: RunModel, now: number): string | undefined {
  const ablation = getAblationRequest(runModel.view.request);
  if (ablation !== undefined) return ablationWords(runModel, ablation);
  if (runModel.syntheses.some(({ stream }) => stream.running) || runModel.running === 0)
    return undefined;
  if (!runModel.asking) return workWords(runModel);
  const patience = getQuestionState(runModel, runModel.question)?.patience;
  return patience && patienceWords(runModel, patience, now);
}

/** Formats the progress of an ablation: `Ablation of v1: 2 of 4 versions are compared with it.` */
function ablationWords(runModel: RunModel, { base, first }: AblationRequest): string {
  const seats =
    runModel.syntheses.find(({ version }) => version === base)?.done?.included.length ?? 0;
  const found = findAblations(runModel, base).filter(({ version }) => version >= first).length;
  return `Ablation of v${base}: ${found} of ${seats + 1} versions compared.`;
}

/** Describes the running work while neither a seat nor the synthesizer is writing. */
function workWords(runModel: RunModel): string | undefined {
  if (runModel.streams('agreement/').length > 0) return 'Mapping who holds what.';
  if (runModel.streams('baseline/').length > 0) return 'Asking one model alone, as a baseline.';
  return undefined;
}

/** Formats the wait after a quorum: `3 of 5 answered · waiting 42s for Analyst`. */
function patienceWords(
  runModel: RunModel,
  { answered, waitingFor, until }: NonNullable<QuestionView['patience']>,
  now: number,
): string {
  const late = runModel.columns.filter(
    ({ seat, stream }) => stream.running && waitingFor.includes(seat.id),
  );
  const whom = seatNames(
    runModel,
    late.map(({ seat }) => seat.id),
  );
  const heard = Math.max(answered.length, runModel.answers);
  return `${heard} of ${runModel.columns.length} answered · waiting ${formatCountdown(Date.parse(until) - now)} for ${whom}`;
}

function headingOf(
  { question, ablates, done }: Synthesis,
  runModel: RunModel,
): readonly string[] | undefined {
  const quorum = getQuestionState(runModel, question)?.quorum;
  if (ablates !== undefined) {
    const base =
      runModel.syntheses.find(({ version }) => version === ablates)?.done?.included ?? [];
    const left = base.filter((seat) => !(done ?? { included: base }).included.includes(seat));
    const omission =
      done === undefined
        ? []
        : [left.length === 0 ? 'nobody left out' : `without ${seatNames(runModel, left)}`];
    return [...omission, `for the ablation of v${ablates}`];
  }
  if (quorum === undefined) return undefined;
  const asked = `quorum ${quorum.quorum} of ${quorum.of}`;
  if (done === undefined)
    return quorum.stopped.length > 0
      ? [`stopped by quorum: ${seatNames(runModel, quorum.stopped)}`, asked]
      : [asked];
  return [...listHeardSeats(done, runModel), asked];
}
