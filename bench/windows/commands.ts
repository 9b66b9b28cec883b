/** Runs commands of the program on Windows and checks what each of them prints. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { freshProfile, ROOT, runApp, type WineEnd } from './wine.ts';

type Say = RegExp | ((ended: WineEnd, folder: string) => boolean | string);

interface Row {
  /** The arguments; a function makes an argument from what earlier rows have learned. */
  readonly args: readonly (string | ((known: Known) => string))[];
  /** A pattern or a check for standard output; absent if only the exit code counts. */
  readonly out?: Say;
  readonly err?: RegExp;
  readonly code?: number;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Stores values of the output for later rows. */
  readonly learn?: (ended: WineEnd, known: Known) => void;
}

type Known = Map<string, string>;

/** The outcome of a command or test of the program under Wine. */
export interface Outcome {
  readonly name: string;
  /** Why the check failed; absent if it passed. */
  readonly why?: string;
}

const FAST = ['--rehearse-speed', '1000', '--plain', '--quiet'];
const QUESTION = 'Should we split the monolith?';
const getKnown = (name: string) => (all: Known) => all.get(name) ?? `?${name}`;
const checkFile = (path: string, holds: RegExp) => (_: WineEnd, folder: string) => {
  const at = join(folder, path);
  if (!existsSync(at)) return `${path} is not there`;
  return holds.test(readFileSync(at, 'utf8')) || `${path} does not hold ${holds}`;
};
/** Checks that the output matches and names nothing that exists only on Unix. */
const checkPlain = (holds: RegExp) => (ended: WineEnd) => {
  if (/'[A-Z]:\\|node '|~\/\.|\/bin\/sh/.test(ended.out + ended.err))
    return 'says something of Unix';
  return holds.test(ended.out + ended.err) || `does not say ${holds}`;
};

