/**
 * Draws the screen of an evaluation: progress, the arms with their answers, and the list of answers or the
 * report.
 */

import { toLine } from '../../text/line.ts';
import {
  formatClock,
  formatCount,
  formatLeft,
  formatTokens,
  formatUsd,
} from '../../text/numbers.ts';
import { padEnd, textWidth, truncateLine } from '../../text/width.ts';
import { keyIn } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import { type State, titleLine } from '../run/sections/title.ts';
import { keyLines } from '../shell/help.ts';
import { noticeRows, type ShellLook, searchRow, shellPage } from '../shell/page.ts';
import type { Painter } from '../terminal/paint.ts';
import type { Theme, Tone } from '../terminal/theme.ts';
import { markRow, windowRows } from '../ui/list.ts';
import { armRows } from './arm-rows.ts';
import { keysNow } from './keys.ts';
import type { EvaluationModel } from './model.ts';
import type { AnswerNews, AnswerState } from './ports.ts';
import { cursorRow, type EvaluationState, listAnswers } from './state.ts';

/** Everything that an evaluation's screen is drawn from, except its state. */
interface EvaluationLook extends ShellLook {
  readonly model: EvaluationModel;
  readonly painter: Painter;
}

/** On screens with fewer rows, the question is shown only in the title. */
const LOW = 16;
/** Rows that are kept for the list and its heading, however many arms there are. */
const LEAST_LIST = 3;
/** Rows at the foot: the last notice, and the keys. */
const LAST_ROWS = 2;

/** Draws an evaluation's screen as exactly `look.rows` rows. */
export function evaluationPage(state: EvaluationState, look: EvaluationLook): string[] {
  const { theme, keymap, columns, model } = look;
  return shellPage(state, look, {
    head: headRows(state, look),
    body: (height) =>
      state.place === 'report' ? reportRows(state, look, height) : listRows(state, look, height),
    help: () => keyLines(keymap, 'evaluation', { theme, width: columns - 4, columns }).map(indent),
    status: statusRows(state, look),
    keys: () => keysNow(state, model, keymap),
    always: 2,
  });
}

/**
 * Returns how many rows of the list or the report fit on the screen, which is how far Page Down
 * moves.
 */
export function bodyHeight(state: EvaluationState, look: EvaluationLook): number {
  const above = headRows(state, look).length + (state.place === 'report' ? 0 : 1);
  const below = state.notice === undefined ? statusRows(state, look).length : 1;
  return Math.max(1, look.rows - above - below - 1);
}

function headRows(state: EvaluationState, look: EvaluationLook): string[] {
  const { model, theme, columns, rows, now } = look;
  const { head } = model;
  const isLow = rows < LOW;
  const title = titleLine(
    {
      about: ['eval', toLine(head.set), ...(isLow ? [] : [formatUnits(look)])],
      badge: head.rehearsal ? 'REHEARSAL' : '',
      state: stateOf(model, now),
      figures: [],
    },
    theme,
    columns,
  );
  const about = [
    head.arms.map(({ name }) => toLine(name)).join(', '),
    toLine(head.models.join(', ')),
    ...(head.primary === undefined ? [] : [`${toLine(head.primary)} against its vote`]),
  ].join(' · ');
  const stands = fillRows(formatProgress(look), columns - 2).slice(0, isLow ? 1 : 2);
  const isReading = state.place === 'report';
  const arms = isReading || state.over?.kind === 'help' ? [] : armRows(look);
  const above = [
    title,
    ...(isLow ? [] : [` ${theme.dim(truncateLine(about, columns - 2))}`]),
    ...stands.map((row) => ` ${row}`),
    ...(isLow ? [] : ['']),
  ];
  const most = rows - above.length - LEAST_LIST - LAST_ROWS - (isLow ? 0 : 1);
  return [
    ...above,
    ...arms.slice(0, Math.max(1, most)),
    ...(isLow || arms.length === 0 ? [] : ['']),
  ];
}

function formatUnits({ model: { head } }: EvaluationLook): string {
  const more = head.again === 0 ? '' : `, ${head.again} of them three times`;
  return `${formatCount(head.units, 'unit')}${more}`;
}

