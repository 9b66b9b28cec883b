/** What a command says of itself, and the flags that many of them take. */
import type { FlagName } from './flags.ts';
import type { Invocation } from './invocation.ts';

export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly FlagName[];
  /** What flags mean here, where it is not what they mean elsewhere. */
  readonly own?: Readonly<Partial<Record<FlagName, { hint?: string; description: string }>>>;
  /** Paragraphs below the examples. */
  readonly notes?: readonly string[];
  /** What a shell completes after `--preset`; absent: the names of boards. */
  readonly presets?: 'boards' | 'casts' | 'staffs' | 'methods';
  /** The screen it leads to, where the command line says enough for a first frame of it. */
  readonly screen?: 'home' | 'run';
  /** Resolves to the exit code. */
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

/** Of every command that works on a run. */
export const WORK = [...CALLS, ...OUTPUT, ...FILES] as const;
/** Who sits, and with which models. */
export const MODELS = ['seat', 'model', 'effort'] as const;
/** Where a question comes from other than the command line, and what seats may read besides. */
export const MATERIAL = [
  'file',
  'ask',
  'attach',
  'encoding',
  'allowPrivate',
  'look',
  'tools',
] as const;
/** Where the log of a run is kept. */
export const ENGINE = ['engine', 'restate'] as const;
/** Of every command that begins a run. */
export const BEGIN = ['rehearse', 'seed', ...WORK] as const;
