/**
 * Tests the program if its database has a problem: a full disk, no permission, a lock, damage, or a changed
 * clock.
 */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { LONG } from '../long.ts';
import { startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { Program, type ProgramResult, runProgram } from './program.ts';
import {
  closeAfterTest,
  makeDatabaseCopier,
  makeDatabasePath,
  makeFolder,
  viewIn,
} from './scene.ts';
import { PROGRAM, Terminal } from './terminal.ts';

const REHEARSE = ['board', '--rehearse', '--rehearse-speed', '1000'];
const SLOW = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ');

const rehearsed = makeDatabaseCopier(async (file) => {
  const { code } = await runDeliberate([...REHEARSE, 'Should we?'], {
    env: { DELIBERATE_DB: file },
  });
  expect(code).toBe(0);
});

/** Checks that the output is a sentence for a person, without a stack trace. */
function expectPlain({ code, err, out }: ProgramResult): void {
  expect([0, 1, 2]).toContain(code);
  expect(err + out).not.toMatch(/\n {4}at |unexpected error/);
}

/**
 * Runs a script with a disk of 1.4 MB of its own, which is removed afterwards. Resolves to the script's
 * output.
 */
function onSmallDisk(script: string): Promise<string> {
  const mount = `mount -t tmpfs -o size=1400k none "$D" && cd "$D" && ${script}`;
  const namespaces =
    process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const disk = makeFolder();
  // The folder `$BESIDE` is not on the full disk, so that a script can write files in this folder.
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    D: disk,
    BESIDE: makeFolder(),
    DELIBERATE_DB: `${disk}/db`,
  };
  return new Promise((resolve) => {
    const child = spawn('unshare', [...namespaces, 'sh', '-c', mount], { env });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    child.on('close', () => resolve(said));
  });
}

describe('a disk that fills up during a run', () => {
  it.runIf(process.platform === 'linux')(
    'ends the run and loses nothing that was recorded',
    async () => {
      const program = `'${process.execPath}' '${PROGRAM}'`;
      const question = 'Should we? '.repeat(300);
      const said = await onSmallDisk(
        `${program} list && dd if=/dev/zero of=ballast bs=1k count=950 2>/dev/null
         ${program} ${REHEARSE.join(' ')} '${question}' >/dev/null; echo "board $?"
         ${program} show latest --json >"$BESIDE/before"; echo "show $?"
         rm ballast
         ${program} resume latest --rehearse-speed 1000 --plain >/dev/null; echo "resume $?"
         ${program} show latest --json >after
         test -s "$BESIDE/before" && head -c "$(wc -c <"$BESIDE/before")" after | cmp - "$BESIDE/before" && echo kept`,
      );
      expect(said).toMatch(
        /deliberate: the disk that holds .* is full; what was recorded so far is kept/,
      );
      expect(said).toContain('Free some space, then: deliberate resume latest');
      expect(said).toMatch(/board 1\n[\s\S]*show 0\n[\s\S]*resume 0\n[\s\S]*kept/);
      expect(said).not.toMatch(/\n {4}at |unexpected error/);
    },
  );
});

describe('a disk that has become read-only', () => {
  it.runIf(process.platform === 'linux')(
    'is reported by commands that read or write runs, and no recorded fact is lost',
    async () => {
      const program = `'${process.execPath}' '${PROGRAM}'`;
      const sound = await rehearsed();
      const before = join(makeFolder(), 'before');
      const show = ['show', 'latest', '--json'];
      writeFileSync(before, (await runDeliberate(show, { env: { DELIBERATE_DB: sound } })).out);
      const commands = [
        'list',
        'show latest',
        'board --rehearse Why?',
        'resume latest',
        'rm latest --yes',
      ];
      const said = await onSmallDisk(
        `cp '${sound}' "$DELIBERATE_DB"
         mount -o remount,ro none "$D"
         ${commands.map((command) => `${program} ${command}; echo "ended $?"`).join('\n')}
         mount -o remount,rw none "$D"
         ${program} ${show.join(' ')} | cmp - '${before}' && echo kept`,
      );
      expect(said.match(/^deliberate: .* cannot be opened for writing/gm)).toHaveLength(
        commands.length,
      );
      expect(said.match(/^ended 1$/gm)).toHaveLength(commands.length);
      expect(said).toContain('Name a writable file with --db or DELIBERATE_DB.');
      expect(said).toMatch(/^kept$/m);
      expect(said).not.toMatch(/\n {4}at |unexpected error/);
    },
  );
});

