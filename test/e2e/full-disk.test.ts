/** Tests that output which cannot be written is a failure: every command, with a full disk behind it. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { LONG } from '../long.ts';
import { needProgram } from '../setup/needs.ts';
import { CallProcess, runDeliberate } from './calls.ts';
import type { ProgramResult } from './program.ts';
import { makeDatabasePath, makeFolder } from './scene.ts';
import { PROGRAM } from './terminal.ts';

const FULL = '/dev/full';
const SENTENCE = 'deliberate: cannot write to standard output: no space left on the device\n';
const FAST = ['--rehearse', '--rehearse-speed', '1000'];

/** Starts the program with a full disk behind its standard output: one process for all calls of a test. */
function intoFull(): (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<ProgramResult> {
  const startCalls = (): CallProcess => {
    const full = openSync(FULL, 'w');
    const calls = new CallProcess(full);
    closeSync(full);
    onTestFinished(() => calls.close());
    return calls;
  };
  const calls = startCalls();
  return (args, env) => (LONG ? startCalls() : calls).call(args, { env });
}

/** The calls of each command; none for commands that only write to standard error. */
const CALLS: Readonly<Record<keyof typeof COMMANDS, readonly (readonly string[])[]>> = {
  board: [
    ['board', ...FAST, 'Why?'],
    ['board', ...FAST, '--json', '--deltas', 'Why?'],
    ['board', ...FAST, '--estimate', 'Why?'],
  ],
  rounds: [['rounds', ...FAST, '--rounds', '1', '--stress', 'none', 'Why?']],
  agent: [['agent', 'decision-review', ...FAST, 'Why?']],
  plan: [
    ['plan', ...FAST],
    ['plan', ...FAST, '--json'],
    ['plan', ...FAST, '--estimate'],
  ],
  team: [['team', '--rehearse', '--estimate']],
  debate: [
    [
      'debate',
      '--method',
      'brainstorm',
      '--seat',
      'seat',
      '--seat',
      'seat',
      '--yes',
      ...FAST,
      'Why?',
    ],
    ['debate', '--method', 'delphi', '--rehearse', '--estimate', 'Why?'],
  ],
  agents: [['agents'], ['agents', '--json'], ['agents', 'check']],
  run: [
    ['run', 'PROTOCOL', ...FAST, 'Why?'],
    ['run', 'PROTOCOL', '--estimate'],
  ],
  protocol: [['protocol', 'new', 'ANOTHER']],
  // The command `resume` is not called here, since it needs a run that has not ended. A test below makes such a
  // run and resumes it.
  resume: [],
  ask: [['ask', 'BOARD', 'And then?', '--rehearse-speed', '1000']],
  retry: [['retry', 'BOARD', '--seat', 'critic', '--rehearse-speed', '1000']],
  resynthesize: [['resynthesize', 'BOARD', '--rehearse-speed', '1000']],
  fork: [
    [
      'fork',
      'BOARD',
      '--at',
      'seat/critic',
      '--set',
      'seat.critic.model=rehearsal/dissenting',
      '--rehearse-speed',
      '1000',
    ],
  ],
  diff: [
    ['diff', 'BOARD', 'BOARD'],
    ['diff', 'BOARD', 'BOARD', '--json'],
  ],
  test: [['test', 'ROUNDS', 'CLAIM', '--command', 'true', '--yes']],
  open: [['open', 'BOARD', '--plain']],
  history: [],
  worker: [['worker', '--once']],
  watch: [['watch', 'BOARD']],
  // The next six commands are not tested here: without a prepared run they write little, or to standard error.
  note: [],
  decide: [],
  due: [],
  outcome: [],
  answer: [],
  stop: [],
  replay: [
    ['replay', 'BOARD', '--speed', '1000'],
    ['replay', 'BOARD', '--speed', '1000', '--json'],
  ],
  demo: [
    ['demo', 'board'],
    ['demo', 'board', '--json'],
  ],
  list: [['list'], ['list', '--json']],
  usage: [['usage', '--json']],
  track: [['track', '--json']],
  show: [
    ['show', 'BOARD'],
    ['show', 'BOARD', '--json'],
  ],
  export: [
    ['export', 'BOARD'],
    ['export', 'BOARD', '--format', 'json'],
  ],
  import: [],
  rm: [],
  validate: [
    ['validate', 'ROUNDS'],
    ['validate', 'ROUNDS', '--json'],
  ],
  signals: [['signals', 'ROUNDS']],
  // The command `context` is not called here: its output is short, and the commands `list` and `config` already
  // test short outputs.
  context: [],
  presets: [['presets'], ['presets', '--json'], ['presets', 'check']],
  config: [['config'], ['config', '--json'], ['config', 'check']],
  completions: [['completions', 'bash']],
  eval: [
    ['eval', 'plan', 'flaws', '--arms', 'single,board', '--rehearse'],
    ['eval', 'knights', '--arms', 'single,high', '--rehearse', ...FAST.slice(-2), '--size', '2'],
  ],
  mcp: [
    ['mcp', 'skill'],
    ['mcp', 'codex'],
  ],
  servers: [['servers']],
  models: [
    ['models', '--prices'],
    ['models', '--json'],
  ],
  doctor: [['doctor', '--quick', '--json']],
};

describe.skipIf(!existsSync(FULL))('a full disk behind standard output', () => {
  it('is considered for every command: each has a list of calls to test, which may be empty', () => {
    expect(Object.keys(CALLS)).toEqual(Object.keys(COMMANDS));
  });

  it('leads to an error message and an exit code other than 0, whatever the command prints', async () => {
    needProgram('git');
    const into = intoFull();
    const env = {
      HOME: makeFolder(),
      DELIBERATE_DB: makeDatabasePath(),
      OLLAMA_HOST: 'http://127.0.0.1:9',
    };
    for (const args of [
      ['board', ...FAST, '--quiet', 'Why?'],
      ['rounds', ...FAST, '--quiet', '--rounds', '1', '--stress', 'none', 'Why?'],
      ['agent', 'decision-review', ...FAST, '--quiet', '--queue', 'Why?'],
    ])
      expect((await runDeliberate(args, { env })).code).toBe(0);
    const runs = (await runDeliberate(['list', '--json'], { env })).out
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as { id: string; protocol: string });
    const idOf = (protocol: string): string =>
      runs.find((run) => run.protocol === protocol)?.id ?? '';
    const facts = (await runDeliberate(['show', idOf('rounds'), '--json'], { env })).out;
    const where = makeFolder();
    const [protocol, another] = [join(where, 'one.ts'), join(where, 'another.ts')];
    expect((await runDeliberate(['protocol', 'new', protocol], { env })).code).toBe(0);
    const names = new Map([
      ['PROTOCOL', protocol],
      ['ANOTHER', another],
      ['BOARD', idOf('board')],
      ['ROUNDS', idOf('rounds')],
      ['CLAIM', /"(C-\d+-\d+)"/.exec(facts)?.[1] ?? ''],
    ]);
    const calls = [
      ...Object.values(CALLS).flat(),
      ...[['--version'], ['--help'], ['help'], ['list', '--help']],
    ].map((args) => args.map((word) => names.get(word) ?? word));
    const wrong: string[] = [];
    for (const args of calls) {
      const { code, err } = await into(args, env);
      if (code === 0 || !err.endsWith(SENTENCE)) wrong.push(`${args.join(' ')}: ${code} ${err}`);
    }
    expect(wrong).toEqual([]);
  });

  it('causes no error for a command that prints nothing', async () => {
    const into = intoFull();
    expect(await into(['list'], { DELIBERATE_DB: makeDatabasePath() })).toMatchObject({ code: 0 });
  });

  it('does not lose a run whose output cannot be written', async () => {
    const into = intoFull();
    const env = { DELIBERATE_DB: makeDatabasePath() };
    await into(['board', ...FAST, '--plain', 'Why?'], env);
    const resumed = await into(['resume', 'latest', '--plain', '--rehearse-speed', '1000'], env);
    expect(resumed.code).not.toBe(0);
    expect(resumed.err).toContain(SENTENCE);
    expect((await runDeliberate(['show', 'latest'], { env })).out).toContain('Why?');
  });
});

describe('a pipe whose reader has closed it', () => {
  it('causes no error', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const child = spawn(
      'bash',
      ['-c', `"$NODE" "$PROGRAM" presets | true; exit "\${PIPESTATUS[0]}"`],
      {
        env: { ...env, PATH: process.env.PATH ?? '', NODE: process.execPath, PROGRAM },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, err]).toEqual([0, '']);
  });
});
