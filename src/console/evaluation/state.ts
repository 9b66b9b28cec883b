/** The state of an evaluation's screen, and how keys change it. Pure, except for the report's reader. */
import { toLine } from '../../text/line.ts';
import { keyIn } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
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
import { Reader } from '../ui/reader.ts';
import { isMove, type Move, rowAfterMove } from '../ui/scroll.ts';
import { fieldOf, type TextInput } from '../ui/text-input.ts';
import type { EvaluationModel } from './model.ts';
import type { AnswerNews } from './ports.ts';

/** An action that a key has requested and that the screen now has to carry out, such as leaving. */
export type EvaluationEffect =
  | { readonly kind: 'leave' | 'stop' | 'suspend' | 'export' | 'copy' }
  | { readonly kind: 'open'; readonly run: string };

/** The state of an evaluation's screen. */
export interface EvaluationState extends ShellState<EvaluationState> {
  /** The page that is shown. */
  readonly place: 'answers' | 'report';
  /** The id of the answer under the cursor; undefined: the first one. */
  readonly chosen: string | undefined;
  /** The arm (compared way to answer) whose answers are listed; undefined: all. */
  readonly arm: string | undefined;
  /** Whether only failed, unreadable and stopped answers are listed. */
  readonly onlyFailed: boolean;
  /** The words that the listed answers contain. */
  readonly search: TextInput;
  /** The report and its scroll position. */
  readonly reader: Reader;
  /** The action that the screen has to carry out now. Absent if there is none. */
  readonly effect?: EvaluationEffect | undefined;
}

/** What the effect of a key depends on besides the screen's state. */
interface EvaluationAround {
  readonly model: EvaluationModel;
  readonly keymap: Keymap;
  /** The rows of the list or of the report. */
  readonly height: number;
}

/** Returns the initial state of an evaluation's screen. */
export function beginEvaluation(): EvaluationState {
  return {
    place: 'answers',
    chosen: undefined,
    arm: undefined,
    onlyFailed: false,
    search: fieldOf(''),
    reader: new Reader(),
  };
}

/** Returns the answers that an evaluation's screen lists now. */
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
 * Shows the report, unless something is open over the screen: help, a dialog, a search or a question. Returns
 * the new state.
 */
export function withReport(state: EvaluationState): EvaluationState {
  return state.over === undefined ? { ...state, place: 'report' } : state;
}

/**
 * Returns the state of an evaluation's screen after a key.
 *
 * @param pressed the name of the key
 */
export function press(
  state: EvaluationState,
  pressed: string,
  around: EvaluationAround,
): EvaluationState {
  return pressIn<EvaluationState, 'evaluation'>(state, pressed, {
    keymap: around.keymap,
    scope: 'evaluation',
    place: state.place,
    always: (now, command) => (command === 'interrupt' ? afterInterrupt(now, around) : undefined),
    perform: (now, command) =>
      command === undefined
        ? withElsewhere(now, around.keymap, 'evaluation', pressed)
        : performCommand(now, command, around),
  });
}

/** Returns the state of an evaluation's screen after text was pasted. */
export function paste(state: EvaluationState, text: string, keymap: Keymap): EvaluationState {
  const key = keyIn(keymap, 'evaluation', 'search');
  const ignored = `Pasted text is ignored here; ${key} opens a search.`;
  return pasteOver(state, text) ?? withMessage(state, ignored);
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
  return withEffect({ ...state, over: undefined }, stops ? 'stop' : 'leave');
}

function performCommand(
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
      return { ...state, over: state.place === 'report' ? REPORT_SEARCH : listSearch(state) };
    case 'next-match':
    case 'previous-match': {
      const go = state.reader.match;
      if (go === undefined) return withMessage(state, 'No search in progress.');
      go(command === 'next-match' ? 1 : -1);
      return { ...state };
    }
    case 'back':
      return closeLatest(state);
    case 'stop':
      return stopEvaluation(state, around);
    case 'help':
      return withHelp(state);
    case 'quit':
      return quitEvaluation(state, around);
    default:
      return state;
  }
}

function stopEvaluation(state: EvaluationState, { model }: EvaluationAround): EvaluationState {
  const { head, standing } = model;
  if (!head.isOwn) return withMessage(state, 'Another process is running it; stop it there.');
  if (standing.kind === 'live') return withEffect(state, 'stop');
  return withMessage(
    state,
    standing.kind === 'stopping' ? 'It is already stopping.' : 'Not in progress.',
  );
}

function quitEvaluation(
  state: EvaluationState,
  { model, keymap }: EvaluationAround,
): EvaluationState {
  const { head, standing } = model;
  if (!head.isOwn || standing.kind === 'ended') return withEffect(state, 'leave');
  if (standing.kind === 'stopping')
    return withMessage(
      state,
      `It is stopping; ${keyIn(keymap, 'evaluation', 'interrupt')} quits at once.`,
    );
  return { ...state, over: stopQuestion(model) };
}

/** Esc: closes what was opened last. */
function closeLatest(state: EvaluationState): EvaluationState {
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

/** The question whether to stop the evaluation. */
function stopQuestion(model: EvaluationModel): Question<EvaluationState> {
  return {
    kind: 'question',
    text: ['Stop the evaluation? Run the same command later to continue.', ' y stops it'],
    tone: 'yellow',
    hints: { y: 'stop', n: 'go on' },
    confirmed: (state) => (model.standing.kind === 'live' ? withEffect(state, 'stop') : state),
    refused: (state) => state,
  };
}

/** Narrows the list while the words are typed. */
function listSearch({ search }: EvaluationState): SearchField<EvaluationState> {
  return {
    kind: 'search',
    input: search,
    hints: { accept: 'to the list', cancel: 'end the search' },
    typed: (state, input) => ({ ...state, search: input, chosen: undefined }),
    entered: (state) => state,
    canceled: (state) => ({ ...state, search: fieldOf('') }),
  };
}

/** The words to search the report for are typed first and then looked up. */
const REPORT_SEARCH: SearchField<EvaluationState> = {
  kind: 'search',
  input: fieldOf(''),
  hints: { accept: 'search', cancel: 'cancel' },
  entered: (state, input) => {
    const query = input.text.trim();
    return state.reader.find(query)
      ? state
      : withMessage(state, `"${toLine(query)}" is not in the report.`);
  },
  canceled: (state) => state,
};
