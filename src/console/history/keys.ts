/** The history's keys, in one table. */
export interface HistoryBinding {
  readonly keys: readonly string[];
  readonly description: string;
  /** The word in the footer; absent: the key is only in the help. */
  readonly footer?: string;
}

const TABLE = {
  open: {
    keys: ['enter'],
    description: 'Open the run; one that is worked on elsewhere is watched',
    footer: 'open',
  },
  search: {
    keys: ['/'],
    description: 'Runs with these words in questions and answers',
    footer: 'search',
  },
  resume: { keys: ['r'], description: 'Go on with a run that has not finished', footer: 'go on' },
  replay: {
    keys: ['p'],
    description: 'Play the run back as it went; nobody is asked',
    footer: 'replay',
  },
  export: { keys: ['e'], description: 'Write the report as Markdown', footer: 'export' },
  fork: {
    keys: ['f'],
    description: 'The same run, gone another way: only what changes is asked again',
    footer: 'fork',
  },
  remove: { keys: ['x', 'delete'], description: 'Remove the run for good; asks', footer: 'remove' },
  down: { keys: ['down', 'j', 'tab'], description: 'Down' },
  up: { keys: ['up', 'k', 'shift+tab'], description: 'Up' },
  'page-down': { keys: ['pagedown', 'space', 'ctrl+d'], description: 'A page down' },
  'page-up': { keys: ['pageup', 'ctrl+u'], description: 'A page up' },
  top: { keys: ['g', 'home'], description: 'To the newest' },
  bottom: { keys: ['G', 'end'], description: 'To the oldest' },
  help: { keys: ['?'], description: 'This list', footer: 'help' },
  suspend: { keys: ['ctrl+z'], description: 'Put the program aside; fg brings it back' },
  back: {
    keys: ['q', 'escape', 'ctrl+c'],
    description: 'Back; ends a search first',
    footer: 'back',
  },
} as const satisfies Record<string, HistoryBinding>;

export type HistoryCommand = keyof typeof TABLE;

const HISTORY_KEYS: Readonly<Record<HistoryCommand, HistoryBinding>> = TABLE;

export function historyCommands(): [HistoryCommand, HistoryBinding][] {
  return Object.entries(HISTORY_KEYS) as [HistoryCommand, HistoryBinding][];
}

export function historyCommand(key: string): HistoryCommand | undefined {
  return historyCommands().find(([, { keys }]) => keys.includes(key))?.[0];
}
