/** A run as Markdown: what `show` prints and `export` writes, fit to send to a colleague. */

import { entryOf } from '../kernel/entry.ts';
import { interrupted, type RunView, type SynthesisView, viewOf } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { agentSections } from '../protocols/agents/view/report.ts';
import { answerStep, type BoardView, boardOf, type QuestionView } from '../protocols/board/fold.ts';
import {
  agreementTable,
  ballotTable,
  baselineLine,
  influenceTable,
  tallyLine,
  weighedVersions,
} from '../protocols/board/view/report.ts';
import { claimSections } from '../protocols/rounds/view/summary.ts';
import { formatMs, formatTokens, formatUsd } from '../text/figures.ts';
import { line } from '../text/line.ts';
import { attachmentNames, citations } from './citations.ts';
import { costSection } from './costs.ts';
import { nested, quoted, table, words } from './markdown.ts';
import { absence, legend, REHEARSAL, synthesisHeading, titleOf } from './naming.ts';

/** `status` says more than the log can: `interrupted` where the run's process died. */
export function report(facts: readonly AnyFact[], status?: string): string {
  const view = status === 'interrupted' ? interrupted(viewOf(facts)) : viewOf(facts);
  const board = boardOf(facts);
  const inRounds = view.protocol === 'rounds';
  const ofAgents = view.protocol === 'agent';
  return `${[
    `# ${words(view.question)}`,
    ...(view.rehearsal ? [`**${REHEARSAL}**`] : []),
    header(view, status ?? view.status),
    panel(view),
    ...(line(view.question) === view.question.trim() ? [] : ['## Question', quoted(view.question)]),
    ...(ofAgents
      ? agentSections(view, facts)
      : [
          ...(inRounds
            ? [...syntheses(view, board, view.syntheses, 2), ...claimSections(facts)]
            : questions(view, board)),
          ...citations(view),
          '## What is missing',
          missing(view, board, status ?? view.status),
        ]),
    '## Costs',
    costSection(facts, view),
  ].join('\n\n')}\n`;
}

function header(view: RunView, status: string): string {
  const { usage, costUsd, unpriced } = view;
  const reason = view.reason === undefined ? '' : ` (${words(view.reason)})`;
  const took = Date.parse(view.endedAt ?? '') - Date.parse(view.sittingAt);
  const attachments = attachmentNames(view);
  const price =
    unpriced > 0 && costUsd === 0 ? 'price not known' : formatUsd(costUsd, usage.estimated);
  return table(
    [`run`, view.id],
    [
      ['protocol', words(view.protocol)],
      ['started', `${view.startedAt.slice(0, 16).replace('T', ' ')} UTC`],
      ['status', `${status}${reason}`],
      ...(Number.isNaN(took)
        ? []
        : [[view.sittingAt === view.startedAt ? 'took' : 'last sitting took', formatMs(took)]]),
      [
        'tokens',
        `${formatTokens(usage.input, usage.estimated)} in, ${formatTokens(usage.output, usage.estimated)} out, ${price}`,
      ],
      ...(attachments === '' ? [] : [['attachments', words(attachments)]]),
      ...(view.parent === undefined ? [] : [['forked from', words(view.parent)]]),
    ],
  );
}

function panel({ seats }: RunView): string {
  return table(
    ['seat', 'role', 'model'],
    seats.map(({ title, role, model }) => [words(title), words(role), words(model)]),
  );
}

/** Each question with what it came to; the newest synthesis of each stands first. */
function questions(view: RunView, board: BoardView): string[] {
  const several = board.questions.length > 1;
  const level = several ? 3 : 2;
  return board.questions.flatMap((question) => [
    ...(several ? [`## Question ${question.number}: ${words(question.text)}`] : []),
    ...(several && question.number > 1 && line(question.text) !== question.text.trim()
      ? [quoted(question.text)]
      : []),
    ...syntheses(view, board, synthesesOf(view, board, question), level, question),
    ...answers(view, question, level),
    ...ballots(view, question, level),
    ...baselines(question, level),
    ...weighings(view, board, question, level),
  ]);
}

/** Of one question, without those that were only made to weigh another one. */
function synthesesOf(view: RunView, board: BoardView, { number }: QuestionView): SynthesisView[] {
  const metered = weighedVersions(board);
  return view.syntheses.filter(
    ({ question = 1, version }) => question === number && !metered.has(version),
  );
}

function ballots(view: RunView, question: QuestionView, level: number): string[] {
  if (question.ballots.length === 0) return [];
  return [`${'#'.repeat(level)} Ballots`, ...ballotTable(question, view)];
}

function baselines(question: QuestionView, level: number): string[] {
  return question.baselines.flatMap((one) => [
    `${'#'.repeat(level)} Baseline: ${one.kind}`,
    baselineLine(one),
    nested(one.text, level),
  ]);
}

