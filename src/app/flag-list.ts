/** Every flag there is, as help tells of it. Which commands take it stands with the commands. */

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
    description: 'Add a seat; repeatable',
  },
  preset: {
    type: 'string',
    hint: 'NAME',
    description: 'Use a preset board (for rounds, a preset cast)',
  },
  method: {
    type: 'string',
    hint: 'NAME',
    description: 'Debate method, or a preset of its values (default auto)',
  },
  agents: {
    type: 'string',
    hint: 'DIR',
    description: 'Search this folder for agents first',
  },
  model: { type: 'string', hint: 'M', description: 'Use one model for every seat' },
  effort: {
    type: 'string',
    hint: 'LEVEL',
    description: 'Reasoning effort: low, medium, high, or another level the model supports',
  },
  synthesizer: { type: 'string', hint: 'M', description: 'Model that writes the synthesis' },
  verifier: {
    type: 'string',
    hint: 'M',
    description: 'Model that verifies, outside the panel',
  },
  cast: {
    type: 'string',
    isMultiple: true,
    hint: 'ROLE=WHO',
    description: 'Who plays a role: --cast guardian="SRE lead"',
  },
  rounds: {
    type: 'string',
    hint: 'N',
    description: 'Number of rounds, or brief (3), standard (8, default), audit (13)',
  },
  stress: {
    type: 'string',
    isMultiple: true,
    hint: 'R4=observer',
    description: 'Hold a round without a role, replacing the default plan; none skips these rounds',
  },
  driftEvery: { type: 'number', hint: 'N', description: 'Check for drift every N rounds' },
  stopAt: {
    type: 'string',
    hint: '4|5|6|never|ask',
    description: 'Stop once N signals are satisfied (default 4; the console asks)',
  },
  respond: {
    type: 'string',
    hint: 'report|auto',
    description: 'Response to a suspected failure mode (default report)',
  },
  control: {
    type: 'boolean',
    description:
      'Ask each role again alone, and report stances that were unstable, conformed or persuaded',
  },
  open: {
    type: 'boolean',
    description: 'Show the synthesizer who said what (default: shuffled, as Advisor A, B, C)',
  },
  quorum: {
    type: 'string',
    hint: 'N|N/M',
    description: 'Stop waiting once N seats have answered (after --patience)',
  },
  patience: {
    type: 'string',
    hint: 'D',
    description:
      'Once there is a quorum, wait this long for the other seats: 30s, 2m (default 60s)',
  },
  seatTimeout: {
    type: 'string',
    hint: 'D',
    description: 'Time limit per seat, excluding time in the queue',
  },
  vote: {
    type: 'boolean',
    description: 'Take ballots before the debate, and map who holds what',
    off: 'Skip the ballots and the table of who holds what',
  },
  baseline: {
    type: 'string',
    hint: 'single,vote-5',
    description:
      "Also ask one model alone, once or by majority vote, and compare the cost (vote: as many samples as the panel's cost buys)",
  },
  baselineModel: {
    type: 'string',
    hint: 'M',
    description: "Model for the baselines (default: the synthesizer's)",
  },
  loadBearing: {
    type: 'boolean',
    description: 'Rewrite the synthesis without each seat, and report what changes',
  },
  of: {
    type: 'number',
    hint: 'VERSION',
    description: 'Synthesis version to ablate (default: latest)',
  },
  file: { type: 'string', hint: 'F', description: 'Read the question from a file' },
  ask: {
    type: 'string',
    hint: 'NAME',
    description: 'Ask a preset question; list them: deliberate presets questions',
  },
  attach: {
    type: 'string',
    isMultiple: true,
    hint: 'FILE|DIR|-',
    description: 'Attach text, citable by line; - reads standard input; repeatable',
  },
  look: {
    type: 'string',
    isMultiple: true,
    hint: 'DIR|NAME=DIR',
    description: 'Let seats list, search and read this folder, and its git history; repeatable',
  },
  budgetTokens: {
    type: 'number',
    hint: 'N',
    description: 'Ask before exceeding N tokens; without a console, stop',
  },
  budgetUsd: { type: 'number', hint: 'X', description: 'Same, in US dollars' },
  quick: { type: 'boolean', description: 'Only check whether each model answers' },
  thorough: {
    type: 'boolean',
    description: 'Fill the whole context window of local models, however long that takes',
  },
  estimate: {
    type: 'boolean',
    description: 'Print the estimated calls, tokens and price, and exit',
  },
  prices: {
    type: 'boolean',
    description: 'List known prices with date and source',
  },
  idleTimeout: {
    type: 'string',
    hint: 'D',
    description: 'Give up a call after this long without output: 30s, 2m (default 120s)',
  },
  concurrency: {
    type: 'number',
    hint: 'N',
    description: 'Run at most N calls at a time per provider',
  },
  rehearse: {
    type: 'boolean',
    description: 'Use the built-in stand-in (placeholder text, no API calls)',
  },
  rehearseSpeed: {
    type: 'number',
    hint: 'N',
    description: 'Speed of the stand-in, as a factor (default 1)',
  },
  seed: {
    type: 'number',
    hint: 'N',
    description: 'Seed for random choices, and for providers that accept one',
  },
  note: { type: 'string', hint: 'TEXT', description: 'Add an instruction for the synthesizer' },
  without: {
    type: 'string',
    isMultiple: true,
    hint: 'SEAT',
    description: 'Leave a seat out of the synthesis; repeatable',
  },
  at: { type: 'string', hint: 'STEP', description: 'Step at which to fork: round-3/D' },
  set: {
    type: 'string',
    isMultiple: true,
    hint: 'NAME=VALUE',
    description: 'What to change: seat.critic.model=M, verifier=M, claim.C-2-1.text="…"',
  },
  protocol: {
    type: 'string',
    hint: 'FILE',
    description: 'Protocol file of the run, if it has moved or was imported',
  },
  command: {
    type: 'string',
    hint: '"…"',
    description: 'Shell command to run; shown first, run only with your approval',
  },
  timeout: {
    type: 'string',
    hint: 'D',
    description: 'Kill it, with everything it started, after this long (default 60s)',
  },
  cwd: { type: 'string', hint: 'DIR', description: 'Folder to run it in (default: current)' },
  env: {
    type: 'string',
    isMultiple: true,
    hint: 'NAME',
    description: 'Pass this environment variable; only its name is recorded; repeatable',
  },
  confirmsOnSuccess: { type: 'boolean', description: 'Exit 0 confirms the claim (default)' },
  refutesOnSuccess: {
    type: 'boolean',
    description: 'Exit 0 refutes the claim, anything else confirms it',
  },
  search: {
    type: 'string',
    hint: 'TEXT',
    description: 'List runs with all these words in the question or the answers, best match first',
  },
  limit: { type: 'number', hint: 'N', description: 'Show at most N runs (default 50)' },
  format: {
    type: 'string',
    hint: 'markdown|html|json|records|otlp',
    description: 'Output format (default markdown, or html if the --to file ends in .html)',
  },
  arms: {
    type: 'string',
    hint: 'A,B',
    description: 'Arms to compare: single, high, vote, and panels such as board, rounds:brief',
  },
  panel: {
    type: 'string',
    hint: 'M,M',
    description: 'Models for the seats of panels, in turn (default: the one model plays them all)',
  },
  primary: {
    type: 'string',
    hint: 'PANEL',
    description: 'Panel whose comparison with its vote is primary (default: the first)',
  },
  size: {
    type: 'string',
    hint: 'rehearsal|study|N',
    description: 'Items: rehearsal (40, default), study (800, 60 of them three times) or N',
  },
  batch: {
    type: 'boolean',
    description: 'Ask in batches of the provider, at half the price; answers take up to a day',
  },
  content: { type: 'boolean', description: 'Send questions and answers with traces' },
  to: {
    type: 'string',
    hint: 'FILE|DIR',
    description: 'Write to a file or folder instead of standard output',
  },
  speed: { type: 'number', hint: 'N', description: 'Playback speed, as a factor (default 1)' },
  from: {
    type: 'string',
    hint: 'STEP|D|P%',
    description: 'Where to start: a step (synthesis/1), a time (90s), a share (50%)',
  },
  repo: {
    type: 'string',
    hint: 'DIR',
    description: 'Repository to plan for (default: the one you are in)',
  },
  callIn: {
    type: 'string',
    isMultiple: true,
    hint: 'ROLE',
    description: 'Call in this specialist even if the topic does not touch it; repeatable',
  },
  researchers: {
    type: 'number',
    hint: 'N',
    description: 'Research at most N unanswered questions in the code (default 3; 0 for none)',
  },
  gateTokens: {
    type: 'number',
    hint: 'N',
    description: 'Show each specialist at most N tokens of documents (default 4000)',
  },
  write: {
    type: 'string',
    hint: 'RUN',
    description: 'Write the files of a finished plan, after showing them',
  },
  watch: {
    type: 'boolean',
    description: 'Plan every new topic in docs/planning until stopped',
  },
  branch: {
    type: 'string',
    hint: 'NAME',
    description: 'With --watch: branch to take topics from (default main)',
  },
  push: { type: 'boolean', description: 'With --watch: push the branch of each plan' },
  run: {
    type: 'string',
    hint: 'RUN',
    description: 'With team show: the run of the task (default: the newest team run)',
  },
  diff: { type: 'boolean', description: 'With team show: print the diff of the task' },
  planOnly: {
    type: 'boolean',
    description: 'Plan and price the work, then stop: only T1 is asked',
  },
  parallel: { type: 'number', hint: 'N', description: 'Tasks at work at a time (default 4)' },
  deliver: {
    type: 'string',
    hint: 'branch|forward|request',
    description: 'Bring the work home as a branch, on your branch, or as a pull request',
  },
  provide: {
    type: 'string',
    isMultiple: true,
    hint: 'PATH',
    description: 'Ignored file or folder the checks need, such as node_modules; repeatable',
  },
  setUp: {
    type: 'string',
    hint: '"…"',
    description: 'Command that prepares a fresh working tree: "npm ci"',
  },
  unsandboxed: {
    type: 'boolean',
    description: 'Run checks without a sandbox if this machine has none',
  },
  runtime: {
    type: 'string',
    hint: 'standard|command|acp',
    description: 'Who does the tasks: a model, or the coding agent set as team_agent',
  },
  taskTimeout: {
    type: 'string',
    hint: 'DURATION',
    description: 'Stop a coding agent after this long (default 30m)',
  },
  index: { type: 'string', hint: 'NAME', description: 'Name of the index (default main)' },
  embed: { type: 'string', hint: 'M', description: 'Embedding model' },
  cards: { type: 'string', hint: 'FILE', description: 'File that lists the clusters' },
  question: {
    type: 'string',
    isMultiple: true,
    hint: '"…"',
    description: 'Question for the documents; repeatable',
  },
  rebuild: { type: 'boolean', description: 'Read and embed everything again' },
  prune: {
    type: 'boolean',
    description: 'Remove folders that no longer exist from the index, with their documents',
  },
  detach: { type: 'boolean', description: 'Run in the background; print the run id and return' },
  queue: { type: 'boolean', description: 'Queue the run for workers; print its id and return' },
  engine: {
    type: 'string',
    hint: 'sqlite|restate',
    description: 'Keep the log of the run in the database (default) or at a Restate server',
  },
  restate: {
    type: 'string',
    hint: 'URL',
    description: 'Address of the Restate server (default http://127.0.0.1:8080)',
  },
  restateAdmin: {
    type: 'string',
    hint: 'URL',
    description: 'Its admin address (default: port 9070 of the same host)',
  },
  listen: {
    type: 'string',
    hint: '[HOST:]PORT',
    description: 'Where the Restate server reaches the worker (default 127.0.0.1:9080)',
  },
  advertise: {
    type: 'string',
    hint: 'URL',
    description: 'Address of the balancer before the workers (default: where it listens)',
  },
  jobs: { type: 'number', hint: 'N', description: 'Work on N runs at a time (default 4)' },
  once: { type: 'boolean', description: 'Exit when the queue is empty' },
  plain: { type: 'boolean', description: 'Print plain text instead of opening the console' },
  json: { type: 'boolean', description: 'Print one fact per line as JSON' },
  deltas: { type: 'boolean', description: 'With --json: include text as it streams' },
  explain: {
    type: 'boolean',
    description: "Explain how each signal differs from the method's own definition",
  },
  quiet: { type: 'boolean', description: 'Print no progress' },
  bell: {
    type: 'string',
    hint: 'never|bell|notice',
    description: 'Alert when a run over 10 s ends or waits for you (default never)',
  },
  yes: { type: 'boolean', description: 'Accept the default answer to every prompt' },
  takeOver: {
    type: 'boolean',
    description: 'Take over a run whose process is gone and cannot be checked from here',
  },
  color: { type: 'boolean', description: 'Use color', off: 'Do not use color' },
  db: {
    type: 'string',
    hint: 'FILE',
    description: 'Database file (default: in the XDG data folder)',
  },
  config: {
    type: 'string',
    hint: 'FILE',
    description: 'Configuration file (default: in the XDG config folder)',
  },
} as const satisfies Record<string, FlagInfo>;
