/**
 * The key table of a run: screen → command → keys, what they do, and where. Footers, help, the `:` palette and
 * docs/keys.md are made from it, so they always agree with what keys do. `key-lookup.ts` has the functions that
 * read it.
 */

import { SYSTEM, type System } from '../../platform/system.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { type Binding, type ScreenBinding, screenBindings } from './binding.ts';
import { DIALOG_KEYS, EVALUATION_KEYS, HISTORY_KEYS, HOME_KEYS, WALK_KEYS } from './screen-keys.ts';

/** The headings of the help of a run's screen, in order. */
export const GROUPS = ['Run', 'Columns', 'Records', 'Reading', 'Replay', 'Console'] as const;
/** A heading of the help of a run's screen. */
export type Group = (typeof GROUPS)[number];

interface RunBinding extends Binding {
  readonly group: Group;
  readonly where: Condition;
  /** Where the footer lists it, if that is not everywhere it applies. */
  readonly footerWhere?: Condition;
}

/** A row of the table. `Where` stands for the names of conditions, which `conditions.ts` explains. */
type RunRow<Where extends string = string> = readonly [
  group: Group,
  keys: string,
  description: string,
  where: Where,
  footer?: string,
  footerWhere?: Where,
];

/** The run's commands, in the order of the footer. */
const RUN_KEYS = {
  stop: ['Run', 's', 'Stop the run; answers so far are kept', 'live', 'stop'],
  answer: ['Run', 'A', 'Answer the question the run is waiting on', 'waits', 'answer'],
  'stop-seat': ['Run', 'S', 'Stop this seat only', 'seat speaks', 'stop seat'],
  resume: ['Run', 'c', 'Resume: ask the seats that have not answered', 'unfinished', 'resume'],
  'retry-seat': ['Run', 'R', 'Ask this seat again', 'seat silent', 'ask again'],
  'change-model': [
    'Run',
    'M m',
    'Ask this seat again with another model',
    'seat rests',
    'other model',
    'seat silent',
  ],
  resynthesize: [
    'Run',
    'r',
    'Make another synthesis: other model, instruction, without a seat',
    'answers',
    're-synthesize',
  ],
  'follow-up': [
    'Run',
    'a',
    'Ask the same seats a follow-up question',
    'board answers',
    'follow up',
  ],
  // The command keeps the name `weigh`, although the feature is now called ablation, because people's
  // settings (`keys`) contain the name.
  weigh: [
    'Run',
    'w',
    'Ablation: what changes in the synthesis without each seat',
    'canAblate',
    'ablation',
  ],
  vote: [
    'Columns',
    'v',
    'Vote, who holds what, what each seat carries; again: back',
    'votes',
    'vote',
  ],
  'previous-question': [
    'Columns',
    '{',
    'Previous question, its answers and syntheses',
    'earlier question',
    'earlier',
  ],
  'next-question': ['Columns', '}', 'Next question', 'later question', 'later'],
  export: ['Run', 'e', 'Export: a report, records or the whole run', 'acting', 'export'],
  decide: [
    'Run',
    'D',
    'Record what was decided, and when to look at it again',
    'decides',
    'decide',
  ],
  'next-pane': ['Columns', 'tab right', 'Next column, then the synthesis', 'panes', 'column'],
  'previous-pane': ['Columns', 'shift+tab left', 'Previous column', 'panes'],
  zoom: ['Columns', 'z', 'Zoom to the whole screen; again: back', 'zooms', 'zoom'],
  pause: ['Run', 'p', 'Pause after the calls in progress; again: resume', 'plays', 'pause'],
  faster: ['Replay', '+', 'Play faster', 'plays on', 'faster'],
  slower: ['Replay', '-', 'Play slower', 'plays on', 'slower'],
  'step-forward': ['Replay', '.', 'Skip to the next step', 'plays on', 'skip'],
  'step-back': ['Replay', ',', 'Go back to the previous step', 'replaying', 'back', 'plays on'],
  'phase-forward': ['Replay', '>', 'Skip to the next phase or synthesis', 'plays on'],
  'phase-back': ['Replay', '<', 'Go back to the previous phase', 'replaying'],
  'play-to-end': ['Replay', 'E', 'Skip to the end of the replay', 'plays on', 'end'],
  note: ['Run', 'i', 'Add a note for the seats that are asked next', 'notes heeded', 'note'],
  iteration: ['Run', 'I', 'Add a line to the iteration log of the run', 'acting'],
  stress: ['Run', 'x', 'Choose the role to leave out of the next round', 'rounds live', 'stress'],
  respond: [
    'Run',
    '!',
    'Respond to suspected failure modes in the next round',
    'suspected',
    'answer suspicion',
  ],
  'sync-scroll': [
    'Columns',
    '=',
    'Scroll all columns together; again: separately',
    'columns',
    'sync',
  ],
  'previous-version': ['Columns', '[', 'Previous synthesis', 'versions', 'older'],
  'next-version': ['Columns', ']', 'Next synthesis', 'versions', 'newer'],
  compare: ['Columns', '|', 'Two syntheses side by side; again: back', 'versions', 'compare'],
  tab: ['Columns', '1 2 3 4 5 6 7 8', 'Go to the tab with that number', 'tabs'],
  open: ['Records', 'enter', 'Open what is under the cursor; follow a link', 'opens', 'open'],
  fold: ['Records', 'f', 'Fold or unfold the line', 'folds', 'fold'],
  raw: ['Records', 'd', 'Show the raw text; again: formatted', 'raws', 'raw'],
  retrace: ['Records', 'backspace', 'Back to the link', 'retraces', 'back'],
  'filter-status': [
    'Records',
    't',
    'Filter claims by status, through all values',
    'filters',
    'status',
  ],
  'filter-role': ['Records', 'o', 'Filter claims by role, through all values', 'filters', 'role'],
  'filter-round': [
    'Records',
    'u',
    'Filter claims by round, through all values',
    'filters',
    'round',
  ],
  down: ['Reading', 'j down', 'One row down', 'always'],
  up: ['Reading', 'k up', 'One row up; stops following new text', 'always'],
  'half-down': ['Reading', 'ctrl+d', 'Half a page down', 'always'],
  'half-up': ['Reading', 'ctrl+u', 'Half a page up', 'always'],
  'page-down': ['Reading', 'pagedown space', 'A page down', 'always'],
  'page-up': ['Reading', 'pageup', 'A page up', 'always'],
  top: ['Reading', 'g home', 'To the beginning', 'always'],
  bottom: ['Reading', 'G end', 'To the end; follows new text', 'always'],
  search: ['Reading', '/', 'Search; in a list: show only matches', 'finds', 'search'],
  'next-match': ['Reading', 'n', 'Next match', 'matches', 'next match'],
  'previous-match': ['Reading', 'N', 'Previous match', 'matches'],
  citations: [
    'Reading',
    '#',
    'Sources that the text cites: attachments, records',
    'attached',
    'citations',
    'cites',
  ],
  copy: ['Reading', 'y', 'Copy the text as Markdown', 'text', 'copy'],
  'copy-whole': ['Reading', 'Y', 'Copy the text with its author and the question', 'text'],
  save: ['Reading', 'W', 'Save the text as a Markdown file', 'text'],
  question: ['Reading', 'Q', 'Read the whole question', 'asked', 'question', 'question cut'],
  thinking: ['Columns', 'T', 'Show or hide the thinking of this seat', 'thought', 'thinking'],
  palette: ['Console', ':', 'Choose a command by its name', 'always', 'commands'],
  back: ['Console', 'escape', 'Back: close what is open, end a search, leave the zoom', 'always'],
  suspend: ['Console', 'ctrl+z', 'Suspend the program; fg resumes it', 'always'],
  interrupt: ['Console', 'ctrl+c', 'Stop and keep everything; again: quit', 'always'],
  help: ['Console', '?', 'This list', 'always', 'help'],
  quit: ['Console', 'q', 'Quit; asks while the run is live', 'always', 'quit'],
} as const satisfies Record<string, RunRow>;

