/** The commands about runs that there are. */
import { CALLS, type Command, ENGINE, FILES, JSON_AT_ONCE, WORK } from '../app/command.ts';
import { OTHER_COMMANDS } from '../protocols/desks.ts';

const LOOK_AGAIN = {
  look: {
    hint: 'NAME=DIR',
    description: 'New place of a folder that the run uses, if it has moved',
  },
} as const;

export const RUN_COMMANDS: Readonly<Record<string, Command>> = {
  resume: {
    usage: 'resume [RUN]',
    summary: 'resume a run where it stopped; recorded answers are reused',
    flags: ['takeOver', 'protocol', 'look', 'tools', 'detach', 'queue', ...ENGINE, ...WORK],
    own: LOOK_AGAIN,
    load: async () => (await import('./resume.ts')).resume,
  },
  ask: {
    usage: 'ask [RUN] [QUESTION]',
    summary: 'ask the same seats a follow-up question',
    flags: ['file', 'takeOver', 'look', 'tools', 'detach', 'queue', ...ENGINE, ...WORK],
    own: LOOK_AGAIN,
    load: async () => (await import('../app/run/resume.ts')).ask,
  },
  retry: {
    usage: 'retry [RUN] --seat ID[=M]',
    summary: 'ask seats again, optionally with another model',
    flags: ['seat', 'takeOver', 'protocol', 'look', 'tools', 'detach', 'queue', ...ENGINE, ...WORK],
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
    usage: 'resynthesize [RUN]',
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
    usage: 'fork [RUN] --at STEP',
    summary: 'branch a run at a step; only changed steps are asked again',
    flags: ['at', 'set', 'protocol', 'look', 'tools', ...WORK],
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
  test: OTHER_COMMANDS.test,
  open: {
    usage: 'open [RUN]',
    summary: 'open a recorded run in the console; no model is called',
    flags: ['takeOver', ...CALLS, 'plain', 'json', 'quiet', 'color', ...FILES],
    load: async () => (await import('../app/home/open.ts')).open,
  },
  history: {
    usage: 'history',
    summary: 'browse runs: search, open, resume, fork, export, remove',
    flags: ['search', 'limit', ...CALLS, 'color', ...FILES],
    load: async () => (await import('../app/home/history.ts')).browse,
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
    usage: 'watch [RUN]',
    summary: 'follow a run from another terminal',
    flags: ['plain', 'json', 'deltas', 'quiet', 'bell', 'color', ...FILES],
    load: async () => (await import('../app/run/watch.ts')).watch,
  },
  note: {
    usage: 'note [RUN] "TEXT"',
    summary: 'add a line to the iteration log of a run that is not running',
    flags: ['takeOver', 'quiet', ...FILES],
    load: async () => (await import('./note.ts')).note,
  },
  answer: {
    usage: 'answer [RUN] [CHOICE]',
    summary: 'answer the question that a run in another process is waiting on',
    flags: ['quiet', ...FILES],
    load: async () => (await import('./answer-stop.ts')).answer,
  },
  stop: {
    usage: 'stop [RUN]',
    summary: 'stop a run in another process; answers so far are kept',
    flags: ['quiet', ...FILES],
    load: async () => (await import('./answer-stop.ts')).stop,
  },
  replay: {
    usage: 'replay [RUN]',
    summary: 'play a recorded run back in the console; no model is called',
    flags: ['speed', 'from', 'plain', 'json', 'quiet', 'color', ...FILES],
    load: async () => (await import('../app/run/replay.ts')).replay,
  },
  demo: {
    usage: 'demo [board|rounds|stress|agent|team]',
    summary: 'play a recorded example; needs no model and stores nothing',
    flags: ['speed', 'from', 'plain', 'json', 'quiet', 'color', 'config'],
    load: async () => (await import('../app/run/demo.ts')).demo,
  },
  list: {
    usage: 'list [WORDS]',
    summary: 'list runs, newest first; with words, those that contain them',
    flags: ['search', 'limit', 'json', ...FILES],
    own: { json: { description: 'Print one run per line as JSON' } },
    load: async () => (await import('./list.ts')).list,
  },
  usage: {
    usage: 'usage',
    summary: 'sum up what was spent, in tokens, dollars and time',
    flags: ['since', 'by', 'json', 'quiet', ...FILES],
    own: { json: JSON_AT_ONCE },
    load: async () => (await import('./usage.ts')).usage,
  },
  track: {
    usage: 'track',
    summary: 'what models predicted, and what came true',
    flags: ['since', 'by', 'json', ...FILES],
    own: {
      json: JSON_AT_ONCE,
      by: {
        hint: 'model|lineage|role|protocol',
        description: 'Whose record it is (default model)',
      },
      since: {
        hint: 'SPAN',
        description: 'Only predictions answered in the last 30d or 4w, or since a date',
      },
    },
    load: async () => (await import('./track.ts')).track,
  },
  show: {
    usage: 'show [RUN]',
    summary: 'print a run as text: answers, synthesis, gaps',
    flags: ['json', ...FILES],
    load: async () => (await import('./show.ts')).show,
  },
  export: {
    usage: 'export [RUN] [FILE]',
    summary: 'export a run as a report, claims, records, JSON or a trace',
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
    usage: 'rm [RUN…]',
    summary: 'delete runs permanently',
    flags: ['yes', 'takeOver', ...FILES],
    own: { yes: { description: 'Remove without asking' } },
    load: async () => (await import('./rm.ts')).remove,
  },
  validate: OTHER_COMMANDS.validate,
  signals: OTHER_COMMANDS.signals,
};
