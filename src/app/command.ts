/** The description of a command, and groups of flags that many commands accept. */
import type { FlagName } from './flags.ts';
import type { Invocation } from './invocation.ts';

export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly FlagName[];
  /** Hints and descriptions of flags that mean something else for this command. */
  readonly own?: Readonly<Partial<Record<FlagName, { hint?: string; description: string }>>>;
  /** Paragraphs below the examples. */
  readonly notes?: readonly string[];
  /** The kind of preset that a shell completes after `--preset`. Default: boards. */
  readonly presets?: 'boards' | 'casts' | 'staffs' | 'methods';
  /** The screen that the command opens, if the command line alone suffices for its first frame. */
  readonly screen?: 'home' | 'run';
  /** Loads the command's code. The loaded function resolves to the exit code. */
  readonly load: () => Promise<(call: Invocation) => Promise<number>>;
}

const OUTPUT = ['plain', 'json', 'deltas', 'quiet', 'bell', 'yes', 'color'] as const;
export const FILES = ['db', 'config'] as const;
export const JSON_AT_ONCE = { description: 'Print as JSON' };
export const CALLS = [
  'budgetTokens',
  'budgetUsd',
  'idleTimeout',
  'concurrency',
  'rehearseSpeed',
  'unsandboxed',
  'content',
] as const;

/** Flags of every command that works on a run. */
export const WORK = [...CALLS, ...OUTPUT, ...FILES] as const;
/** Flags that choose seats and their models. */
export const MODELS = ['seat', 'model', 'effort'] as const;
/** Flags for a question that is not on the command line, and for texts that seats may read. */
export const MATERIAL = [
  'file',
  'ask',
  'attach',
  'encoding',
  'allowPrivate',
  'look',
  'tools',
] as const;
/** Flags that choose where a run's log is kept. */
export const ENGINE = ['engine', 'restate'] as const;
/** Flags of every command that starts a run. */
export const BEGIN = ['rehearse', 'seed', ...WORK] as const;
