/** Tests seats that look into folders through the real program: what they see, and who may allow it. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesOf } from '../../src/kernel/tools/sources.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { filterByType } from '../every-fact.ts';
import { startOllama } from '../servers/index.ts';
import { makeRepository } from '../tools/repository.ts';
import { runDeliberate } from './calls.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeDatabasePath, makeFolder } from './scene.ts';

const REHEARSE = ['--plain', '--rehearse', '--rehearse-speed', '1000'];
const CLOCK = { calls: [{ name: 'read', arguments: { path: 'src/clock.ts' } }] };

function factsIn(db: string, run = 'latest') {
  const store = Store.open(db, FACTS);
  try {
    return store.facts(store.find(run));
  } finally {
    store.close();
  }
}

/**
 * Starts a model that reads the clock file and then answers; `behaviours` come in the order of its
 * requests.
 */
async function startReader(behaviours: readonly ('ok' | 'stall-mid-stream')[] = ['ok']) {
  const server = closeAfterTest(
    await startOllama({
      models: ['a', 'chair'],
      takesTools: true,
      answer: 'Keep it at three (S-1#L1).',
      calls: (_request, results) => (results.length === 0 ? CLOCK : undefined),
      behaviours: { a: behaviours },
    }),
  );
  const db = makeDatabasePath();
  const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
  const board = [
    'board',
    '--seat',
    'critic=ollama/a',
    '--synthesizer',
    'ollama/chair',
    '--no-vote',
  ];
  return { server, db, env, board: [...board, '--plain'] };
}

describe('--look', () => {
  it('lets seats list and read files; the lines of --plain, the report and a replay say which', async () => {
    const place = makeRepository();
    const db = makeDatabasePath();
    const env = { DELIBERATE_DB: db };
    const { code, err, out } = await runDeliberate(
      ['board', ...REHEARSE, '--look', `clock=${place.folder}`, 'Is it right?'],
      { env },
    );
    expect(code).toBe(0);
    expect(err).toContain(`seats may look into: clock (${place.folder})`);
    expect(err).toMatch(/^Critic: S-\d list the root$/m);
    expect(err).toMatch(/^Critic: S-\d read README.md, lines 1-3 of 3$/m);
    // The output shows all turns of the critic together as one call with one answer.
    expect(err.match(/^Critic is asked/gm)).toHaveLength(1);
    expect(err.match(/^Critic has answered/gm)).toHaveLength(1);
    expect(out.match(/^## Critic/gm)).toHaveLength(1);
    expect(sourcesOf(factsIn(db)).map(({ id }) => id)).toEqual([
      'S-1',
      'S-2',
      'S-3',
      'S-4',
      'S-5',
      'S-6',
    ]);
    const shown = await runDeliberate(['show', 'latest'], { env });
    expect(shown.out).toContain('## Lookups');
    expect(shown.out).toMatch(/\| S-\d \| Critic \| read README.md, lines 1-3 of 3 \| 3 \|/);
    expect(shown.out).not.toContain('does not exist');
    // The results are recorded, so a replay reads no file.
    rmSync(place.folder, { recursive: true });
    const replayed = await runDeliberate(['replay', 'latest', '--plain'], { env });
    expect([replayed.code, replayed.err]).toEqual([0, expect.stringContaining('read README.md')]);
  });

  it.each([
    [['--look', 'nowhere'], 'no such folder'],
    [['--look', 'a b=.'], 'is not a valid folder name'],
    [['--look', 'x=.', '--look', 'x=.'], 'names x twice'],
  ])('is refused with %j: %s', async (flags, why) => {
    const ended = await runDeliberate(['board', ...REHEARSE, ...flags, 'Why?'], {
      cwd: makeFolder(),
    });
    expect([ended.code, ended.err]).toEqual([2, expect.stringContaining(why)]);
  });

  it('is no setting: a project’s config.yaml that sets it is refused for an unknown key', async () => {
    const cwd = makeFolder();
    mkdirSync(join(cwd, '.deliberate'));
    writeFileSync(join(cwd, '.deliberate', 'config.yaml'), 'look: [.]\n');
    const ended = await runDeliberate(['board', ...REHEARSE, 'Why?'], {
      cwd,
      env: { DELIBERATE_DB: makeDatabasePath() },
    });
    expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('look: unknown key')]);
  });
});

