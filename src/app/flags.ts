/**
 * The table of all flags: what each takes, what help says of it, and how its value is read. Which commands
 * accept a flag is said in the tables of commands. Every start of the program loads this file, so it imports
 * nothing that is slow to load.
 */

import { MOST_PREDICTIONS } from '../decisions/predictions.ts';
import { readEncoding } from '../io/decoding/encoding.ts';
import { EFFORTS } from '../io/efforts.ts';
import { UsageError } from '../kernel/errors.ts';
import { SERVER_PROTOCOLS } from '../kernel/providers/servers.ts';
import {
  amount,
  type Flag,
  numberFlag,
  numberInRange,
  offSwitch,
  oneOf,
  parseDurationFlag,
  parseOptional,
  positive,
  repeatableFlag,
  textFlag,
  undecidedSwitch,
  withDefault,
  wordFlag,
} from './flag-values.ts';

/** The ways to notify a person who is not looking at the terminal: not at all, by its bell, or by a notice. */
export const BELLS = ['never', 'bell', 'notice'] as const;
/** A way to notify a person who is not looking at the terminal. */
export type Bell = (typeof BELLS)[number];

/** All flags of the program. Each command lists the names of the flags that it accepts. */
export const FLAGS = {
  seat: repeatableFlag('ROLE=PROVIDER/MODEL', 'Add a seat; repeatable'),
  preset: textFlag('NAME', 'Use a preset board (for rounds, a preset cast)'),
  method: textFlag('NAME', 'Debate method, or a preset of its values (default auto)'),
  agents: textFlag('DIR', 'Search this folder for agents first'),
  model: textFlag('M', 'Use one model for every seat'),
  effort: wordFlag(
    'LEVEL',
    'Reasoning effort: low, medium, high, or another level the model supports',
    parseOptional(oneOf(...EFFORTS)),
  ),
  synthesizer: textFlag('M', 'Model that writes the synthesis'),
  verifier: textFlag('M', 'Model that verifies, outside the panel'),
  cast: repeatableFlag('ROLE=WHO', 'Who plays a role: --cast guardian="SRE lead"'),
  rounds: textFlag('N', 'Number of rounds, or brief (3), standard (8, default), audit (13)'),
  stress: repeatableFlag(
    'R4=observer',
    'Hold a round without a role, replacing the default plan; none skips these rounds',
  ),
  driftEvery: numberFlag('N', 'Check for drift every N rounds', parseOptional(positive)),
  stopAt: wordFlag(
    '4|5|6|never|ask',
    'Stop once N signals are satisfied (default 4; the console asks)',
    parseOptional((given) => {
      const signals = oneOf('4', '5', '6', 'never', 'ask')(given);
      return signals === 'never' || signals === 'ask' ? signals : (Number(signals) as 4 | 5 | 6);
    }),
  ),
  respond: wordFlag(
    'report|auto',
    'Response to a suspected failure mode (default report)',
    parseOptional(oneOf('report', 'auto')),
  ),
  control: offSwitch(
    'Ask each role again alone, and report stances that were unstable, conformed or persuaded',
  ),
  open: undecidedSwitch(
    'Show the synthesizer who said what (default: shuffled, as Advisor A, B, C)',
  ),
  quorum: textFlag('N|N/M', 'Stop waiting once N seats have answered (after --patience)'),
  patience: wordFlag(
    'D',
    'Once there is a quorum, wait this long for the other seats: 30s, 2m (default 60s)',
    parseOptional(parseDurationFlag),
  ),
  seatTimeout: wordFlag(
    'D',
    'Time limit per seat, excluding time in the queue',
    parseOptional(parseDurationFlag),
  ),
  vote: undecidedSwitch(
    'Take ballots before the debate, and map who holds what',
    'Skip the ballots and the table of who holds what',
  ),
  predict: numberFlag(
    'N',
    'Draft N predictions after the synthesis, with a probability from each model (default 0; --no-predict: none)',
    parseOptional((given) =>
      given === false ? 0 : numberInRange({ whole: true, least: 0, most: MOST_PREDICTIONS })(given),
    ),
  ),
  baseline: textFlag(
    'single,vote-5',
    "Also ask one model alone, once or by majority vote, and compare the cost (vote: as many samples as the panel's cost buys)",
  ),
  baselineModel: textFlag('M', "Model for the baselines (default: the synthesizer's)"),
  loadBearing: offSwitch('Rewrite the synthesis without each seat, and report what changes'),
  of: numberFlag(
    'VERSION',
    'Synthesis version to ablate (default: latest)',
    parseOptional(positive),
  ),
  file: textFlag('F', 'Read the question from a file'),
  ask: textFlag('NAME', 'Ask a preset question; list them: deliberate presets questions'),
  attach: repeatableFlag(
    'FILE|DIR|URL|-',
    'Attach a text or web page, citable by line; - reads standard input; repeatable',
  ),
  refresh: offSwitch('Fetch web pages again: fork with them as they are now, or index them anew'),
  allowPrivate: offSwitch('Fetch web pages of this machine and of private networks too'),
  encoding: wordFlag(
    'NAME',
    'Encoding of what is not UTF-8: latin1, windows-1252, shift_jis, …',
    parseOptional((given) => readEncoding(String(given))),
  ),
  look: repeatableFlag(
    'DIR|NAME=DIR',
    'Let seats list, search and read this folder, and its git history; repeatable',
  ),
  tools: repeatableFlag(
    'NAME',
    'Let seats use the tools of this MCP server of your configuration, or of .mcp.json#NAME; repeatable',
  ),
  budgetTokens: numberFlag(
    'N',
    'Ask before exceeding N tokens; without a terminal, stop',
    parseOptional(positive),
  ),
  budgetUsd: numberFlag('X', 'Same, in US dollars', parseOptional(amount)),
  quick: offSwitch('Only check whether each model answers'),
  thorough: offSwitch('Fill the whole context window of local models, however long that takes'),
  estimate: offSwitch('Print the estimated calls, tokens and price, and exit'),
  prices: offSwitch('List known prices with date and source'),
  idleTimeout: wordFlag(
    'D',
    'Give up a call after this long without output: 30s, 2m (default 120s)',
    parseOptional(parseDurationFlag),
  ),
  concurrency: numberFlag(
    'N',
    'Run at most N calls at a time per provider',
    parseOptional(positive),
  ),
  rehearse: offSwitch('Use the built-in stand-in (placeholder text, no API calls)'),
  rehearseSpeed: numberFlag(
    'N',
    'Speed of the stand-in, as a factor (default 1)',
    withDefault(1, amount),
  ),
  seed: numberFlag(
    'N',
    'Seed for random choices, and for providers that accept one',
    parseOptional(numberInRange({ whole: true, least: 0 })),
  ),
  note: textFlag('TEXT', 'Add an instruction for the synthesizer'),
  without: repeatableFlag('SEAT', 'Leave a seat out of the synthesis; repeatable'),
  at: textFlag('STEP', 'Step at which to fork: round-3/D'),
  set: repeatableFlag(
    'NAME=VALUE',
    'What to change: seat.critic.model=M, verifier=M, claim.C-2-1.text="…"',
  ),
  protocol: textFlag('FILE', 'Protocol file of the run, if it has moved or was imported'),
  command: textFlag('"…"', 'Shell command to run; shown first, run only with your approval'),
  timeout: wordFlag(
    'D',
    'Kill it, with everything it started, after this long (default 60s)',
    withDefault(60_000, parseDurationFlag),
  ),
  cwd: textFlag('DIR', 'Folder to run it in (default: current)'),
  env: repeatableFlag(
    'NAME',
    'Pass this environment variable; only its name is recorded; repeatable',
  ),
  confirmsOnSuccess: offSwitch('Exit 0 confirms the claim (default)'),
  refutesOnSuccess: offSwitch('Exit 0 refutes the claim, anything else confirms it'),
  search: textFlag(
    'TEXT',
    'List runs with all these words in the question or the answers, best match first',
  ),
  limit: numberFlag('N', 'Show at most N runs (default 50)', parseOptional(positive)),
  format: wordFlag(
    'markdown|html|json|claims|csv|text|records|otlp|adr',
    'Output format (default: what the ending of the file says, else markdown)',
    parseOptional(
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
  arms: textFlag(
    'A,B',
    'Arms to compare: single, high, vote, and panels such as board, rounds:brief',
  ),
  panel: textFlag(
    'M,M',
    'Models for the seats of panels, in turn (default: the one model plays them all)',
  ),
  primary: textFlag(
    'PANEL',
    'Panel whose comparison with its vote is primary (default: the first)',
  ),
  size: textFlag(
    'rehearsal|study|N',
    'Items: rehearsal (40, default), study (800, 60 of them three times) or N',
  ),
  batch: offSwitch('Ask in batches of the provider, at half the price; answers take up to a day'),
  content: offSwitch('Send questions and answers with traces'),
  to: textFlag('FILE|DIR|-', 'Write to a file or folder instead of standard output (-)'),
  speed: numberFlag(
    'N',
    'Playback speed, as a factor (default 1)',
    withDefault(1, numberInRange({ above: 0, most: 1000 })),
  ),
  from: textFlag('STEP|D|P%', 'Where to start: a step (synthesis/1), a time (90s), a share (50%)'),
  repo: textFlag('DIR', 'Repository to plan for (default: the one you are in)'),
  callIn: repeatableFlag(
    'ROLE',
    'Call in this specialist even if the topic does not touch it; repeatable',
  ),
  researchers: numberFlag(
    'N',
    'Research at most N unanswered questions in the code (default 3; 0 for none)',
    parseOptional(numberInRange({ whole: true, least: 0, most: 10 })),
  ),
  gateTokens: numberFlag(
    'N',
    'Show each specialist at most N tokens of documents (default 4000)',
    parseOptional(positive),
  ),
  write: offSwitch('Write the files of a finished plan, after showing them: plan --write [RUN]'),
  apply: textFlag('FILE', 'Show what a fix of a plan changes in the code, and change it'),
  watch: offSwitch('Plan every new topic in docs/planning until stopped'),
  branch: textFlag('NAME', 'With --watch: branch to take topics from (default main)'),
  push: offSwitch('With --watch: push the branch of each plan'),
  since: textFlag('SPAN', 'Only calls of the last 12h, 30d or 4w, or since a date'),
  by: textFlag('NAME', 'Who says it, as you call yourself'),
  option: textFlag('NAME', 'Option of the ballots that it chooses'),
  review: textFlag(
    '90d|DATE',
    'When to look at the decision again: a span, or a date such as 2027-03-01',
  ),
  notRecommended: offSwitch(
    'It is not what the panel recommended: predictions that rest on the recommendation are void',
  ),
  resolve: repeatableFlag(
    'ID=OUTCOME',
    'What came of a prediction: P-1-2=yes, no, void or later; repeatable',
  ),
  why: textFlag('TEXT', 'With void: why the prediction cannot be answered'),
  date: textFlag('DATE|30d', 'With later: when to ask again'),
  evidence: textFlag('URL|FILE', 'Where it can be seen'),
  claim: textFlag('ID', 'Claim that it is about: C-1-2'),
  supersedes: textFlag('0007', 'Record in the same folder that it supersedes; both are linked'),
  run: textFlag('RUN', 'With team show: the run of the task (default: the newest team run)'),
  diff: offSwitch('With team show: print the diff of the task'),
  spec: textFlag('FILE', 'Carry out an accepted plan: docs/roadmap/TOPIC.spec.json'),
  planOnly: offSwitch('Plan and price the work, then stop: only T1 is asked'),
  parallel: numberFlag(
    'N',
    'Tasks at work at a time (default 4)',
    parseOptional(numberInRange({ whole: true, least: 1, most: 16 })),
  ),
  deliver: wordFlag(
    'branch|forward|request',
    'Bring the work home as a branch, on your branch, or as a pull request',
    parseOptional(oneOf('branch', 'forward', 'request')),
  ),
  forge: wordFlag(
    'github|gitlab|gitea',
    'Which forge to open the request on (default: by the host of the remote)',
    parseOptional(oneOf('github', 'gitlab', 'gitea')),
  ),
  provide: repeatableFlag(
    'PATH',
    'Ignored file or folder the checks need, such as node_modules; repeatable',
  ),
  setUp: textFlag('"…"', 'Command that prepares a fresh working tree: "npm ci"'),
  unsandboxed: offSwitch('Run checks and coding agents without a sandbox if this machine has none'),
  runtime: wordFlag(
    'standard|command|acp',
    'Who does the tasks: a model, or the coding agent set as team_agent',
    parseOptional(oneOf('standard', 'command', 'acp')),
  ),
  taskTimeout: wordFlag(
    'DURATION',
    'Stop a coding agent after this long (default 30m)',
    withDefault(1_800_000, parseDurationFlag),
  ),
  index: textFlag('NAME', 'Name of the index (default main)'),
  embed: textFlag('M', 'Embedding model'),
  cards: textFlag('FILE', 'File that lists the clusters'),
  question: repeatableFlag('"…"', 'Question for the documents; repeatable'),
  rebuild: offSwitch('Read and embed everything again'),
  prune: offSwitch('Remove folders that no longer exist from the index, with their documents'),
  detach: offSwitch('Run in the background; print the run id and return'),
  queue: offSwitch('Queue the run for workers; print its id and return'),
  engine: wordFlag(
    'sqlite|restate',
    'Keep the log of the run in the database (default) or at a Restate server',
    parseOptional(oneOf('sqlite', 'restate')),
  ),
  restate: textFlag('URL', 'Address of the Restate server (default http://127.0.0.1:8080)'),
  restateAdmin: textFlag('URL', 'Its admin address (default: port 9070 of the same host)'),
  listen: textFlag(
    '[HOST:]PORT',
    'Where the Restate server reaches the worker (default 127.0.0.1:9080)',
  ),
  advertise: textFlag(
    'URL',
    'Address of the balancer before the workers (default: where it listens)',
  ),
  jobs: numberFlag(
    'N',
    'Work on N runs at a time (default 4)',
    withDefault(4, numberInRange({ whole: true, least: 1, most: 1000 })),
  ),
  once: offSwitch('Exit when the queue is empty'),
  plain: offSwitch('Print plain text instead of opening the console'),
  json: offSwitch('Print one fact per line as JSON'),
  deltas: offSwitch('With --json: include text as it streams'),
  explain: offSwitch("Explain how each signal differs from the method's own definition"),
  quiet: offSwitch('Print no progress'),
  bell: wordFlag(
    'never|bell|notice',
    'Alert when a run over 10 s ends or waits for you (default never)',
    parseOptional(oneOf(...BELLS)),
  ),
  speaks: wordFlag(
    'openai|openai-responses|anthropic|ollama',
    'Protocol that the server speaks',
    parseOptional(oneOf(...SERVER_PROTOCOLS)),
  ),
  url: textFlag('URL', 'Address that requests are sent below: http://gpu-box:8000/v1'),
  keyEnv: textFlag('NAME', 'Environment variable that holds its key'),
  yes: offSwitch('Accept the default answer to every prompt'),
  takeOver: offSwitch('Take over a run whose process is gone and cannot be checked from here'),
  color: undecidedSwitch('Use color', 'Do not use color'),
  db: textFlag('FILE', 'Database file (default: in the XDG data folder)'),
  config: textFlag('FILE', 'Configuration file (default: in the XDG config folder)'),
} satisfies Readonly<Record<string, Flag<unknown>>>;

/** The name of a flag, in camel case. */
export type FlagName = keyof typeof FLAGS;

/** The parsed values of all flags, by name. */
export type Flags = { readonly [K in FlagName]: ReturnType<(typeof FLAGS)[K]['read']> };

/**
 * Reads the values of all flags from the parsed command line.
 *
 * @throws UsageError that names the flag with a wrong value
 */
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

/**
 * Converts a flag's name to its form on the command line: `budgetTokens` becomes `budget-tokens`.
 */
export function toDashes(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}
