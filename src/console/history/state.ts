/** The state of the history, and how keys change it. Pure. */

import { toLine } from '../../text/line.ts';
import {
  GROUPINGS,
  type Grouping,
  TRACK_GROUPINGS,
  type TrackGrouping,
  type Usage,
} from '../../text/usage-table.ts';
import { type CommandOf, KEYMAP, type Keymap } from '../keys/keymap.ts';
import type { HistoryPlace } from '../keys/screen-keys.ts';
import { isUnfinished, type RunLine } from '../model/runs.ts';
import {
  pasteOver,
  pressIn,
  type Question,
  type SearchField,
  type ShellState,
  withElsewhere,
  withHelp,
  withMessage,
} from '../shell/overlay.ts';
import { fieldOf, type TextInput } from '../ui/text-input.ts';

/** What the history shows of the run under the cursor, beside or below the list. */
export interface Preview {
  /** Seats with their models: `Advocate ollama/qwen3:8b`. For an evaluation, its arms and its models. */
  readonly seats: readonly string[];
  /** The synthesis; if there is none, another text of the run, or a sentence. */
  readonly text: string;
  /** Whether the built-in stand-in answered instead of models. */
  readonly rehearsal: boolean;
  /** The change that the fork's form proposes first: `seat/critic seat.critic.model=`. */
  readonly change: string;
  /** Examples of what a fork may change. */
  readonly changes: string;
}

/** What the person chose in the history. */
export type HistoryChoice =
  | { readonly kind: 'back' }
  | { readonly kind: 'open' | 'resume' | 'replay'; readonly run: string }
  /**
   * `change`: the text that the person typed for a fork, such as `round-3/D seat.critic.model=M`. It begins
   * with the step (`deliberate fork --at`). The first change (`--set`) follows the step, and each further
   * change begins a new line.
   */
  | { readonly kind: 'fork'; readonly run: string; readonly change: string };

/**
 * An action that a key has requested and that the screen now has to carry out, such as removing a
 * run.
 */
export type HistoryEffect =
  | { readonly kind: 'leave'; readonly choice: HistoryChoice }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'remove'; readonly run: string }
  | { readonly kind: 'export' | 'fork'; readonly run: RunLine }
  | { readonly kind: 'usage'; readonly by: Grouping }
  | { readonly kind: 'track'; readonly by: TrackGrouping };

/** Tokens and costs of all runs: a row for each model, server, protocol or day, and the total. */
export interface UsageSums {
  readonly rows: readonly Usage[];
  readonly total: Usage;
}

/** The history's page with tokens and costs. */
export interface UsageMode {
  readonly kind: 'usage';
  /** What the rows stand for. */
  readonly by: Grouping;
  /** The row of the cursor. */
  readonly at: number;
  /** The sums; undefined until they have been read. */
  readonly sums?: UsageSums | undefined;
  /** The reason why the sums cannot be read. */
  readonly failure?: string | undefined;
}

/** The history's page on how often predictions came true. */
export interface TrackMode {
  readonly kind: 'track';
  /** What the rows stand for. */
  readonly by: TrackGrouping;
  /** The line of the cursor. */
  readonly at: number;
  /** The text of the page; undefined until it has been read. */
  readonly lines?: readonly string[] | undefined;
  /** The reason why the page cannot be filled. */
  readonly failure?: string | undefined;
}

type HistoryMode = { readonly kind: 'list' } | UsageMode | TrackMode;

/** The state of the history's screen. */
export interface History extends ShellState<History> {
  /** The listed runs; undefined until they have been read. */
  readonly runs: readonly RunLine[] | undefined;
  /** The row of the cursor. */
  readonly at: number;
  /** The words of the search; empty if none is in force. */
  readonly search: TextInput;
  /** The page that is shown. */
  readonly mode: HistoryMode;
  /** The previews that were loaded, by run. */
  readonly previews: ReadonlyMap<string, Preview>;
  /** The action that the screen has to carry out now. Absent if there is none. */
  readonly effect?: HistoryEffect | undefined;
}

const LIST: HistoryMode = { kind: 'list' };
const PAGE = 10;

