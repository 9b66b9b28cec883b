/** The key tables of the screens other than a run's, and of dialogs, lists and text fields over them. */
import { EVERYWHERE, type ScreenRow } from './binding.ts';

/**
 * The parts of the home screen in which keys do different things, by what the cursor is on. `box`:
 * the text box of the question. `seat`: a seat of a panel. `one`: the role of a protocol with
 * exactly one role. `place`: a role of a protocol that has several roles and no panels. `file`: a
 * file or folder. `run`: a recorded run. `line`: any other line.
 */
export type HomePlace = 'box' | 'line' | 'seat' | 'place' | 'one' | 'file' | 'run';

/** Every place except the text box, where letters are text. */
const OUTSIDE: readonly HomePlace[] = ['line', 'seat', 'place', 'one', 'file', 'run'];

/** The keys of the home screen. */
export const HOME_KEYS = {
  convene: ['enter', 'Start the run', ['box'], 'start'],
  change: ['enter space', 'Change what is under the cursor; open a run', OUTSIDE, 'change'],
  next: ['tab', 'Next line', EVERYWHERE, 'next'],
  previous: ['shift+tab', 'Previous line'],
  down: ['down j', 'Down', OUTSIDE],
  up: ['up k', 'Up', OUTSIDE],
  'convene-from-here': ['c', 'Start the run', OUTSIDE, 'start'],
  add: ['a', 'Add a seat', ['line', 'seat', 'place'], 'add seat'],
  remove: ['x delete', 'Remove this seat, file or folder', ['seat', 'file'], 'remove'],
  role: ['r', 'Another role for this seat', ['seat'], 'role'],
  brief: ['b', 'Change this seat’s instructions for this run', ['seat'], 'brief'],
  resume: ['r', 'Resume this run', ['run'], 'resume'],
  editor: ['ctrl+g', 'Write the question in your editor ($VISUAL, $EDITOR)', EVERYWHERE, 'editor'],
  questions: ['ctrl+o', 'Start from a preset question', EVERYWHERE, 'presets'],
  examples: ['ctrl+x', 'Play a recorded example; no model is called'],
  earlier: ['ctrl+p', 'Previous question; same as Up on the first line', ['box'], 'earlier'],
  later: ['ctrl+n', 'Next question', ['box']],
  protocol: ['ctrl+t', 'Switch protocol', EVERYWHERE, 'protocol'],
  attach: ['ctrl+f', 'Attach a file', EVERYWHERE, 'attach'],
  history: ['ctrl+r', 'All runs', EVERYWHERE, 'runs'],
  'history-from-here': ['h', 'All runs', OUTSIDE],
  box: ['escape', 'Enter or leave the question'],
  suspend: ['ctrl+z', 'Suspend the program; fg resumes it'],
  help: ['?', 'Show this list (in the question: only if it is empty)', EVERYWHERE, 'help'],
  interrupt: ['ctrl+c', 'Quit; press twice if a question is written'],
  quit: ['q', 'Quit', OUTSIDE, 'quit'],
} as const satisfies Record<string, ScreenRow<HomePlace>>;

/**
 * The pages of the history: the list of runs, their tokens and costs (`usage`), and the track record,
 * which shows what models predicted and what came true (`track`).
 */
export type HistoryPlace = 'list' | 'usage' | 'track';

const LIST: readonly HistoryPlace[] = ['list'];

/** The keys of the history. */
export const HISTORY_KEYS = {
  open: ['enter', 'Open the run; watch it if it is open elsewhere', LIST, 'open'],
  search: ['/', 'Search questions and answers', LIST, 'search'],
  resume: ['r', 'Resume an unfinished run', LIST, 'resume'],
  replay: ['p', 'Replay the run; no model is called', LIST, 'replay'],
  export: ['e', 'Export: report, records, claims, JSON', LIST, 'export'],
  fork: ['f', 'Fork the run: only changed steps are asked again', LIST, 'fork'],
  usage: ['u', 'What all runs took: calls, tokens, time and dollars', LIST, 'usage'],
  track: ['t', 'What models predicted, and what came true', LIST, 'track record'],
  by: [
    'b',
    'Usage, track record: by server, protocol, day, model',
    ['usage', 'track'],
    'by the next',
  ],
  remove: ['x delete', 'Delete the run permanently; asks first', LIST, 'remove'],
  down: ['down j tab', 'Down'],
  up: ['up k shift+tab', 'Up'],
  'page-down': ['pagedown space ctrl+d', 'A page down'],
  'page-up': ['pageup ctrl+u', 'A page up'],
  top: ['g home', 'To the newest'],
  bottom: ['G end', 'To the oldest'],
  help: ['?', 'This list', EVERYWHERE, 'help'],
  suspend: ['ctrl+z', 'Suspend the program; fg resumes it'],
  back: ['q escape ctrl+c', 'Back; clears a search first', EVERYWHERE, 'back'],
} as const satisfies Record<string, ScreenRow<HistoryPlace>>;

