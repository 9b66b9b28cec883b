/** The state of an evaluation's screen, and how keys change it. Pure, except for the report's reader. */
import { line } from '../../text/line.ts';
import { commandIn, dialogKey, keyIn } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
import type { Dialog } from '../ui/component.ts';
import { Reader } from '../ui/reader.ts';
import { isMove, type Move, rowAfterMove } from '../ui/scroll.ts';
import { fieldOf, pasteText, type TextInput, typeKey } from '../ui/text-input.ts';
import type { EvaluationModel } from './model.ts';
import type { AnswerNews } from './ports.ts';

type EvaluationMode =
  | { readonly kind: 'browse' }
  /** The words to search the report for are typed first and then looked up. */
  | { readonly kind: 'search'; readonly input: TextInput }
  | { readonly kind: 'dialog'; readonly dialog: Dialog }
  /** The person is asked whether to stop the evaluation. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'help'; readonly top: number };

/** An action that a key has requested and that the screen now has to carry out, such as leaving. */
export type EvaluationEffect =
  | { readonly kind: 'leave' | 'stop' | 'suspend' | 'export' | 'copy' }
  | { readonly kind: 'open'; readonly run: string };

/** The state of an evaluation's screen. */
export interface EvaluationState {
  /** The page that is shown. */
  readonly place: 'answers' | 'report';
  /** The id of the answer under the cursor; undefined: the first one. */
  readonly chosen: string | undefined;
  /** The arm (compared way to answer) whose answers are listed; undefined: all. */
  readonly arm: string | undefined;
  /** Whether only failed answers are listed. */
  readonly onlyFailed: boolean;
  /** The text that the listed answers contain. */
  readonly search: TextInput;
  /** The report and its scroll position. */
  readonly reader: Reader;
  /** What receives the keys. */
  readonly mode: EvaluationMode;
  /** A message in the last rows. */
  readonly notice?: { readonly text: string; readonly bad: boolean } | undefined;
  /** The action that the screen has to carry out now. Absent if there is none. */
  readonly effect?: EvaluationEffect | undefined;
}

/** What the effect of a key depends on besides the screen's state. */
export interface EvaluationAround {
  readonly model: EvaluationModel;
  readonly keymap: Keymap;
  /** The rows of the list or of the report. */
  readonly height: number;
  /** The last position to which the help can be scrolled. */
  readonly helpEnd: number;
}

const BROWSE: EvaluationMode = { kind: 'browse' };

/** Returns the initial state of an evaluation's screen. */
export function beginEvaluation(): EvaluationState {
  return {
    place: 'answers',
    chosen: undefined,
    arm: undefined,
    onlyFailed: false,
    search: fieldOf(''),
    reader: new Reader(),
    mode: BROWSE,
  };
}

/** Returns the answers that are listed now. */
export function listAnswers(
  { arm, onlyFailed, search }: EvaluationState,
  model: EvaluationModel,
): readonly AnswerNews[] {
  return model.list({ arm, onlyFailed, words: search.text.trim().toLowerCase() });
}

/** Returns the row of the cursor in the list; the first row if the chosen answer is not listed. */
export function cursorRow({ chosen }: EvaluationState, list: readonly AnswerNews[]): number {
  return Math.max(
    0,
    list.findIndex(({ id }) => id === chosen),
  );
}

/**
 * Sets the message in the last rows. Returns the new state.
 * @param bad whether the message reports a failure
 */
export function withMessage(state: EvaluationState, text: string, bad = false): EvaluationState {
  return { ...state, notice: { text, bad } };
}

/** Opens a dialog, which then receives the keys. Returns the new state. */
export function withDialog(state: EvaluationState, dialog: Dialog): EvaluationState {
  return { ...state, mode: { kind: 'dialog', dialog } };
}

