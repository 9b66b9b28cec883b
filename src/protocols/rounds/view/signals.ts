/**
 * The tab Signals: whether to stop, which failure modes are suspected, and what another round would
 * cost.
 */

import type { Command } from '../../../console/keys/keymap.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import type { PageScene } from '../../../console/run/page-scene.ts';
import { blankPage } from '../../../console/run/tabs/blank.ts';
import type { Page, PageAround } from '../../../console/run/tabs/page.ts';
import type { Theme, Tone } from '../../../console/terminal/theme.ts';
import { drawMoreBelow } from '../../../console/ui/below.ts';
import { rowAfterMove } from '../../../console/ui/scroll.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { joinLines } from '../../../text/line.ts';
import { padEnd, truncateLine } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import type { RoundView, SignalsView } from '../claims/rounds-view.ts';
import { formatFigure } from '../records/trend.ts';
import { getRecordsAndState, getRoundsState } from './part.ts';
import { estimateNextRound } from './stop.ts';
import { describeControls, describeReader, getReaderAlarm } from './summary/reader.ts';
import {
  ADVICE,
  formatSatisfiedCount,
  SIGNAL_SENTENCES,
  SIGNAL_SIGNS,
  SIGNAL_WORDS,
  translateSignalReason,
} from './wording.ts';

type Signal = SignalsView['signals'][number];

const TONES: Readonly<Record<Signal['state'], Tone | undefined>> = {
  satisfied: 'green',
  unsatisfied: 'yellow',
  uninformative: undefined,
};
const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
/** The number of latest rounds in a small chart. */
const SPARKS = 20;
/** An explanation for people who do not know the method. */
const WHAT_SIGNALS_ARE =
  'Six signals say whether another round is worth its price. They advise; you decide.';
/** The cells for a signal's number and words. */
const HEAD = 41;
/** The width in cells below which a signal's numbers get a line of their own. */
const WIDE = 70;
const VOTE_TITLE = 'A plain vote';
const NOT_READ = 'Signals are read at the end of every round.';

/** The page of the tab Signals: stopping signals, failure modes and votes. */
export class SignalsPage implements Page {
  readonly #around: PageAround;
  #top = 0;
  /** Whether the next frame scrolls to the vote. */
  #goesToVote = false;
  #drawn: { key: string; lines: string[] } = { key: '', lines: [] };

  constructor(around: PageAround) {
    this.#around = around;
  }