/** The places of an evaluation's screen: the list of answers, or the report. */
type EvaluationPlace = 'answers' | 'report';

/** The keys of an evaluation's screen, in the order of the last row. */
export const EVALUATION_KEYS = {
  stop: ['s', 'Stop after finishing the items in progress', ['answers'], 'stop'],
  open: ['enter', 'Open the run behind this answer; Esc comes back', ['answers'], 'open'],
  arm: ['a', 'Filter by arm; after the last, all', ['answers'], 'arm'],
  failed: ['f', 'Show only failed, stopped and unreadable answers, or all', ['answers'], 'failed'],
  export: ['e', 'Export the report: Markdown, HTML, Inspect, JSON', EVERYWHERE, 'export'],
  copy: ['y', 'Copy the report as Markdown', EVERYWHERE, 'copy'],
  search: ['/', 'Search the report; filter the list', EVERYWHERE, 'search'],
  'next-match': ['n', 'Next match', ['report'], 'next match'],
  'previous-match': ['N', 'Previous match', ['report']],
  report: ['tab', 'Switch between answers and report', EVERYWHERE, 'report'],
  down: ['j down', 'One row down'],
  up: ['k up', 'One row up'],
  'page-down': ['pagedown space ctrl+d', 'A page down'],
  'page-up': ['pageup ctrl+u', 'A page up'],
  top: ['g home', 'To the beginning'],
  bottom: ['G end', 'To the end'],
  back: ['escape', 'Back: end a search, clear filters'],
  suspend: ['ctrl+z', 'Suspend the program; fg resumes it'],
  interrupt: ['ctrl+c', 'First: stop after finishing the items in progress. Again: quit'],
  help: ['?', 'This list', EVERYWHERE, 'help'],
  quit: ['q', 'Quit; asks first while it runs here', EVERYWHERE, 'quit'],
} as const satisfies Record<string, ScreenRow<EvaluationPlace>>;

/** The keys of the screen on which a person chooses the cast and the rounds of a deliberation. */
export const WALK_KEYS = {
  down: ['down j tab', 'Down', ['list']],
  up: ['up k shift+tab', 'Up', ['list']],
  choose: ['1 2 3 4 5 6 7 8 9', 'Choose by number', ['list']],
  accept: ['enter', 'Continue; at the end, start the run'],
  back: ['escape', 'Back to the previous step'],
  suspend: ['ctrl+z', 'Suspend the program; fg resumes it'],
  help: ['?', 'Show this list (in a text field: only if it is empty)', ['list', 'blank']],
  leave: ['ctrl+c', 'Leave without starting a run'],
} as const satisfies Record<string, ScreenRow<'list' | 'text' | 'blank'>>;

/** The keys of dialogs: lists and text fields. */
export const DIALOG_KEYS = {
  accept: ['enter', 'Accept: send, start, choose'],
  cancel: ['escape', 'Cancel'],
  next: ['down tab', 'Next', ['list']],
  previous: ['up shift+tab', 'Previous', ['list']],
  'page-down': ['pagedown', 'Ten lines down; in a question, a page of its text', ['list']],
  'page-up': ['pageup', 'Ten lines up; in a question, a page of its text', ['list']],
  first: ['home', 'First', ['list']],
  last: ['end', 'Last', ['list']],
  diff: ['d', 'Read the change that a question is about', ['list']],
  'new-line': ['ctrl+j alt+enter shift+enter', 'New line; same as \\ before Enter', ['text']],
  undo: ['ctrl+_', 'Undo', ['text']],
  'line-start': ['ctrl+a home', 'Start of line', ['text']],
  'line-end': ['ctrl+e end', 'End of line', ['text']],
  'word-left': ['alt+b ctrl+left alt+left', 'Word left', ['text']],
  'word-right': ['alt+f ctrl+right alt+right', 'Word right', ['text']],
  'delete-word': ['ctrl+w alt+backspace ctrl+backspace', 'Delete previous word', ['text']],
  'delete-next-word': ['alt+d', 'Delete next word', ['text']],
  'delete-to-start': ['ctrl+u', 'Delete to start of line', ['text']],
  'delete-to-end': ['ctrl+k', 'Delete to end of line', ['text']],
} as const satisfies Record<string, ScreenRow<'list' | 'text'>>;
