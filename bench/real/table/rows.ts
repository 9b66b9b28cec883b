/** The rows of the run table: what is run, on what, and how it is disturbed. */
import type { FolderName } from './folders.ts';

/** One thing that a row does. Arguments are those of the program, without its name. */
export type Step =
  /** Runs a command to its end. */
  | { readonly kind: 'run'; readonly args: readonly string[] }
  /** Runs commands at the same time, in one data folder. */
  | { readonly kind: 'beside'; readonly commands: readonly (readonly string[])[] }
  /**
   * Runs a command in a pseudo-terminal and presses keys, one a second, after `afterCalls` calls have
   * ended.
   */
  | (Disturbed & { readonly kind: 'press'; readonly keys: readonly string[] })
  /** Kills the program with SIGKILL after `afterCalls` calls have ended. */
  | (Disturbed & { readonly kind: 'kill' })
  /** Kills the server after `afterCalls` calls have ended, and starts it again after some seconds. */
  | (Disturbed & { readonly kind: 'outage'; readonly seconds: number })
  /** Starts a panel as a coding agent does, over the Model Context Protocol. */
  | { readonly kind: 'convene'; readonly given: Readonly<Record<string, unknown>> };

interface Disturbed {
  readonly args: readonly string[];
  /** How many calls end before the disturbance, which then waits for the next call to begin. */
  readonly afterCalls: number;
}

/** A row of the table. */
export interface Row {
  readonly name: string;
  /**
   * The session of the row. Rows of one session share a data folder; the first of them begins the run that
   * the others continue.
   */
  readonly session: string;
  readonly folder: FolderName;
  /** Seconds after which a step is ended, and counts as not having ended by itself. */
  readonly limit: number;
  readonly steps: readonly Step[];
  /** Whether the row needs an embedding model instead of one that answers. */
  readonly embeds?: boolean;
  /** The size of the server's context in tokens, for rows about small contexts. */
  readonly window?: number;
}

const QUESTION = 'Should we split the monolith?';
const RELEASES = 'How long does a release take?';
/** Flags for runs without a person whose output a program reads. */
const ALONE = ['--plain', '--yes'];

/** Commands that are run one after another, each to its end. */
function commands(...lines: readonly (readonly string[])[]): Step[] {
  return lines.map((args) => ({ kind: 'run', args }));
}

function row(name: string, steps: readonly Step[], more: Partial<Row> = {}): Row {
  return { name, session: name, folder: 'empty', limit: 1_800, steps, ...more };
}

const board = ['board', QUESTION, ...ALONE];
const rounds = (...args: string[]): string[] => ['rounds', ...args, ...ALONE, QUESTION];

const METHODS: Readonly<Record<string, string>> = {
  standard: QUESTION,
  oxford: 'This house would split the monolith',
  advocate: QUESTION,
  socratic: 'A monolith is always slower to change than services',
  delphi: 'How many weeks would it take to split the monolith?',
  brainstorm: 'How could we make releases of the monolith faster?',
  tradeoff: 'Postgres, SQLite or files for the notes of one person?',
};

/** What a team is asked to do in each repository. */
const GOALS: Readonly<Partial<Record<FolderName, string>>> = {
  'sum-node': 'Make sum([]) return 0 instead of undefined, with a test',
  'sum-python': 'Add a function mean(numbers) to sums.py, with a test',
};