describe('a run with --look', () => {
  it('repeats no lookup after kill -9, even if the file has changed', async () => {
    const place = makeRepository();
    const { server, db, env, board } = await startReader(['ok', 'stall-mid-stream', 'ok']);
    const program = new Program([...board, '--look', place.folder, 'How long?'], { env });
    await server.waitForChat(2);
    await program.waitForStderr(/S-1 read src\/clock\.ts/);
    program.child.kill('SIGKILL');
    await program.ended;
    writeFileSync(join(place.folder, 'src/clock.ts'), 'export const INCREMENT = 99;\n');

    const resumed = await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect([resumed.code, resumed.out]).toEqual([0, expect.stringContaining('Keep it at three')]);
    const asked = server.chats('a').map(({ body }) => JSON.stringify(body?.messages));
    // The first turn was asked for once. The second was running at the kill, so it was asked for twice.
    expect(asked).toHaveLength(3);
    expect(asked[2]).toBe(asked[1]);
    expect(asked[2]).toContain('INCREMENT = 3');
    expect(filterByType(factsIn(db), 'tool.called')).toHaveLength(1);
  });

  it('keeps recorded lookups when a fork changes the synthesizer', async () => {
    const place = makeRepository();
    const { server, db, env, board } = await startReader();
    await runDeliberate([...board, '--look', place.folder, 'How long?'], { env });
    const before = server.chats('a').length;
    const forked = await runDeliberate(
      ['fork', 'latest', '--at', 'synthesis/1', '--set', 'synthesizer=ollama/a', '--plain'],
      { env },
    );
    expect(forked.code).toBe(0);
    // The fork asked only its new synthesizer, which is the model `a`.
    expect(server.chats('a')).toHaveLength(before + 1);
    expect(sourcesOf(factsIn(db)).map(({ id, text }) => [id, text.slice(0, 26)])).toEqual([
      ['S-1', 'export const INCREMENT = 3'],
    ]);
  });

  it('whose folder was moved is resumed only if --look names the new path', async () => {
    const place = makeRepository();
    const { server, env, board } = await startReader(['stall-mid-stream', 'ok']);
    const program = new Program([...board, '--look', `clock=${place.folder}`, 'How long?'], {
      env,
    });
    await server.waitForChat(1);
    program.child.kill('SIGKILL');
    await program.ended;
    const moved = join(makeFolder(), 'moved');
    renameSync(place.folder, moved);
    const gone = await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect(gone.code).toBe(1);
    expect(gone.err).toContain('is gone');
    expect(gone.err).toContain('--look clock=PATH');
    expect(server.chats()).toHaveLength(1);
    const wrong = await runDeliberate(['resume', 'latest', '--plain', '--look', `other=${moved}`], {
      env,
    });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/run \S+ uses clock/)]);
    const resumed = await runDeliberate(
      ['resume', 'latest', '--plain', '--look', `clock=${moved}`],
      {
        env,
      },
    );
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('S-1 read')]);
  });

  it('opens no folder after an import until a person names one', async () => {
    const place = makeRepository();
    const { server, env, board } = await startReader(['stall-mid-stream', 'ok']);
    const program = new Program([...board, '--look', `clock=${place.folder}`, 'How long?'], {
      env,
    });
    await server.waitForChat(1);
    program.child.kill('SIGKILL');
    await program.ended;
    const { out } = await runDeliberate(['export', 'latest', '--format', 'json'], { env });
    const there = { ...env, DELIBERATE_DB: makeDatabasePath() };
    await runDeliberate(['import', '-'], { env: there, input: out });
    const refused = await runDeliberate(['resume', 'latest', '--plain'], { env: there });
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('the folder clock, which this machine does not know'),
    ]);
    expect(server.chats()).toHaveLength(1);
    const named = ['resume', 'latest', '--plain', '--look', `clock=${place.folder}`];
    expect((await runDeliberate(named, { env: there })).code).toBe(0);
  });
});

