/** The commands: what each takes and where its code is. Loading this file loads none of them. */

import type { FlagName } from '../app/flags.ts';
import type { Invocation } from '../app/invocation.ts';
import { entryOf } from '../kernel/entry.ts';
import { UsageError } from '../kernel/errors.ts';
import { meant } from '../text/nearest.ts';

export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly FlagName[];
  /** What flags mean here, where it is not what they mean elsewhere. */
  readonly own?: Readonly<Partial<Record<FlagName, { hint?: string; description: string }>>>;
  /** Paragraphs below the examples. */
  readonly notes?: readonly string[];
  /** What a shell completes after `--preset`; absent: the names of boards. */
  readonly presets?: 'boards' | 'casts';
  /** The screen it leads to, where the command line says enough for a first frame of it. */
  readonly screen?: 'home' | 'run';
  /** Resolves to the exit code. */
  readonly load: () => Promise<(call: Invocation) => Promise<number>>;
}

const OUTPUT = ['plain', 'json', 'deltas', 'quiet', 'bell', 'yes', 'color'] as const;
const FILES = ['db', 'config'] as const;
const JSON_AT_ONCE = { description: 'the same as JSON' };
const CALLS = ['budgetTokens', 'budgetUsd', 'idleTimeout', 'concurrency', 'rehearseSpeed'] as const;

/** What the program does when it is called by its name alone. */
export const HOME: Command = {
  usage: '',
  summary: 'the console: ask a question, choose who answers, come back to earlier runs',
  flags: ['rehearse', ...CALLS, 'color', ...FILES],
  screen: 'home',
  load: async () => (await import('../app/home/home.ts')).home,
};