describe('a database that another program has locked', () => {
  it('ends a run after a wait of 5 s, and the run can be resumed later', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 200, answer: SLOW }),
    );
    const file = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: file };
    const board = new Program(
      ['board', '--plain', '--no-vote', '--seat', 'analyst=ollama/a', 'Why?'],
      { env },
    );
    await board.waitForStderr(/Analyst is asked/);
    const holder = new Database(file);
    holder.exec('BEGIN IMMEDIATE');
    try {
      const read = await runDeliberate(['show', 'latest', '--json'], { env });
      expect(read.code, 'reading goes on').toBe(0);
      const ended = await board.ended;
      expect(ended.code).toBe(1);
      expect(ended.err).toContain('has been locked by another program for more than 5 s');
      expectPlain(ended);
    } finally {
      holder.exec('ROLLBACK');
      holder.close();
    }
    expect((await runDeliberate(['resume', 'latest', '--plain'], { env })).code).toBe(0);
    expect(viewIn(file).status).toBe('done');
  });
});

describe('two processes that resume one run at once', () => {
  it('ask no seat twice, since only one of them gets the run', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 150, answer: SLOW }),
    );
    const file = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: file };
    const board = new Program(['board', '--plain', '--no-vote', '--model', 'ollama/a', 'Why?'], {
      env,
    });
    await board.waitForStderr(/Analyst is asked/);
    board.child.kill('SIGKILL');
    await board.ended;
    const both = await Promise.all(
      [1, 2].map(() => runProgram(['resume', 'latest', '--plain'], { env })),
    );
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)?.err).toMatch(/is in use by process \d+|is done/);
    const store = Store.open(file, FACTS);
    const facts = store.facts(store.find('latest'));
    store.close();
    expect(facts.at(-1)).toMatchObject({ type: 'run.ended', status: 'done' });
    const answered = facts.flatMap((fact) => (fact.type === 'call.completed' ? fact.step : []));
    expect(answered.length).toBeGreaterThan(3);
    expect(new Set(answered).size).toBe(answered.length);
  });
});

const DAMAGES = LONG ? 200 : 16;

describe('a damaged database file', () => {
  const COMMANDS = [
    ['list'],
    ['list', '--search', 'option'],
    ['show', 'latest', '--json'],
    ['watch', 'latest', '--json'],
    ['export', 'latest'],
    ['rm', 'latest', '--yes'],
    ['resume', 'latest', '--plain'],
    ['replay', 'latest', '--plain'],
  ];

  it(`crashes no command, however its bytes are damaged (${DAMAGES} attempts)`, async () => {
    const file = await rehearsed();
    const sound = readFileSync(file);
    let refused = 0;
    const damageFile = async (variant: number): Promise<void> => {
      const random = makeSequence(variant);
      const bytes = Buffer.from(sound);
      const page = random(bytes.length / 4096) * 4096;
      for (let flips = 0; flips < 8 ** (1 + (variant % 3)); flips++)
        bytes[page + random(4096)] = random(256);
      const damaged = join(makeFolder(), 'runs.db');
      writeFileSync(damaged, bytes);
      const command = COMMANDS[variant % COMMANDS.length] ?? [];
      const ended = await runDeliberate(command, {
        env: { DELIBERATE_DB: damaged },
        cwd: dirname(damaged),
      });
      expectPlain(ended);
      if (/is damaged|is not a database|is a database of another/.test(ended.err)) refused += 1;
    };
    for (let variant = 0; variant < DAMAGES; variant++) await damageFile(variant);
    expect(refused, 'the damage is found').toBeGreaterThan(DAMAGES / 5);
  });

  it('is reported as damaged if a recorded text is not a valid fact', async () => {
    const file = await rehearsed();
    const db = new Database(file);
    db.exec(`UPDATE fact SET body = '{"type":"step.st' WHERE type = 'step.started'`);
    db.close();
    const { code, err } = await runDeliberate(['show', 'latest'], { env: { DELIBERATE_DB: file } });
    expect(code).toBe(1);
    expect(err).toMatch(/is damaged: .*\n.*\.recover/);
  });
});

