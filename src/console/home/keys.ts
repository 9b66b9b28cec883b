/** The home screen's keys, in one table: footer, help and what a key does are all read from it. */
import { keyLabel } from '../keys/bindings.ts';

/** Where the cursor stands, as far as keys care. */
export type Place = 'box' | 'line' | 'seat' | 'place' | 'one' | 'file' | 'run';

export interface HomeBinding {
  readonly keys: readonly string[];
  readonly description: string;
  /** Absent: everywhere. */
  readonly where?: readonly Place[];
  /** The word in the footer; absent: the key is only in the help. */
  readonly footer?: string;
}

/** Everywhere but in the box, where letters are text. */
const OUTSIDE: readonly Place[] = ['line', 'seat', 'place', 'one', 'file', 'run'];

const TABLE = {
  convene: { keys: ['enter'], description: 'Convene', where: ['box'], footer: 'convene' },
  newline: {
    keys: ['ctrl+j', 'alt+enter', 'shift+enter'],
    description: 'A new line; a \\ before Enter does the same',
    where: ['box'],
    footer: 'new line',
  },
  change: {
    keys: ['enter', 'space'],
    description: 'Change what the cursor stands on; open a run',
    where: OUTSIDE,
    footer: 'change',
  },
  next: { keys: ['tab'], description: 'Next line', footer: 'next' },
  previous: { keys: ['shift+tab'], description: 'Previous line' },
  down: { keys: ['down', 'j'], description: 'Down', where: OUTSIDE },
  up: { keys: ['up', 'k'], description: 'Up', where: OUTSIDE },
  'convene-from-here': {
    keys: ['c'],
    description: 'Convene',
    where: OUTSIDE,
    footer: 'convene',
  },
  add: {
    keys: ['a'],
    description: 'Add a seat',
    where: ['line', 'seat', 'place'],
    footer: 'add seat',
  },
  remove: {
    keys: ['x', 'delete'],
    description: 'Remove this seat, or this file',
    where: ['seat', 'file'],
    footer: 'remove',
  },
  role: { keys: ['r'], description: 'Another role for this seat', where: ['seat'], footer: 'role' },
  brief: {
    keys: ['b'],
    description: 'What this seat is told this time, instead of its role',
    where: ['seat'],
    footer: 'brief',
  },
  resume: { keys: ['r'], description: 'Go on with this run', where: ['run'], footer: 'go on' },
  editor: {
    keys: ['ctrl+g'],
    description: 'Write the question in your editor ($VISUAL, $EDITOR)',
    footer: 'editor',
  },
  questions: {
    keys: ['ctrl+o'],
    description: 'Begin with a preset question',
    footer: 'presets',
  },
  earlier: {
    keys: ['ctrl+p'],
    description: 'The question asked before; Up in the first row does the same',
    where: ['box'],
    footer: 'earlier',
  },
  later: { keys: ['ctrl+n'], description: 'The question asked after that', where: ['box'] },
  protocol: { keys: ['ctrl+t'], description: 'The other protocol', footer: 'protocol' },
  attach: { keys: ['ctrl+f'], description: 'Attach a file', footer: 'attach' },
  history: { keys: ['ctrl+r'], description: 'All runs', footer: 'runs' },
  'history-from-here': { keys: ['h'], description: 'All runs', where: OUTSIDE },
  box: { keys: ['escape'], description: 'To the question, or out of it' },
  undo: { keys: ['ctrl+_'], description: 'Take back what was written last', where: ['box'] },
  suspend: { keys: ['ctrl+z'], description: 'Put the program aside; fg brings it back' },
  help: { keys: ['?'], description: 'This list; in the box while it is empty', footer: 'help' },
  interrupt: { keys: ['ctrl+c'], description: 'Quit; twice where a question is written' },
  quit: { keys: ['q'], description: 'Quit', where: OUTSIDE, footer: 'quit' },
} as const satisfies Record<string, HomeBinding>;

export type HomeCommand = keyof typeof TABLE;

const HOME_KEYS: Readonly<Record<HomeCommand, HomeBinding>> = TABLE;

/** Keys of the box itself, for the help. */
export const BOX_KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl-A Ctrl-E', 'To the beginning or the end of the line (Home, End)'],
  ['Alt-B Alt-F', 'A word to the left or right (Ctrl-Left, Ctrl-Right)'],
  ['Ctrl-W Alt-D', 'Delete the word before or after'],
  ['Ctrl-U Ctrl-K', 'Delete to the beginning or the end of the line'],
];

export function homeCommands(): [HomeCommand, HomeBinding][] {
  return Object.entries(HOME_KEYS) as [HomeCommand, HomeBinding][];
}

/** What a key does at a place. */
export function homeCommand(key: string, place: Place): HomeCommand | undefined {
  return homeCommands().find(
    ([, { keys, where }]) => keys.includes(key) && (where === undefined || where.includes(place)),
  )?.[0];
}

export function label(key: string): string {
  return key === 'ctrl+_' ? 'Ctrl-/' : keyLabel(key);
}