/** The syntheses that the load-bearing meter had made, last: few will read them. */
function weighings(
  view: RunView,
  board: BoardView,
  { number }: QuestionView,
  level: number,
): string[] {
  const metered = weighedVersions(board);
  return view.syntheses
    .filter(({ question = 1, version }) => question === number && metered.has(version))
    .flatMap((one) => [
      `${'#'.repeat(level)} ${words(synthesisHeading(one, view))} · made to weigh v${metered.get(one.version)?.base}`,
      nested(one.text, level),
    ]);
}

function syntheses(
  view: RunView,
  board: BoardView,
  all: readonly SynthesisView[],
  level: number,
  question?: QuestionView,
): string[] {
  const mark = '#'.repeat(level);
  if (all.length === 0) return [`${mark} Synthesis`, 'There is none.'];
  return all.toReversed().flatMap((synthesis) => {
    const names = legend(synthesis, view);
    const agreement = board.agreements[synthesis.version];
    const tally = question === undefined ? undefined : tallyLine(question, view, agreement);
    const weighed = influenceTable(board.influences[synthesis.version] ?? [], view);
    return [
      `${mark} ${words(synthesisHeading(synthesis, view))}`,
      `_Written by ${words(synthesis.model)}.${names ? ` ${words(names)}` : ''}_`,
      ...(tally === undefined ? [] : [`**${words(tally)}**`]),
      ...(synthesis.note === undefined ? [] : [`_Asked for: ${words(synthesis.note)}_`]),
      nested(synthesis.text, level),
      ...(agreement === undefined
        ? []
        : [`${mark}# Who holds what`, ...agreementTable(agreement, synthesis, view)]),
      ...(weighed.length === 0
        ? []
        : [`${mark}# What v${synthesis.version} becomes without each seat`, ...weighed]),
    ];
  });
}

function answers(view: RunView, { number }: QuestionView, level: number): string[] {
  return view.seats.flatMap((seat) => {
    const call = entryOf(view.calls, answerStep(seat.id, number));
    const why = absence(call);
    return [
      `${'#'.repeat(level)} ${words(seat.title)} (${words(call?.model ?? seat.model)})`,
      ...(call && call.text.trim() !== '' ? [nested(call.text, level)] : []),
      ...(why === undefined ? [] : [`_${words(why)}_`]),
      ...(call?.notes.length ? [`_Notes: ${call.notes.map(words).join('; ')}_`] : []),
    ];
  });
}

function gap(who: string, why: string | undefined): string[] {
  return why === undefined ? [] : [`${who}: ${words(why)}`];
}

/** What a reader would otherwise take to be there: answers, syntheses, headings, an ending. */
function missing(view: RunView, board: BoardView, status: string): string {
  const of = (number: number): string =>
    board.questions.length > 1 ? ` (question ${number})` : '';
  const seats =
    view.protocol === 'rounds'
      ? Object.values(view.calls).flatMap((call) => gap(words(call.step), absence(call)))
      : board.questions.flatMap(({ number }) =>
          view.seats.flatMap((seat) =>
            gap(
              `${words(seat.title)}${of(number)}`,
              absence(entryOf(view.calls, answerStep(seat.id, number))),
            ),
          ),
        );
  // Of those who have no seat: the synthesizer, a baseline. What was shortened was asked once more.
  const others = Object.values(view.calls).flatMap((call) =>
    view.seats.some(({ id }) => id === call.seat) ||
    Object.hasOwn(view.calls, `${call.step}/compacted`)
      ? []
      : gap(words(call.step.replace(/^agreement\/(\d+)$/, 'Who holds what (v$1)')), absence(call)),
  );
  const written = board.questions.flatMap((question) => {
    const last = synthesesOf(view, board, question).at(-1);
    if (last === undefined) return [`There is no synthesis${of(question.number)}.`];
    const name = `Synthesis v${last.version}`;
    return [
      ...last.excluded.map(
        ({ seat, reason }) =>
          `${name} does not contain ${words(titleOf(seat, view))}: ${words(reason)}.`,
      ),
      ...(last.missing.length > 0
        ? [`${name} lacks the headings ${last.missing.map(words).join(', ')}.`]
        : []),
    ];
  });
  const voteless = board.questions.flatMap(({ number, ballots }) => {
    const heard = view.seats.some(
      ({ id }) => entryOf(view.calls, answerStep(id, number))?.state === 'done',
    );
    return view.config.vote === true && heard && ballots.length === 0
      ? [`There is no vote${of(number)}: no answer ends with a ballot that can be read.`]
      : [];
  });
  const ending =
    status === 'done' ? [] : [`The run is ${status}: what would have come after is not here.`];
  const all = [
    ...ending,
    ...seats,
    ...(view.protocol === 'rounds' ? [] : others),
    ...voteless,
    ...written,
  ];
  return all.length === 0 ? 'Nothing.' : all.map((one) => `- ${one}`).join('\n');
}
