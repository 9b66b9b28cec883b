/** Draws the last two rows: the status, and the keys that apply now. */

import { estimateTimeLeft } from '../../../kernel/attempt/time-left.ts';
import { LEFT_OUT } from '../../../kernel/facts.ts';
import { formatHint } from '../../../kernel/hints.ts';
import { shortId } from '../../../kernel/short-id.ts';
import { joinLines, toLine } from '../../../text/line.ts';
import { formatClock, formatCount, formatMs, formatTimeLeft } from '../../../text/numbers.ts';
import { textWidth, truncateLine } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import { hasEffect, isConditionMet } from '../../keys/conditions.ts';
import { commandsOf, keyOf } from '../../keys/key-lookup.ts';
import { isSeatFocused, type KeyState } from '../../keys/key-state.ts';
import type { Command, Keymap } from '../../keys/keymap.ts';
import { getFooterWord } from '../../keys/now.ts';
import { predictionStatus } from '../../model/decisions.ts';
import type { RunModel } from '../../model/run-model.ts';
import type { Playback } from '../../replay/playback.ts';
import { LONGEST_GAP_MS } from '../../replay/timeline.ts';
import { hintsOver } from '../../shell/overlay.ts';
import { fitItems, keyRow, LAST_OVER, searchRow } from '../../shell/page.ts';
import { formatHints } from '../../ui/component.ts';
import { NOT_BEGUN } from '../first.ts';
import { BESIDE_GATE, formatPausedHint } from '../notice.ts';
import type { Scene } from '../scene.ts';
import type { Viewer } from '../viewer.ts';

/** The most rows of a message. A longer one is cut off. */
const MOST_NOTICE = 3;

/**
 * Draws the rows above the keys: the search that is being typed, a message, the question that was put
 * aside, the position in the page, a search's result, or the run's progress. Only a message may take
 * more than one row.
 */
export function statusRows(scene: Scene): string[] {
  const { viewer, theme, columns } = scene;
  const { over, notice } = viewer;
  if (over?.kind === 'search' || notice === undefined) return [statusRow(scene)];
  const rows = wrapPlain(toLine(formatHint(notice.text)), columns - 2).slice(0, MOST_NOTICE);
  return rows.map((row) => ` ${notice.bad ? theme.tone('red', row) : theme.bold(row)}`);
}

function statusRow(scene: Scene): string {
  const { viewer, theme, columns } = scene;
  const { over } = viewer;
  const { search } = viewer.reading;
  if (over?.kind === 'search') return searchRow(over, scene);
  const { page, waiting } = viewer;
  // While a dialog, a question or the help receives the keys, name no keys of the page below.
  const isOver = over !== undefined || viewer.gate !== undefined;
  if (waiting !== undefined) {
    const key = isOver ? '' : ` (${keyOf(viewer.around.keymap, 'answer')})`;
    const text = `? Waiting for your answer${key}: ${joinLines(waiting.prompt)}`;
    return ` ${theme.bold(theme.tone('yellow', truncateLine(text, columns - 2)))}`;
  }
  if (!isOver && page?.status !== undefined)
    return ` ${theme.dim(truncateLine(page.status, columns - 2))}`;
  if (!isOver && page === undefined && search !== undefined && search.count > 0) {
    const round = search.wrapped ? ' (wrapped around)' : '';
    const which = `match ${search.at} of ${search.count} for "${toLine(search.query)}"${round}`;
    const { keymap } = viewer.around;
    const keys = `${keyOf(keymap, 'next-match')} next · ${keyOf(keymap, 'previous-match')} previous · ${keyOf(keymap, 'back')} ends the search`;
    return ` ${truncateLine(`${which} · ${keys}`, columns - 2)}`;
  }
  const { playback } = viewer.around;
  const room = columns - 2;
  const standsBeside = (played: string): string =>
    played + describeProgress(scene, room - textWidth(played));
  if (playback === undefined) return ` ${theme.dim(truncateLine(standsBeside(''), room))}`;
  const whole = standsBeside(`${playedLine(playback, true)} · `);
  // On a narrow screen, leave out the remark that all long silences are shortened: what the run does matters more.
  const shown =
    textWidth(whole) <= room ? whole : standsBeside(`${playedLine(playback, false)} · `);
  return ` ${theme.dim(truncateLine(shown, room))}`;
}

/**
 * Formats the position of a replay, and that silence is shortened.
 *
 * @param isWhole false: name only a silence that is going on
 */