/**
 * Returns the initial state of the history.
 *
 * @param search the words that listed runs must contain; empty: all runs are listed
 */
export function beginHistory(search = ''): History {
  return {
    runs: undefined,
    at: 0,
    search: fieldOf(toLine(search)),
    mode: LIST,
    previews: new Map(),
  };
}

/** Returns the run under the cursor; undefined if the list is empty. */
export function chosenRun({ runs = [], at }: History): RunLine | undefined {
  return runs[at];
}

/**
 * Returns the history with another list of runs.
 *
 * @param run the run to put the cursor on; if absent or not listed, the cursor stays in its row
 */
export function withRuns(history: History, runs: readonly RunLine[], run?: string): History {
  const its = runs.findIndex(({ id }) => id === run);
  const at = its >= 0 ? its : Math.max(0, Math.min(history.at, runs.length - 1));
  return { ...history, runs, at };
}

/** Returns the history with the preview of a run added. */
export function withPreview(history: History, run: string, preview: Preview): History {
  return { ...history, previews: new Map(history.previews).set(run, preview) };
}

/**
 * Returns the history with the sums on the page of tokens and costs. Changes nothing if the page
 * now shows another grouping.
 */
export function withUsage(history: History, by: Grouping, sums: UsageSums): History {
  const { mode } = history;
  if (mode.kind !== 'usage' || mode.by !== by) return history;
  return { ...history, mode: { ...mode, sums } };
}

/**
 * Returns the history with the text of the page on predictions. Changes nothing if the page now
 * shows another grouping.
 *
 * @param lines the text of the page
 */
export function withTrack(history: History, by: TrackGrouping, lines: readonly string[]): History {
  const { mode } = history;
  if (mode.kind !== 'track' || mode.by !== by) return history;
  return { ...history, mode: { ...mode, lines } };
}

/**
 * Returns the history with the reason why a page cannot be filled. Changes nothing if the page is
 * no longer shown.
 */
export function withFailure(
  history: History,
  { kind, by }: Extract<HistoryEffect, { kind: 'usage' | 'track' }>,
  failure: string,
): History {
  const { mode } = history;
  if ((mode.kind !== 'usage' && mode.kind !== 'track') || mode.kind !== kind || mode.by !== by)
    return history;
  return { ...history, mode: { ...mode, failure } };
}

/**
 * Returns the state of the history, the screen that lists earlier runs, after a key was pressed.
 *
 * @param pressed the name of the key
 */
export function press(history: History, pressed: string, keymap: Keymap = KEYMAP): History {
  const { kind } = history.mode;
  const place: HistoryPlace = kind;
  return pressIn(history, pressed, {
    keymap,
    scope: 'history',
    place,
    always: (state, _command, key) =>
      key === 'ctrl+c' ? withChoice(state, { kind: 'back' }) : undefined,
    perform: (state, command) => {
      if (command === undefined) return withElsewhere(state, keymap, 'history', pressed);
      const { mode } = state;
      return mode.kind === 'list' ? performCommand(state, command) : onPage(state, mode, command);
    },
  });
}

/** Returns the history after text was pasted. */
export function paste(history: History, text: string): History {
  const ignored = 'Pasted text is ignored here; / opens a search.';
  return pasteOver(history, text) ?? withMessage(history, ignored);
}

/** Sets the person's choice, which closes the history. Returns the new state. */
export function withChoice(history: History, choice: HistoryChoice): History {
  return { ...history, effect: { kind: 'leave', choice } };
}