/**
 * A screen with commands of its own: `run`, `home`, `history`, `evaluation`, or `walk`, the
 * questions before a run of rounds. `dialogs` means dialogs and texts over any screen.
 */
export type Scope = 'run' | 'home' | 'history' | 'evaluation' | 'walk' | 'dialogs';

interface Rows {
  readonly run: typeof RUN_KEYS;
  readonly home: typeof HOME_KEYS;
  readonly history: typeof HISTORY_KEYS;
  readonly evaluation: typeof EVALUATION_KEYS;
  readonly walk: typeof WALK_KEYS;
  readonly dialogs: typeof DIALOG_KEYS;
}
type RowOf<C extends Command> = Rows['run'][C];
type ConditionOf<Row> = Row extends readonly [string, string, string, infer Where, ...infer Rest]
  ? Where | (Rest extends readonly [string, infer FooterWhere] ? FooterWhere : never)
  : never;
/** The name of a condition under which a key on a run's screen has an effect. */
export type Condition = { [C in Command]: ConditionOf<RowOf<C>> }[Command];

/** The name of a command of a screen. */
export type CommandOf<S extends Scope> = keyof Rows[S] & string;
/** The name of a command of a run's screen. */
export type Command = CommandOf<'run'>;
/** The keys of a command of a screen. */
export type BindingOf<S extends Scope> = S extends 'run' ? RunBinding : ScreenBinding;
/** The keys of all commands, by screen and command. */
export type Keymap = {
  readonly [S in Scope]: Readonly<Record<CommandOf<S>, BindingOf<S>>>;
};

const EVERY_KEY: Keymap = {
  run: runBindings(RUN_KEYS),
  home: screenBindings(HOME_KEYS),
  history: screenBindings(HISTORY_KEYS),
  evaluation: screenBindings(EVALUATION_KEYS),
  walk: screenBindings(WALK_KEYS),
  dialogs: screenBindings(DIALOG_KEYS),
};

/** The built-in keymap for the system that the program runs on. */
export const KEYMAP: Keymap = keymapFor(SYSTEM);

/**
 * Returns the built-in keymap for a system. On Windows `suspend` has no key, because a suspended
 * program could not be resumed.
 */
export function keymapFor(system: System): Keymap {
  if (system !== 'windows') return EVERY_KEY;
  const { run, home, history, evaluation, walk } = EVERY_KEY;
  const removeSuspendKeys = <T extends { readonly suspend: Binding }>(table: T): T => ({
    ...table,
    suspend: { ...table.suspend, keys: [] },
  });
  return {
    run: removeSuspendKeys(run),
    home: removeSuspendKeys(home),
    history: removeSuspendKeys(history),
    evaluation: removeSuspendKeys(evaluation),
    walk: removeSuspendKeys(walk),
    dialogs: EVERY_KEY.dialogs,
  };
}

function runBindings(rows: Readonly<Record<Command, RunRow<Condition>>>): Keymap['run'] {
  const bindings = Object.entries(rows).map(
    ([command, [group, keys, description, where, footer, footerWhere]]) => [
      command,
      {
        group,
        keys: keys.split(' '),
        description,
        where,
        ...withoutUndefined({ footer, footerWhere }),
      },
    ],
  );
  return Object.fromEntries(bindings);
}