describe('a database of a later version', () => {
  it('is refused by list, show and board, and not changed', async () => {
    const file = makeDatabasePath();
    Store.open(file, FACTS).close();
    const db = new Database(file);
    db.pragma('user_version = 99');
    db.close();
    const before = readFileSync(file);
    for (const command of [['list'], ['show', 'latest'], [...REHEARSE, 'Why?']]) {
      const ended = await runDeliberate(command, { env: { DELIBERATE_DB: file } });
      expect(ended.code).toBe(1);
      expect(ended.err).toMatch(/later version of deliberate[\s\S]*Update deliberate/);
      expectPlain(ended);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('a clock that jumps an hour ahead and back', () => {
  it('lets no call time out, and makes no duration negative', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 200, answer: SLOW }),
    );
    const file = makeDatabasePath();
    const hook = new URL('./clock.mjs', import.meta.url).href;
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: file, NODE_OPTIONS: `--import=${hook}` };
    const ended = await runProgram(
      ['board', '--plain', '--no-vote', '--model', 'ollama/a', '--seat-timeout', '60s', 'Why?'],
      { env },
    );
    expect(ended.err).not.toMatch(/-\d+(\.\d+)?m?s\b/);
    expect(ended.code).toBe(0);
    const store = Store.open(file, FACTS);
    const facts = store.facts(store.find('latest'));
    store.close();
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_one, index) => index + 1));
    const steps = facts
      .map(({ at }) => Date.parse(at))
      .map((at, i, all) => at - (all[i - 1] ?? at));
    expect(Math.min(...steps), 'the clock did go back').toBeLessThan(-3_000_000);
    for (const fact of filterKnownFacts(facts))
      if (fact.type === 'call.completed') {
        expect(fact.latencyMs).toBeGreaterThanOrEqual(0);
        expect(fact.latencyMs).toBeLessThan(600_000);
        expect(fact.firstTokenMs ?? 0).toBeGreaterThanOrEqual(0);
      }
    const listed = await runDeliberate(['list'], { env });
    expect(listed.out).toMatch(/ done /);
  });
});

describe('a console killed with -9', () => {
  it('leaves a run that can be resumed in the same terminal', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['a'], tokensPerSecond: 20, answer: SLOW.slice(0, 400) }),
    );
    const file = makeDatabasePath();
    // Start the console from an interactive shell, which takes the terminal back after the console was killed.
    const pid = join(makeFolder(), 'pid');
    const program = `'${process.execPath}' '${PROGRAM}'`;
    const terminal = new Terminal(['--norc', '--noprofile', '-i'], {
      command: 'bash',
      columns: 80,
      rows: 24,
      env: { OLLAMA_HOST: server.url, DELIBERATE_DB: file, PS1: 'READY> ' },
    });
    await terminal.until(/READY> /);
    terminal.press(
      `sh -c 'echo $$ >"$0"; exec "$@"' '${pid}' ${program} board --no-vote --model ollama/a 'Why?'\r`,
    );
    await terminal.until(/word2/);
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
    await terminal.until(/K\s*illed/);
    terminal.press(`clear; ${program} resume latest; echo BA''CK; cat\r`);
    await terminal.until(/✓ done[\s\S]*q quit/);
    terminal.press('q');
    await terminal.until(/^BACK$/m);
    expect(terminal.alternate).toBe(false);
    const findLastMode = (mode: string): number => terminal.raw.lastIndexOf(`\u001b[?${mode}`);
    expect(findLastMode('1049l')).toBeGreaterThan(findLastMode('1049h'));
    expect(findLastMode('25h')).toBeGreaterThan(findLastMode('25l'));
    expect(findLastMode('2004l')).toBeGreaterThan(findLastMode('2004h'));
    // The terminal is in its usual mode again: it echoes typed text and passes each line on to `cat`.
    terminal.press('hello\r');
    await terminal.until(/^hello\nhello$/m);
  });
});

/** Returns a function of numbers below a limit that are the same in every run of the test. */
function makeSequence(seed: number): (limit: number) => number {
  let state = seed + 1;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

describe('a database that does not exist', () => {
  it.each([
    [['list']],
    [['show', 'latest']],
    [['export', 'latest']],
    [['rm', 'latest', '--yes']],
    [['diff', 'latest', 'latest']],
    [['resume', 'latest', '--plain']],
  ])('is not made by a command that looks for runs: %j', async (args) => {
    const file = join(makeFolder(), 'typo.db');
    const { code, err } = await runDeliberate([...args, '--db', file]);
    expect(code).toBe(1);
    expect(err).toContain(`there is no database at ${file}`);
    expect(existsSync(file)).toBe(false);
  });

  it('is made by a command that records a run', async () => {
    const file = join(makeFolder(), 'new.db');
    const { code } = await runDeliberate([...REHEARSE, 'Should we?', '--db', file]);
    expect(code).toBe(0);
    expect((await runDeliberate(['list', '--db', file])).out).toContain('Should we?');
  });

  it('is made by an import', async () => {
    const place = makeFolder();
    const db = join(place, 'here.db');
    const fast = ['--rehearse', '--rehearse-speed', '1000', '--plain', '--quiet'];
    expect((await runDeliberate(['board', ...fast, '--db', db, 'Split it?'])).code).toBe(0);
    const file = join(place, 'run.json');
    expect((await runDeliberate(['export', 'latest', '--db', db, '--to', file])).code).toBe(0);
    const other = join(place, 'other.db');
    expect((await runDeliberate(['import', file, '--db', other])).code).toBe(0);
    expect((await runDeliberate(['list', '--db', other])).out).toContain('Split it?');
  });
});