export const COMMANDS: Readonly<Record<string, Command>> = {
  board: {
    usage: 'board [QUESTION]',
    summary: 'advisors answer side by side, then a synthesis',
    screen: 'run',
    flags: [
      'seat',
      'preset',
      'model',
      'synthesizer',
      'open',
      'quorum',
      'patience',
      'seatTimeout',
      'vote',
      'baseline',
      'baselineModel',
      'file',
      'ask',
      'attach',
      'rehearse',
      'seed',
      'estimate',
      ...CALLS,
      ...OUTPUT,
      ...FILES,
    ],
    load: async () => (await import('../protocols/board/desk/convene.ts')).board,
  },
  rounds: {
    usage: 'rounds [QUESTION]',
    summary: 'four roles test each other in rounds, until the signals say stop',
    presets: 'casts',
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
      'ask',
      'attach',
      'rehearse',
      'seed',
      'synthesizer',
      'estimate',
      ...CALLS,
      ...OUTPUT,
      ...FILES,
    ],
    load: async () => (await import('../protocols/rounds/desk/convene.ts')).rounds,
  },
  agent: {
    usage: 'agent NAME|FILE [INPUT]',
    summary: 'agents that advise, route, hand off and work in teams, as their files say',
    flags: ['agents', 'model', 'file', 'rehearse', 'seed', ...CALLS, ...OUTPUT, ...FILES],
    own: { model: { description: 'the model of every agent whose file names none by provider' } },
    load: async () => (await import('../protocols/agents/desk/convene.ts')).agent,
  },
  agents: {
    usage: 'agents [check]',
    summary: 'the agents there are; check: what is wrong with them, and who works with whom',
    flags: ['agents', 'json', 'quiet'],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('../protocols/agents/desk/agents.ts')).agents,
  },
  run: {
    usage: 'run FILE [QUESTION]',
    summary: 'a protocol of your own, in TypeScript or JavaScript',
    flags: [
      'set',
      'seat',
      'model',
      'file',
      'ask',
      'rehearse',
      'seed',
      'estimate',
      ...CALLS,
      ...OUTPUT,
      ...FILES,
    ],
    own: {
      set: { hint: 'NAME=VALUE', description: 'a setting of the protocol; repeat for more' },
      seat: { description: 'which model plays one of its roles; repeat for more' },
      estimate: { description: 'say how many calls its file declares, and ask no model' },
    },
    load: async () => (await import('./run.ts')).run,
  },
  protocol: {
    usage: 'protocol new FILE',
    summary: 'write a protocol to begin with, to be held with deliberate run',
    flags: ['quiet'],
    load: async () => (await import('./protocol.ts')).protocol,
  },
  resume: {
    usage: 'resume RUN',
    summary: 'go on where it stopped; what is recorded is not paid again',
    flags: ['takeOver', 'protocol', ...CALLS, ...OUTPUT, ...FILES],
    load: async () => (await import('../app/run/resume.ts')).resume,
  },
  ask: {
    usage: 'ask RUN [QUESTION]',
    summary: 'a further question to the same seats, with what came of the first',
    flags: ['file', 'takeOver', ...CALLS, ...OUTPUT, ...FILES],
    load: async () => (await import('../app/run/resume.ts')).ask,
  },
  retry: {
    usage: 'retry RUN --seat ID[=M]',
    summary: 'ask seats again, with another model if you name one',
    flags: ['seat', 'takeOver', 'protocol', ...CALLS, ...OUTPUT, ...FILES],
    own: {
      seat: {
        hint: 'ID[=PROVIDER/MODEL]',
        description: 'who is asked again, and by which model from now on; repeat for more',
      },
    },
    load: async () => (await import('../app/run/resume.ts')).retry,
  },
  resynthesize: {
    usage: 'resynthesize RUN',
    summary: 'another synthesis from the same answers; nobody is asked again',
    flags: [
      'without',
      'model',
      'note',
      'loadBearing',
      'of',
      'takeOver',
      ...CALLS,
      ...OUTPUT,
      ...FILES,
    ],
    own: { model: { description: 'the model that writes it (that of the run)' } },
    load: async () => (await import('../app/run/resume.ts')).resynthesize,
  },
  fork: {
    usage: 'fork RUN --at STEP',
    summary: 'the same run, gone another way from a step on; only what changes is paid',
    flags: ['at', 'set', 'protocol', ...CALLS, ...OUTPUT, ...FILES],
    load: async () => (await import('../app/run/fork.ts')).fork,
  },
  diff: {
    usage: 'diff RUN RUN',
    summary: 'claims, verdicts and decisions of two runs, side by side',
    flags: ['json', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('../app/run/diff.ts')).diff,
  },
  test: {
    usage: 'test RUN [CLAIM --command "…"]',
    summary: 'put a claim to the test by a command that you approve; kept as evidence',
    flags: [
      'command',
      'timeout',
      'cwd',
      'env',
      'confirmsOnSuccess',
      'refutesOnSuccess',
      'takeOver',
      'yes',
      'json',
      'quiet',
      ...FILES,
    ],
    own: { json: JSON_AT_ONCE, yes: { description: 'run the command without asking' } },
    load: async () => (await import('../protocols/rounds/desk/test.ts')).test,
  },
  open: {
    usage: 'open RUN',
    summary: 'a recorded run in the console, with all that can be done to it; nobody is asked',
    flags: ['takeOver', ...CALLS, 'plain', 'json', 'quiet', 'color', ...FILES],
    load: async () => (await import('../app/home/open.ts')).open,
  },
  history: {
    usage: 'history',
    summary: 'the runs on a screen: search, open, go on, fork, export, remove',
    flags: ['search', 'limit', ...CALLS, 'color', ...FILES],
    load: async () => (await import('../app/home/browse.ts')).browse,
  },
  watch: {
    usage: 'watch RUN',
    summary: 'follow a run from another terminal',
    flags: ['plain', 'json', 'deltas', 'quiet', 'bell', 'color', ...FILES],
    load: async () => (await import('../app/run/watch.ts')).watch,
  },
  replay: {
    usage: 'replay RUN',
    summary: 'plays a recorded run back in the console; nobody is asked',
    flags: ['speed', 'from', 'plain', 'json', 'quiet', 'color', ...FILES],
    load: async () => (await import('../app/run/replay.ts')).replay,
  },
  list: {
    usage: 'list',
    summary: 'the runs, newest first',
    flags: ['search', 'limit', 'json', ...FILES],
    own: { json: { description: 'one run a line, as JSON' } },
    load: async () => (await import('./list.ts')).list,
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
    flags: ['format', 'to', 'yes', ...FILES],
    own: { yes: { description: 'replace a file that is there' } },
    load: async () => (await import('./export.ts')).exportRun,
  },
  import: {
    usage: 'import FILE|-',
    summary: 'take in a run that was exported as JSON; it can be resumed and forked here',
    flags: [...FILES],
    load: async () => (await import('./export.ts')).importRun,
  },
  rm: {
    usage: 'rm RUN…',
    summary: 'remove runs for good, with every word of them',
    flags: ['yes', 'takeOver', ...FILES],
    own: { yes: { description: 'remove without asking' } },
    load: async () => (await import('./history.ts')).remove,
  },
  validate: {
    usage: 'validate DIR|RUN',
    summary: 'the integrity of the records of a deliberation in rounds',
    flags: ['json', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('../protocols/rounds/desk/records.ts')).validate,
  },
  signals: {
    usage: 'signals DIR|RUN',
    summary: 'the six stopping signals and the eight failure modes',
    flags: ['explain', 'json', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('../protocols/rounds/desk/records.ts')).signals,
  },
  presets: {
    usage: 'presets [KIND]',
    summary: 'roles, boards, casts and questions; presets copy KIND/NAME makes one yours; check',
    flags: ['to', 'json'],
    own: {
      to: { hint: 'project|user', description: 'whose the copy is to be (default user)' },
      json: JSON_AT_ONCE,
    },
    load: async () => (await import('./presets-command.ts')).presets,
  },
  config: {
    usage: 'config [check]',
    summary: 'the settings in force, and where each comes from; check names what is wrong',
    flags: [
      'preset',
      'model',
      'synthesizer',
      'verifier',
      'open',
      'rounds',
      'stopAt',
      'respond',
      'budgetTokens',
      'budgetUsd',
      'idleTimeout',
      'concurrency',
      'json',
      ...FILES,
    ],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('./config-command.ts')).config,
  },
  completions: {
    usage: 'completions bash|zsh|fish',
    summary: 'a script that completes commands, flags, runs and presets in your shell',
    flags: [...FILES],
    notes: [
      'bash and fish load the file from that folder in a new shell. For zsh, write it as _deliberate',
      'into a folder of your $fpath: deliberate completions zsh > "$fpath[1]/_deliberate"',
    ],
    load: async () => {
      const { completions } = await import('./completions.ts');
      return (call) => completions(COMMANDS, call);
    },
  },
  models: {
    usage: 'models',
    summary: 'the models that can be reached, and what is known of them',
    flags: ['prices', 'json', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('./models.ts')).models,
  },
  doctor: {
    usage: 'doctor [MODEL…]',
    summary: 'what works with each provider and model, and what to do where it does not',
    flags: ['quick', 'thorough', 'idleTimeout', 'yes', 'json', 'quiet', ...FILES],
    own: { yes: { description: 'make calls that are paid, too' }, json: JSON_AT_ONCE },
    load: async () => (await import('./doctor.ts')).doctor,
  },
};

/** @throws UsageError listing those there are. */
export function commandNamed(name: string): Command {
  const command = entryOf(COMMANDS, name);
  if (command !== undefined) return command;
  const names = Object.keys(COMMANDS);
  throw new UsageError(
    `unknown command "${name}"`,
    `${meant(name, names)}The commands are ${names.join(', ')}; deliberate --help explains them.`,
  );
}