  render(scene: PageScene): string[] {
    const { columns, rows: height } = this.#around.size();
    const lines = this.#lines(scene.theme);
    if (lines.length === 0) return blankPage(NOT_READ, columns, height, scene);
    if (this.#goesToVote) this.#top = lines.findIndex((line) => line.includes(VOTE_TITLE));
    this.#goesToVote = false;
    this.#top = Math.max(0, Math.min(this.#top, lines.length - height));
    const rows = lines.slice(this.#top, this.#top + height);
    const below = lines.length - this.#top - height;
    const [mark] = drawMoreBelow(below > 0 ? below + 1 : 0, this.#around.keymap, scene.theme);
    if (mark !== undefined) rows[height - 1] = mark;
    while (rows.length < height) rows.push('');
    return rows;
  }

  move(command: Command): void {
    this.#top = rowAfterMove(this.#top, command, Number.MAX_SAFE_INTEGER, this.#around.size().rows);
  }

  /** Scrolls to the vote when the page is drawn next. */
  showVote(): void {
    this.#goesToVote = true;
  }

  /** Returns the lines. They are only laid out again after a new fact or a change of width. */
  #lines(theme: Theme): string[] {
    const { runModel, size } = this.#around;
    const { columns } = size();
    const key = `${runModel.view.seq} ${columns}`;
    if (this.#drawn.key !== key)
      this.#drawn = { key, lines: signalLines(runModel, theme, columns) };
    return this.#drawn.lines;
  }
}

function signalLines(runModel: RunModel, theme: Theme, columns: number): string[] {
  const { rounds } = getRoundsState(runModel);
  const read = rounds.filter((round) => round.signals !== undefined);
  const latest = read.at(-1)?.signals;
  const width = Math.min(110, columns - 2);
  const wrapIndented = (text: string, indent = 1): string[] =>
    wrapPlain(text, width - indent).map((line) => `${' '.repeat(indent)}${line}`);
  const voted = voteLines(rounds, theme, wrapIndented);
  // Show the votes even before there are any signals: the first vote is held before round 1.
  if (latest === undefined)
    return voted.length === 0
      ? []
      : [...wrapIndented(NOT_READ).map((line) => theme.dim(line)), '', ...voted];
  const counted = formatSatisfiedCount(latest.satisfied);
  return [
    ` ${theme.bold(`After round ${latest.round}: ${counted}. ${ADVICE[latest.recommendation]}.`)}`,
    ...wrapIndented(WHAT_SIGNALS_ARE).map((line) => theme.dim(line)),
    // Leave out the recorded reason if it only repeats the number of satisfied signals, which the
    // first line of the page shows.
    ...(translateSignalReason(latest.why) === counted
      ? []
      : wrapIndented(translateSignalReason(latest.why)).map((line) => theme.dim(line))),
    ...(latest.alarm === undefined
      ? []
      : wrapIndented(`! ALARM: ${latest.alarm}`).map((line) =>
          theme.bold(theme.tone('red', line)),
        )),
    ...readerLines(runModel, theme, wrapIndented),
    '',
    ...latest.signals.flatMap((signal) => gaugeLines(signal, read, theme, width)),
    ...conductLines(runModel, theme, wrapIndented),
    ` ${theme.underline('Failure modes')}`,
    ...suspicionLines(rounds, theme, wrapIndented),
    '',
    ...voted,
    ` ${theme.underline('The next round')}`,
    ...wrapIndented(`It takes ${estimateNextRound(runModel)}`),
  ];
}

/**
 * Draws a signal: `✓ 2 disagreement holds 0.4 against -0.2 ▁▃▅`, with its reason and its meaning
 * below.
 */
function gaugeLines(
  { id, name, state, value, threshold, why }: Signal,
  read: readonly RoundView[],
  theme: Theme,
  width: number,
): string[] {
  const sign = SIGNAL_SIGNS[state];
  const tone = TONES[state];
  const sentence = entryOf(SIGNAL_SENTENCES, name);
  const series = read.map(
    (round) => round.signals?.signals.find((signal) => signal.id === id)?.value ?? null,
  );
  const figures =
    value === null
      ? 'not measured'
      : `${formatFigure(value)}${threshold === null ? '' : ` against ${formatFigure(threshold)}`}`;
  const words = `${id}. ${entryOf(SIGNAL_WORDS, name) ?? name}`;
  const painted = tone === undefined ? theme.dim(sign) : theme.tone(tone, sign);
  const [first, ...more] =
    width < WIDE
      ? [
          theme.bold(truncateLine(words, width - 4)),
          `     ${truncateLine(figures, 20)}  ${drawSparkline(series, width - 28)}`,
        ]
      : [
          theme.bold(padEnd(words, HEAD)) +
            padEnd(truncateLine(figures, 20), 21) +
            drawSparkline(series, width - HEAD - 24),
        ];
  return [
    ` ${painted} ${first}`,
    ...more,
    ...wrapPlain(joinLines(translateSignalReason(why)), width - 5).map((line) => `     ${line}`),
    ...wrapPlain(`${name}: ${sentence ?? ''}`, width - 5).map((line) => theme.dim(`     ${line}`)),
    '',
  ];
}

/** Draws a small chart with a block for each round, or a dot if nothing was measured. */
function drawSparkline(series: readonly (number | null)[], cells: number): string {
  const shown = series.slice(-Math.max(1, Math.min(SPARKS, cells)));
  const known = shown.filter((value) => value !== null);
  const least = Math.min(...known);
  const most = Math.max(...known);
  return shown
    .map((value) => {
      if (value === null) return '·';
      const share = most === least ? 0.5 : (value - least) / (most - least);
      return BLOCKS[Math.round(share * (BLOCKS.length - 1))] ?? '';
    })
    .join('');
}

type Say = (text: string, indent?: number) => string[];

/** Describes the reader and whether it is reliable. Empty for runs without a reader. */
function readerLines(runModel: RunModel, theme: Theme, say: Say): string[] {
  const standing = getRecordsAndState(runModel);
  if (standing.state.rules === 1) return [];
  const alarm = getReaderAlarm(standing);
  const controls = describeControls(standing.records);
  const failed = standing.state.reader === 'failed';
  return [
    ...say(describeReader(standing)).map((line) =>
      failed ? theme.bold(theme.tone('red', line)) : line,
    ),
    ...(controls === undefined ? [] : say(controls).map((line) => theme.dim(line))),
    ...(alarm === undefined
      ? []
      : say(`! ALARM: ${alarm}`).map((line) => theme.bold(theme.tone('red', line)))),
  ];
}

/** Lists what went wrong in how the run was held. */
function conductLines(runModel: RunModel, theme: Theme, say: Say): string[] {
  const { conduct, absentRoles } = getRecordsAndState(runModel).state;
  const notes = [
    ...absentRoles.map(
      ({ round, roles }) =>
        `round ${round}: the ${roles.map((role) => runModel.nameOf(role)).join(' and the ')} handed nothing in`,
    ),
    ...conduct.map(({ why }) => why),
  ];
  if (notes.length === 0) return [];
  return [
    ` ${theme.underline('Process')}`,
    ...notes.flatMap((note) => say(joinLines(note)).map((line) => theme.tone('yellow', line))),
    '',
  ];
}

function suspicionLines(rounds: readonly RoundView[], theme: Theme, say: Say): string[] {
  const all = rounds.flatMap(({ suspicions }) => suspicions);
  if (all.length === 0) return say('None suspected.');
  return all.flatMap(({ round, id, name, why, response }) => [
    ...say(`round ${round}  ${id} ${joinLines(name)}: ${joinLines(why)}`).map((line) =>
      theme.tone('yellow', line),
    ),
    ...say(response === undefined ? 'only reported' : `response: ${joinLines(response)}`, 11).map(
      (line) => theme.dim(line),
    ),
  ]);
}

/** Formats the latest vote, and how votes have changed since the blind one. */
function voteLines(rounds: readonly RoundView[], theme: Theme, say: Say): string[] {
  const votes = rounds.flatMap((round) => round.votes);
  const shifts = rounds.flatMap((round) => round.shifts);
  if (votes.length === 0) return [];
  return [
    ` ${theme.underline(VOTE_TITLE)}`,
    ...votes.flatMap(({ round, peers, ballots }) => {
      const counts = new Map<string, number>();
      for (const { option } of ballots) counts.set(option, (counts.get(option) ?? 0) + 1);
      const options = [...counts].sort((a, b) => b[1] - a[1]);
      const told = options
        .map(([option, count]) => `${count} for ${joinLines(option)}`)
        .join(' · ');
      return say(`round ${round}, ${peers ? 'with the record' : 'blind'}: ${told}`);
    }),
    ...shifts.flatMap(({ seat, label, why }) => say(`${seat}: ${label}, ${joinLines(why)}`)),
    '',
  ];
}