function performCommand(history: History, command: CommandOf<'history'>): History {
  const run = chosenRun(history);
  const at = rowAfter(command, history.at, history.runs?.length ?? 0);
  if (at !== undefined) return { ...history, at };
  switch (command) {
    case 'search':
      return { ...history, over: searchOf(history) };
    case 'help':
      return withHelp(history);
    case 'usage':
      return showUsage(history, GROUPINGS[0]);
    case 'track':
      return showTrack(history, TRACK_GROUPINGS[0]);
    case 'suspend':
      return history;
    case 'back':
      return history.search.text === ''
        ? withChoice(history, { kind: 'back' })
        : { ...history, search: fieldOf(''), at: 0 };
  }
  if (run === undefined) return withMessage(history, 'No run selected.');
  switch (command) {
    case 'open':
      return withChoice(history, { kind: 'open', run: run.id });
  }
  if (run.isEvaluation)
    return withMessage(history, 'This is an evaluation; open it to read and export its report.');
  switch (command) {
    case 'replay':
      return withChoice(history, { kind: 'replay', run: run.id });
    case 'export':
    case 'fork':
      return { ...history, effect: { kind: command, run } };
    case 'resume':
      return isUnfinished(run)
        ? withChoice(history, { kind: 'resume', run: run.id })
        : withMessage(history, 'Only an unfinished run can be resumed; Enter opens it.');
    case 'remove':
      return run.status === 'running'
        ? withMessage(history, 'This run is open in another process.')
        : { ...history, over: removalOf(run) };
    default:
      return history;
  }
}

/** Returns the cursor's row among `count` rows after a command; undefined if the command does not move it. */
function rowAfter(command: CommandOf<'history'>, at: number, count: number): number | undefined {
  const clampRow = (place: number): number => Math.max(0, Math.min(place, count - 1));
  switch (command) {
    case 'down':
      return clampRow(at + 1);
    case 'up':
      return clampRow(at - 1);
    case 'page-down':
      return clampRow(at + PAGE);
    case 'page-up':
      return clampRow(at - PAGE);
    case 'top':
      return 0;
    case 'bottom':
      return clampRow(count);
    default:
      return undefined;
  }
}

function showUsage(history: History, by: Grouping): History {
  return { ...history, mode: { kind: 'usage', by, at: 0 }, effect: { kind: 'usage', by } };
}

function showTrack(history: History, by: TrackGrouping): History {
  return { ...history, mode: { kind: 'track', by, at: 0 }, effect: { kind: 'track', by } };
}

/** Returns the history after a command on the page of sums or of the track record. */
function onPage(
  history: History,
  mode: UsageMode | TrackMode,
  command: CommandOf<'history'>,
): History {
  const count = mode.kind === 'usage' ? mode.sums?.rows.length : mode.lines?.length;
  const at = rowAfter(command, mode.at, count ?? 0);
  if (at !== undefined) return { ...history, mode: { ...mode, at } };
  switch (command) {
    case 'by':
      return mode.kind === 'usage'
        ? showUsage(history, nextEntry(GROUPINGS, mode.by))
        : showTrack(history, nextEntry(TRACK_GROUPINGS, mode.by));
    case 'help':
      return withHelp(history);
    case 'back':
      return { ...history, mode: LIST };
    default:
      return history;
  }
}

/**
 * Returns the grouping that follows the present grouping of a page, such as `server` after `model`;
 * after the last one, the first. A key of the page switches to it.
 */
export function nextGrouping(mode: UsageMode | TrackMode): Grouping | TrackGrouping {
  return mode.kind === 'usage'
    ? nextEntry(GROUPINGS, mode.by)
    : nextEntry(TRACK_GROUPINGS, mode.by);
}

/** Returns the entry after the given one; after the last, the first. */
function nextEntry<Entry>(entries: readonly Entry[], entry: Entry): Entry {
  return entries[(entries.indexOf(entry) + 1) % entries.length] ?? entry;
}

/** Narrows the list while the words are typed. */
function searchOf({ search }: History): SearchField<History> {
  return {
    kind: 'search',
    input: search,
    hints: { accept: 'to the list', cancel: 'end the search' },
    typed: (history, input) => ({ ...history, search: input, at: 0 }),
    entered: (history) => history,
    canceled: (history) => ({ ...history, search: fieldOf(''), at: 0 }),
  };
}

function removalOf({ id, question }: RunLine): Question<History> {
  return {
    kind: 'question',
    text: [`Remove "${toLine(question)}`, '" permanently? y removes it'],
    tone: 'red',
    hints: { y: 'remove', n: 'keep' },
    confirmed: (history) => ({ ...history, effect: { kind: 'remove', run: id } }),
    refused: (history) => withMessage(history, 'Nothing was removed.'),
  };
}