/** Shows the report, unless the person is in a dialog or typing. Returns the new state. */
export function withReport(state: EvaluationState): EvaluationState {
  return state.mode.kind === 'browse' ? { ...state, place: 'report' } : state;
}

/**
 * Returns the state of an evaluation's screen after a key.
 *
 * @param pressed the name of the key
 */
export function press(
  before: EvaluationState,
  pressed: string,
  around: EvaluationAround,
): EvaluationState {
  const { notice: _notice, effect: _effect, ...state } = before;
  const { keymap } = around;
  const { mode } = state;
  const command = commandIn(keymap, 'evaluation', pressed, state.place);
  if (command === 'interrupt') return afterInterrupt(state, around);
  const isText = mode.kind === 'search' || mode.kind === 'dialog';
  // While text is typed, a letter is text and not the key of a command.
  if (command === 'suspend' && (!isText || [...pressed].length > 1))
    return withEffect(state, 'suspend');
  const key = dialogKey(keymap, pressed);
  switch (mode.kind) {
    case 'browse':
      return command === undefined ? state : perform(state, command, around);
    case 'search':
      return inSearch(state, mode.input, key);
    case 'asked': {
      const isStill = around.model.standing.kind === 'live';
      const next = { ...state, mode: BROWSE };
      return isStill && key.toLowerCase() === 'y' ? withEffect(next, 'stop') : next;
    }
    case 'dialog': {
      // The choice in the dialog may have opened another dialog, so do not close that one.
      const stays = key !== 'escape' && mode.dialog.key(key);
      return stays ? state : { ...state, mode: BROWSE };
    }
    case 'help': {
      const closes = command === 'help' || command === 'quit' || key === 'enter';
      if (closes || key === 'escape') return { ...state, mode: BROWSE };
      const top = rowAfterMove(mode.top, moveOf(command), around.helpEnd, around.height);
      return { ...state, mode: { kind: 'help', top } };
    }
  }
}

/** Returns the state of an evaluation's screen after text was pasted. */
export function paste(
  state: EvaluationState,
  text: string,
  { keymap }: Pick<EvaluationAround, 'keymap'>,
): EvaluationState {
  const { mode } = state;
  if (mode.kind === 'search') {
    const input = pasteText(mode.input, text);
    return { ...withSearch(state, input), mode: { kind: 'search', input } };
  }
  if (mode.kind === 'dialog') {
    mode.dialog.paste?.(text);
    return { ...state };
  }
  return withMessage(
    state,
    `Pasted text is ignored here; ${keyIn(keymap, 'evaluation', 'search')} opens a search.`,
  );
}

function withEffect(
  state: EvaluationState,
  kind: 'leave' | 'stop' | 'suspend' | 'export' | 'copy',
): EvaluationState {
  return { ...state, effect: { kind } };
}

/** Ctrl-C: stops an evaluation that this process works on; leaves the screen otherwise. */
function afterInterrupt(state: EvaluationState, { model }: EvaluationAround): EvaluationState {
  const stops = model.head.isOwn && model.standing.kind === 'live';
  return withEffect({ ...state, mode: BROWSE }, stops ? 'stop' : 'leave');
}

