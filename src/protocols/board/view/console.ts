/** How a board looks in the console. */

import { countdown } from '../../../console/model/notes.ts';
import type { Draft, RunModel } from '../../../console/model/run-model.ts';
import { heardBy } from '../../../console/run/bands/remarks.ts';
import { anotherSitting } from '../../../console/run/forms/around.ts';
import { COMMON_VIEW, type ProtocolView } from '../../../console/run/protocol-view.ts';
import { cleanLine } from '../../../console/terminal/door.ts';
import { ConfirmForm } from '../../../console/ui/forms/confirm.ts';
import { TextForm } from '../../../console/ui/forms/text.ts';
import type { SynthesisView } from '../../../kernel/view.ts';
import { plural } from '../../../text/figures.ts';
import { answerStep, type QuestionView } from '../fold.ts';
import { namesLetters, withNames } from '../names.ts';
import type { Quotation } from '../quotations.ts';
import { quotationsLine, readable } from '../readable.ts';
import { weighingOf } from '../requests.ts';
import { BOARD_PART, boardIn, LOOKED_UP_PART, questionIn } from './part.ts';
import { says } from './says.ts';
import { influenceLine, influencesOf, names, voteLine } from './vote.ts';
import { hasVotes } from './vote-items.ts';
import { VotePage } from './vote-tab.ts';

export const view: ProtocolView = {
  ...COMMON_VIEW,
  parts: [BOARD_PART, LOOKED_UP_PART],
  columns: { by: 'answers', stepOf: answerStep },
  says,
  reads: (done, desk) =>
    readable(done, quotationsOf(desk, done.version), (seat) => cleanLine(desk.nameOf(seat))),
  weighs: weighedBy,
  until: (desk, seat, question) => {
    const patience = questionIn(desk, question)?.patience;
    return patience?.waitingFor.includes(seat) ? Date.parse(patience.until) : undefined;
  },
  tabs: [
    {
      id: 'vote',
      number: 2,
      title: 'Vote',
      shown: hasVotes,
      page: (around) => new VotePage(around),
    },
  ],
  commands: {
    'follow-up': ({ desk, reading, actions, say }) =>
      new TextForm({
        title: 'A further question to the same seats',
        hint: 'They see the last synthesis.',
        does: ['ask', 'asks'],
        rows: 6,
        send: (question) => {
          reading.turnToNewest();
          const begun = anotherSitting(desk);
          actions?.followUp(question);
          say('The seats are asked.', begun);
        },
      }),
    weigh: ({ desk, reading, actions, say }) => {
      const { draft } = reading;
      if (draft?.done === undefined) return undefined;
      const { version } = draft;
      const count = draft.done.included.length;
      const text = `v${version} is written again without each of its ${plural(count, 'seat')}, and once more with all of them: what changes then is chance.\nEach is compared with v${version}. That is up to ${2 * (count + 1)} calls.`;
      const confirmed = (): void => {
        const begun = anotherSitting(desk);
        actions?.weigh(version);
        say(`Weighing v${version}.`, begun);
      };
      return new ConfirmForm({ title: 'Weigh: what each seat carries', text, confirmed });
    },
  },
  holds: {},
  lacks: {
    'rounds live': 'This run holds no rounds.',
    suspected: 'No failure mode is suspected.',
    filters: 'That filters the list of claims.',
    retraces: 'No link was followed: there is no way back.',
  },
  noteReader: ({ drafting }) => (drafting ? 'next synthesis' : 'synthesis'),
  leavesOut: true,
  status: statusOf,
  heading: headingOf,
  remarks: (draft, desk) => {
    const { version, question, weighs, done } = draft;
    const vote = weighs === undefined ? voteLine(desk, question, version) : undefined;
    const influence = done === undefined ? undefined : influenceLine(desk, version);
    const misquoted = quotationsLine(quotationsOf(desk, version), { bad: true });
    return [
      vote === undefined ? [] : [vote],
      [
        ...(influence === undefined ? [] : [influence]),
        ...(misquoted === undefined ? [] : [`quotations: ${misquoted}`]),
        ...(done === undefined ? [] : legend(done, desk)),
      ],
    ];
  },
};

