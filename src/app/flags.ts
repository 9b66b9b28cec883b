/**
 * Every flag there is, once: what it takes, what it means, and how its value is read. Each start of the
 * program waits for this file, so nothing is imported here that takes time to load.
 */

import { EFFORTS } from '../io/efforts.ts';
import { milliseconds } from '../kernel/duration.ts';
import { UsageError } from '../kernel/errors.ts';
import type { FLAGS } from './flag-list.ts';
import {
  boolean,
  number,
  oneOf,
  optional,
  otherwise,
  type Reader,
  several,
  string,
} from './flag-values.ts';

export { FLAGS, type FlagInfo } from './flag-list.ts';

export const BELLS = ['never', 'bell', 'notice'] as const;
/** How a person is called who has looked away. */
export type Bell = (typeof BELLS)[number];

export type FlagName = keyof typeof FLAGS;

const text = optional(string);
const onOff = optional(boolean);
const off = otherwise(false, boolean);
const positive = number({ whole: true, above: 0 });
const amount = number({ above: 0 });
const duration: Reader<number> = (given) => milliseconds(string(given));

const READERS = {
  seat: several,
  preset: text,
  method: text,
  agents: text,
  model: text,
  effort: optional(oneOf(...EFFORTS)),
  synthesizer: text,
  verifier: text,
  cast: several,
  rounds: text,
  stress: several,
  driftEvery: optional(positive),
  stopAt: optional((given) => {
    const signals = oneOf('4', '5', '6', 'never', 'ask')(given);
    return signals === 'never' || signals === 'ask' ? signals : (Number(signals) as 4 | 5 | 6);
  }),
  respond: optional(oneOf('report', 'auto')),
  control: off,
  open: onOff,
  quorum: text,
  patience: optional(duration),
  seatTimeout: optional(duration),
  vote: onOff,
  baseline: text,
  baselineModel: text,
  loadBearing: off,
  of: optional(positive),
  file: text,
  ask: text,
  attach: several,
  look: several,
  budgetTokens: optional(positive),
  budgetUsd: optional(amount),
  quick: off,
  thorough: off,
  estimate: off,
  prices: off,
  idleTimeout: optional(duration),
  concurrency: optional(positive),
  rehearse: off,
  rehearseSpeed: otherwise(1, amount),
  seed: optional(number({ whole: true, least: 0 })),
  note: text,
  without: several,
  at: text,
  set: several,
  protocol: text,
  command: text,
  timeout: otherwise(60_000, duration),
  cwd: text,
  env: several,
  confirmsOnSuccess: off,
  refutesOnSuccess: off,
  search: text,
  limit: optional(positive),
  format: optional(oneOf('markdown', 'md', 'html', 'json', 'records', 'otlp', 'inspect')),
  arms: text,
  panel: text,
  primary: text,
  size: text,
  batch: off,
  content: off,
  to: text,
  repo: text,
  callIn: several,
  researchers: optional(number({ whole: true, least: 0, most: 10 })),
  gateTokens: optional(positive),
  write: text,
  watch: off,
  branch: text,
  push: off,
  run: text,
  diff: off,
  planOnly: off,
  parallel: optional(number({ whole: true, least: 1, most: 16 })),
  deliver: optional(oneOf('branch', 'forward', 'request')),
  provide: several,
  setUp: text,
  unsandboxed: off,
  runtime: optional(oneOf('standard', 'command', 'acp')),
  taskTimeout: otherwise(1_800_000, duration),
  index: text,
  embed: text,
  cards: text,
  question: several,
  rebuild: off,
  prune: off,
  speed: otherwise(1, number({ above: 0, most: 1000 })),
  from: text,
  detach: off,
  queue: off,
  engine: optional(oneOf('sqlite', 'restate')),
  restate: text,
  restateAdmin: text,
  listen: text,
  advertise: text,
  jobs: otherwise(4, number({ whole: true, least: 1, most: 1000 })),
  once: off,
  plain: off,
  json: off,
  explain: off,
  deltas: off,
  quiet: off,
  bell: optional(oneOf(...BELLS)),
  yes: off,
  takeOver: off,
  color: onOff,
  db: text,
  config: text,
} satisfies Record<FlagName, Reader<unknown>>;

export type Flags = { readonly [K in FlagName]: ReturnType<(typeof READERS)[K]> };

/** Checks what was parsed from the command line. @throws UsageError that names the flag. */
export function readFlags(parsed: Readonly<Record<string, unknown>>): Flags {
  const entries = Object.entries(READERS).map(([name, read]) => {
    const given = Object.hasOwn(parsed, name) ? parsed[name] : undefined;
    try {
      return [name, read(given)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`--${toDashes(name)}: ${error.message}`, error.next);
    }
  });
  return Object.fromEntries(entries);
}

/** `budgetTokens` → `budget-tokens`. */
export function toDashes(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}
