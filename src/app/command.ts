/** The description of a command, and groups of flags that many commands accept. */
import type { FlagName } from './flags.ts';
import type { Invocation } from './invocation.ts';
import type { TypedCall } from './typed-call.ts';

/** A command of the program: its help, its flags, and how its code is loaded. */
export interface Command {
  /** How the command is typed: `resume [RUN]`. */
  readonly usage: string;
  /** What the command does, in a phrase. */
  readonly summary: string;
  /** The flags that the command accepts. */
  readonly flags: readonly FlagName[];
  /** The help of flags whose meaning differs for this command. */
  readonly own?: Readonly<Partial<Record<FlagName, { hint?: string; description: string }>>>;
  /** Paragraphs of the help, below the examples. */
  readonly notes?: readonly string[];
  /** The kind of preset that a shell completes after `--preset`. Default: boards. */
  readonly presets?: 'boards' | 'casts' | 'staffs' | 'methods';
  /**
   * The screen that the command opens. Set only if the command line alone can suffice to draw the
   * first frame.
   */
  readonly screen?: 'home' | 'run';
  /** Loads the command's code. The loaded function resolves to the exit code. */
  readonly load: () => Promise<(call: Invocation) => Promise<number>>;
  /** Set for a command that begins before the protocols are loaded; `load` loads the same code. */
  readonly loadQuick?: () => Promise<QuickRun>;
}

/** Performs a command that needs no protocols at first. `complete` loads them. */
type QuickRun = (call: TypedCall, complete: () => Promise<Invocation>) => Promise<number>;

/**
 * Returns the two loaders of a command that can start before the protocols are loaded: `loadQuick`
 * starts it without the protocols, and `load` starts the same code with everything loaded.
 */
export function makeQuickLoaders(
  load: () => Promise<QuickRun>,
): Pick<Command, 'load' | 'loadQuick'> {
  return {
    loadQuick: load,
    load: async () => {
      const run = await load();
      return (call) => run(call, async () => call);
    },
  };
}

const OUTPUT = ['plain', 'json', 'deltas', 'quiet', 'bell', 'yes', 'color'] as const;
/** The names of the flags that choose the database and the configuration file. */
export const FILES = ['db', 'config'] as const;
/** The help of `--json` for commands that print their whole result at once. */
export const JSON_AT_ONCE = { description: 'Print as JSON' };
/**
 * The names of the flags that limit or change how models are called, what may run without a sandbox, and what
 * traces contain.
 */
export const CALLS = [
  'budgetTokens',
  'budgetUsd',
  'idleTimeout',
  'concurrency',
  'rehearseSpeed',
  'unsandboxed',
  'content',
] as const;

/** The names of the flags of every command that continues or starts a run. */
export const WORK = [...CALLS, ...OUTPUT, ...FILES] as const;
/** The names of the flags that choose seats and their models. */
export const MODELS = ['seat', 'model', 'effort'] as const;
/**
 * The names of the flags by which a command reads its question from elsewhere, and by which seats
 * get texts, folders and tools to read.
 */
export const MATERIAL = [
  'file',
  'ask',
  'attach',
  'encoding',
  'allowPrivate',
  'look',
  'tools',
] as const;
/**
 * The names of the flags that choose where a run's log is kept: in the local database or at a
 * Restate server.
 */
export const ENGINE = ['engine', 'restate'] as const;
/** The names of the flags of every command that starts a run. */
export const BEGIN = ['rehearse', 'seed', ...WORK] as const;
