/** Tests that a run which loses its database, its host name or its machine loses nothing, or says so. */

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeDatabasePath, makeFolder, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

const SLOW = Array.from({ length: 150 }, (_, index) => `word${index}`).join(' ');

/** Starts a board in a folder of its own. */
async function startBoard() {
  const server = closeAfterTest(
    await startOllama({ models: ['a'], tokensPerSecond: 400, answer: SLOW }),
  );
  const file = join(makeFolder(), 'data', 'runs.db');
  const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: file };
  const cwd = makeFolder();
  const args = ['board', '--plain', '--seat', 'analyst=ollama/a', '--no-vote', 'Why?'];
  const board = runDeliberate(args, { env, cwd });
  await server.waitForChat(1);
  return { server, file, env, cwd, board };
}

const LOSSES: readonly (readonly [what: string, lose: (file: string) => void, says: RegExp])[] = [
  [
    'is deleted',
    (file) => {
      for (const name of readdirSync(dirname(file))) rmSync(join(dirname(file), name));
    },
    /was moved or deleted during the run and does not contain the run; it was saved to /,
  ],
  ['is moved', (file) => renameSync(file, `${file}.old`), /was moved or deleted/],
  [
    'is replaced by another one',
    (file) => {
      Store.open(`${file}.other`, FACTS).close();
      renameSync(`${file}.other`, file);
    },
    /was replaced by another file/,
  ],
  ['goes away with its folder', (file) => rmSync(dirname(file), { recursive: true }), /deleted/],
];

describe('losing the database while working on a run', () => {
  it.each(LOSSES)(
    'makes the program save the run elsewhere and say where: the database %s',
    async (_what, lose, says) => {
      const { file, env, cwd, board, server } = await startBoard();
      lose(file);
      const ended = await board;
      expect(ended.err).toMatch(says);
      expect(ended.err).not.toMatch(/ done\. deliberate show/);
      expect(ended.code).toBe(1);
      const saved = /deliberate import '(.+)'/.exec(ended.err)?.[1] ?? '';
      expect(dirname(saved)).toBe(existsSync(dirname(file)) ? dirname(file) : cwd);
      const there = { ...env, DELIBERATE_DB: makeDatabasePath() };
      expect((await runDeliberate(['import', saved], { env: there })).code).toBe(0);
      expect(viewIn(there.DELIBERATE_DB)).toMatchObject({
        status: 'done',
        syntheses: [{ text: SLOW }],
      });
      expect(server.chats()).toHaveLength(2);
    },
  );

  it('makes deliberate test save the run elsewhere, and the error says so', async () => {
    const file = join(makeFolder(), 'runs.db');
    const env = { DELIBERATE_DB: file };
    const rounds = ['rounds', '--rehearse', '--rehearse-speed', '1000', '--rounds', '1', '--plain'];
    expect((await runDeliberate([...rounds, '--yes', 'Why?'], { env })).code).toBe(0);
    const db = new Database(file, { readonly: true });
    const claim = db.prepare("SELECT id FROM claims WHERE status <> 'superseded'").pluck().get();
    db.close();
    const command = `mv '${file}' '${file}.old'`;
    const tested = await runDeliberate(
      ['test', 'latest', String(claim), '--command', command, '--yes'],
      {
        env,
      },
    );
    expect(tested.err).toMatch(/was moved or deleted[\s\S]*deliberate import/);
    expect(tested.code).toBe(1);
  });
});

/** Starts the program under another host name. */
function startElsewhere(args: readonly string[], env: Readonly<Record<string, string>>): Program {
  return new Program(args, { env, through: RENAMED });
}

const RENAMED = [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  ...['--uts', 'sh', '-c', 'hostname elsewhere && exec "$@"', 'sh'],
];

describe('a run under another host name', () => {
  it.runIf(process.platform === 'linux')(
    'counts as interrupted after its process was killed, and can be resumed',
    async () => {
      const server = closeAfterTest(
        await startOllama({ models: ['a'], tokensPerSecond: 40, answer: SLOW }),
      );
      const file = makeDatabasePath();
      const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: file };
      const board = startElsewhere(['board', '--plain', '--seat', 'analyst=ollama/a', 'Why?'], env);
      await board.waitForStderr(/Analyst is asked/);
      expect((await runDeliberate(['resume', 'latest', '--plain'], { env })).err).toMatch(
        /is in use by process \d+ on elsewhere/,
      );
      board.child.kill('SIGKILL');
      await board.ended;
      expect((await runDeliberate(['list'], { env })).out).toContain(' interrupted ');
      expect((await runDeliberate(['resume', 'latest', '--plain'], { env })).code).toBe(0);
      expect((await runDeliberate(['rm', 'latest', '--yes'], { env })).code).toBe(0);
    },
  );

  it('is taken from a process on another machine only with --take-over or if the person says yes', async () => {
    const file = makeDatabasePath();
    const env = { DELIBERATE_DB: file };
    const board = ['board', '--rehearse', '--rehearse-speed', '1000', '--plain', 'Why?'];
    expect((await runDeliberate(board, { env })).code).toBe(0);
    const moveAbroad = (): void => {
      const db = new Database(file);
      const owner = { host: 'far-away', pid: 7, born: 'x', boot: 'y', machine: 'z' };
      db.prepare('UPDATE run SET owner = ?').run(JSON.stringify(owner));
      db.close();
    };
    moveAbroad();
    const again = ['resynthesize', 'latest', '--rehearse-speed', '1000', '--plain'];
    const refused = await runDeliberate([...again, '--yes'], { env });
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/held by process 7 on far-away.*\n.*--take-over/);
    expect((await runDeliberate([...again, '--take-over'], { env })).code).toBe(0);

    moveAbroad();
    for (const [answer, says, syntheses] of [
      ['n', /held by process 7[\s\S]*held by process 7/, 2],
      ['y', /run [0-9a-f-]+ done/, 3],
    ] as const) {
      const terminal = new Terminal(again, { env });
      await terminal.until(/Take over run [\da-f-]+\? Only if that process is gone\. \[y\/N\]/);
      terminal.press(`${answer}\r`);
      await terminal.until(says);
      await terminal.exited;
      expect(viewIn(file).syntheses).toHaveLength(syntheses);
    }
    moveAbroad();
    expect((await runDeliberate(['rm', 'latest', '--yes'], { env })).code).toBe(1);
    expect((await runDeliberate(['rm', 'latest', '--yes', '--take-over'], { env })).code).toBe(0);
  });
});

describe('a path at which no database can be kept', () => {
  it.each([
    [':memory:', /":memory:" is not a file/],
    ['file:runs?mode=memory', /is not a file/],
    ['', /the name of the database is empty/],
    ['/dev/null', /\/dev\/null is not a regular file/],
    ['/proc/none/deep/runs.db', /\/proc\/none\/deep\/runs\.db cannot be opened for writing/],
  ])('is refused as the value of --db: %j', async (name, says) => {
    const cwd = makeFolder();
    const board = ['board', '--rehearse', '--rehearse-speed', '1000', '--plain', 'Why?'];
    const { code, err, out } = await runDeliberate([...board, `--db=${name}`], { cwd });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(says);
    expect(err).toMatch(/--db or DELIBERATE_DB/);
    expect(readdirSync(cwd), 'nothing is left behind').toEqual([]);
  });

  it('is refused if it results from a HOME below /proc', async () => {
    const { code, err } = await runDeliberate(['list'], { env: { HOME: '/proc/none' } });
    expect(code).toBe(1);
    expect(err).toMatch(/cannot be opened for writing/);
  });
});