function quotationsOf(desk: RunModel, version: number): readonly Quotation[] {
  return desk.read(LOOKED_UP_PART).quotations[version] ?? [];
}

/** Whom the letters mean that could be read for no name. */
function legend({ text, labels }: SynthesisView, desk: RunModel): string[] {
  if (
    !namesLetters(
      withNames(text, labels, () => ''),
      labels,
    )
  )
    return [];
  const names = Object.entries(labels).map(([letter, seat]) => `${letter} = ${desk.nameOf(seat)}`);
  return [names.join(' · ')];
}

/** The synthesis that another one was made to weigh: as was found, or as was asked for. */
function weighedBy(desk: RunModel, version: number): number | undefined {
  const found = Object.values(boardIn(desk).influences)
    .flat()
    .find((one) => one.version === version);
  if (found !== undefined) return found.base;
  const asked = weighingOf(desk.view.request);
  return asked !== undefined && version >= asked.first ? asked.base : undefined;
}

function statusOf(desk: RunModel, now: number): string | undefined {
  const weighing = weighingOf(desk.view.request);
  if (weighing !== undefined) return meterWords(desk, weighing.base);
  if (desk.drafts.some(({ voice }) => voice.running) || desk.running === 0) return undefined;
  if (!desk.asking) return workWords(desk);
  const patience = questionIn(desk, desk.question)?.patience;
  return patience && patienceWords(desk, patience, now);
}

/** `Weighing v1: 2 of 4 versions are compared with it.` */
function meterWords(desk: RunModel, base: number): string {
  const seats = desk.drafts.find(({ version }) => version === base)?.done?.included.length ?? 0;
  const found = influencesOf(desk, base).length;
  return `Weighing v${base}: ${found} of ${seats + 1} versions are compared with it.`;
}

/** What goes on where neither seats nor syntheses speak. */
function workWords(desk: RunModel): string | undefined {
  if (desk.streams('agreement/').length > 0)
    return 'The answers are being read for who holds what.';
  if (desk.streams('baseline/').length > 0)
    return 'One model alone is being asked, to hold the panel against it.';
  return undefined;
}

/** `3 of 5 answered · waiting 42s for Analyst` */
function patienceWords(
  desk: RunModel,
  { answered, waitingFor, until }: NonNullable<QuestionView['patience']>,
  now: number,
): string {
  const late = desk.columns.filter(
    ({ seat, voice }) => voice.running && waitingFor.includes(seat.id),
  );
  const whom = names(
    desk,
    late.map(({ seat }) => seat.id),
  );
  const heard = Math.max(answered.length, desk.answers);
  return `${heard} of ${desk.columns.length} answered · waiting ${countdown(Date.parse(until) - now)} for ${whom}`;
}

function headingOf(
  { question, weighs, done }: Draft,
  desk: RunModel,
): readonly string[] | undefined {
  const quorum = questionIn(desk, question)?.quorum;
  if (weighs !== undefined) {
    const base = desk.drafts.find(({ version }) => version === weighs)?.done?.included ?? [];
    const left = base.filter((seat) => !(done ?? { included: base }).included.includes(seat));
    const who =
      done === undefined
        ? []
        : [left.length === 0 ? 'nobody left out' : `without ${names(desk, left)}`];
    return [...who, `for the meter of v${weighs}`];
  }
  if (quorum === undefined) return undefined;
  const asked = `quorum ${quorum.quorum} of ${quorum.of}`;
  if (done === undefined)
    return quorum.stopped.length > 0
      ? [`stopped by quorum: ${names(desk, quorum.stopped)}`, asked]
      : [asked];
  return [...heardBy(done, desk), asked];
}
