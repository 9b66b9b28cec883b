/** The rows of the run table: what is run, on what, and how it is disturbed. */
import type { FolderName } from './folders.ts';

/**
 * One thing that a row of the table of `npm run real` does with the program. Arguments do not include the
 * program's name.
 */
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

/** A row of the table of `npm run real`: what is run, and in which folder. */
export interface Row {
  readonly name: string;
  /**
   * The session of the row. Rows of one session share a data folder; the first of them begins the run that
   * the others continue.
   */
  readonly session: string;
  /** The small repository in which the commands run. */
  readonly folder: FolderName;
  /** Seconds after which a command is killed and counts as too late. */
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
function makeSteps(...lines: readonly (readonly string[])[]): Step[] {
  return lines.map((args) => ({ kind: 'run', args }));
}

function makeRow(name: string, steps: readonly Step[], more: Partial<Row> = {}): Row {
  return { name, session: name, folder: 'empty', limit: 1_800, steps, ...more };
}

const board = ['board', QUESTION, ...ALONE];
const makeRoundsArgs = (...args: string[]): string[] => ['rounds', ...args, ...ALONE, QUESTION];

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

/** All rows of the table of `npm run real`, in the order in which they are run. */
export const ROWS: readonly Row[] = [
  makeRow('models', makeSteps(['models']), { limit: 60 }),
  makeRow('doctor', makeSteps(['doctor', '--yes'])),
  makeRow('board', makeSteps(board)),
  makeRow('ask', makeSteps(['ask', 'latest', ...ALONE, 'And if it fails?']), { session: 'board' }),
  makeRow('resynthesize', makeSteps(['resynthesize', 'latest', ...ALONE]), { session: 'board' }),
  makeRow('retry', makeSteps(['retry', 'latest', '--seat', 'critic', ...ALONE]), {
    session: 'board',
  }),
  makeRow(
    'fork',
    makeSteps(['fork', 'latest', '--at', 'synthesis/1', '--set', 'synthesizer=MODEL', ...ALONE]),
    { session: 'board' },
  ),
  makeRow('board with documents', makeSteps([...board, '--attach', 'docs']), { folder: 'notes' }),
  ...[2_048, 4_096].map((window) =>
    makeRow(`board at ${window}`, makeSteps([...board, '--attach', 'docs']), {
      folder: 'notes',
      window,
    }),
  ),
  makeRow(
    'context',
    makeSteps(
      ['context', 'add', 'docs', '--embed', 'EMBEDDING'],
      ['context', 'search', RELEASES, '--explain'],
      ['context', 'gaps', 'releases', '--question', RELEASES],
    ),
    { folder: 'notes', embeds: true },
  ),
  makeRow('agent', makeSteps(['agent', 'decision-review', ...ALONE, QUESTION])),
  makeRow('agent, routed', makeSteps(['agent', 'triage', ...ALONE, QUESTION])),
  makeRow('stop by key', [
    { kind: 'press', args: ['board', QUESTION], afterCalls: 1, keys: ['s', 'q'] },
  ]),
  makeRow('kill and resume', [
    { kind: 'kill', args: board, afterCalls: 1 },
    ...makeSteps(['resume', 'latest', ...ALONE]),
  ]),
  makeRow('two consoles', [{ kind: 'beside', commands: [board, [...board, '--seed', '2']] }]),
  makeRow('server killed', [{ kind: 'outage', args: board, afterCalls: 1, seconds: 10 }]),
  makeRow('convene', [{ kind: 'convene', given: { question: QUESTION } }]),
  ...Object.entries(METHODS).map(([method, question]) =>
    makeRow(`debate ${method}`, makeSteps(['debate', '--method', method, ...ALONE, question])),
  ),
  makeRow('one round', makeSteps(makeRoundsArgs('--rounds', '1'))),
  makeRow(
    'one round with documents',
    makeSteps(makeRoundsArgs('--rounds', '1', '--stress', 'none', '--attach', 'docs')),
    { folder: 'notes' },
  ),
  makeRow('rounds', makeSteps(makeRoundsArgs('--rounds', 'brief'))),
  makeRow(
    'rounds without absences',
    makeSteps(makeRoundsArgs('--rounds', '3', '--stress', 'none')),
  ),
  makeRow('rounds with documents', makeSteps(makeRoundsArgs('--rounds', '3', '--attach', 'docs')), {
    folder: 'notes',
  }),
  ...[2_048, 4_096, 8_192].map((window) =>
    makeRow(`rounds at ${window}`, makeSteps(makeRoundsArgs('--rounds', '1', '--attach', 'docs')), {
      folder: 'notes',
      window,
    }),
  ),
  makeRow(
    'plan',
    makeSteps(['context', 'add', 'docs'], ['plan', 'docs/planning/increment/topic.md', ...ALONE]),
    { folder: 'pebbles' },
  ),
  makeRow(
    'short plan',
    makeSteps(
      ['context', 'add', 'docs'],
      [
        ...['plan', 'docs/planning/increment/topic.md', ...ALONE],
        ...['--rounds', '1', '--researchers', '1', '--gate-tokens', '1000'],
      ],
    ),
    { folder: 'pebbles' },
  ),
  ...[2_048, 4_096, 8_192].flatMap((window) => [
    makeRow(
      `plan at ${window}`,
      makeSteps(['context', 'add', 'docs'], ['plan', 'docs/planning/increment/topic.md', ...ALONE]),
      { folder: 'pebbles', window },
    ),
    makeRow(
      `debate at ${window}`,
      makeSteps(['debate', '--method', 'standard', ...ALONE, QUESTION]),
      {
        window,
      },
    ),
    makeRow(
      `convene at ${window}`,
      [{ kind: 'convene', given: { question: QUESTION, kind: 'rounds', rounds: 1 } }],
      { window },
    ),
    makeRow(
      `eval at ${window}`,
      makeSteps(['eval', 'puzzles', '--arms', 'single,rounds:1', '--size', '1', ...ALONE]),
      { window },
    ),
    makeRow(
      `team at ${window}`,
      makeSteps(['team', GOALS['sum-node'] ?? '', '--unsandboxed', ...ALONE]),
      {
        folder: 'sum-node',
        window,
      },
    ),
  ]),
  ...(Object.entries(GOALS) as [FolderName, string][]).map(([folder, goal]) =>
    makeRow(`team, ${folder}`, makeSteps(['team', goal, '--unsandboxed', ...ALONE]), { folder }),
  ),
  makeRow(
    'eval',
    makeSteps(['eval', 'puzzles', '--arms', 'single,board', '--size', '10', '--plain', '--yes']),
  ),
];

/** The names of the rows of the table of `npm run real` that take seconds on a fast model. */
export const SHORT_ROWS: readonly string[] = ['models', 'board', 'ask', 'agent'];
