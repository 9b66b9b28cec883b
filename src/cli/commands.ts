/** The commands: what each takes and where its code is. Loading this file loads none of them. */

import { entryOf } from '../kernel/entry.ts';
import { UsageError } from '../kernel/errors.ts';
import { meant } from '../text/nearest.ts';
import { CALLS, type Command, ENGINE, FILES, JSON_AT_ONCE, WORK } from './command.ts';
import { CONVENERS } from './conveners.ts';

export type { Command } from './command.ts';

const LOOK_AGAIN = {
  look: {
    hint: 'NAME=DIR',
    description: 'New place of a folder that the run uses, if it has moved',
  },
} as const;

/** What the program does when it is called by its name alone. */
export const HOME: Command = {
  usage: '',
  summary: 'open the console: ask a question, choose who answers, reopen earlier runs',
  flags: ['rehearse', ...CALLS, 'color', ...FILES],
  screen: 'home',
  load: async () => (await import('../app/home/home.ts')).home,
};

export const COMMANDS: Readonly<Record<string, Command>> = {
  ...CONVENERS,
  resume: {
    usage: 'resume RUN',
    summary: 'resume a run where it stopped; recorded answers are reused',
    flags: ['takeOver', 'protocol', 'look', 'detach', 'queue', ...ENGINE, ...WORK],
    own: LOOK_AGAIN,
    load: async () => (await import('../app/run/resume.ts')).resume,
  },
  ask: {
    usage: 'ask RUN [QUESTION]',
    summary: 'ask the same seats a follow-up question',
    flags: ['file', 'takeOver', 'look', 'detach', 'queue', ...ENGINE, ...WORK],
    own: LOOK_AGAIN,
    load: async () => (await import('../app/run/resume.ts')).ask,
  },
  retry: {
    usage: 'retry RUN --seat ID[=M]',
    summary: 'ask seats again, optionally with another model',
    flags: ['seat', 'takeOver', 'protocol', 'look', 'detach', 'queue', ...ENGINE, ...WORK],
    own: {
      ...LOOK_AGAIN,
      seat: {
        hint: 'ID[=PROVIDER/MODEL]',
        description: 'Seat to ask again, optionally switching its model; repeatable',
      },
    },
    load: async () => (await import('../app/run/resume.ts')).retry,
  },
  resynthesize: {
    usage: 'resynthesize RUN',
    summary: 'write another synthesis from the same answers',
    flags: [
      'without',
      'model',
      'note',
      'loadBearing',
      'of',
      'takeOver',
      'detach',
      'queue',
      ...ENGINE,
      ...WORK,
    ],
    own: { model: { description: 'Model that writes it (default: as before)' } },
    load: async () => (await import('../app/run/resume.ts')).resynthesize,
  },
  fork: {
    usage: 'fork RUN --at STEP',
    summary: 'branch a run at a step; only changed steps are asked again',
    flags: ['at', 'set', 'protocol', 'look', ...WORK],
    own: LOOK_AGAIN,
    load: async () => (await import('../app/run/fork.ts')).fork,
  },
  diff: {
    usage: 'diff RUN RUN',
    summary: 'compare claims, verdicts and decisions of two runs',
    flags: ['json', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('../app/run/diff.ts')).diff,
  },
  test: {
    usage: 'test RUN [CLAIM --command "…"]',
    summary: 'test a claim with a command you approve; the result is kept as evidence',
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
    own: { json: JSON_AT_ONCE, yes: { description: 'Run the command without asking' } },
    load: async () => (await import('../protocols/rounds/desk/test.ts')).test,
  },
  open: {
    usage: 'open RUN',
    summary: 'open a recorded run in the console; no model is called',
    flags: ['takeOver', ...CALLS, 'plain', 'json', 'quiet', 'color', ...FILES],
    load: async () => (await import('../app/home/open.ts')).open,
  },
  history: {
    usage: 'history',
    summary: 'browse runs: search, open, resume, fork, export, remove',
    flags: ['search', 'limit', ...CALLS, 'color', ...FILES],
    load: async () => (await import('../app/home/browse.ts')).browse,
  },
  worker: {
    usage: 'worker',
    summary: 'work on queued runs; any number of workers can share a database',
    flags: [
      'jobs',
      'once',
      ...ENGINE,
      'restateAdmin',
      'listen',
      'advertise',
      'concurrency',
      'content',
      'json',
      'quiet',
      ...FILES,
    ],
    own: {
      json: { description: 'Print one run per line as JSON' },
      engine: { description: 'Work on runs of this database (default), or of a Restate server' },
    },
    notes: [
      'Queue a run with --queue: deliberate board "…" --queue. Ctrl-C returns unfinished runs',
      'to the queue for another worker; so does a crash.',
    ],
    load: async () => (await import('./workers/worker.ts')).worker,
  },
  watch: {
    usage: 'watch RUN',
    summary: 'follow a run from another terminal',
    flags: ['plain', 'json', 'deltas', 'quiet', 'bell', 'color', ...FILES],
    load: async () => (await import('../app/run/watch.ts')).watch,
  },
  answer: {
    usage: 'answer RUN [CHOICE]',
    summary: 'answer the question that a run in another process is waiting on',
    flags: ['quiet', ...FILES],
    load: async () => (await import('./answer-stop.ts')).answer,
  },
  stop: {
    usage: 'stop RUN',
    summary: 'stop a run in another process; answers so far are kept',
    flags: ['quiet', ...FILES],
    load: async () => (await import('./answer-stop.ts')).stop,
  },
  replay: {
    usage: 'replay RUN',
    summary: 'play a recorded run back in the console; no model is called',
    flags: ['speed', 'from', 'plain', 'json', 'quiet', 'color', ...FILES],
    load: async () => (await import('../app/run/replay.ts')).replay,
  },
  demo: {
    usage: 'demo [board|rounds|agent|team]',
    summary: 'play a recorded example; needs no model and stores nothing',
    flags: ['speed', 'from', 'plain', 'json', 'quiet', 'color', 'config'],
    load: async () => (await import('../app/run/demo.ts')).demo,
  },
  list: {
    usage: 'list',
    summary: 'list runs, newest first',
    flags: ['search', 'limit', 'json', ...FILES],
    own: { json: { description: 'Print one run per line as JSON' } },
    load: async () => (await import('./list.ts')).list,
  },
  show: {
    usage: 'show RUN',
    summary: 'print a run as text: answers, synthesis, gaps',
    flags: ['json', ...FILES],
    load: async () => (await import('./history.ts')).show,
  },
  export: {
    usage: 'export RUN',
    summary: 'export a run as a report, records, JSON or a trace',
    flags: ['format', 'to', 'open', 'yes', 'content', ...FILES],
    own: {
      content: { description: 'With --format otlp: include questions, answers and findings' },
      open: { description: 'Write the HTML report to a file and open it' },
      yes: { description: 'Overwrite an existing file' },
    },
    load: async () => (await import('./export.ts')).exportRun,
  },
  import: {
    usage: 'import FILE|-',
    summary: 'import a run exported as JSON',
    flags: [...FILES],
    load: async () => (await import('./export.ts')).importRun,
  },
  rm: {
    usage: 'rm RUN…',
    summary: 'delete runs permanently',
    flags: ['yes', 'takeOver', ...FILES],
    own: { yes: { description: 'Remove without asking' } },
    load: async () => (await import('./history.ts')).remove,
  },
  validate: {
    usage: 'validate DIR|RUN',
    summary: 'check the integrity of the records of a run in rounds',
    flags: ['json', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('../protocols/rounds/desk/records.ts')).validate,
  },
  signals: {
    usage: 'signals DIR|RUN',
    summary: 'print the six stopping signals and the eight failure modes',
    flags: ['explain', 'json', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('../protocols/rounds/desk/records.ts')).signals,
  },
  context: {
    usage: 'context add|search|clusters|gaps|check|list|rm',
    summary: "index a project's documents, search them, and find gaps",
    flags: [
      'rehearseSpeed',
      'cards',
      'embed',
      'explain',
      'index',
      'limit',
      'model',
      'prune',
      'question',
      'rebuild',
      'set',
      'idleTimeout',
      'concurrency',
      'json',
      'quiet',
      ...FILES,
    ],
    own: {
      question: { description: 'gaps: question the documents must answer; repeatable' },
      explain: { description: 'search: print the rank of each hit by words and by vectors' },
      limit: { description: 'search: print at most N hits (default 10)' },
      model: { description: 'add: model that assigns changed sections to clusters' },
      set: {
        hint: 'PATH#HEADING=CLUSTER',
        description: 'clusters: assign a section yourself; repeatable',
      },
      json: JSON_AT_ONCE,
    },
    notes: [
      'Clusters are listed in .deliberate/clusters.yaml, or in the file that --cards names.',
      '',
      'add [FOLDER…]     index Markdown and text; without a folder, index changes',
      'search "…"        best matching sections',
      'clusters          which section belongs to which cluster, and who assigned it',
      'gaps "TOPIC"      clusters without documents, unanswered questions',
      'check             claims whose quotation is no longer in the code',
      'list, rm FOLDER…  indexed folders; remove one from the index (its files stay)',
    ],
    load: async () => (await import('./context.ts')).context,
  },
  presets: {
    usage: 'presets [KIND]',
    summary: 'list presets; copy KIND/NAME: copy one to edit; check: find errors',
    flags: ['to', 'json'],
    own: {
      to: { hint: 'project|user', description: 'Where to copy to (default user)' },
      json: JSON_AT_ONCE,
    },
    load: async () => (await import('./presets-command.ts')).presets,
  },
  config: {
    usage: 'config [check]',
    summary: 'print the current settings and their sources; check: find errors',
    flags: [
      'preset',
      'model',
      'effort',
      'synthesizer',
      'verifier',
      'embed',
      'open',
      'quorum',
      'patience',
      'seatTimeout',
      'vote',
      'baseline',
      'rounds',
      'stopAt',
      'respond',
      'budgetTokens',
      'budgetUsd',
      'idleTimeout',
      'concurrency',
      'bell',
      'json',
      ...FILES,
    ],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('./config-command.ts')).config,
  },
  completions: {
    usage: 'completions bash|zsh|fish',
    summary: 'print a completion script for your shell',
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
  eval: {
    usage: 'eval [plan|report|watch] SET',
    summary: 'compare panels with a single model at equal cost, on questions with known answers',
    flags: [
      'arms',
      'panel',
      'primary',
      'size',
      'batch',
      'model',
      'effort',
      'agents',
      'seed',
      'rehearse',
      ...ENGINE,
      ...CALLS.filter((one) => one !== 'content'),
      'format',
      'to',
      'yes',
      'plain',
      'quiet',
      'color',
      ...FILES,
    ],
    own: {
      concurrency: { description: 'Work on N answers at a time (default 4)' },
      to: { description: 'Write the report to a file or folder' },
      yes: { description: 'Overwrite existing files' },
      seed: { description: 'Seed for the choice of items; another seed starts over (default 1)' },
      budgetTokens: {
        description: 'Stop before exceeding N tokens, at the same item for all arms',
      },
      format: {
        hint: 'md|html|inspect|json',
        description: 'Report format (default md); json contains every answer',
      },
    },
    notes: [
      'Sets: flaws (design memos), puzzles, knights, schedules, prices (each also as puzzles:1 to :5),',
      'or a file of your own with one item per line: {"id": 1, "input": "…", "target": "…"}.',
      '',
      'eval SET          run or continue an evaluation; nothing is asked twice',
      'eval plan SET     what it can detect, and its cost; asks nothing',
      'eval report       report on the last finished evaluation',
      'eval watch        screen of an evaluation in another process, or of a finished one',
    ],
    load: async () => (await import('../app/evaluation/evaluate.ts')).evaluate,
  },
  mcp: {
    usage: 'mcp [skill|claude-code|codex]',
    summary: 'serve panels to coding agents over the Model Context Protocol',
    flags: ['rehearse', 'seed', ...CALLS, 'to', 'yes', ...FILES],
    own: {
      rehearse: { description: 'Have the built-in stand-in answer every run (no API calls)' },
      budgetTokens: { description: 'Limit each run to N tokens; a tool call can only lower it' },
      to: { hint: 'DIR', description: "Write the agent's plugin under this folder" },
      yes: { description: 'Overwrite existing files' },
    },
    notes: [
      'Your coding agent starts it: claude mcp add deliberate -- deliberate mcp',
      'skill prints a skill that tells agents when to convene a panel; claude-code and codex write a plugin that includes it.',
    ],
    load: async () => (await import('../mcp/mcp.ts')).mcp,
  },
  models: {
    usage: 'models',
    summary: 'list reachable models',
    flags: ['prices', 'json', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('./models.ts')).models,
  },
  doctor: {
    usage: 'doctor [MODEL…]',
    summary: 'test each provider and model, and suggest fixes',
    flags: ['quick', 'thorough', 'idleTimeout', 'yes', 'json', 'quiet', ...FILES],
    own: { yes: { description: 'Allow paid calls' }, json: JSON_AT_ONCE },
    load: async () => (await import('./doctor.ts')).doctor,
  },
};

/** @throws UsageError naming the one that was probably meant, or listing those there are. */
export function commandNamed(name: string): Command {
  const command = entryOf(COMMANDS, name);
  if (command !== undefined) return command;
  const names = Object.keys(COMMANDS);
  const probably = meant(name, names);
  throw new UsageError(
    `unknown command "${name}"`,
    probably === ''
      ? `The commands are ${names.join(', ')}; deliberate --help explains them.`
      : `${probably}deliberate --help lists all commands.`,
  );
}
