/**
 * Every flag there is, once: what it takes, what it means, and how its value is read. Each start of the
 * program waits for this file, so nothing is imported here that takes time to load.
 */

import { milliseconds } from '../kernel/duration.ts';
import { UsageError } from '../kernel/errors.ts';
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

export const BELLS = ['never', 'bell', 'notice'] as const;
/** How a person is called who has looked away. */
export type Bell = (typeof BELLS)[number];

export interface FlagInfo {
  readonly type: 'string' | 'number' | 'boolean';
  readonly isMultiple?: true;
  /** What stands after the flag in the help text. */
  readonly hint?: string;
  readonly description: string;
  /** What `--no-NAME` does, for a switch that is on unless it is said. */
  readonly off?: string;
}

export const FLAGS = {
  seat: {
    type: 'string',
    isMultiple: true,
    hint: 'ROLE=PROVIDER/MODEL',
    description: 'a seat at the table; repeat for more',
  },
  preset: { type: 'string', hint: 'NAME', description: 'a preset board, or in rounds a cast' },
  agents: {
    type: 'string',
    hint: 'DIR',
    description: 'look for agents in this folder before all others',
  },
  model: { type: 'string', hint: 'M', description: 'one model for every seat' },
  synthesizer: { type: 'string', hint: 'M', description: 'the model that writes the synthesis' },
  verifier: {
    type: 'string',
    hint: 'M',
    description: 'the model that checks, from outside the panel',
  },
  cast: {
    type: 'string',
    isMultiple: true,
    hint: 'ROLE=WHO',
    description: 'who plays a role: --cast guardian="SRE lead"',
  },
  rounds: {
    type: 'string',
    hint: 'N',
    description: 'how many: a number, brief (3), standard (8, the default) or audit (13)',
  },
  stress: {
    type: 'string',
    isMultiple: true,
    hint: 'R4=observer',
    description: 'a round without a role, instead of the default plan; none for no such round',
  },
  driftEvery: { type: 'number', hint: 'N', description: 'check for drift every N rounds' },
  stopAt: {
    type: 'string',
    hint: '4|5|6|never',
    description: 'stop when so many signals say so (default 4; the console asks)',
  },
  respond: {
    type: 'string',
    hint: 'report|auto',
    description: 'what to do about a suspected failure mode (default: only report it)',
  },
  control: {
    type: 'boolean',
    description:
      'ask every role once more without the others, and say whose stance is unstable, conformed or persuaded',
  },
  open: {
    type: 'boolean',
    description:
      'show the synthesizer who said what (by default it sees Advisor A, B, C in a shuffled order)',
  },
  quorum: {
    type: 'string',
    hint: 'N|N/M',
    description: 'so many answers are enough, once the others have had their patience',
  },
  patience: {
    type: 'string',
    hint: 'D',
    description: 'what the last seats have when there is a quorum: 30s, 2m (default 60s)',
  },
  seatTimeout: {
    type: 'string',
    hint: 'D',
    description:
      'give a seat up after this long, from when it is asked; its place in a queue is free',
  },
  vote: {
    type: 'boolean',
    description: 'ballots before the debate, and who holds what beside the synthesis',
    off: 'no ballots, and no table of who holds what',
  },
  baseline: {
    type: 'string',
    hint: 'single,vote-5',
    description:
      'ask one model alone, once or with a vote of its answers, and show what both cost; vote takes about as many as the panel cost',
  },
  baselineModel: {
    type: 'string',
    hint: 'M',
    description: "the model the baselines ask (default: the synthesizer's)",
  },
  loadBearing: {
    type: 'boolean',
    description: 'make it once without each seat, and say what the recommendation loses',
  },
  of: {
    type: 'number',
    hint: 'VERSION',
    description: 'Synthesis version to ablate (default: latest)',
  },
  file: { type: 'string', hint: 'F', description: 'read the question from a file' },
  ask: {
    type: 'string',
    hint: 'NAME',
    description: 'ask a preset question; deliberate presets questions lists them',
  },
  attach: {
    type: 'string',
    isMultiple: true,
    hint: 'FILE|DIR|-',
    description: 'text under discussion, citable by line; - is standard input; repeat for more',
  },
  budgetTokens: {
    type: 'number',
    hint: 'N',
    description: 'ask before a call that may pass N tokens in all; without a console, stop',
  },
  budgetUsd: { type: 'number', hint: 'X', description: 'the same in US dollars' },
  quick: { type: 'boolean', description: 'only whether each answers at all' },
  thorough: {
    type: 'boolean',
    description: 'fill the whole context window of local models, however long that takes',
  },
  estimate: {
    type: 'boolean',
    description: 'say what it would take in calls, tokens and dollars, and ask no model',
  },
  prices: {
    type: 'boolean',
    description: 'list the prices that are known, dated, with their source',
  },
  idleTimeout: {
    type: 'string',
    hint: 'D',
    description: 'give a call up when nothing arrives for this long: 30s, 2m (default 120s)',
  },
  concurrency: {
    type: 'number',
    hint: 'N',
    description: 'at most N calls at a time for each provider',
  },
  rehearse: {
    type: 'boolean',
    description: 'let the built-in stand-in speak instead of models; nothing it says is an opinion',
  },
  rehearseSpeed: { type: 'number', hint: 'N', description: 'how many times faster it speaks' },
  seed: {
    type: 'number',
    hint: 'N',
    description: 'for every random choice, and for providers that take one',
  },
  note: { type: 'string', hint: 'TEXT', description: 'an instruction for the synthesizer' },
  without: {
    type: 'string',
    isMultiple: true,
    hint: 'SEAT',
    description: 'leave a seat out of the synthesis; repeat for more',
  },
  at: { type: 'string', hint: 'STEP', description: 'where the fork leaves its parent: round-3/D' },
  set: {
    type: 'string',
    isMultiple: true,
    hint: 'NAME=VALUE',
    description: 'what changes there: seat.critic.model=M, verifier=M, claim.C-2-1.text="…"',
  },
  protocol: {
    type: 'string',
    hint: 'FILE',
    description: 'the file of its protocol, where it lies elsewhere now or came with an import',
  },
  command: {
    type: 'string',
    hint: '"…"',
    description: 'what a shell is to run; it is shown first and never runs unless you approve it',
  },
  timeout: {
    type: 'string',
    hint: 'D',
    description: 'after this long it is killed with all it started (default 60s)',
  },
  cwd: { type: 'string', hint: 'DIR', description: 'where it runs (default: here)' },
  env: {
    type: 'string',
    isMultiple: true,
    hint: 'NAME',
    description: 'let it see this variable, too; kept by name alone; repeat for more',
  },
  confirmsOnSuccess: { type: 'boolean', description: 'exit 0 confirms the claim (the default)' },
  refutesOnSuccess: {
    type: 'boolean',
    description: 'exit 0 refutes the claim, any other confirms',
  },
  search: {
    type: 'string',
    hint: 'TEXT',
    description: 'runs with all these words, in the question or in what was said; the best first',
  },
  limit: { type: 'number', hint: 'N', description: 'at most N runs (default 50)' },
  format: {
    type: 'string',
    hint: 'markdown|json|records',
    description: 'what to write (default markdown)',
  },
  to: {
    type: 'string',
    hint: 'FILE|DIR',
    description: 'write there instead of standard output',
  },
  speed: { type: 'number', hint: 'N', description: 'how many times faster it plays (default 1)' },
  from: {
    type: 'string',
    hint: 'STEP|D|P%',
    description: 'where it begins: a step (synthesis/1), a time (90s), a share (50%)',
  },
  plain: { type: 'boolean', description: 'plain text instead of the console' },
  json: { type: 'boolean', description: 'one fact a line on standard output' },
  deltas: { type: 'boolean', description: 'with --json: lines of text as it streams, too' },
  explain: {
    type: 'boolean',
    description: "say how each signal differs from the reading of the method's own detector",
  },
  quiet: { type: 'boolean', description: 'no progress on standard error' },
  bell: {
    type: 'string',
    hint: 'never|bell|notice',
    description: 'call you when a run of more than 10 s ends or waits for you (default never)',
  },
  yes: {
    type: 'boolean',
    description: 'answer what the run asks with its default',
  },
  takeOver: {
    type: 'boolean',
    description: 'take a run from a process that is gone where that cannot be seen from here',
  },
  color: { type: 'boolean', description: 'colour', off: 'no colour' },
  db: {
    type: 'string',
    hint: 'FILE',
    description: 'the database (default: in the XDG data folder)',
  },
  config: {
    type: 'string',
    hint: 'FILE',
    description: 'the configuration (default: in the XDG config folder)',
  },
} as const satisfies Record<string, FlagInfo>;

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
  agents: text,
  model: text,
  synthesizer: text,
  verifier: text,
  cast: several,
  rounds: text,
  stress: several,
  driftEvery: optional(positive),
  stopAt: optional((given) => {
    const signals = oneOf('4', '5', '6', 'never')(given);
    return signals === 'never' ? signals : (Number(signals) as 4 | 5 | 6);
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
  limit: otherwise(50, positive),
  format: otherwise('markdown', oneOf('json', 'markdown', 'records')),
  to: text,
  speed: otherwise(1, number({ above: 0, most: 1000 })),
  from: text,
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
      throw new UsageError(`--${dashed(name)}: ${error.message}`, error.next);
    }
  });
  return Object.fromEntries(entries);
}