function playedLine({ position, length, gapMs, ended }: Playback, isWhole: boolean): string {
  if (ended) return `played ${formatClock(length)}`;
  const played = `played ${formatClock(position)} of ${formatClock(length)}`;
  if (gapMs === undefined && !isWhole) return played;
  const silence =
    gapMs === undefined
      ? `silences shortened to ${formatMs(LONGEST_GAP_MS)}`
      : `a silence of ${formatGap(gapMs)}, shortened`;
  return `${played} · ${silence}`;
}

const DAY_MS = 86_400_000;

/** Formats a gap, from two days on in whole days, because hours do not matter then. */
function formatGap(ms: number): string {
  return ms < 2 * DAY_MS ? formatMs(ms) : formatCount(Math.round(ms / DAY_MS), 'day');
}

/** Draws the last row, with the keys that do something now, as many as fit. */
export function footerRow({ viewer, theme, columns }: Scene): string {
  const { keyState, around } = viewer;
  const { keymap, playback } = around;
  const cells = columns - 1;
  const over = keysOver(viewer);
  if (over !== undefined) return keyRow(theme, fitItems(over, cells, LAST_OVER));
  const items = footerItems(keymap, keyState);
  const all = fitItems(items, cells);
  // A narrow footer loses the keys of a playback first, because the help lists these keys.
  const giveWay = playback?.ended === false;
  if (!giveWay || all.length === items.length) return keyRow(theme, all);
  const replay = replayItems(keymap, keyState);
  const kept = items.filter((item) => !replay.includes(item));
  // The item `replay: … keys` names the key of the help already, so leave out the usual item for the help.
  const help = `replay: ${keyOf(keymap, 'help')} keys`;
  const short = [...kept.slice(0, -2), ...replay, help, ...kept.slice(-1)];
  return keyRow(theme, fitItems(short, cells, 2));
}

/** Returns the keys while they are not commands of the run; undefined if they are. */
function keysOver({ over, gate, around, keyState }: Viewer): readonly string[] | undefined {
  const { keymap } = around;
  if (over !== undefined) return hintsOver(over, keymap);
  return (
    gate && [
      ...formatHints(keymap, gate.hints),
      // While the person types an answer, letters are text, so the footer names no keys of the run.
      ...(gate.writes ? [] : footerItems(keymap, keyState, BESIDE_GATE)),
    ]
  );
}

/** Returns the footer's items that control a replay. */
function replayItems(keymap: Keymap, state: KeyState): string[] {
  const commands = commandsOf(keymap).flatMap(([command, { group }]) =>
    group === 'Replay' || command === 'pause' ? [command] : [],
  );
  return footerItems(keymap, state, new Set(commands));
}

/**
 * Returns the items of the last row, such as `s stop`, for keys that have an effect now. Keys for
 * records come first, then other keys, then those of a playback, and those of the console last.
 * @param among if given, only the keys of these commands are listed
 */
export function footerItems(
  keymap: Keymap,
  state: KeyState,
  among?: ReadonlySet<Command>,
): string[] {
  const shown = commandsOf(keymap).filter(
    ([command, { footer, footerWhere }]) =>
      footer !== undefined &&
      hasEffect(keymap, command, state) &&
      (footerWhere === undefined || isConditionMet(footerWhere, state)) &&
      (among === undefined || among.has(command)),
  );
  const placeOf = ([command, { group }]: (typeof shown)[number]): number => {
    if (group === 'Records') return 0;
    if (group === 'Console') return 3;
    return group === 'Replay' || (state.playback !== undefined && command === 'pause') ? 2 : 1;
  };
  return shown
    .toSorted((left, right) => placeOf(left) - placeOf(right))
    .map(
      ([command, binding]) => `${keyOf(keymap, command)} ${getFooterWord(command, binding, state)}`,
    );
}

/**
 * Describes the state of the run and what comes next in a sentence, in `room` cells if possible.
 */