function perform(
  state: EvaluationState,
  command: CommandOf<'evaluation'>,
  around: EvaluationAround,
): EvaluationState {
  const { model } = around;
  const { head, standing } = model;
  const move = moveOf(command);
  if (move !== undefined) return afterMove(state, move, around);
  const list = listAnswers(state, model);
  switch (command) {
    case 'open': {
      const run = list[cursorRow(state, list)]?.run;
      return run === undefined
        ? withMessage(state, 'No answer to open.')
        : { ...state, effect: { kind: 'open', run } };
    }
    case 'arm': {
      const arms = [undefined, ...head.arms.map(({ name }) => name)];
      const next = arms[(arms.indexOf(state.arm) + 1) % arms.length];
      return { ...state, arm: next, chosen: undefined };
    }
    case 'failed':
      return { ...state, onlyFailed: !state.onlyFailed, chosen: undefined };
    case 'report':
      if (standing.kind !== 'ended')
        return withMessage(state, 'No report until all answers are in.');
      return { ...state, place: state.place === 'report' ? 'answers' : 'report' };
    case 'export':
    case 'copy':
      return standing.kind === 'ended'
        ? withEffect(state, command)
        : withMessage(state, 'No report until all answers are in.');
    case 'search':
      return {
        ...state,
        mode: { kind: 'search', input: state.place === 'report' ? fieldOf('') : state.search },
      };
    case 'next-match':
    case 'previous-match': {
      const go = state.reader.match;
      if (go === undefined) return withMessage(state, 'No search in progress.');
      go(command === 'next-match' ? 1 : -1);
      return { ...state };
    }
    case 'back':
      return back(state);
    case 'stop':
      return stopping(state, around);
    case 'help':
      return { ...state, mode: { kind: 'help', top: 0 } };
    case 'quit':
      return quitting(state, around);
    default:
      return state;
  }
}

function stopping(state: EvaluationState, { model }: EvaluationAround): EvaluationState {
  const { head, standing } = model;
  if (!head.isOwn) return withMessage(state, 'Another process is running it; stop it there.');
  if (standing.kind === 'live') return withEffect(state, 'stop');
  return withMessage(
    state,
    standing.kind === 'stopping' ? 'It is already stopping.' : 'Not in progress.',
  );
}

function quitting(state: EvaluationState, { model, keymap }: EvaluationAround): EvaluationState {
  const { head, standing } = model;
  if (!head.isOwn || standing.kind === 'ended') return withEffect(state, 'leave');
  if (standing.kind === 'stopping')
    return withMessage(
      state,
      `It is stopping; ${keyIn(keymap, 'evaluation', 'interrupt')} quits at once.`,
    );
  return { ...state, mode: { kind: 'asked' } };
}

/** Esc: closes what was opened last. */
function back(state: EvaluationState): EvaluationState {
  if (state.place === 'report')
    return state.reader.endSearch() ? { ...state } : { ...state, place: 'answers' };
  if (state.search.text !== '') return { ...state, search: fieldOf(''), chosen: undefined };
  if (state.arm === undefined && !state.onlyFailed) return { ...state, chosen: undefined };
  return { ...state, arm: undefined, onlyFailed: false, chosen: undefined };
}

function afterMove(
  state: EvaluationState,
  move: Move,
  { model, height }: EvaluationAround,
): EvaluationState {
  if (state.place === 'report') {
    state.reader.move(move, height);
    return { ...state };
  }
  const list = listAnswers(state, model);
  const at = rowAfterMove(cursorRow(state, list), move, list.length - 1, height);
  // At the top of the list, let the cursor follow the newest answer.
  return { ...state, chosen: at === 0 ? undefined : list[at]?.id };
}

function moveOf(command: CommandOf<'evaluation'> | undefined): Move | undefined {
  return command !== undefined && isMove(command) ? command : undefined;
}

/** Narrows the list while the words are typed. */
function withSearch(state: EvaluationState, input: TextInput): EvaluationState {
  return state.place === 'report' ? state : { ...state, search: input, chosen: undefined };
}

function inSearch(state: EvaluationState, input: TextInput, key: string): EvaluationState {
  const isReport = state.place === 'report';
  if (key === 'escape')
    return { ...state, mode: BROWSE, ...(isReport ? {} : { search: fieldOf('') }) };
  if (key === 'enter' || (key === 'down' && !isReport)) {
    const next = { ...state, mode: BROWSE };
    const query = input.text.trim();
    return isReport && !state.reader.find(query)
      ? withMessage(next, `"${line(query)}" is not in the report.`)
      : next;
  }
  const typed = typeKey(input, key);
  return { ...withSearch(state, typed), mode: { kind: 'search', input: typed } };
}