function stateOf(model: EvaluationModel, now: number): State {
  const { standing, head } = model;
  const clock = formatClock(model.elapsedMs(now));
  switch (standing.kind) {
    case 'live':
      return { text: `● ${head.isOwn ? clock : 'watching'}`, tone: 'green' };
    case 'stopping':
      return { text: '■ stopping', tone: 'yellow' };
    case 'resting':
      return { text: '■ stopped', tone: 'yellow' };
    case 'ended':
      return { text: head.isOwn ? `✓ ${clock}` : '✓ done', tone: 'green' };
  }
}

/** Formats progress, time left, what was taken and what is under way. */
function formatProgress({ model, now }: EvaluationLook): string[] {
  const { standing, head, spent, calls, resent } = model;
  const { done, of } = model.turns;
  const left = standing.kind === 'live' ? model.leftMs(now) : undefined;
  const { usd, tokens } = head.limits;
  // Once all items are answered in every repetition, an evaluation asks only for missing vote samples.
  const isSampling = standing.kind === 'live' && done === of && model.votes;
  return [
    `${done} of ${of} done${isSampling ? ', sampling votes' : ''}`,
    ...(left === undefined || left === 0 ? [] : [`about ${formatLeft(left)} left`]),
    `${formatTokens(spent.tokens)}${tokens === undefined ? '' : ` of ${formatTokens(tokens)}`} tok`,
    ...(spent.usd === null || spent.usd === 0 ? [] : [`${formatUsd(spent.usd)} at list price`]),
    ...formatBudgetLeft(usd, spent.usd ?? 0),
    ...(calls === 0 ? [] : [`${formatCount(calls, 'call')} in flight`]),
    ...(resent === 0 ? [] : [`${resent} resent`]),
  ];
}

/** Fills rows with phrases without breaking any of them. */
function fillRows(parts: readonly string[], cells: number): string[] {
  const rows: string[] = [];
  for (const part of parts) {
    const last = rows.at(-1);
    const joined = last === undefined ? part : `${last} · ${part}`;
    if (last === undefined || textWidth(joined) > cells) rows.push(truncateLine(part, cells));
    else rows[rows.length - 1] = joined;
  }
  return rows;
}

/** Formats what is left of a budget in dollars; empty without one. */
function formatBudgetLeft(usd: number | undefined, spent: number): string[] {
  return usd === undefined
    ? []
    : [`${formatUsd(Math.max(0, usd - spent))} of ${formatUsd(usd)} left`];
}

function reportRows({ reader }: EvaluationState, look: EvaluationLook, height: number): string[] {
  const { model, painter, theme, columns } = look;
  const { standing } = model;
  if (standing.kind === 'ended') reader.show('report', standing.report);
  const keymap = readingKeys(look.keymap);
  return reader.rows({ painter, theme, keymap, cells: columns, height });
}

/** Returns the keymap with this screen's keys for reading a text. */
function readingKeys(keymap: Keymap): Keymap {
  const { run, evaluation } = keymap;
  const withOwnKeys = (command: 'next-match' | 'back' | 'page-down' | 'bottom') => ({
    ...run[command],
    keys: evaluation[command].keys,
  });
  return {
    ...keymap,
    run: {
      ...run,
      'next-match': withOwnKeys('next-match'),
      back: withOwnKeys('back'),
      'page-down': withOwnKeys('page-down'),
      bottom: withOwnKeys('bottom'),
    },
  };
}

function listRows(state: EvaluationState, look: EvaluationLook, height: number): string[] {
  const { model, theme, columns } = look;
  const list = listAnswers(state, model);
  const at = cursorRow(state, list);
  const rows = Math.max(0, height - 1);
  const cells = cellsOf(look);
  return [
    listTitle(state, list.length, look),
    ...(list.length === 0
      ? [theme.dim(model.known === 0 ? ' No answers yet.' : ' No match.')]
      : windowRows({ at, count: list.length, width: columns, height: rows, theme }, (index) => {
          const answer = list[index];
          const text = answer === undefined ? '' : answerRow(answer, cells, columns - 2, theme);
          return markRow(text, index === at, theme);
        })),
  ];
}

