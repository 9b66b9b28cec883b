/** The commands: what each takes and where its code is. Loading this file loads none of them. */
import type { FlagName } from './flags.ts';
import type { Invocation } from './invocation.ts';

export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly FlagName[];
  /** Resolves to the exit code. */
  readonly load: () => Promise<(call: Invocation) => Promise<number>>;
}

const OUTPUT = ['plain', 'json', 'deltas', 'quiet', 'yes', 'color'] as const;
const FILES = ['db', 'config'] as const;
const CALLS = ['budgetTokens', 'budgetUsd', 'idleTimeout', 'concurrency', 'rehearseSpeed'] as const;

/** What the program does when it is called by its name alone. */
export const HOME: Command = {
  usage: '',
  summary: 'the console: ask a question, choose who answers, come back to earlier runs',
  flags: ['rehearse', ...CALLS, 'color', ...FILES],
  load: async () => (await import('./home.ts')).home,
};

export const COMMANDS: Readonly<Record<string, Command>> = {
  board: {
    usage: 'board [QUESTION]',
    summary: 'advisors answer side by side, then a synthesis',
    flags: [
      'seat',
      'preset',
      'model',
      'synthesizer',
      'open',
      'file',
      'attach',
      'rehearse',
      'seed',
      ...CALLS,
      ...OUTPUT,
      ...FILES,
    ],
    load: async () => (await import('./board.ts')).board,
  },
  rounds: {
    usage: 'rounds [QUESTION]',
    summary: 'four roles test each other in rounds, until the signals say stop',
    flags: [
      'cast',
      'preset',
      'seat',
      'model',
      'verifier',
      'rounds',
      'stress',
      'driftEvery',
      'stopAt',
      'respond',
      'control',
      'file',
      'attach',
      'rehearse',
      'seed',
      'synthesizer',
      ...CALLS,
      ...OUTPUT,
      ...FILES,
    ],
    load: async () => (await import('./rounds.ts')).rounds,
  },
  resume: {
    usage: 'resume RUN',
    summary: 'go on where it stopped; what is recorded is not paid again',
    flags: [...CALLS, ...OUTPUT, ...FILES],
    load: async () => (await import('./resume.ts')).resume,
  },
  resynthesize: {
    usage: 'resynthesize RUN',
    summary: 'another synthesis from the same answers; nobody is asked again',
    flags: ['without', 'model', 'note', ...CALLS, ...OUTPUT, ...FILES],
    load: async () => (await import('./resume.ts')).resynthesize,
  },
  fork: {
    usage: 'fork RUN --at STEP',
    summary: 'the same run, gone another way from a step on; only what changes is paid',
    flags: ['at', 'set', ...CALLS, ...OUTPUT, ...FILES],
    load: async () => (await import('./fork.ts')).fork,
  },
  diff: {
    usage: 'diff RUN RUN',
    summary: 'claims, verdicts and decisions of two runs, side by side',
    flags: ['json', ...FILES],
    load: async () => (await import('./diff.ts')).diff,
  },
  test: {
    usage: 'test RUN CLAIM --command "…"',
    summary: 'put a claim to the test by a command that you approve; kept as evidence',
    flags: [
      'command',
      'timeout',
      'cwd',
      'confirmsOnSuccess',
      'refutesOnSuccess',
      'yes',
      'json',
      'quiet',
      ...FILES,
    ],
    load: async () => (await import('./test.ts')).test,
  },
  open: {
    usage: 'open RUN',
    summary: 'a recorded run in the console, with all that can be done to it; nobody is asked',
    flags: [...CALLS, 'plain', 'json', 'quiet', 'color', ...FILES],
    load: async () => (await import('./open.ts')).open,
  },
  history: {
    usage: 'history',
    summary: 'the runs on a screen: search, open, go on, fork, export, remove',
    flags: ['search', 'limit', ...CALLS, 'color', ...FILES],
    load: async () => (await import('./browse.ts')).browse,
  },
  watch: {
    usage: 'watch RUN',
    summary: 'follow a run from another terminal',
    flags: ['plain', 'json', 'deltas', 'quiet', 'color', ...FILES],
    load: async () => (await import('./watch.ts')).watch,
  },
  list: {
    usage: 'list',
    summary: 'the runs, newest first',
    flags: ['search', 'limit', 'json', ...FILES],
    load: async () => (await import('./history.ts')).list,
  },
  show: {
    usage: 'show RUN',
    summary: 'a run as text: answers, synthesis, what is missing',
    flags: ['json', ...FILES],
    load: async () => (await import('./history.ts')).show,
  },
  export: {
    usage: 'export RUN',
    summary: 'a report to send, or the whole run as JSON',
    flags: ['format', 'to', ...FILES],
    load: async () => (await import('./history.ts')).exportRun,
  },
  rm: {
    usage: 'rm RUN',
    summary: 'remove a run for good',
    flags: ['yes', ...FILES],
    load: async () => (await import('./history.ts')).remove,
  },
  validate: {
    usage: 'validate DIR|RUN',
    summary: 'the integrity of the records of a deliberation in rounds',
    flags: ['json', ...FILES],
    load: async () => (await import('./records.ts')).validate,
  },
  signals: {
    usage: 'signals DIR|RUN',
    summary: 'the six stopping signals and the eight failure modes',
    flags: ['json', ...FILES],
    load: async () => (await import('./records.ts')).signals,
  },
  models: {
    usage: 'models',
    summary: 'the models that can be reached',
    flags: ['json', ...FILES],
    load: async () => (await import('./models.ts')).models,
  },
};
