/**
 * The keys, in one table: command → keys, what it does, where it applies. The footer, the `?` overlay,
 * the `:` palette and the README's table are drawn from it, so none of them can say something else
 * than what a key does. What reads it is in `bindings.ts`.
 */
import type { Condition } from './situation.ts';

export type Group = 'Run' | 'Columns' | 'Records' | 'Reading' | 'Replay' | 'Console';

export interface Binding {
  /** As `keysOf` names them: `j`, `G`, `tab`, `shift+tab`, `ctrl+d`, `pagedown`, `escape`. */
  readonly keys: readonly string[];
  readonly group: Group;
  readonly description: string;
  readonly where: Condition;
  /** The word in the footer; absent: the key is only in the help. */
  readonly footer?: string;
  /** Where the footer names it, if that is not everywhere it applies. */
  readonly footerWhere?: Condition;
}

const TABLE = {
  stop: {
    keys: ['s'],
    group: 'Run',
    description: 'Stop everything; what was said is kept',
    where: 'live',
    footer: 'stop',
  },
  'stop-seat': {
    keys: ['S'],
    group: 'Run',
    description: 'Stop this seat only',
    where: 'seat speaks',
    footer: 'stop seat',
  },
  resume: {
    keys: ['c'],
    group: 'Run',
    description: 'Go on: ask the seats that have not answered',
    where: 'unfinished',
    footer: 'go on',
  },
  'retry-seat': {
    keys: ['R'],
    group: 'Run',
    description: 'Ask this seat again',
    where: 'seat silent',
    footer: 'ask again',
  },
  'change-model': {
    keys: ['M', 'm'],
    group: 'Run',
    description: 'Ask this seat again with another model',
    where: 'seat rests',
    footer: 'other model',
    footerWhere: 'seat silent',
  },
  resynthesize: {
    keys: ['r'],
    group: 'Run',
    description: 'Make another synthesis: other model, instruction, without a seat',
    where: 'answers',
    footer: 're-synthesize',
  },
  'follow-up': {
    keys: ['a'],
    group: 'Run',
    description: 'Ask the same seats a further question',
    where: 'board answers',
    footer: 'ask on',
  },
  weigh: {
    keys: ['w'],
    group: 'Run',
    description: 'Weigh the synthesis: what each seat carries',
    where: 'weighable',
    footer: 'weigh',
  },
  vote: {
    keys: ['v'],
    group: 'Columns',
    description: 'The vote, who holds what, what each seat carries; and back',
    where: 'votes',
    footer: 'vote',
  },
  'previous-question': {
    keys: ['{'],
    group: 'Columns',
    description: 'Previous question, its answers and syntheses',
    where: 'earlier question',
    footer: 'earlier',
  },
  'next-question': {
    keys: ['}'],
    group: 'Columns',
    description: 'Next question',
    where: 'later question',
    footer: 'later',
  },
  export: {
    keys: ['e'],
    group: 'Run',
    description: 'Write the report as Markdown',
    where: 'acting',
    footer: 'export',
  },
  'next-pane': {
    keys: ['tab', 'right'],
    group: 'Columns',
    description: 'Next column; after the last one, the synthesis',
    where: 'panes',
    footer: 'column',
  },
  'previous-pane': {
    keys: ['shift+tab', 'left'],
    group: 'Columns',
    description: 'Previous column',
    where: 'panes',
  },
  zoom: {
    keys: ['z'],
    group: 'Columns',
    description: 'Give it the whole screen, and back',
    where: 'zooms',
    footer: 'zoom',
  },
  pause: {
    keys: ['p'],
    group: 'Run',
    description: 'Pause after what runs now, and go on again',
    where: 'plays',
    footer: 'pause',
  },
  faster: {
    keys: ['+'],
    group: 'Replay',
    description: 'Play faster',
    where: 'replaying',
    footer: 'faster',
  },
  slower: {
    keys: ['-'],
    group: 'Replay',
    description: 'Play slower',
    where: 'replaying',
    footer: 'slower',
  },
  'step-forward': {
    keys: ['.'],
    group: 'Replay',
    description: 'Play on from the next step',
    where: 'replaying',
    footer: 'skip',
  },
  'step-back': {
    keys: [','],
    group: 'Replay',
    description: 'Play again from the step before',
    where: 'replaying',
    footer: 'back',
  },
  'phase-forward': {
    keys: ['>'],
    group: 'Replay',
    description: 'Play on from the next phase or synthesis',
    where: 'replaying',
  },
  'phase-back': {
    keys: ['<'],
    group: 'Replay',
    description: 'Play again from the phase before',
    where: 'replaying',
  },
  'play-to-end': {
    keys: ['E'],
    group: 'Replay',
    description: 'To the end of the replay',
    where: 'replaying',
    footer: 'end',
  },
  note: {
    keys: ['i'],
    group: 'Run',
    description: 'Put a note before the seats that are asked next',
    where: 'notes heeded',
    footer: 'note',
  },
  stress: {
    keys: ['x'],
    group: 'Run',
    description: 'Choose the role that the next round goes without',
    where: 'rounds live',
    footer: 'stress',
  },
  respond: {
    keys: ['!'],
    group: 'Run',
    description: 'Answer the suspected failure modes in the next round',
    where: 'suspected',
    footer: 'answer suspicion',
  },
  'sync-scroll': {
    keys: ['='],
    group: 'Columns',
    description: 'Scroll all columns together, and back',
    where: 'columns',
    footer: 'sync',
  },
  'previous-version': {
    keys: ['['],
    group: 'Columns',
    description: 'Previous synthesis',
    where: 'versions',
    footer: 'older',
  },
  'next-version': {
    keys: [']'],
    group: 'Columns',
    description: 'Next synthesis',
    where: 'versions',
    footer: 'newer',
  },
  compare: {
    keys: ['|'],
    group: 'Columns',
    description: 'Two syntheses side by side, and back',
    where: 'versions',
    footer: 'compare',
  },
  tab: {
    keys: ['1', '2', '3', '4', '5', '6'],
    group: 'Columns',
    description: 'Go to the tab of that number',
    where: 'tabs',
  },
  open: {
    keys: ['enter'],
    group: 'Records',
    description: 'Open what the cursor stands on; follow a link',
    where: 'opens',
    footer: 'open',
  },
  retrace: {
    keys: ['backspace'],
    group: 'Records',
    description: 'Back to where the link was followed from',
    where: 'retraces',
    footer: 'back',
  },
  'filter-status': {
    keys: ['t'],
    group: 'Records',
    description: 'Claims of one status: the next one, at last all',
    where: 'filters',
    footer: 'status',
  },
  'filter-role': {
    keys: ['o'],
    group: 'Records',
    description: 'Claims of one role: the next one, at last all',
    where: 'filters',
    footer: 'role',
  },
  'filter-round': {
    keys: ['u'],
    group: 'Records',
    description: 'Claims of one round: the next one, at last all',
    where: 'filters',
    footer: 'round',
  },
  down: {
    keys: ['j', 'down'],
    group: 'Reading',
    description: 'One row down',
    where: 'always',
  },
  up: {
    keys: ['k', 'up'],
    group: 'Reading',
    description: 'One row up; the text stops following',
    where: 'always',
  },
  'half-down': {
    keys: ['ctrl+d'],
    group: 'Reading',
    description: 'Half a page down',
    where: 'always',
  },
  'half-up': {
    keys: ['ctrl+u'],
    group: 'Reading',
    description: 'Half a page up',
    where: 'always',
  },
  'page-down': {
    keys: ['pagedown', 'space'],
    group: 'Reading',
    description: 'A page down',
    where: 'always',
  },
  'page-up': {
    keys: ['pageup'],
    group: 'Reading',
    description: 'A page up',
    where: 'always',
  },
  top: {
    keys: ['g', 'home'],
    group: 'Reading',
    description: 'To the beginning',
    where: 'always',
  },
  bottom: {
    keys: ['G', 'end'],
    group: 'Reading',
    description: 'To the end, and follow it',
    where: 'always',
  },
  search: {
    keys: ['/'],
    group: 'Reading',
    description: 'Search; in a list: show only what has these words',
    where: 'finds',
    footer: 'search',
  },
  'next-match': {
    keys: ['n'],
    group: 'Reading',
    description: 'Next match',
    where: 'matches',
    footer: 'next match',
  },
  'previous-match': {
    keys: ['N'],
    group: 'Reading',
    description: 'Previous match',
    where: 'matches',
  },
  copy: {
    keys: ['y'],
    group: 'Reading',
    description: 'Copy the text as Markdown',
    where: 'text',
    footer: 'copy',
  },
  'copy-whole': {
    keys: ['Y'],
    group: 'Reading',
    description: 'Copy it with who said it and the question',
    where: 'text',
  },
  save: {
    keys: ['W'],
    group: 'Reading',
    description: 'Save it as a Markdown file of its own',
    where: 'text',
  },
  citations: {
    keys: ['#'],
    group: 'Reading',
    description: 'List what it cites of the attachments, and read it',
    where: 'attached',
    footer: 'citations',
  },
  thinking: {
    keys: ['T'],
    group: 'Columns',
    description: 'Unfold what it thought, and fold it again',
    where: 'thought',
    footer: 'thinking',
  },
  palette: {
    keys: [':'],
    group: 'Console',
    description: 'Choose a command by its name',
    where: 'always',
    footer: 'commands',
  },
  back: {
    keys: ['escape'],
    group: 'Console',
    description: 'Back: close what is open, end a search, leave the zoom',
    where: 'always',
  },
  suspend: {
    keys: ['ctrl+z'],
    group: 'Console',
    description: 'Put the program aside; fg brings it back',
    where: 'always',
  },
  interrupt: {
    keys: ['ctrl+c'],
    group: 'Console',
    description: 'First: stop and keep everything. Again: quit',
    where: 'always',
  },
  help: {
    keys: ['?'],
    group: 'Console',
    description: 'This list',
    where: 'always',
    footer: 'help',
  },
  quit: {
    keys: ['q'],
    group: 'Console',
    description: 'Quit; asks while the run is live',
    where: 'always',
    footer: 'quit',
  },
} as const satisfies Record<string, Binding>;

export type Command = keyof typeof TABLE;
export type Keymap = Readonly<Record<Command, Binding>>;

export const KEYMAP: Keymap = TABLE;
export const GROUPS: readonly Group[] = [
  'Run',
  'Columns',
  'Records',
  'Reading',
  'Replay',
  'Console',
];