function listTitle(
  { arm, onlyFailed, search, over }: EvaluationState,
  count: number,
  { theme, columns, keymap }: EvaluationLook,
): string {
  if (over?.kind === 'search') return searchRow(over, { theme, columns });
  const narrowed = [
    ...(arm === undefined ? [] : [toLine(arm)]),
    ...(onlyFailed ? ['failed, stopped or unreadable'] : []),
    ...(search.text === '' ? [] : [`"${search.text}"`]),
  ];
  const all = narrowed.length === 0;
  const back = all ? '' : `  ${keyIn(keymap, 'evaluation', 'back')} shows all`;
  const what = all ? 'Answers' : `Answers: ${narrowed.join(', ')}`;
  const more = `  ${count}${back}`;
  return ` ${theme.bold(truncateLine(what, columns - 2 - more.length))}${theme.dim(more)}`;
}

const MARKS: Readonly<Record<AnswerState, readonly [mark: string, word: string, tone?: Tone]>> = {
  running: ['●', 'running', 'green'],
  answered: ['✓', ''],
  unreadable: ['?', 'unreadable', 'yellow'],
  failed: ['✗', 'failed', 'red'],
  stopped: ['■', 'stopped', 'yellow'],
};

/** The widths of the list's columns, in cells: answer, item, arm, repetition. */
interface ListCells {
  readonly said: number;
  readonly item: number;
  readonly label: number;
  readonly repetition: number;
  readonly took: number;
}

function cellsOf({ model: { head }, columns }: EvaluationLook): ListCells {
  const label = Math.max(8, ...head.arms.map(({ name }) => textWidth(name) + 4));
  const isNarrow = columns < 60;
  const cells = {
    said: isNarrow ? 12 : 22,
    label: Math.min(label, isNarrow ? 10 : 24),
    repetition: head.again === 0 ? 0 : 4,
    took: isNarrow ? 0 : 12,
  };
  const room = columns - 4 - cells.said - cells.label - cells.repetition - cells.took - 6;
  return { ...cells, item: Math.max(6, Math.min(40, room)) };
}

function answerRow(news: AnswerNews, cells: ListCells, width: number, theme: Theme): string {
  const [mark, word, tone] = MARKS[news.state];
  const said = news.state === 'answered' ? (news.answer ?? '') : word;
  const formatColumn = (text: string, room: number): string =>
    room === 0 ? '' : `${padEnd(truncateLine(toLine(text), room), room)}  `;
  const left = [
    formatColumn(news.item, cells.item),
    formatColumn(news.label, cells.label),
    formatColumn(cells.repetition === 0 ? '' : `×${news.repetition}`, cells.repetition),
  ].join('');
  const took = cells.took === 0 ? '' : formatUsage(news).padStart(cells.took);
  const beside = width - textWidth(left) - cells.said - 6 - cells.took;
  const why =
    beside < 12 || news.reason === undefined
      ? ''
      : `  ${truncateLine(toLine(news.reason), beside)}`;
  const answer = formatColumn(`${mark} ${said}`, cells.said);
  const painted = tone === undefined ? answer : theme.tone(tone, answer);
  const plain = ` ${answer}${left}${took}${why}`;
  return ` ${painted}${left}${took}${why}${' '.repeat(Math.max(0, width - textWidth(plain)))}`;
}

function formatUsage({ tokens, usd, state }: AnswerNews): string {
  if (tokens === 0) return state === 'running' ? '' : '-';
  return usd === null || usd === 0 ? `${formatTokens(tokens)} tok` : formatUsd(usd);
}

function statusRows({ over, place, reader }: EvaluationState, look: EvaluationLook): string[] {
  const { theme, columns, keymap, model } = look;
  const { standing } = model;
  if (over?.kind === 'search' && place === 'report') return [searchRow(over, look)];
  if (standing.kind === 'stopping') {
    const key = keyIn(keymap, 'evaluation', 'interrupt');
    const what =
      standing.waits === 0
        ? 'Stopping'
        : `Stopping: waiting for ${formatCount(standing.waits, 'answer')} to finish the items in progress`;
    const text = `${what}. ${key} quits at once; answers so far are kept.`;
    return noticeRows({ text, bad: false }, theme, columns);
  }
  const words = place === 'report' ? reader.searchWords(readingKeys(keymap)) : undefined;
  return [words === undefined ? '' : ` ${theme.dim(truncateLine(words, columns - 2))}`];
}

function indent(row: string): string {
  return `  ${row}`;
}