/** A flag that takes one value is given twice: which one is meant? @throws UsageError that names the flag. */
export function refuseRepeats(argv: readonly string[], known: readonly FlagName[]): void {
  const seen = new Set<FlagName>();
  for (const word of beforeDashes(argv)) {
    const name = flagIn(word, known);
    if (name === undefined || FLAGS[name].type === 'boolean' || 'isMultiple' in FLAGS[name])
      continue;
    if (seen.has(name)) throw new UsageError(`--${dashed(name)} is given twice`, 'Give it once.');
    seen.add(name);
  }
}

/** The words that may be flags. */
function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

function flagIn(word: string, known: readonly FlagName[]): FlagName | undefined {
  const [flag] = word.split('=');
  return known.find((one) => flag === `--${dashed(one)}` || flag === `--${one}`);
}

/**
 * A flag that takes a value stands before another flag, or last: the parser would leave it out, and a
 * run that was to have a budget would have none. @throws UsageError that names the flag.
 */
export function refuseMissingValues(argv: readonly string[], known: readonly FlagName[]): void {
  const words = beforeDashes(argv);
  for (const [index, word] of words.entries()) {
    const [, ...value] = word.split('=');
    const name = flagIn(word, known);
    if (name === undefined || FLAGS[name].type === 'boolean') continue;
    const next = words[index + 1];
    const isThere =
      value.length > 0
        ? FLAGS[name].type !== 'number' || value.join('') !== ''
        : isValue(name, next);
    if (isThere) continue;
    const { hint = 'VALUE' }: FlagInfo = FLAGS[name];
    throw new UsageError(
      `--${dashed(name)}: a value is missing`,
      `Write it as --${dashed(name)} ${hint}.`,
    );
  }
}

/** Whether a word can be the value of the flag before it: a dash by itself only where it stands for something. */
export function isValue(name: FlagName, word: string | undefined): word is string {
  if (word === '-') return name === 'attach';
  return word !== undefined && (!word.startsWith('-') || /^-\.?\d/.test(word));
}

/** `budgetTokens` → `budget-tokens`. */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}