describe('rounds with --look', () => {
  it('repeat no lookup after a kill', async () => {
    const place = makeRepository();
    const db = makeDatabasePath();
    const env = { DELIBERATE_DB: db };
    const rounds = ['rounds', '--plain', '--yes', '--rehearse', '--rounds', '1'];
    const slow = [...rounds, '--rehearse-speed', '60', '--look', `clock=${place.folder}`];
    const program = new Program([...slow, 'Is it right?'], { env });
    await program.waitForStderr(/S-\d read README.md/);
    program.child.kill('SIGKILL');
    await program.ended;
    const before = filterByType(factsIn(db), 'tool.called');
    expect(before.length).toBeGreaterThan(0);
    writeFileSync(join(place.folder, 'README.md'), 'Something else.\n');

    const resumed = await runDeliberate(
      ['resume', 'latest', '--plain', '--yes', '--rehearse-speed', '1000'],
      {
        env,
      },
    );
    expect([resumed.code, resumed.err]).toEqual([0, expect.anything()]);
    const called = filterByType(factsIn(db), 'tool.called');
    expect(called.slice(0, before.length)).toEqual(before);
    expect(new Set(called.map(({ step }) => step)).size).toBe(called.length);
    expect(called.some(({ step }) => step.startsWith('round-1/E/'))).toBe(true);

    const to = join(makeFolder(), 'records');
    await runDeliberate(['export', 'latest', '--format', 'records', '--to', to], { env });
    const valid = await runDeliberate(['validate', to], { env });
    expect([valid.code, valid.out]).toEqual([0, 'No problems found in the records.\n']);
    // The records of an imported run are valid, too.
    const { out } = await runDeliberate(['export', 'latest', '--format', 'json'], { env });
    const there = { DELIBERATE_DB: makeDatabasePath() };
    await runDeliberate(['import', '-'], { env: there, input: out });
    const imported = await runDeliberate(['validate', 'latest'], { env: there });
    expect([imported.code, imported.out]).toEqual([0, 'No problems found in the records.\n']);
    const shown = await runDeliberate(['show', 'latest'], { env: there });
    expect(shown.out).toContain('## Lookups');
    expect(shown.out).not.toContain('cites results that do not exist');
  });
});

describe('a person’s own protocol with --look', () => {
  it('sees the named folders, and in a fork the recorded lookups', async () => {
    const place = makeRepository();
    const where = makeFolder();
    const db = makeDatabasePath();
    const env = { DELIBERATE_DB: db };
    writeFileSync(
      join(where, 'mine.ts'),
      `import { protocol, z } from 'deliberate/protocol';
export default protocol({
  name: 'mine',
  settings: z.object({ tone: z.string().default('dry') }),
  seats: { reader: 'You look.', guesser: 'You guess.' },
  async run({ question, settings, ask, conclude }) {
    const seen = await ask('seen', 'reader', question, { look: true });
    const guessed = await ask('guessed', 'guesser', question + settings.tone);
    return conclude(seen + guessed);
  },
});
`,
    );
    const args = [...REHEARSE, '--look', `clock=${place.folder}`, 'Is it right?'];
    const ended = await runDeliberate(['run', 'mine.ts', ...args], { env, cwd: where });
    expect([ended.code, ended.err]).toEqual([
      0,
      expect.stringMatching(/^Reader: S-2 read README.md, lines 1-3 of 3$/m),
    ]);
    expect(sourcesOf(factsIn(db)).map(({ seat }) => seat)).toEqual(['reader', 'reader']);
    place.write('README.md', 'Something else.\n');
    const forked = await runDeliberate(
      ['fork', 'latest', '--set', 'tone=wet', ...REHEARSE.slice(0, 1)],
      {
        env,
      },
    );
    expect([forked.code, forked.err]).toEqual([0, expect.anything()]);
    expect(sourcesOf(factsIn(db)).map(({ id, text }) => [id, text.includes('# Clock')])).toEqual([
      ['S-1', false],
      ['S-2', true],
    ]);
    rmSync(place.folder, { recursive: true });
    const gone = await runDeliberate(['fork', 'latest', '--set', 'tone=hot', '--plain'], { env });
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('is gone')]);
  });
});

describe('agents with --look', () => {
  it('are offered the lookups that the agent’s file names, all if it names no tools, and none if it names other tools only', async () => {
    const place = makeRepository();
    const agents = makeFolder();
    writeFileSync(join(agents, 'one.md'), '---\nname: one\ntools: Read, Bash\n---\nYou read.\n');
    writeFileSync(join(agents, 'two.md'), '---\nname: two\n---\nYou look.\n');
    writeFileSync(join(agents, 'three.md'), '---\nname: three\ntools: Bash\n---\nYou guess.\n');
    const { server, db, env } = await startReader();
    const offered: (string[] | undefined)[] = [];
    for (const name of ['one', 'two', 'three']) {
      const before = server.chats().length;
      const args = ['--agents', agents, '--model', 'ollama/a', '--plain', '--look', place.folder];
      const ended = await runDeliberate(['agent', name, ...args, 'How long?'], { env });
      expect([ended.code, ended.err], name).toEqual([0, expect.anything()]);
      const tools = server.chats()[before]?.body?.tools as { function: { name: string } }[];
      offered.push(tools?.map((tool) => tool.function.name));
      if (name === 'two') expect(sourcesOf(factsIn(db))).toHaveLength(1);
    }
    expect(offered).toEqual([
      ['read'],
      ['list', 'grep', 'read', 'git_log', 'git_show', 'git_blame'],
      undefined,
    ]);
  });
});
