/**
 * Tests a protocol in a person's file with the real program: run, killed, resumed, forked, replayed,
 * exported, and imported without the file. The server's own log decides what was asked.
 */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCall } from '../../src/kernel/call.ts';
import { viewOf } from '../../src/kernel/view.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { archiveSchema } from '../../src/protocols/registry/archive.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { type OllamaServer, startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { factsIn, identityOf } from './deliberators.ts';
import { Program, runProgram } from './program.ts';
import { closeAfterTest, makeDatabasePath, makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

/** The example of docs/protocols.md, word for word. */
const EXAMPLE =
  /```ts\n(.*?)```/s.exec(
    readFileSync(new URL('../../docs/protocols.md', import.meta.url), 'utf8'),
  )?.[1] ?? '';

/** A protocol with a helper file, like the example but without a schema, so that prose answers it. */
const RED_TEAM = `import { protocol, quote, z } from 'deliberate/protocol';
import { breakIt } from './words.ts';

export default protocol({
  name: 'red-team',
  settings: z.object({ rounds: z.number().int().min(1).max(5).default(2) }),
  seats: { attacker: 'You look for what breaks.', defender: 'You defend or amend.' },
  facts: { 'objection.raised': z.object({ text: z.string() }) },
  async run({ question, settings, ask, emit, conclude }) {
    let plan = await ask('draft', 'defender', \`Propose: \${question}\`);
    for (let n = 1; n <= settings.rounds; n++) {
      const attack = await ask(\`attack/\${n}\`, 'attacker', \`\${breakIt}\\n\${quote(plan)}\`);
      await emit(\`objection/\${n}\`, 'objection.raised', { text: attack });
      plan = await ask(\`amend/\${n}\`, 'defender', \`Amend it:\\n\${quote(plan, attack)}\`);
    }
    return conclude(plan);
  },
});
`;

interface Stage {
  readonly server: OllamaServer;
  readonly db: string;
  readonly where: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  /** Calls the program in a folder without packages. */
  deliberate(...args: string[]): ReturnType<typeof runProgram>;
  /** Calls the program in a process of its own, since a process keeps the modules that it has loaded. */
  afresh(...args: string[]): ReturnType<typeof runProgram>;
}

async function makeStage(text = RED_TEAM, tokensPerSecond = 0, name = 'mine.ts'): Promise<Stage> {
  const server = closeAfterTest(
    await startOllama({
      models: ['a', 'b', 'c'],
      // Equal requests get equal answers, and different requests get different ones.
      answer: (request) => {
        const said = identityOf(request);
        let sum = 7;
        for (const letter of said) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003;
        return `${request.model} holds that number ${sum} settles it, and says so in a few more words.`;
      },
      tokensPerSecond,
    }),
  );
  const where = makeFolder();
  const file = join(where, name);
  writeFileSync(file, text);
  writeFileSync(join(where, 'words.ts'), "export const breakIt: string = 'Break this:';\n");
  const db = makeDatabasePath();
  const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
  const deliberate: Stage['deliberate'] = (...args) => runDeliberate(args, { env, cwd: where });
  const runAfresh: Stage['afresh'] = (...args) => runProgram(args, { env, cwd: where });
  return { server, db, where, file, env, deliberate, afresh: runAfresh };
}

const SEATS = ['--seat', 'attacker=ollama/a', '--model', 'ollama/b', '--seed', '7'];
const HELD = [...SEATS, '--plain', 'Split it?'];

/** Returns all facts of the latest run, including those of the protocol's own. */
function logIn(file: string): AnyFact[] {
  const store = Store.open(file, FACTS);
  try {
    return store.facts(store.find('latest'));
  } finally {
    store.close();
  }
}

const conclusionIn = (file: string): string | undefined =>
  viewOf(logIn(file)).syntheses.at(-1)?.text;

describe('a run of a person’s own protocol', () => {
  it('records the protocol’s own facts and its conclusion', async () => {
    const { deliberate, db, file, server } = await makeStage();
    const { code, out, err } = await deliberate(
      'run',
      basename(file),
      '--set',
      'rounds=1',
      ...HELD,
    );
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('red-team/objection.raised: text: a holds'),
    ]);
    expect(out.match(/^## (Attacker|Defender) /gm)).toHaveLength(3);
    expect(out).toContain('# Conclusion\n');
    expect(server.chats().map(({ model }) => model)).toEqual(['b', 'a', 'b']);

    const log = logIn(db);
    expect(log.filter(({ type }) => type === 'red-team/objection.raised')).toMatchObject([
      { v: 1, step: 'objection/1' },
    ]);
    expect(log[0]).toMatchObject({
      type: 'run.started',
      protocol: 'red-team',
      config: { settings: { rounds: 1 } },
      source: { file, files: [{ name: 'mine.ts' }, { name: 'words.ts' }] },
    });
    const report = (await deliberate('show', 'latest')).out;
    expect(report).toContain('## Conclusion\n');
    expect(report).toMatch(/mine\.ts: SHA-256 [0-9a-f]{64}/);
    expect(report.split('## What is missing')[1]).toMatch(/^\n\nNothing\.\n/);
    expect(report).not.toMatch(/advisors|Written by|not asked/);
    const found = await deliberate('list', '--search', 'settles', '--json');
    expect(JSON.parse(found.out)).toMatchObject({ protocol: 'red-team', status: 'done' });
    const exported = (await deliberate('export', 'latest', '--format', 'json')).out;
    archiveSchema().parse(JSON.parse(exported));
    const replayed = await deliberate('replay', 'latest', '--plain');
    expect(replayed.out).toBe(out);
    expect(server.chats()).toHaveLength(3);
  });

  it('continues after kill -9 without repeating recorded calls', async () => {
    const whole = await makeStage();
    expect((await whole.deliberate('run', 'mine.ts', ...HELD)).code).toBe(0);
    const { deliberate, server, db, env, where } = await makeStage(RED_TEAM, 60);
    const program = new Program(['run', 'mine.ts', ...HELD], { env, cwd: where });
    await server.waitForChat(4);
    program.child.kill('SIGKILL');
    await program.ended;
    const before = server.chats().length;
    const recorded = factsIn(db).filter(isCall).length;
    expect(recorded).toBe(before - 1);
    const { code } = await deliberate('resume', 'latest', '--plain');
    expect(code).toBe(0);
    expect(server.chats()).toHaveLength(before + 5 - recorded);
    const steps = listFactsOfType(factsIn(db), 'call.completed').map(({ step }) => step);
    expect(steps).toEqual(['draft', 'attack/1', 'amend/1', 'attack/2', 'amend/2']);
    expect(conclusionIn(db)).toBe(conclusionIn(whole.db));
    const again = await deliberate('resume', 'latest');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('it has concluded')]);
  });

  it('can be forked from a step on, and repeats only the calls that change', async () => {
    const { deliberate, server, db } = await makeStage();
    expect((await deliberate('run', 'mine.ts', ...HELD)).code).toBe(0);
    const parent = viewOf(logIn(db)).id;
    const fork = (...change: string[]) => deliberate('fork', parent, ...change, '--plain');

    expect((await fork('--at', 'attack/2', '--set', 'seat.attacker.model=ollama/c')).code).toBe(0);
    expect(
      server
        .chats()
        .slice(5)
        .map(({ model }) => model),
    ).toEqual(['c', 'b']);
    const calls = viewOf(logIn(db)).calls;
    expect(['draft', 'attack/1', 'amend/1'].map((step) => calls[step]?.inherited)).toEqual([
      true,
      true,
      true,
    ]);
    // The protocol's own facts are copied, and the fork is exported as a run of its own.
    const json = (await deliberate('export', 'latest', '--format', 'json')).out;
    const taken = await runProgram(['import', '-', '--db', makeDatabasePath()], { input: json });
    expect([taken.code, taken.err]).toEqual([0, expect.stringContaining('Imported run')]);
    expect(json.match(/"red-team\/objection\.raised"/g)).toHaveLength(2);
    // A fork of the fork keeps the models of both changes.
    const second = viewOf(logIn(db)).id;
    const change = ['--at', 'amend/2', '--set', 'seat.defender.model=ollama/a', '--plain'];
    expect((await deliberate('fork', second, ...change)).code).toBe(0);
    expect(
      server
        .chats()
        .slice(7)
        .map(({ model }) => model),
    ).toEqual(['a']);

    expect((await fork('--set', 'rounds=1')).code).toBe(0);
    expect(server.chats()).toHaveLength(8);
    expect((await fork('--set', 'rounds=3')).code).toBe(0);
    expect(server.chats()).toHaveLength(10);

    for (const [change, says] of [
      [['--set', 'rounds=9'], 'rounds=9: '],
      [['--set', 'round=1'], 'red-team has no setting round'],
      [['--at', 'nowhere', '--set', 'rounds=1'], 'this run has no such step'],
      [['--set', 'seat.attacker.model=ollama/c'], '--at is required'],
      [['--at', 'draft', '--set', 'seat.nobody.model=ollama/c'], 'no such seat'],
      [[], 'nothing to change'],
    ] as const) {
      const { code, err } = await fork(...change);
      expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    }
    expect(server.chats()).toHaveLength(10);
  });

  it('needs --yes to be resumed with a changed file', async () => {
    const { deliberate, afresh, server, db, where } = await makeStage(
      RED_TEAM.replace('return conclude', "throw new Error('not yet'); return conclude"),
    );
    const failed = await afresh('run', 'mine.ts', '--set', 'rounds=1', ...HELD);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('failed: mine.ts:16: Error: not yet');
    writeFileSync(join(where, 'mine.ts'), RED_TEAM);
    appendFileSync(join(where, 'words.ts'), '// looked at\n');
    const refused = await deliberate('resume', 'latest', '--plain', '--quiet');
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('mine.ts has changed, words.ts has changed'),
    ]);
    expect(server.chats()).toHaveLength(3);
    const log = logIn(db).length;
    expect((await deliberate('resume', 'latest', '--plain', '--yes')).code).toBe(0);
    expect(server.chats(), 'what is recorded is not asked again').toHaveLength(3);
    const [started, resumed] = logIn(db).flatMap((fact) =>
      'source' in fact ? [fact.source as { sha256: string }] : [],
    );
    expect(resumed?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(resumed?.sha256).not.toBe(started?.sha256);
    expect(logIn(db).length).toBeGreaterThan(log);
  });

  it('needs --yes to be resumed after an imported package has changed', async () => {
    const text = RED_TEAM.replace("from './words.ts'", "from 'words'").replace(
      'return conclude',
      "throw new Error('not yet'); return conclude",
    );
    const { deliberate, afresh, server, where } = await makeStage(text);
    const words = join(where, 'node_modules', 'words');
    mkdirSync(words, { recursive: true });
    writeFileSync(join(words, 'package.json'), '{"type":"module","exports":"./index.js"}\n');
    writeFileSync(join(words, 'index.js'), "export const breakIt = 'Break this:';\n");
    expect((await afresh('run', 'mine.ts', '--set', 'rounds=1', ...HELD)).code).toBe(1);
    expect(server.chats()).toHaveLength(3);
    const same = await afresh('resume', 'latest', '--plain');
    expect([same.code, same.err]).toEqual([1, expect.stringContaining('not yet')]);
    writeFileSync(join(words, 'index.js'), "export const breakIt = 'Break it better:';\n");
    const refused = await deliberate('resume', 'latest', '--plain', '--quiet');
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('Since this run, a package that it imports has changed.'),
    ]);
    expect(server.chats()).toHaveLength(3);
    await deliberate('resume', 'latest', '--plain', '--yes');
    expect(server.chats().length).toBeGreaterThan(3);
  });

  it('can be shown without the protocol’s file, but not resumed', async () => {
    const { deliberate, where, file, server } = await makeStage(RED_TEAM, 40);
    const program = new Program(['run', 'mine.ts', ...HELD], {
      env: { OLLAMA_HOST: server.url, DELIBERATE_DB: join(where, 'runs.db') },
      cwd: where,
    });
    await server.waitForChat(2);
    program.child.kill('SIGKILL');
    await program.ended;
    const db = ['--db', join(where, 'runs.db')];
    const elsewhere = makeFolder();
    renameSync(file, join(elsewhere, 'moved.ts'));
    renameSync(join(where, 'words.ts'), join(elsewhere, 'words.ts'));
    expect((await deliberate('show', 'latest', ...db)).out).toContain('Split it?');
    expect((await deliberate('replay', 'latest', '--plain', ...db)).code).toBe(0);
    for (const args of [
      ['resume', 'latest'],
      ['fork', 'latest', '--set', 'rounds=1'],
    ]) {
      const { code, err } = await deliberate(...args, ...db);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/mine\.ts is gone\n.*deliberate resume \S+ --protocol FILE/),
      ]);
    }
    const moved = ['--protocol', join(elsewhere, 'moved.ts'), '--plain'];
    const { code, err } = await deliberate('resume', 'latest', ...moved, ...db);
    // A protocol's file with the same text under another name counts as the same file.
    expect([code, err]).toEqual([0, expect.not.stringContaining('changed')]);
  });

  it('is imported without loading the protocol’s file', async () => {
    const { deliberate, afresh, where, file, server, db } = await makeStage();
    expect((await afresh('run', 'mine.ts', '--set', 'rounds=1', ...HELD)).code).toBe(0);
    const json = join(where, 'run.json');
    await deliberate('export', 'latest', '--format', 'json', '--to', json);
    const whole = (await deliberate('show', 'latest')).out;
    const there = ['--db', makeDatabasePath()];
    const witness = join(where, 'it-was-loaded');
    appendFileSync(
      file,
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(witness)}, '');\n`,
    );
    expect((await deliberate('import', json, ...there)).code).toBe(0);
    expect((await deliberate('show', 'latest', ...there)).out).toBe(whole);
    expect((await deliberate('export', 'latest', '--format', 'json', ...there)).out).toBe(
      readFileSync(json, 'utf8'),
    );
    const change = ['--at', 'amend/1', '--set', 'seat.defender.model=ollama/c', '--plain', '--yes'];
    const refused = await deliberate('fork', 'latest', ...change, ...there);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('a protocol from a file that this machine does not know'),
    ]);
    expect(() => readFileSync(witness)).toThrow('ENOENT');
    writeFileSync(file, RED_TEAM);
    const named = await deliberate('fork', 'latest', ...change, '--protocol', file, ...there);
    expect(named.code).toBe(0);
    expect(server.chats()).toHaveLength(4);
    expect(conclusionIn(db)).not.toBe(conclusionIn(there[1] ?? ''));
  });

  it('asks again only for the failed call, and then goes on, when it is retried with another model', async () => {
    const { deliberate, server, db } = await makeStage();
    const held = [
      '--seat',
      'attacker=ollama/nobody',
      '--model',
      'ollama/b',
      '--plain',
      'Split it?',
    ];
    const failed = await deliberate('run', 'mine.ts', '--set', 'rounds=1', ...held);
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/failed: mine\.ts:12: Attacker has no answer at attack\/1: /);
    const before = server.chats().length;
    const { code } = await deliberate('retry', 'latest', '--seat', 'attacker=ollama/a', '--plain');
    expect(code).toBe(0);
    expect(
      server
        .chats()
        .slice(before)
        .map(({ model }) => model),
    ).toEqual(['a', 'b']);
    expect(viewOf(logIn(db)).seats.map(({ model }) => model)).toEqual(['ollama/a', 'ollama/b']);
    const other = await deliberate('resynthesize', 'latest');
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('no further synthesis')]);
    const asked = server.chats().length;
    const again = await deliberate('retry', 'latest', '--seat', 'attacker', '--plain');
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining('every call of attacker was answered'),
    ]);
    expect(server.chats().length).toBe(asked);
  });

  it('stops at its budget, and can continue from there', async () => {
    const { deliberate, server } = await makeStage();
    const held = await deliberate('run', 'mine.ts', '--budget-tokens', '1100', ...HELD);
    expect(held.code).toBe(130);
    const asked = server.chats().length;
    expect(asked).toBeLessThan(5);
    expect((await deliberate('resume', 'latest', '--plain')).code).toBe(0);
    expect(server.chats()).toHaveLength(5);
  });

  it('streams into columns at the console', async () => {
    const { env, where } = await makeStage();
    const args = ['run', join(where, 'mine.ts'), '--rehearse', '--rehearse-speed', '40'];
    const terminal = new Terminal([...args, '--set', 'rounds=1', 'Split it?'], { env });
    await terminal.until(/ attacker .* defender /i);
    await terminal.until(/^ Conclusion /m);
    await terminal.until(/Done: 3 calls\./);
    terminal.press('2');
    await terminal.until(/✓ amend/);
    terminal.press('3');
    await terminal.until(/red-team\/objection/);
    terminal.press('q');
    expect(await terminal.exited).toBe(0);
  });
});

describe('a protocol that a person can start from', () => {
  it('is the example of docs/protocols.md, which has at most 40 lines and runs as it is', async () => {
    expect(EXAMPLE.trim().split('\n').length).toBeLessThanOrEqual(40);
    const { deliberate, db } = await makeStage(EXAMPLE, 0, 'red-team.ts');
    const { code, out } = await deliberate(
      'run',
      'red-team.ts',
      '--rehearse',
      '--rehearse-speed',
      '1000',
      '--plain',
      'Q?',
    );
    expect([code, out]).toEqual([0, expect.stringContaining('# Conclusion')]);
    expect(viewOf(logIn(db)).status).toBe('done');
    const estimate = await deliberate('run', 'red-team.ts', '--estimate', '--set', 'rounds=3');
    expect(estimate.out).toContain('red-team makes 4 to 7 calls');
  });

  it('is the template that the command "protocol new" writes, which runs as it is', async () => {
    const { deliberate, where, db } = await makeStage();
    const written = await deliberate('protocol', 'new', 'Fire drill.ts');
    expect([written.code, written.out]).toEqual([0, 'Fire drill.ts\n']);
    expect(written.err).toContain('"deliberate/protocol":["');
    const again = await deliberate('protocol', 'new', 'Fire drill.ts');
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('already exists')]);
    const held = ['--rehearse', '--rehearse-speed', '1000', '--plain', 'Q?'];
    expect((await deliberate('run', 'Fire drill.ts', ...held)).code).toBe(0);
    const view = viewOf(logIn(db));
    expect([view.protocol, Object.keys(view.calls)]).toEqual([
      'fire-drill',
      ['draft', 'objection/1', 'amended/1'],
    ]);
    const estimate = await deliberate('run', 'Fire drill.ts', '--estimate', '--json');
    expect(JSON.parse(estimate.out)).toMatchObject({ calls: { low: 3, high: 3 } });
    rmSync(where, { recursive: true });
  });
});
