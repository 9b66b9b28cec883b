/** The keys of the other screens, and of what lies over them: dialogs, lists, texts that are written. */
import { EVERYWHERE, type ScreenRow } from './binding.ts';

/** Where the cursor stands on the home screen, as far as keys care. */
export type HomePlace = 'box' | 'line' | 'seat' | 'place' | 'one' | 'file' | 'run';

/** Everywhere but in the box, where letters are text. */
const OUTSIDE: readonly HomePlace[] = ['line', 'seat', 'place', 'one', 'file', 'run'];

export const HOME_KEYS = {
  convene: ['enter', 'Convene', ['box'], 'convene'],
  change: ['enter space', 'Change what the cursor stands on; open a run', OUTSIDE, 'change'],
  next: ['tab', 'Next line', EVERYWHERE, 'next'],
  previous: ['shift+tab', 'Previous line'],
  down: ['down j', 'Down', OUTSIDE],
  up: ['up k', 'Up', OUTSIDE],
  'convene-from-here': ['c', 'Convene', OUTSIDE, 'convene'],
  add: ['a', 'Add a seat', ['line', 'seat', 'place'], 'add seat'],
  remove: ['x delete', 'Remove this seat, or this file', ['seat', 'file'], 'remove'],
  role: ['r', 'Another role for this seat', ['seat'], 'role'],
  brief: ['b', 'What this seat is told this time, instead of its role', ['seat'], 'brief'],
  resume: ['r', 'Go on with this run', ['run'], 'go on'],
  editor: ['ctrl+g', 'Write the question in your editor ($VISUAL, $EDITOR)', EVERYWHERE, 'editor'],
  questions: ['ctrl+o', 'Begin with a preset question', EVERYWHERE, 'presets'],
  earlier: [
    'ctrl+p',
    'The question asked before; Up in the first row does the same',
    ['box'],
    'earlier',
  ],
  later: ['ctrl+n', 'The question asked after that', ['box']],
  protocol: ['ctrl+t', 'The other protocol', EVERYWHERE, 'protocol'],
  attach: ['ctrl+f', 'Attach a file', EVERYWHERE, 'attach'],
  history: ['ctrl+r', 'All runs', EVERYWHERE, 'runs'],
  'history-from-here': ['h', 'All runs', OUTSIDE],
  box: ['escape', 'To the question, or out of it'],
  suspend: ['ctrl+z', 'Put the program aside; fg brings it back'],
  help: ['?', 'This list; in the box while it is empty', EVERYWHERE, 'help'],
  interrupt: ['ctrl+c', 'Quit; twice where a question is written'],
  quit: ['q', 'Quit', OUTSIDE, 'quit'],
} as const satisfies Record<string, ScreenRow<HomePlace>>;

export const HISTORY_KEYS = {
  open: ['enter', 'Open the run; one that is worked on elsewhere is watched', EVERYWHERE, 'open'],
  search: ['/', 'Runs with these words in questions and answers', EVERYWHERE, 'search'],
  resume: ['r', 'Go on with a run that has not finished', EVERYWHERE, 'go on'],
  replay: ['p', 'Play the run back as it went; nobody is asked', EVERYWHERE, 'replay'],
  export: ['e', 'Write the report as Markdown', EVERYWHERE, 'export'],
  fork: [
    'f',
    'The same run, gone another way: only what changes is asked again',
    EVERYWHERE,
    'fork',
  ],
  remove: ['x delete', 'Remove the run for good; asks', EVERYWHERE, 'remove'],
  down: ['down j tab', 'Down'],
  up: ['up k shift+tab', 'Up'],
  'page-down': ['pagedown space ctrl+d', 'A page down'],
  'page-up': ['pageup ctrl+u', 'A page up'],
  top: ['g home', 'To the newest'],
  bottom: ['G end', 'To the oldest'],
  help: ['?', 'This list', EVERYWHERE, 'help'],
  suspend: ['ctrl+z', 'Put the program aside; fg brings it back'],
  back: ['q escape ctrl+c', 'Back; ends a search first', EVERYWHERE, 'back'],
} as const satisfies Record<string, ScreenRow<never>>;

/** The walk before rounds: something is chosen from a list, or something is written. */
export const WALK_KEYS = {
  down: ['down j tab', 'Down', ['list']],
  up: ['up k shift+tab', 'Up', ['list']],
  choose: ['1 2 3 4 5 6 7 8 9', 'Take the line of that number', ['list']],
  accept: ['enter', 'Go on; at the end, convene'],
  back: ['escape', 'Back to the step before'],
  suspend: ['ctrl+z', 'Put the program aside; fg brings it back'],
  help: ['?', 'This list; in a line that is written only while it is empty', ['list', 'blank']],
  leave: ['ctrl+c', 'Leave; nothing is convened'],
} as const satisfies Record<string, ScreenRow<'list' | 'text' | 'blank'>>;

/** Both places where letters narrow a list. */
export const DIALOG_KEYS = {
  accept: ['enter', 'Take it: send, start, choose'],
  cancel: ['escape', 'Back, without it'],
  next: ['down tab', 'The next one', ['list']],
  previous: ['up shift+tab', 'The one before', ['list']],
  'page-down': ['pagedown', 'Ten further down', ['list']],
  'page-up': ['pageup', 'Ten further up', ['list']],
  first: ['home', 'The first one', ['list']],
  last: ['end', 'The last one', ['list']],
  'new-line': [
    'ctrl+j alt+enter shift+enter',
    'A new line; a \\ before Enter does the same',
    ['text'],
  ],
  undo: ['ctrl+_', 'Take back what was written last', ['text']],
  'line-start': ['ctrl+a home', 'To the line’s beginning', ['text']],
  'line-end': ['ctrl+e end', 'To the line’s end', ['text']],
  'word-left': ['alt+b ctrl+left alt+left', 'A word to the left', ['text']],
  'word-right': ['alt+f ctrl+right alt+right', 'A word to the right', ['text']],
  'delete-word': ['ctrl+w alt+backspace ctrl+backspace', 'Delete the word before', ['text']],
  'delete-next-word': ['alt+d', 'Delete the word after', ['text']],
  'delete-to-start': ['ctrl+u', 'Delete to the line’s beginning', ['text']],
  'delete-to-end': ['ctrl+k', 'Delete to the line’s end', ['text']],
} as const satisfies Record<string, ScreenRow<'list' | 'text'>>;