function describeProgress(scene: Scene, room: number): string {
  const { runModel, viewer } = scene;
  const { view, columns, answers } = runModel;
  const acting = viewer.around.actions !== undefined;
  if (view.id === '') return NOT_BEGUN;
  if (view.gate !== undefined && !acting)
    return `${formatHint(`Waiting for "deliberate answer ${shortId(view.id)}"`)}: ${joinLines(view.gate.prompt)}`;
  if (runModel.stopping)
    return `Stopping; answers so far are kept. ${keyOf(viewer.around.keymap, 'interrupt')} quits at once.`;
  if (runModel.isLive) {
    if (runModel.paused) return formatPausedHint(viewer.around.keymap);
    const state = liveProgress(scene);
    const left = timeLeft(scene);
    return left === undefined || textWidth(state) + textWidth(left) + 2 > room
      ? state
      : `${state} ${left}.`;
  }
  const reason = view.reason === undefined ? '' : `: ${joinLines(view.reason)}`;
  switch (view.status) {
    case 'stopped':
      return `Stopped${reason}. Everything so far is kept.`;
    case 'failed':
      return `Failed${reason}.`;
    default:
      return (
        viewer.view.done(runModel, room) ??
        `Done: ${answers} of ${formatCount(columns.length, 'seat')} answered${formatUnread(scene)}.`
      );
  }
}

/** Describes what a live run is doing. */
function liveProgress({ runModel, viewer, now }: Scene): string {
  const { view, columns, answers, running } = runModel;
  const own = predictionStatus(runModel) ?? viewer.view.status(runModel, now);
  if (own !== undefined) return own;
  const writing = runModel.syntheses.find(({ stream }) => stream.running);
  if (writing !== undefined)
    return `The synthesizer is writing version ${writing.version}.${fewWords(runModel)}`;
  if (running === 0)
    return view.gate === undefined ? 'No call in progress.' : 'The run waits for your answer.';
  if (!runModel.asking) return `${formatCount(running, 'other call')} ${isAre(running)} running.`;
  return `${answers} of ${formatCount(columns.length, 'seat')} ${columns.length === 1 ? 'has' : 'have'} answered; ${running} ${isAre(running)} being asked.${loneWords(runModel)}`;
}

/** Formats how much time the attempt still takes, as a sentence without its full stop; undefined if unknown. */
function timeLeft({ runModel: { view }, viewer, now }: Scene): string | undefined {
  const calls = viewer.view.callsLeft(view);
  const left = calls && estimateTimeLeft(view, calls, now);
  return left && formatTimeLeft(left.low, left.high);
}

/** Says which seats have answered again since the latest synthesis. */
function formatUnread({ runModel, viewer }: Scene): string {
  if (viewer.around.actions === undefined || runModel.answers === 0) return '';
  const key = keyOf(viewer.around.keymap, 'resynthesize');
  const last = runModel
    .synthesesOf(runModel.question)
    .findLast(({ ablates }) => ablates === undefined);
  const lone = runModel.answers === 1 && runModel.columns.length > 1 ? ', from one answer' : '';
  if (last === undefined) return `, no synthesis yet: ${key} makes one${lone}`;
  // Do not report a seat that a person has left out of the synthesis on purpose.
  const missed = last.done?.excluded.filter(({ seat, reason }) => {
    const now = runModel.columns.find((column) => column.seat.id === seat);
    return reason !== LEFT_OUT && now?.stream.phase.kind === 'done';
  });
  if (missed === undefined || missed.length === 0) return formatRetryHint(runModel, viewer);
  const names = missed.map(({ seat }) => joinLines(runModel.nameOf(seat))).join(', ');
  return `; version ${last.version} is without ${names}: ${key} makes another`;
}

/** Names the key that asks failed seats again, which a reader of the synthesis does not see. */
function formatRetryHint(runModel: RunModel, { around, keyState }: Viewer): string {
  const failed = runModel.columns.some(({ stream }) => stream.canRetry);
  const elsewhere = keyState.tab === 'columns' && !isSeatFocused(keyState);
  return failed && elsewhere && keyState.view.lacks['seat silent'] === undefined
    ? `; ${keyOf(around.keymap, 'next-pane')} to a failed seat, ${keyOf(around.keymap, 'retry-seat')} asks it again`
    : '';
}

/** Returns a warning that a synthesis of only one answer has nothing to compare. */
function loneWords({ columns, answers, view }: RunModel): string {
  // A retry only asks seats again and writes no synthesis.
  if (view.request.kind === 'retry') return '';
  const open = columns.filter(({ stream }) => stream.running || stream.phase.kind === 'idle');
  return columns.length > 1 && answers + open.length === 1
    ? ' The synthesis will use only one answer.'
    : '';
}

/** Warns while the synthesis is written, because the last seat may have failed just before. */
function fewWords({ columns, answers }: RunModel): string {
  return answers < columns.length
    ? ` Only ${answers} of ${formatCount(columns.length, 'seat')} answered.`
    : '';
}

function isAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
