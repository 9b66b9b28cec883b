/** The screen of an evaluation: where the person reads, and what a key makes of it. Pure but for the report's reader. */
import { line } from '../../text/line.ts';
import { commandIn, dialogKey, keyIn } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
import type { Dialog } from '../ui/component.ts';
import { Reader } from '../ui/reader.ts';
import { isMove, type Move, movedTo } from '../ui/scroll.ts';
import { fieldOf, pasteText, type TextInput, typeKey } from '../ui/text-input.ts';
import type { EvaluationModel } from './model.ts';
import type { AnswerNews } from './ports.ts';

type EvaluationMode =
  | { readonly kind: 'browse' }
  /** What is searched for in the report is written first, and then looked for. */
  | { readonly kind: 'search'; readonly input: TextInput }
  | { readonly kind: 'dialog'; readonly dialog: Dialog }
  /** Whether it is to be stopped. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'help'; readonly top: number };

export type EvaluationEffect =
  | { readonly kind: 'leave' | 'stop' | 'suspend' | 'export' | 'copy' }
  | { readonly kind: 'open'; readonly run: string };

export interface EvaluationState {
  readonly place: 'answers' | 'report';
  /** The answer that the cursor stands on; undefined: whichever is first. */
  readonly chosen: string | undefined;
  readonly arm: string | undefined;
  readonly onlyFailed: boolean;
  readonly search: TextInput;
  readonly reader: Reader;
  readonly mode: EvaluationMode;
  readonly notice?: { readonly text: string; readonly bad: boolean } | undefined;
  readonly effect?: EvaluationEffect | undefined;
}

/** What keys are judged by besides the state. */
export interface EvaluationAround {
  readonly model: EvaluationModel;
  readonly keymap: Keymap;
  /** Rows of the list, or of the report. */
  readonly height: number;
  /** The first row that the help can begin with. */
  readonly helpEnd: number;
}

const BROWSE: EvaluationMode = { kind: 'browse' };

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

/** The answers that are listed now. */
export function listedIn(
  { arm, onlyFailed, search }: EvaluationState,
  model: EvaluationModel,
): readonly AnswerNews[] {
  return model.list({ arm, onlyFailed, words: search.text.trim().toLowerCase() });
}

/** Where the cursor stands in the list; on the first where what it stood on is not listed any more. */
export function cursorIn({ chosen }: EvaluationState, list: readonly AnswerNews[]): number {
  return Math.max(
    0,
    list.findIndex(({ id }) => id === chosen),
  );
}

export function tell(state: EvaluationState, text: string, bad = false): EvaluationState {
  return { ...state, notice: { text, bad } };
}

export function withDialog(state: EvaluationState, dialog: Dialog): EvaluationState {
  return { ...state, mode: { kind: 'dialog', dialog } };
}

/** The report has come: it is read next, unless the person is about something else. */
export function withReport(state: EvaluationState): EvaluationState {
  return state.mode.kind === 'browse' ? { ...state, place: 'report' } : state;
}

export function press(
  before: EvaluationState,
  pressed: string,
  around: EvaluationAround,
): EvaluationState {
  const { notice: _notice, effect: _effect, ...state } = before;
  const { keymap } = around;
  const { mode } = state;
  const command = commandIn(keymap, 'evaluation', pressed, state.place);
  if (command === 'interrupt') return interrupted(state, around);
  const isText = mode.kind === 'search' || mode.kind === 'dialog';
  // Where text is written, a letter is one.
  if (command === 'suspend' && (!isText || [...pressed].length > 1)) return wish(state, 'suspend');
  const key = dialogKey(keymap, pressed);
  switch (mode.kind) {
    case 'browse':
      return command === undefined ? state : perform(state, command, around);
    case 'search':
      return inSearch(state, mode.input, key);
    case 'asked': {
      const isStill = around.model.standing.kind === 'live';
      const next = { ...state, mode: BROWSE };
      return isStill && key.toLowerCase() === 'y' ? wish(next, 'stop') : next;
    }
    case 'dialog': {
      // What is chosen in it may ask for something itself.
      const stays = key !== 'escape' && mode.dialog.key(key);
      return stays ? state : { ...state, mode: BROWSE };
    }
    case 'help': {
      const closes = command === 'help' || command === 'quit' || key === 'enter';
      if (closes || key === 'escape') return { ...state, mode: BROWSE };
      const top = movedTo(mode.top, moveOf(command), around.helpEnd, around.height);
      return { ...state, mode: { kind: 'help', top } };
    }
  }
}

