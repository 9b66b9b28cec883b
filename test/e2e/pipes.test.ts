/** Tests the program in scripts: pipes, exit codes, signals, files. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { startOllama } from '../servers/index.ts';
import { waitUntil } from '../until.ts';
import { runDeliberate } from './calls.ts';
import { Program, runProgram } from './program.ts';
import {
  closeAfterTest,
  makeDatabaseCopier,
  makeDatabasePath,
  makeFolder,
  viewIn,
} from './scene.ts';
import { PROGRAM } from './terminal.ts';

const REHEARSE = ['board', '--rehearse', '--rehearse-speed', '1000'];
const SLOW = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');

const rehearsedBoard = makeDatabaseCopier(async (db) => {
  const env = { DELIBERATE_DB: db };
  expect((await runDeliberate([...REHEARSE, 'Should we?'], { env })).code).toBe(0);
});

async function makeEnv(): Promise<Record<string, string>> {
  return { DELIBERATE_DB: await rehearsedBoard() };
}

describe('standard output', () => {
  it('consists only of facts with --json', async () => {
    const { out, code } = await runDeliberate([...REHEARSE, '--json', 'Should we?'], {
      env: { DELIBERATE_DB: makeDatabasePath() },
    });
    expect(code).toBe(0);
    const facts = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_fact, index) => index + 1));
    expect(facts[0]).toMatchObject({ v: 1, type: 'run.started', question: 'Should we?' });
    expect(facts.at(-1)).toMatchObject({ type: 'run.ended', status: 'done' });
    expect(new Set(facts.map(({ type }) => type))).not.toContain('delta');
  });

  it('also gets a seat’s answer in pieces with --deltas', async () => {
    const { out } = await runDeliberate([...REHEARSE, '--json', '--deltas', 'Should we?'], {
      env: { DELIBERATE_DB: makeDatabasePath() },
    });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const streamed = lines.filter(({ type, seat }) => type === 'delta' && seat === 'critic');
    const whole = lines.find(({ type, seat }) => type === 'call.completed' && seat === 'critic');
    expect(streamed.map(({ text }) => text).join('')).toBe(whole?.text);
  });

  it('has no escape sequence, whatever kind of terminal the environment names', async () => {
    for (const env of [{ NO_COLOR: '1' }, { FORCE_COLOR: '3' }, { TERM: 'dumb' }, { CI: '' }]) {
      const { out, err } = await runProgram([...REHEARSE, 'Should we?'], {
        env: { DELIBERATE_DB: makeDatabasePath(), ...env },
      });
      expect(out + err).not.toContain('\u001b');
      expect(out).toContain('## Recommendation');
    }
  });

  it('of show, export and list says that a run is a rehearsal', async () => {
    const env = await makeEnv();
    for (const args of [['show', 'latest'], ['export', 'latest'], ['list']])
      expect((await runDeliberate(args, { env })).out).toContain('REHEARSAL');
    expect(JSON.parse((await runDeliberate(['list', '--json'], { env })).out)).toMatchObject({
      rehearsal: true,
    });
    const json = JSON.parse(
      (await runDeliberate(['export', 'latest', '--format', 'json'], { env })).out,
    ) as {
      rehearsal: boolean;
    };
    expect(json.rehearsal).toBe(true);
  });

  it('into a pipe whose reader has ended stops the run', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 50, answer: SLOW }),
    );
    const db = makeDatabasePath();
    // Start the program without blocking this process: the model server lives in this process and must be able
    // to answer.
    const child = spawn(
      'sh',
      ['-c', `"$NODE" "$PROGRAM" board --json --deltas --model ollama/a Why | head -n 3; exit 0`],
      {
        env: {
          PATH: process.env.PATH,
          NODE: process.execPath,
          PROGRAM,
          OLLAMA_HOST: server.url,
          DELIBERATE_DB: db,
          HOME: '/nonexistent',
        },
        stdio: 'ignore',
        timeout: 120_000,
      },
    );
    const [status] = (await once(child, 'close')) as [number | null];
    expect(status).toBe(0);
    await expect.poll(() => viewIn(db).status).toBe('stopped');
  });
});

describe('the question', () => {
  it('can come through a pipe', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['x'], answer: '## Consensus\nYes.' }),
    );
    const { code, out } = await runProgram(['board', '--plain', '--model', 'ollama/x'], {
      input: 'Is this a pipe?\n',
      env: { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() },
    });
    expect(code).toBe(0);
    expect(out).toContain('## Advocate (ollama/x)');
    expect(JSON.stringify(server.chats()[0]?.body)).toContain('Is this a pipe?');
  });

  it('can come from a file, but not from a file and the command line at once', async () => {
    const file = join(makeFolder(), 'question.md');
    writeFileSync(file, '# A long question\n\nShould we?\n');
    const db = makeDatabasePath();
    expect(
      (await runDeliberate([...REHEARSE, '--file', file], { env: { DELIBERATE_DB: db } })).code,
    ).toBe(0);
    expect(viewIn(db).question).toBe('# A long question\n\nShould we?');
    const both = await runDeliberate([...REHEARSE, '--file', file, 'And this?'], {
      env: { DELIBERATE_DB: db },
    });
    expect(both.code).toBe(2);
    expect(both.err).toContain('more than one question');
  });
});

describe('a command with wrong arguments', () => {
  it.each([
    [['board', '--rehearse'], 'no question given'],
    [['board', '--rehearse', '--file', '/nonexistent/q'], '/nonexistent/q: no such file'],
    [['board', '--seat', 'critic', 'Why?'], 'ROLE=PROVIDER/MODEL'],
    [['board', '--seat', 'jester=ollama/x', 'Why?'], 'there is no role "jester"'],
    [['board', '--seat', 'critic=gpt', 'Why?'], 'no server that was reached has a model "gpt"'],
    [['board', '--preset', 'no-such', '--rehearse', 'Why?'], 'classic-triad'],
    [['board', '--preset', '../roles/critic', '--rehearse', 'Why?'], 'there is no preset board'],
    [['board', '--idle-timeout', 'soon', 'Why?'], '"soon" is not a duration'],
    [['board', '--concurrency', '0', 'Why?'], '--concurrency'],
    [['board', '--frobnicate', 'Why?'], 'board has no flag --frobnicate'],
    [['frobnicate'], 'unknown command "frobnicate"'],
    [['show', 'a', 'b'], 'expected one run'],
    [['plan', '--write=latest'], '--write takes no value'],
    [['rm', '--yes=no', 'latest'], '--yes takes no value'],
  ])('is refused with exit code 2 and an error message: %j', async (args, sentence) => {
    const { code, err, out } = await runDeliberate(args, {
      env: { DELIBERATE_DB: makeDatabasePath() },
    });
    expect(err).toContain(sentence);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).not.toMatch(/^\s+at /m);
  });
});

describe('a suggestion of a complete command', () => {
  it.each([
    [['board', '--rehearse'], 'deliberate board "'],
    [['rounds', '--rehearse'], 'deliberate rounds "'],
    [['ask', 'latest'], 'deliberate ask latest "'],
    [['ask'], 'deliberate ask latest "'],
    [['agent', 'router'], 'deliberate agent router "'],
    [['agent'], 'deliberate agent critic "'],
    [['resume', 'a', 'b'], 'deliberate resume latest'],
    [['open', 'a', 'b'], 'deliberate open latest'],
    [['validate', 'a', 'b'], 'deliberate validate latest'],
    [['rm', '--yes'], 'deliberate rm '],
    [['diff', 'latest'], 'deliberate diff '],
    [['test', 'latest', 'C-1-1'], 'deliberate test latest C-1-1 --command'],
    [['import'], 'deliberate import '],
    [['completions', 'constructor'], 'deliberate completions bash'],
  ])('is printed for %j', async (args, suggestion) => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'router.md'), '---\nname: router\n---\nYou route.\n');
    const { code, err } = await runDeliberate(
      [...args, ...(args[0] === 'agent' ? ['--agents', cwd] : [])],
      {
        env: { DELIBERATE_DB: makeDatabasePath() },
        cwd,
      },
    );
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(suggestion) });
  });
});

describe('without any model, a run', () => {
  it('fails, and names the server that it could not reach, the API key to set, and --rehearse', async () => {
    const { code, err } = await runDeliberate(['board', 'Why?'], {
      env: { DELIBERATE_DB: makeDatabasePath(), OLLAMA_HOST: 'http://127.0.0.1:45999' },
    });
    expect(code).toBe(1);
    expect(err).toMatch(/ollama at http:\/\/127\.0\.0\.1:45999.*refused/);
    expect(err).toContain('ANTHROPIC_API_KEY');
    expect(err).toContain('--rehearse');
  });
});

describe('signals', () => {
  async function startStreaming(): Promise<{
    program: Program;
    db: string;
    args: Record<string, string>;
  }> {
    const answer = Array(10).fill(SLOW).join(' ');
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 50, answer }),
    );
    const db = makeDatabasePath();
    const args = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const program = new Program(['board', '--plain', '--model', 'ollama/a', 'Why?'], { env: args });
    await program.waitForStderr(/Analyst is asked/);
    await expect.poll(() => server.chats().filter((request) => request.answered).length).toBe(3);
    // Wait until the text that the tests look for is on record for every seat.
    const store = Store.open(db, FACTS);
    const run = store.find('latest');
    await waitUntil(() => {
      const texts = new Map<string, string>();
      for (const { step, text } of store.chunks(run))
        texts.set(step, (texts.get(step) ?? '') + text);
      return [...texts.values()].filter((text) => text.includes('word3')).length === 3;
    }, 'text of three seats');
    store.close();
    return { program, db, args };
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s stops the run and keeps the text so far',
    async (signal) => {
      const { program, db, args } = await startStreaming();
      program.child.kill(signal);
      const { code, err } = await program.ended;
      expect(code).toBe(130);
      expect(err).toContain('deliberate resume');
      const view = viewIn(db);
      expect(view.status).toBe('stopped');
      expect(view.syntheses).toEqual([]);
      for (const call of Object.values(view.calls))
        expect(call).toMatchObject({ state: 'stopped', text: expect.stringContaining('word3') });
      const shown = await runDeliberate(['show', 'latest'], { env: args });
      expect(shown.out).toContain('Stopped: the answer is partial');
    },
  );
});

describe('the history', () => {
  it('lists, shows, exports and removes runs', async () => {
    const env = await makeEnv();
    const { out } = await runDeliberate(['list'], { env });
    expect(out).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4} {2}.* board .* done .* Should we\?$/m);
    const id = out.slice(0, 13);
    const shown = await runDeliberate(['show', id], { env });
    expect(shown.out).toMatch(/## Synthesis v1 · 3 of 3 advisors/);
    const to = join(makeFolder(), 'new', 'place');
    const exported = await runDeliberate(['export', id, '--to', to], { env });
    const file = exported.err.trim();
    expect(file.startsWith(to)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(shown.out);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await runDeliberate(['list', '--search', 'no such words'], { env })).err).toContain(
      'No runs',
    );
    expect((await runDeliberate(['rm', id], { env })).code).toBe(2);
    expect((await runDeliberate(['rm', id, '--yes'], { env })).code).toBe(0);
    expect((await runDeliberate(['show', id], { env })).code).toBe(1);
  });

  it('can be read with SQL from the database file: the view `calls` has each call’s seat, status and tokens', async () => {
    const { DELIBERATE_DB } = await makeEnv();
    const db = new Database(DELIBERATE_DB, { readonly: true });
    const rows = db.prepare('select seat, status, tokens_out from calls order by seat').all() as {
      seat: string;
      status: string;
      tokens_out: number;
    }[];
    db.close();
    expect(rows.map(({ seat, status }) => [seat, status])).toEqual([
      ['advocate', 'done'],
      ['analyst', 'done'],
      ['critic', 'done'],
      // The synthesizer's two calls are the synthesis and the table of positions.
      ['synthesizer', 'done'],
      ['synthesizer', 'done'],
    ]);
    for (const { tokens_out } of rows) expect(tokens_out).toBeGreaterThan(50);
  });

  it('refuses to resume a finished run', async () => {
    const env = await makeEnv();
    const { code, err } = await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect(code).toBe(1);
    expect(err).toContain('is done: every seat has answered');
  });

  it('makes a new synthesis without asking a seat again', async () => {
    const env = await makeEnv();
    const again = await runDeliberate(
      [
        'resynthesize',
        'latest',
        '--plain',
        '--without',
        'critic',
        '--note',
        'Be brief.',
        '--rehearse-speed',
        '1000',
      ],
      { env },
    );
    expect(again.code).toBe(0);
    expect(again.out).toContain('# Synthesis v2 · 2 of 3 advisors · without Critic (left out)');
    expect((await runDeliberate(['show', 'latest'], { env })).out).toContain(
      'Instruction: Be brief.',
    );
    const wrong = await runDeliberate(
      ['resynthesize', 'latest', '--plain', '--without', 'jester'],
      {
        env,
      },
    );
    expect(wrong.code).toBe(2);
  });
});

describe('two processes', () => {
  it('cannot work on the same run, but the second process can follow the run of the first', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 150, answer: SLOW }),
    );
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: makeDatabasePath() };
    const first = new Program(['board', '--plain', '--model', 'ollama/a', 'Why?'], { env });
    await first.waitForStderr(/Analyst is asked/);
    const second = await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect(second.code).toBe(1);
    expect(second.err).toMatch(/is in use by process \d+[\s\S]*deliberate watch/);
    const removed = await runDeliberate(['rm', 'latest', '--yes'], { env });
    expect(removed.code).toBe(1);
    const watched = await runDeliberate(['watch', 'latest', '--json', '--deltas'], { env });
    expect(watched.code).toBe(0);
    expect((await first.ended).code).toBe(0);
    const lines = watched.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; seq?: number });
    const seqs = lines.flatMap(({ seq }) => seq ?? []);
    expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
    expect(lines.filter(({ type }) => type === 'delta').length).toBeGreaterThan(3);
    expect(lines.at(-1)?.type).toBe('run.ended');
  });
});

describe('the program itself', () => {
  it('gives the same output in a new process as in a process that ran other commands before', async () => {
    const env = await makeEnv();
    for (const args of [['show', 'latest'], ['resume', 'latest', '--plain'], ['frobnicate']]) {
      const first = await runDeliberate(args, { env });
      expect(await runDeliberate(args, { env })).toEqual(first);
      expect(await runProgram(args, { env })).toEqual(first);
    }
  });

  it('refuses an old version of Node in one sentence', () => {
    const dir = makeFolder();
    mkdirSync(join(dir, 'bin'));
    // Replace the version that the program reads from Node by an old one.
    const source = readFileSync(PROGRAM, 'utf8').replace(
      'process.versions.node.split',
      "'20.20.2'.split",
    );
    writeFileSync(join(dir, 'bin', 'old.mjs'), source);
    const { status, stderr } = spawnSync(process.execPath, [join(dir, 'bin', 'old.mjs'), 'list'], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain('needs Node 22.18 or newer');
  });

  it('prints help, its version and the list of runs without loading Ink, React or a provider’s SDK', () => {
    const listModules = (args: string[]): string =>
      spawnSync(
        process.execPath,
        [
          '--import',
          'data:text/javascript,import{registerHooks}from"node:module";registerHooks({load(u,c,n){console.error(u);return n(u,c)}})',
          PROGRAM,
          ...args,
        ],
        {
          encoding: 'utf8',
          env: { PATH: process.env.PATH, HOME: '/nonexistent', DELIBERATE_DB: makeDatabasePath() },
        },
      ).stderr;
    for (const args of [['--help'], ['--version'], ['list'], ['board', '--help']]) {
      const text = listModules(args)
        .split('\n')
        .filter((url) => url.startsWith('file:') && url.includes('/dist/'))
        .map((url) => readFileSync(new URL(url), 'utf8'))
        .join('\n');
      expect(text).not.toMatch(/react-reconciler|class Anthropic |class OpenAI |yoga/);
    }
    expect(listModules(['board', '--help'])).not.toContain('Error');
  });
});
