/** The console view of a deliberation in rounds. */

import type { RunModel } from '../../../console/model/run-model.ts';
import { COMMON_VIEW, type ProtocolView } from '../../../console/run/protocol-view.ts';
import { ChoiceForm } from '../../../console/ui/forms/choice.ts';
import type { SynthesisView } from '../../../kernel/view.ts';
import { joinLines } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { textWidth } from '../../../text/width.ts';
import { formatForReaders } from '../../common/quotations/readable.ts';
import { countCallsLeft } from '../estimate.ts';
import { ROLES, type Role } from '../records/types.ts';
import { answerWords } from './answers.ts';
import { ClaimsPage } from './claims.ts';
import {
  explainRunEnding,
  getQuotations,
  getRecordsAndState,
  getRoundsState,
  getSuspicions,
  QUOTATIONS_PART,
  ROUNDS_PART,
} from './part.ts';
import { RoundsPage } from './rounds.ts';
import { formatRoundsFact } from './says.ts';
import { SignalsPage } from './signals.ts';
import { formatStopQuestion } from './stop.ts';
import { listWrongStatements } from './summary/doubts.ts';
import { findMentionedRecords } from './summary/mentions.ts';
import { nameOtherOpenClaims } from './summary/open-claims.ts';
import { formatVoteSummary } from './votes.ts';
import { MEMBERS, PHASE_NAMES } from './wording.ts';

/** The choice to leave out no role in the next round. */
const NOBODY = '';

const isShown = (): boolean => true;

/** The console view of a deliberation in rounds. */
export const view: ProtocolView = {
  ...COMMON_VIEW,
  callsLeft: countCallsLeft,
  parts: [ROUNDS_PART, QUOTATIONS_PART],
  columns: { by: 'latest', until: 'phase.entered' },
  answer: answerWords,
  // The keys of recorded steps have the old name `exam`, which is shown as `entrance-test`.
  partWords: (part) => (part.startsWith('exam-') ? `entrance-test-${part.slice(5)}` : undefined),
  says: formatRoundsFact,
  reads: (done, runModel) =>
    formatForReaders(done, getQuotations(runModel, done.version), (seat) =>
      joinLines(runModel.nameOf(seat)),
    ),
  tabs: [
    {
      id: 'rounds',
      place: 2,
      title: 'Rounds',
      shown: isShown,
      page: (around) => new RoundsPage(around),
    },
    {
      id: 'claims',
      place: 3,
      title: 'Claims',
      shown: isShown,
      page: (around) => new ClaimsPage(around),
    },
    {
      id: 'signals',
      place: 4,
      title: 'Signals',
      shown: isShown,
      page: (around) => new SignalsPage(around),
    },
  ],
  opensWith: 'rounds',
  votesIn: 'signals',
  records: { tab: 'claims', namedIn: findMentionedRecords },
  commands: {
    stress: ({ runModel, actions, say }) =>
      new ChoiceForm<Role | typeof NOBODY>({
        title: 'The next round is held',
        hints: { accept: 'choose', 'previous next': 'other', cancel: 'cancel' },
        width: 46,
        items: [
          ...ROLES.map((role) => ({ value: role, label: `without the ${runModel.nameOf(role)}` })),
          { value: NOBODY, label: 'with all roles: no stress round' },
        ],
        digits: true,
        chosen: (role) => {
          const absent = role === NOBODY ? null : role;
          const how =
            absent === null
              ? 'with all roles: no stress round'
              : `without the ${runModel.nameOf(absent)}`;
          actions?.tell({ kind: 'stress', absent });
          say(`The next round is held ${how}.`);
        },
      }),
    respond: ({ runModel, actions, say }) => {
      const modes = getSuspicions(runModel).map(({ id }) => id);
      if (modes.length === 0) return undefined;
      actions?.tell({ kind: 'respond', modes });
      say(`The next round answers ${modes.map(joinLines).join(', ')}.`);
      return undefined;
    },
  },
  holds: {
    suspected: (runModel) => getSuspicions(runModel).length > 0,
    votes: (runModel) => getRoundsState(runModel).rounds.some(({ votes }) => votes.length > 0),
  },
  lacks: {
    'seat silent': 'Single seats cannot be retried in rounds; resume or fork the run.',
    'seat rests': 'To change the model of a seat, fork the run.',
    'board answers': 'Follow-up questions work on board runs only.',
    canAblate: 'Ablation works on board runs only.',
    'earlier question': 'There is only one question so far.',
    'later question': 'There is only one question so far.',
  },
  noteReader: () => 'next round',
  status: (runModel) => roundWords(runModel),
  done: (runModel, room) => {
    const ending = explainRunEnding(runModel);
    const held = formatCount(getRoundsState(runModel).rounds.length, 'round');
    return textWidth(ending) <= room ? ending : `Done after ${held}.`;
  },
  progress: (runModel) => {
    const round = getRoundsState(runModel).rounds.at(-1);
    return round && `round ${round.round}`;
  },
  asks: formatStopQuestion,
  lead: (synthesis, runModel) => ({
    ...COMMON_VIEW.lead(synthesis, runModel),
    beside:
      synthesis.done === undefined
        ? []
        : [
            explainRunEnding(runModel),
            formatVoteSummary(getRoundsState(runModel), (seat) => runModel.nameOf(seat)) ?? '',
          ].filter((line) => line !== ''),
  }),
  remarks: ({ done }, runModel) => {
    if (done === undefined) return [[], []];
    const quotations = getQuotations(runModel, done.version);
    const run = { ...getRecordsAndState(runModel), rounds: getRoundsState(runModel) };
    const open = nameOtherOpenClaims(done.text, run.state);
    return [listWrongStatements(done.text, quotations, run), open === undefined ? [] : [open]];
  },
  heading: ({ done }, runModel) => done && heardIn(done, runModel),
  marks: ['round.started', 'phase.entered'],
};

/** Formats the roles in a synthesis: `3 of 4 roles`, `without Critic (it handed nothing in)`. */
function heardIn({ included, excluded }: SynthesisView, runModel: RunModel): string[] {
  const absent = excluded.map(({ seat, reason }) => `${runModel.nameOf(seat)} (${reason})`);
  return [
    `${included.length} of ${included.length + absent.length} ${MEMBERS}`,
    ...(absent.length > 0 ? [`without ${absent.join(', ')}`] : []),
  ];
}

/** Formats the progress: `Round 3 of 8, phase D: artifacts. 4 calls are running.` */
function roundWords(runModel: RunModel): string | undefined {
  const round = getRoundsState(runModel).rounds.at(-1);
  if (round === undefined) return undefined;
  const { phase } = round;
  const budget = runModel.view.config.rounds;
  const of = typeof budget === 'number' ? ` of ${budget}` : '';
  const name =
    phase === undefined || phase === 'synthesis'
      ? ''
      : `, phase ${phase}: ${PHASE_NAMES[phase].toLowerCase()}`;
  const { running } = runModel;
  const calls =
    running === 0
      ? ''
      : ` ${formatCount(running, 'call')} ${running === 1 ? 'is' : 'are'} running.`;
  return `Round ${round.round}${of}${name}.${calls}`;
}