export function paste(
  state: EvaluationState,
  text: string,
  { keymap }: Pick<EvaluationAround, 'keymap'>,
): EvaluationState {
  const { mode } = state;
  if (mode.kind === 'search') {
    const input = pasteText(mode.input, text);
    return { ...narrowed(state, input), mode: { kind: 'search', input } };
  }
  if (mode.kind === 'dialog') {
    mode.dialog.paste?.(text);
    return { ...state };
  }
  return tell(
    state,
    `Pasted text is ignored here; ${keyIn(keymap, 'evaluation', 'search')} opens a search.`,
  );
}

function wish(
  state: EvaluationState,
  kind: 'leave' | 'stop' | 'suspend' | 'export' | 'copy',
): EvaluationState {
  return { ...state, effect: { kind } };
}

/** Ctrl-C: stops what can be stopped, and leaves everything else. */
function interrupted(state: EvaluationState, { model }: EvaluationAround): EvaluationState {
  const stops = model.head.isOwn && model.standing.kind === 'live';
  return wish({ ...state, mode: BROWSE }, stops ? 'stop' : 'leave');
}

function perform(
  state: EvaluationState,
  command: CommandOf<'evaluation'>,
  around: EvaluationAround,
): EvaluationState {
  const { model } = around;
  const { head, standing } = model;
  const move = moveOf(command);
  if (move !== undefined) return moved(state, move, around);
  const list = listedIn(state, model);
  switch (command) {
    case 'open': {
      const run = list[cursorIn(state, list)]?.run;
      return run === undefined
        ? tell(state, 'No answer to open.')
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
      if (standing.kind !== 'ended') return tell(state, 'No report until all answers are in.');
      return { ...state, place: state.place === 'report' ? 'answers' : 'report' };
    case 'export':
    case 'copy':
      return standing.kind === 'ended'
        ? wish(state, command)
        : tell(state, 'No report until all answers are in.');
    case 'search':
      return {
        ...state,
        mode: { kind: 'search', input: state.place === 'report' ? fieldOf('') : state.search },
      };
    case 'next-match':
    case 'previous-match': {
      const go = state.reader.match;
      if (go === undefined) return tell(state, 'No search in progress.');
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
  if (!head.isOwn) return tell(state, 'Another process is running it; stop it there.');
  if (standing.kind === 'live') return wish(state, 'stop');
  return tell(state, standing.kind === 'stopping' ? 'It is already stopping.' : 'Not in progress.');
}

function quitting(state: EvaluationState, { model, keymap }: EvaluationAround): EvaluationState {
  const { head, standing } = model;
  if (!head.isOwn || standing.kind === 'ended') return wish(state, 'leave');
  if (standing.kind === 'stopping')
    return tell(
      state,
      `It is stopping; ${keyIn(keymap, 'evaluation', 'interrupt')} quits at once.`,
    );
  return { ...state, mode: { kind: 'asked' } };
}

/** Esc: what was opened last is closed first. */
function back(state: EvaluationState): EvaluationState {
  if (state.place === 'report')
    return state.reader.endSearch() ? { ...state } : { ...state, place: 'answers' };
  if (state.search.text !== '') return { ...state, search: fieldOf(''), chosen: undefined };
  if (state.arm === undefined && !state.onlyFailed) return { ...state, chosen: undefined };
  return { ...state, arm: undefined, onlyFailed: false, chosen: undefined };
}

function moved(
  state: EvaluationState,
  move: Move,
  { model, height }: EvaluationAround,
): EvaluationState {
  if (state.place === 'report') {
    state.reader.move(move, height);
    return { ...state };
  }
  const list = listedIn(state, model);
  const at = movedTo(cursorIn(state, list), move, list.length - 1, height);
  // At the top it follows what is newest.
  return { ...state, chosen: at === 0 ? undefined : list[at]?.id };
}

function moveOf(command: CommandOf<'evaluation'> | undefined): Move | undefined {
  return command !== undefined && isMove(command) ? command : undefined;
}

/** What narrows the list does so while it is written. */
function narrowed(state: EvaluationState, input: TextInput): EvaluationState {
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
      ? tell(next, `"${line(query)}" is not in the report.`)
      : next;
  }
  const typed = typeKey(input, key);
  return { ...narrowed(state, typed), mode: { kind: 'search', input: typed } };
}