/** The rows in the order in which they are run, cheap ones first. */
export const ROWS: readonly Row[] = [
  row('models', commands(['models']), { limit: 60 }),
  row('doctor', commands(['doctor', '--yes'])),
  row('board', commands(board)),
  row('ask', commands(['ask', 'latest', ...ALONE, 'And if it fails?']), { session: 'board' }),
  row('resynthesize', commands(['resynthesize', 'latest', ...ALONE]), { session: 'board' }),
  row('retry', commands(['retry', 'latest', '--seat', 'critic', ...ALONE]), { session: 'board' }),
  row(
    'fork',
    commands(['fork', 'latest', '--at', 'synthesis/1', '--set', 'synthesizer=MODEL', ...ALONE]),
    { session: 'board' },
  ),
  row('board with documents', commands([...board, '--attach', 'docs']), { folder: 'notes' }),
  ...[2_048, 4_096].map((window) =>
    row(`board at ${window}`, commands([...board, '--attach', 'docs']), {
      folder: 'notes',
      window,
    }),
  ),
  row(
    'context',
    commands(
      ['context', 'add', 'docs', '--embed', 'EMBEDDING'],
      ['context', 'search', RELEASES, '--explain'],
      ['context', 'gaps', 'releases', '--question', RELEASES],
    ),
    { folder: 'notes', embeds: true },
  ),
  row('agent', commands(['agent', 'decision-review', ...ALONE, QUESTION])),
  row('agent, routed', commands(['agent', 'triage', ...ALONE, QUESTION])),
  row('stop by key', [
    { kind: 'press', args: ['board', QUESTION], afterCalls: 1, keys: ['s', 'q'] },
  ]),
  row('kill and resume', [
    { kind: 'kill', args: board, afterCalls: 1 },
    ...commands(['resume', 'latest', ...ALONE]),
  ]),
  row('two consoles', [{ kind: 'beside', commands: [board, [...board, '--seed', '2']] }]),
  row('server killed', [{ kind: 'outage', args: board, afterCalls: 1, seconds: 10 }]),
  row('convene', [{ kind: 'convene', given: { question: QUESTION } }]),
  ...Object.entries(METHODS).map(([method, question]) =>
    row(`debate ${method}`, commands(['debate', '--method', method, ...ALONE, question])),
  ),
  row('one round', commands(rounds('--rounds', '1'))),
  row(
    'one round with documents',
    commands(rounds('--rounds', '1', '--stress', 'none', '--attach', 'docs')),
    { folder: 'notes' },
  ),
  row('rounds', commands(rounds('--rounds', 'brief'))),
  row('rounds without absences', commands(rounds('--rounds', '3', '--stress', 'none'))),
  row('rounds with documents', commands(rounds('--rounds', '3', '--attach', 'docs')), {
    folder: 'notes',
  }),
  ...[2_048, 4_096, 8_192].map((window) =>
    row(`rounds at ${window}`, commands(rounds('--rounds', '1', '--attach', 'docs')), {
      folder: 'notes',
      window,
    }),
  ),
  row(
    'plan',
    commands(['context', 'add', 'docs'], ['plan', 'docs/planning/increment/topic.md', ...ALONE]),
    { folder: 'pebbles' },
  ),
  row(
    'short plan',
    commands(
      ['context', 'add', 'docs'],
      [
        ...['plan', 'docs/planning/increment/topic.md', ...ALONE],
        ...['--rounds', '1', '--researchers', '1', '--gate-tokens', '1000'],
      ],
    ),
    { folder: 'pebbles' },
  ),
  ...[2_048, 4_096, 8_192].flatMap((window) => [
    row(
      `plan at ${window}`,
      commands(['context', 'add', 'docs'], ['plan', 'docs/planning/increment/topic.md', ...ALONE]),
      { folder: 'pebbles', window },
    ),
    row(`debate at ${window}`, commands(['debate', '--method', 'standard', ...ALONE, QUESTION]), {
      window,
    }),
    row(
      `convene at ${window}`,
      [{ kind: 'convene', given: { question: QUESTION, kind: 'rounds', rounds: 1 } }],
      { window },
    ),
    row(
      `eval at ${window}`,
      commands(['eval', 'puzzles', '--arms', 'single,rounds:1', '--size', '1', ...ALONE]),
      { window },
    ),
    row(
      `team at ${window}`,
      commands(['team', GOALS['sum-node'] ?? '', '--unsandboxed', ...ALONE]),
      {
        folder: 'sum-node',
        window,
      },
    ),
  ]),
  ...(Object.entries(GOALS) as [FolderName, string][]).map(([folder, goal]) =>
    row(`team, ${folder}`, commands(['team', goal, '--unsandboxed', ...ALONE]), { folder }),
  ),
  row(
    'eval',
    commands(['eval', 'puzzles', '--arms', 'single,board', '--size', '10', '--plain', '--yes']),
  ),
];

/** The rows that take seconds on a fast model, for a quick check. */
export const SHORT_ROWS: readonly string[] = ['models', 'board', 'ask', 'agent'];