/** The quick commands, run in this order: a command works on the runs and files of those before it. */
const SHORT: readonly Row[] = [
  { args: ['--version'], out: /^\d+\.\d+\.\d+\r?\n$/ },
  { args: ['--help'], out: checkPlain(/deliberate\.js/) },
  { args: ['board', '--help'], out: checkPlain(/--attach/) },
  { args: ['config', 'path'], out: /AppData\\Roaming\\deliberate\\config\.yaml/ },
  { args: ['board', '--rehearse', ...FAST, QUESTION], out: /## Recommendation/ },
  // `list` is the second command that opens the database. It finds the files that the first one, `board`, has
  // left beside the database.
  { args: ['list'], out: /board +done/ },
  { args: ['show', 'latest'], out: /split the monolith/i },
  { args: ['board', '--rehearse', ...FAST, '--attach', 'docs', QUESTION], out: /Recommendation/ },
  {
    args: ['board', '--rehearse', ...FAST, '--attach', 'docs\\*.md', QUESTION],
    out: /Recommendation/,
  },
  {
    args: ['show', 'latest', '--json'],
    out: ({ out }) => /"docs\/|plan\.md/.test(out) && !/docs\\\\/.test(out),
  },
  { args: ['ask', 'latest', ...FAST, 'What would change your mind?'], out: /./ },
  {
    args: [
      'rounds',
      '--rehearse',
      '--seed',
      '7',
      ...FAST,
      '--rounds',
      '2',
      '--yes',
      '--attach',
      'docs',
      QUESTION,
    ],
    out: /REHEARSAL|Rehearsal/,
  },
  {
    args: ['test', 'latest'],
    out: /^C-\d+-\d+/m,
    err: /--command "npm test/,
    learn: ({ out }, all) => all.set('claim', /^C-\d+-\d+/m.exec(out)?.[0] ?? ''),
  },
  {
    args: ['test', 'latest', getKnown('claim'), '--command', 'exit 0', '--yes'],
    out: /ROBUST/,
    err: /by cmd \/d \/s \/c/,
  },
  { args: ['validate', 'latest'], out: /No problems/ },
  {
    args: ['export', 'latest', '--format', 'records', '--to', 'records'],
    out: checkFile('records/run.json', /"run"/),
  },
  { args: ['validate', 'records'], out: /No problems/ },
  { args: ['export', 'latest', '--to', 'report.md'], out: checkFile('report.md', /^[^\r]*$/) },
  {
    args: [
      'fork',
      'latest',
      '--at',
      'round-2',
      '--set',
      'seat.critic.model=rehearsal/panel',
      ...FAST,
    ],
    err: /^$/,
  },
  { args: ['nonsense'], code: 2, err: /deliberate/ },
  {
    args: ['board', '--rehearse', ...FAST, '--attach', 'aux.md', QUESTION],
    code: 2,
    err: /device/,
  },
];

const LONG: readonly Row[] = [
  { args: ['export', 'latest', '--to', 'report.html'], out: checkFile('report.html', /<svg/) },
  {
    args: ['export', 'latest', '--format', 'json', '--to', 'run.json'],
    out: checkFile('run.json', /"facts"|"run"/),
  },
  {
    args: ['export', 'latest', '--format', 'otlp', '--to', 'trace.json'],
    out: checkFile('trace.json', /resourceSpans/),
  },
  {
    args: ['export', 'latest', '--format', 'claims', '--to', 'claims.jsonl'],
    out: checkFile('claims.jsonl', /C-1-1/),
  },
  { args: ['export', 'latest', '--format', 'markdown'], out: /## / },
  { args: ['export', 'latest', '--to', 'report.md'], code: 2, err: /already exists/ },
  { args: ['export', 'latest', '--to', 'report.md', '--yes'] },
  { args: ['import', 'run.json', '--db', 'other.db'], err: /Imported/ },
  { args: ['show', 'latest', '--db', 'other.db'], out: /monolith/ },
  { args: ['validate', 'latest', '--db', 'other.db'], out: /No problems/ },
  { args: ['board', '--rehearse', ...FAST, QUESTION], out: /Recommendation/ },
  {
    args: ['board', '--rehearse', ...FAST, '--json', '-'],
    input: 'Is it ready?\r\n',
    out: /"run\.ended"/,
  },
  { args: ['board', '--rehearse', ...FAST, '--file', 'docs\\plan.md'], out: /Recommendation/ },
  {
    args: ['board', '--rehearse', ...FAST, '--attach', 'DOCS\\PLAN.MD', QUESTION],
    out: /Recommendation/,
  },
  {
    args: ['show', 'latest', '--json'],
    out: ({ out }) => out.includes('"plan.md"') || 'the name is not that of the disk',
  },
  {
    args: ['board', '--rehearse', ...FAST, '--attach', 'C:notes.md', QUESTION],
    code: 2,
    err: /no such file/,
  },
  {
    args: ['board', '--rehearse', ...FAST, '--attach', 'docs\\plan.md::$DATA', QUESTION],
    code: 2,
    err: /part of a file/,
  },
  { args: ['board', '--rehearse', ...FAST, '--attach', 'CON', QUESTION], code: 2, err: /device/ },
  {
    args: [
      'board',
      '--rehearse',
      ...FAST,
      '--attach',
      'docs/plan.md',
      '--attach',
      'docs\\PLAN.md',
      QUESTION,
    ],
    out: /Recommendation/,
  },
  {
    args: ['board', '--rehearse', ...FAST, '--attach', 'crlf.md', QUESTION],
    out: /Recommendation/,
  },
  {
    args: ['show', 'latest', '--json'],
    out: ({ out }) => !out.includes('\\r') || 'a carriage return was recorded',
  },
  { args: ['board', '--rehearse', '--estimate', QUESTION], out: /No model was called/ },
  {
    args: [
      'board',
      '--rehearse',
      '--quorum',
      '2/3',
      '--patience',
      '30s',
      '--baseline',
      'single,vote-5',
      ...FAST,
      QUESTION,
    ],
    out: /Recommendation/,
  },
  { args: ['board', '--rehearse', ...FAST, '--look', 'docs', QUESTION], out: /Recommendation/ },
  {
    args: ['board', '--rehearse', ...FAST, '--look', 'code=docs\\', QUESTION],
    out: /Recommendation/,
  },
  { args: ['resynthesize', 'latest', ...FAST], out: /./ },
  { args: ['retry', 'latest', '--seat', 'critic=rehearsal/panel', ...FAST], out: /./ },
  { args: ['replay', 'latest', '--plain', '--quiet'], out: /Recommendation/ },
  { args: ['demo', 'rounds', '--plain', '--quiet'], out: /EXAMPLE/ },
  { args: ['demo', 'team', '--plain', '--quiet'], out: /3 of 3 requirements met/ },
  { args: ['demo', 'board', '--plain', '--quiet'], out: /EXAMPLE/ },
  { args: ['signals', 'latest', '--db', 'other.db'], out: /S1|signal|[A-Z]/ },
  { args: ['signals', 'latest', '--explain', '--db', 'other.db'], out: /./ },
  { args: ['diff', 'latest', 'latest'], out: /./ },
  { args: ['list', '--search', 'monolith'], out: /monolith/ },
  { args: ['list', '--json'], out: /"id"/ },
  { args: ['usage', '--since', '30d', '--by', 'day'], err: /No model was called/ },
  { args: ['usage', '--json'], out: /[{[]/ },
  { args: ['models'], code: 1, out: /rehearsal\/panel/ },
  { args: ['models', '--prices'], out: /./ },
  { args: ['doctor', '--quick'], code: 1, out: checkPlain(/ollama/) },
  { args: ['agent', 'decision-review', '--rehearse', ...FAST, QUESTION], out: /REHEARSAL/i },
  { args: ['agents'], out: /decision-review/ },
  { args: ['agents', 'check'], out: /./ },
  { args: ['agents', 'new', 'sage'], out: checkPlain(/sage/) },
  {
    args: [
      'plan',
      '--rehearse',
      ...FAST,
      '--repo',
      'pebbles',
      'pebbles\\docs\\planning\\increment\\topic.md',
    ],
    out: /## Tasks/,
  },
  {
    args: ['plan', '--write', 'latest', '--yes', '--quiet'],
    out: /docs[\\/]roadmap[\\/]increment\.spec\.md/,
  },
  ...['standard', 'oxford', 'advocate', 'socratic', 'delphi', 'brainstorm', 'tradeoff'].map(
    (method): Row => ({
      args: [
        'debate',
        '--method',
        method,
        '--rehearse',
        '--yes',
        ...FAST,
        'How many weeks would it take?',
      ],
      out: /# Conclusion/,
    }),
  ),
  {
    args: [
      'debate',
      '--rehearse',
      '--method',
      'delphi',
      '--estimate',
      'How many weeks would it take?',
    ],
    out: /No model was called/,
  },
  { args: ['protocol', 'new', 'own.ts'], out: checkFile('own.ts', /export default/) },
  { args: ['run', 'own.ts', '--rehearse', ...FAST, QUESTION], out: /./ },
  { args: ['run', '.\\own.ts', '--rehearse', ...FAST, QUESTION], out: /./ },
  { args: ['replay', 'latest', '--plain', '--quiet'], out: /./ },
  { args: ['fork', 'latest', '--set', 'rounds=2', ...FAST], out: /./ },
  { args: ['presets'], out: /critic/ },
  { args: ['presets', 'copy', 'roles/critic'], out: /AppData\\Roaming\\deliberate|\.deliberate/ },
  { args: ['presets', 'show', 'roles/critic'], out: /./ },
  { args: ['presets', 'new', 'roles/sage'], out: checkPlain(/sage/) },
  { args: ['presets', 'check'], out: /./ },
  { args: ['config', 'set', 'idle_timeout', '2m'] },
  { args: ['config', 'get', 'idle_timeout'], out: /^2m/ },
  { args: ['config', 'unset', 'idle_timeout'] },
  { args: ['config', 'check'], out: /./ },
  { args: ['config'], out: /AppData/ },
  { args: ['completions', 'powershell'], out: /Register-ArgumentCompleter/ },
  { args: ['completions', 'bash'], out: /complete -o/ },
  { args: ['context', 'add', 'docs'], err: /./ },
  { args: ['context', 'search', 'monolith', '--explain'], out: /docs\/plan\.md#L/ },
  { args: ['context', 'list'], out: /docs/ },
  { args: ['context', 'check'], out: /./ },
  { args: ['context', 'rm', 'docs'] },
  {
    args: [
      'eval',
      'plan',
      'puzzles',
      '--arms',
      'single,vote,board',
      '--size',
      'study',
      '--rehearse',
    ],
    out: /./,
  },
  {
    args: [
      'eval',
      'flaws',
      '--arms',
      'single,vote,board',
      '--rehearse',
      '--rehearse-speed',
      '1000',
      '--size',
      '2',
    ],
    out: /rehearsal/,
  },
  {
    args: ['eval', 'report', 'latest', '--format', 'html', '--to', 'eval.html'],
    out: checkFile('eval.html', /<html/),
  },
  {
    args: [
      'board',
      '--rehearse',
      '--rehearse-speed',
      '1000',
      '--queue',
      '--db',
      'queue.db',
      QUESTION,
    ],
    err: /./,
  },
  { args: ['worker', '--once', '--db', 'queue.db'], out: / done / },
  { args: ['note', 'latest', 'Eight rounds were enough'] },
  { args: ['board', '--rehearse', ...FAST, '--detach', QUESTION], out: /^[0-9a-f]{8}-/ },
  { args: ['team', '--rehearse', ...FAST, '--yes', '--unsandboxed'], code: 1, err: /git/ },
  {
    args: [
      'test',
      'latest',
      getKnown('claim'),
      '--command',
      'type docs\\plan.md',
      '--yes',
      '--db',
      'other.db',
    ],
    out: /exit 0/,
  },
  {
    args: ['test', 'latest', getKnown('claim'), '--command', 'exit 3', '--yes', '--db', 'other.db'],
    out: /exit 3/,
  },
  {
    args: [
      'test',
      'latest',
      getKnown('claim'),
      '--command',
      'ping -n 30 127.0.0.1 >nul',
      '--timeout',
      '1s',
      '--yes',
      '--db',
      'other.db',
    ],
    out: /was killed/,
  },
  {
    args: ['export', 'latest', '--format', 'records', '--to', 'again', '--db', 'other.db'],
    out: checkFile('again/evidence/E-2-2.md', /by cmd/),
  },
  { args: ['validate', 'again'], out: /No problems/ },
  { args: ['rm', 'latest', '--yes'], err: /./ },
  { args: ['list', '--db', 'Z:\\dev\\null\\x.db'], code: 1, err: /deliberate: / },
  { args: ['show', 'latest', '--db', 'no\\such\\folder.db'], code: 1, err: /./ },
];

/** Creates a working folder with the documents that `runCommands` needs. */
export function makeWork(folder: string): void {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeFileSync(
    join(folder, 'docs', 'plan.md'),
    '# Plan\n\nSplit the monolith in May.\nThe queue loses no data — ünïcode.\n',
  );
  writeFileSync(join(folder, 'docs', 'risks.md'), '# Risks\n\nThe team has four people.\n');
  writeFileSync(join(folder, 'crlf.md'), '# Lines\r\n\r\nThey end as Windows ends them.\r\n');
  cpSync(join(ROOT, 'presets', 'examples', 'plan'), join(folder, 'pebbles'), { recursive: true });
}

/**
 * Runs commands of the installed program under Wine, one after another, and calls `tell` with the outcome of each.
 * Deletes the program's files of earlier runs first.
 * @param folder the folder in which the commands run
 * @param which `short` leaves out most of them
 */
export async function runCommands(
  folder: string,
  which: 'short' | 'all',
  tell: (outcome: Outcome) => void,
): Promise<void> {
  freshProfile();
  makeWork(folder);
  const all: Known = new Map();
  for (const row of which === 'short' ? SHORT : [...SHORT, ...LONG]) {
    const args = row.args.map((arg) => (typeof arg === 'string' ? arg : arg(all)));
    const { input, env } = row;
    const ended = await runApp(args, {
      cwd: folder,
      ...withoutUndefined({ input, env }),
    });
    row.learn?.(ended, all);
    const why = findFault(row, ended, folder);
    tell({ name: args.join(' '), ...withoutUndefined({ why }) });
  }
}

function findFault(
  { out, err, code = 0 }: Row,
  ended: WineEnd,
  folder: string,
): string | undefined {
  const formatOutput = (): string => `${ended.out.slice(-200)} | ${ended.err.slice(-300)}`;
  if (ended.code !== code) return `exit ${ended.code}, not ${code}: ${formatOutput()}`;
  if (/unexpected error|\u251c|Γ|â€/.test(ended.out + ended.err))
    return `unexpected: ${formatOutput()}`;
  if (err !== undefined && !err.test(ended.err))
    return `standard error is not ${err}: ${formatOutput()}`;
  if (out === undefined) return undefined;
  if (out instanceof RegExp)
    return out.test(ended.out) ? undefined : `standard output is not ${out}: ${formatOutput()}`;
  const answer = out(ended, folder);
  return answer === true ? undefined : `${answer === false ? 'not so' : answer}: ${formatOutput()}`;
}
