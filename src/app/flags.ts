/**
 * Every flag there is, once: what it takes, what help tells of it, and how its value is read. Which
 * commands take it stands with the commands. Each start of the program waits for this file, so nothing is
 * imported here that takes time to load.
 */

import { MOST_PREDICTIONS } from '../decisions/predictions.ts';
import { readEncoding } from '../io/decoding/encoding.ts';
import { EFFORTS } from '../io/efforts.ts';
import { UsageError } from '../kernel/errors.ts';
import { SERVER_PROTOCOLS } from '../kernel/providers/servers.ts';
import {
  amount,
  duration,
  type Flag,
  number,
  numeric,
  off,
  oneOf,
  onOff,
  optional,
  otherwise,
  positive,
  several,
  text,
  worded,
} from './flag-values.ts';

export const BELLS = ['never', 'bell', 'notice'] as const;
/** How a person is called who has looked away. */
export type Bell = (typeof BELLS)[number];

export const FLAGS = {
  seat: several('ROLE=PROVIDER/MODEL', 'Add a seat; repeatable'),
  preset: text('NAME', 'Use a preset board (for rounds, a preset cast)'),
  method: text('NAME', 'Debate method, or a preset of its values (default auto)'),
  agents: text('DIR', 'Search this folder for agents first'),
  model: text('M', 'Use one model for every seat'),
  effort: worded(
    'LEVEL',
    'Reasoning effort: low, medium, high, or another level the model supports',
    optional(oneOf(...EFFORTS)),
  ),
  synthesizer: text('M', 'Model that writes the synthesis'),
  verifier: text('M', 'Model that verifies, outside the panel'),
  cast: several('ROLE=WHO', 'Who plays a role: --cast guardian="SRE lead"'),
  rounds: text('N', 'Number of rounds, or brief (3), standard (8, default), audit (13)'),
  stress: several(
    'R4=observer',
    'Hold a round without a role, replacing the default plan; none skips these rounds',
  ),
  driftEvery: numeric('N', 'Check for drift every N rounds', optional(positive)),
  stopAt: worded(
    '4|5|6|never|ask',
    'Stop once N signals are satisfied (default 4; the console asks)',
    optional((given) => {
      const signals = oneOf('4', '5', '6', 'never', 'ask')(given);
      return signals === 'never' || signals === 'ask' ? signals : (Number(signals) as 4 | 5 | 6);
    }),
  ),
  respond: worded(
    'report|auto',
    'Response to a suspected failure mode (default report)',
    optional(oneOf('report', 'auto')),
  ),
  control: off(
    'Ask each role again alone, and report stances that were unstable, conformed or persuaded',
  ),
  open: onOff('Show the synthesizer who said what (default: shuffled, as Advisor A, B, C)'),
  quorum: text('N|N/M', 'Stop waiting once N seats have answered (after --patience)'),
  patience: worded(
    'D',
    'Once there is a quorum, wait this long for the other seats: 30s, 2m (default 60s)',
    optional(duration),
  ),
  seatTimeout: worded('D', 'Time limit per seat, excluding time in the queue', optional(duration)),
  vote: onOff(
    'Take ballots before the debate, and map who holds what',
    'Skip the ballots and the table of who holds what',
  ),
  predict: numeric(
    'N',
    'Draft N predictions after the synthesis, with a probability from each model (default 0; --no-predict: none)',
    optional((given) =>
      given === false ? 0 : number({ whole: true, least: 0, most: MOST_PREDICTIONS })(given),
    ),
  ),
  baseline: text(
    'single,vote-5',
    "Also ask one model alone, once or by majority vote, and compare the cost (vote: as many samples as the panel's cost buys)",
  ),
  baselineModel: text('M', "Model for the baselines (default: the synthesizer's)"),
  loadBearing: off('Rewrite the synthesis without each seat, and report what changes'),
  of: numeric('VERSION', 'Synthesis version to ablate (default: latest)', optional(positive)),
  file: text('F', 'Read the question from a file'),
  ask: text('NAME', 'Ask a preset question; list them: deliberate presets questions'),
  attach: several(
    'FILE|DIR|URL|-',
    'Attach a text or web page, citable by line; - reads standard input; repeatable',
  ),
  refresh: off('Fetch web pages again: fork with them as they are now, or index them anew'),
  allowPrivate: off('Fetch web pages of this machine and of private networks too'),
  encoding: worded(
    'NAME',
    'Encoding of what is not UTF-8: latin1, windows-1252, shift_jis, …',
    optional((given) => readEncoding(String(given))),
  ),
  look: several(
    'DIR|NAME=DIR',
    'Let seats list, search and read this folder, and its git history; repeatable',
  ),
  tools: several(
    'NAME',
    'Let seats use the tools of this MCP server of your configuration, or of .mcp.json#NAME; repeatable',
  ),
  budgetTokens: numeric(
    'N',
    'Ask before exceeding N tokens; without a console, stop',
    optional(positive),
  ),
  budgetUsd: numeric('X', 'Same, in US dollars', optional(amount)),
  quick: off('Only check whether each model answers'),
  thorough: off('Fill the whole context window of local models, however long that takes'),
  estimate: off('Print the estimated calls, tokens and price, and exit'),
  prices: off('List known prices with date and source'),
  idleTimeout: worded(
    'D',
    'Give up a call after this long without output: 30s, 2m (default 120s)',
    optional(duration),
  ),
  concurrency: numeric('N', 'Run at most N calls at a time per provider', optional(positive)),
  rehearse: off('Use the built-in stand-in (placeholder text, no API calls)'),
  rehearseSpeed: numeric(
    'N',
    'Speed of the stand-in, as a factor (default 1)',
    otherwise(1, amount),
  ),
  seed: numeric(
    'N',
    'Seed for random choices, and for providers that accept one',
    optional(number({ whole: true, least: 0 })),
  ),
  note: text('TEXT', 'Add an instruction for the synthesizer'),
  without: several('SEAT', 'Leave a seat out of the synthesis; repeatable'),
  at: text('STEP', 'Step at which to fork: round-3/D'),
  set: several(
    'NAME=VALUE',
    'What to change: seat.critic.model=M, verifier=M, claim.C-2-1.text="…"',
  ),
  protocol: text('FILE', 'Protocol file of the run, if it has moved or was imported'),
  command: text('"…"', 'Shell command to run; shown first, run only with your approval'),
  timeout: worded(
    'D',
    'Kill it, with everything it started, after this long (default 60s)',
    otherwise(60_000, duration),
  ),
  cwd: text('DIR', 'Folder to run it in (default: current)'),
  env: several('NAME', 'Pass this environment variable; only its name is recorded; repeatable'),
  confirmsOnSuccess: off('Exit 0 confirms the claim (default)'),
  refutesOnSuccess: off('Exit 0 refutes the claim, anything else confirms it'),
  search: text(
    'TEXT',
    'List runs with all these words in the question or the answers, best match first',
  ),
  limit: numeric('N', 'Show at most N runs (default 50)', optional(positive)),
  format: worded(
    'markdown|html|json|claims|csv|text|records|otlp|adr',
    'Output format (default: what the ending of the file says, else markdown)',
    optional(
      oneOf(
        ...([
          'markdown',
          'md',
          'html',
          'json',
          'claims',
          'csv',
          'text',
          'records',
          'otlp',
          'adr',
        ] as const),
        'inspect',
      ),
    ),
  ),
  arms: text('A,B', 'Arms to compare: single, high, vote, and panels such as board, rounds:brief'),
  panel: text(
    'M,M',
    'Models for the seats of panels, in turn (default: the one model plays them all)',
  ),
  primary: text('PANEL', 'Panel whose comparison with its vote is primary (default: the first)'),
  size: text(
    'rehearsal|study|N',
    'Items: rehearsal (40, default), study (800, 60 of them three times) or N',
  ),
  batch: off('Ask in batches of the provider, at half the price; answers take up to a day'),
  content: off('Send questions and answers with traces'),
  to: text('FILE|DIR', 'Write to a file or folder instead of standard output'),
  speed: numeric(
    'N',
    'Playback speed, as a factor (default 1)',
    otherwise(1, number({ above: 0, most: 1000 })),
  ),
  from: text('STEP|D|P%', 'Where to start: a step (synthesis/1), a time (90s), a share (50%)'),
  repo: text('DIR', 'Repository to plan for (default: the one you are in)'),
  callIn: several(
    'ROLE',
    'Call in this specialist even if the topic does not touch it; repeatable',
  ),
  researchers: numeric(
    'N',
    'Research at most N unanswered questions in the code (default 3; 0 for none)',
    optional(number({ whole: true, least: 0, most: 10 })),
  ),
  gateTokens: numeric(
    'N',
    'Show each specialist at most N tokens of documents (default 4000)',
    optional(positive),
  ),
  write: off('Write the files of a finished plan, after showing them: plan --write [RUN]'),
  apply: text('FILE', 'Show what a fix of a plan changes in the code, and change it'),
  watch: off('Plan every new topic in docs/planning until stopped'),
  branch: text('NAME', 'With --watch: branch to take topics from (default main)'),
  push: off('With --watch: push the branch of each plan'),
  since: text('SPAN', 'Only calls of the last 12h, 30d or 4w, or since a date'),
  by: text('NAME', 'Who says it, as you call yourself'),
  option: text('NAME', 'Option of the ballots that it chooses'),
  review: text(
    '90d|DATE',
    'When to look at the decision again: a span, or a date such as 2027-03-01',
  ),
  notRecommended: off(
    'It is not what the panel recommended: predictions that rest on the recommendation are void',
  ),
  resolve: several(
    'ID=OUTCOME',
    'What came of a prediction: P-1-2=yes, no, void or later; repeatable',
  ),
  why: text('TEXT', 'With void: why the prediction cannot be answered'),
  date: text('DATE|30d', 'With later: when to ask again'),
  evidence: text('URL|FILE', 'Where it can be seen'),
  claim: text('ID', 'Claim that it is about: C-1-2'),
  supersedes: text('0007', 'Record in the same folder that it supersedes; both are linked'),
  run: text('RUN', 'With team show: the run of the task (default: the newest team run)'),
  diff: off('With team show: print the diff of the task'),
  spec: text('FILE', 'Carry out an accepted plan: docs/roadmap/TOPIC.spec.json'),
  planOnly: off('Plan and price the work, then stop: only T1 is asked'),
  parallel: numeric(
    'N',
    'Tasks at work at a time (default 4)',
    optional(number({ whole: true, least: 1, most: 16 })),
  ),
  deliver: worded(
    'branch|forward|request',
    'Bring the work home as a branch, on your branch, or as a pull request',
    optional(oneOf('branch', 'forward', 'request')),
  ),
  forge: worded(
    'github|gitlab|gitea',
    'Which forge to open the request on (default: by the host of the remote)',
    optional(oneOf('github', 'gitlab', 'gitea')),
  ),
  provide: several(
    'PATH',
    'Ignored file or folder the checks need, such as node_modules; repeatable',
  ),
  setUp: text('"…"', 'Command that prepares a fresh working tree: "npm ci"'),
  unsandboxed: off('Run checks and coding agents without a sandbox if this machine has none'),
  runtime: worded(
    'standard|command|acp',
    'Who does the tasks: a model, or the coding agent set as team_agent',
    optional(oneOf('standard', 'command', 'acp')),
  ),
  taskTimeout: worded(
    'DURATION',
    'Stop a coding agent after this long (default 30m)',
    otherwise(1_800_000, duration),
  ),
  index: text('NAME', 'Name of the index (default main)'),
  embed: text('M', 'Embedding model'),
  cards: text('FILE', 'File that lists the clusters'),
  question: several('"…"', 'Question for the documents; repeatable'),
  rebuild: off('Read and embed everything again'),
  prune: off('Remove folders that no longer exist from the index, with their documents'),
  detach: off('Run in the background; print the run id and return'),
  queue: off('Queue the run for workers; print its id and return'),
  engine: worded(
    'sqlite|restate',
    'Keep the log of the run in the database (default) or at a Restate server',
    optional(oneOf('sqlite', 'restate')),
  ),
  restate: text('URL', 'Address of the Restate server (default http://127.0.0.1:8080)'),
  restateAdmin: text('URL', 'Its admin address (default: port 9070 of the same host)'),
  listen: text(
    '[HOST:]PORT',
    'Where the Restate server reaches the worker (default 127.0.0.1:9080)',
  ),
  advertise: text('URL', 'Address of the balancer before the workers (default: where it listens)'),
  jobs: numeric(
    'N',
    'Work on N runs at a time (default 4)',
    otherwise(4, number({ whole: true, least: 1, most: 1000 })),
  ),
  once: off('Exit when the queue is empty'),
  plain: off('Print plain text instead of opening the console'),
  json: off('Print one fact per line as JSON'),
  deltas: off('With --json: include text as it streams'),
  explain: off("Explain how each signal differs from the method's own definition"),
  quiet: off('Print no progress'),
  bell: worded(
    'never|bell|notice',
    'Alert when a run over 10 s ends or waits for you (default never)',
    optional(oneOf(...BELLS)),
  ),
  speaks: worded(
    'openai|openai-responses|anthropic|ollama',
    'Protocol that the server speaks',
    optional(oneOf(...SERVER_PROTOCOLS)),
  ),
  url: text('URL', 'Address that requests are sent below: http://gpu-box:8000/v1'),
  keyEnv: text('NAME', 'Environment variable that holds its key'),
  yes: off('Accept the default answer to every prompt'),
  takeOver: off('Take over a run whose process is gone and cannot be checked from here'),
  color: onOff('Use color', 'Do not use color'),
  db: text('FILE', 'Database file (default: in the XDG data folder)'),
  config: text('FILE', 'Configuration file (default: in the XDG config folder)'),
} satisfies Readonly<Record<string, Flag<unknown>>>;

export type FlagName = keyof typeof FLAGS;

export type Flags = { readonly [K in FlagName]: ReturnType<(typeof FLAGS)[K]['read']> };

/** Checks what was parsed from the command line. @throws UsageError that names the flag. */
export function readFlags(parsed: Readonly<Record<string, unknown>>): Flags {
  const entries = Object.entries(FLAGS).map(([name, { read }]) => {
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
