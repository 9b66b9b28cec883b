/**
 * Tests that the files of a plan are written all or not at all, even if a disk is full, and never over
 * another topic's.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeTogether } from '../../src/io/own-file.ts';
import { planOf } from '../../src/protocols/plan/fold.ts';
import { runProgram } from '../e2e/program.ts';
import { closeAfterTest } from '../e2e/scene.ts';
import { startOllama } from '../servers/index.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeSpecDraft, type Script, World } from './harness.ts';
import { findFormName, House, makeShortAnswer, SPEC, STATUS, TOPIC_FILE } from './house.ts';

const DATA = SPEC.replace('.md', '.json');

/** Returns the texts of all files below a folder by path, with hidden files but without those in .git. */
function filesBelow(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );
}

describe('writeTogether, which writes several files', () => {
  it('replaces an existing file, and writes another one into new folders', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'b'), 'old', { mode: 0o755 });
    const files = ['a/deep/a', 'b'].map((path) => ({ file: join(folder, path), text: path }));
    writeTogether(files, () => undefined);
    expect(filesBelow(folder)).toEqual({ 'a/deep/a': 'a/deep/a', b: 'b' });
  });

  it('replaces a link, and puts it back if the function that is called afterwards fails', () => {
    const folder = temporaryFolder();
    const [link, target] = [join(folder, 'link'), join(folder, 'target')];
    writeFileSync(target, 'old', { mode: 0o600 });
    symlinkSync('target', link);
    const files = [{ file: link, text: 'new' }];
    const fail = () => {
      throw new Error('no room in the database');
    };
    expect(() => writeTogether(files, fail)).toThrow('no room');
    expect(readlinkSync(link)).toBe('target');
    writeTogether(files, () => undefined);
    expect(lstatSync(link).isFile()).toBe(true);
    expect(lstatSync(link).mode & 0o111).toBe(0);
    expect(filesBelow(folder)).toEqual({ link: 'new', target: 'old' });
  });

  it.each<[string, (folder: string) => () => void]>([
    [
      'the function that is called afterwards fails',
      () => () => {
        throw new Error('no room in the database');
      },
    ],
    [
      'a folder has the name of one of the files',
      (folder) => {
        mkdirSync(join(folder, 'c/inside'), { recursive: true });
        return () => undefined;
      },
    ],
    [
      'one of the files would be below a file',
      (folder) => {
        writeFileSync(join(folder, 'd'), 'a file');
        return () => undefined;
      },
    ],
  ])('changes no file if %s', (_what, prepare) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'b'), 'old');
    const then = prepare(folder);
    const before = filesBelow(folder);
    const files = ['a/deep/a', 'b', 'c', 'd/e'].map((path) => ({
      file: join(folder, path),
      text: 'new',
    }));
    expect(() => writeTogether(files, then)).toThrow();
    expect(filesBelow(folder)).toEqual(before);
    expect(existsSync(join(folder, 'a'))).toBe(false);
  });
});

describe('a plan whose files cannot all be written', () => {
  it.runIf(process.platform === 'linux').each([
    ['a full disk', 'size=4k,nr_inodes=1', 'no space left on the device'],
    ['a read-only disk', 'ro', 'a folder is read-only'],
  ])('keeps the earlier files unchanged on %s', async (_what, how, why) => {
    const house = new House();
    expect((await house.planHere(TOPIC_FILE, '--yes')).code).toBe(0);
    house.write(TOPIC_FILE, '# Let sessions and forms last longer than 20 minutes\n');
    expect((await house.planHere(TOPIC_FILE)).code).toBe(0);
    const before = filesBelow(house.folder);
    const mount = `mount -t tmpfs -o ${how} none docs/planning/clock && exec "$@"`;
    const own = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
    const refused = await runProgram(['plan', '--write', 'latest', '--yes'], {
      cwd: house.folder,
      env: { DELIBERATE_DB: house.database },
      through: ['unshare', ...own, '--mount', 'sh', '-c', mount, 'sh'],
    });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain(`the files cannot be written: ${why}; nothing was written`);
    expect(filesBelow(house.folder)).toEqual(before);
    // Without the mounted disk, which was full or read-only, the same command `plan --write` writes the files.
    expect((await house.runHere(['plan', '--write', 'latest', '--yes'])).out).toContain(SPEC);
    expect(house.read(SPEC)).toContain('20 minutes');
  });

  it('writes no file if a folder has the name of a file', async () => {
    const house = new House();
    await house.planHere(TOPIC_FILE);
    mkdirSync(join(house.folder, DATA), { recursive: true });
    const refused = await house.runHere(['plan', '--write', 'latest', '--yes']);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringMatching(/spec\.json: is a folder/),
    ]);
    expect([house.has(SPEC), house.has(STATUS)]).toEqual([false, false]);
  });
});

/**
 * Returns options for Node by which a process ends itself with SIGKILL when it renames a file below docs for
 * the time `count`, before or after the file is renamed.
 */
function killedAtRename(count: number, when: 'before' | 'after'): string {
  const end = "process.kill(process.pid, 'SIGKILL')";
  const module = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const rename = fs.renameSync;
let count = 0;
fs.renameSync = (from, to) => {
  const isIt = to.includes('/docs/') && (count += 1) === ${count};
  if (isIt && '${when}' === 'before') ${end};
  rename(from, to);
  if (isIt) ${end};
};
syncBuiltinESMExports();`;
  return `--import=data:text/javascript,${encodeURIComponent(module)}`;
}

describe('a plan whose process is killed while it writes the files', () => {
  it.each([
    [1, 'before'],
    [2, 'before'],
    [3, 'before'],
    [3, 'after'],
  ] as const)(
    'is completed by the next --write if the kill came at file number %s, just %s its renaming',
    async (count, when) => {
      const house = new House();
      expect((await house.planHere(TOPIC_FILE, '--yes')).code).toBe(0);
      house.commit();
      house.write(TOPIC_FILE, '# Let sessions and forms last longer than 20 minutes\n');
      expect((await house.planHere(TOPIC_FILE)).code).toBe(0);
      const killed = await house.run(['plan', '--write', 'latest', '--yes'], {
        NODE_OPTIONS: killedAtRename(count, when),
      });
      expect(killed.signal).toBe('SIGKILL');
      const listHiddenFiles = (): string[] =>
        Object.keys(filesBelow(house.folder)).filter((path) => /\/\.[^/]+$/.test(path));
      expect(listHiddenFiles().filter((path) => path.startsWith('docs'))).not.toEqual([]);
      expect((await house.runHere(['plan', '--write', 'latest', '--yes'])).code).toBe(0);
      expect(listHiddenFiles().filter((path) => path.startsWith('docs'))).toEqual([]);
      const store = house.store();
      const { files } = planOf(store.facts(store.find('latest')));
      const hashFile = (path: string): string =>
        createHash('sha256').update(house.read(path)).digest('hex');
      expect([...files.keys()].sort()).toEqual([DATA, SPEC, STATUS].sort());
      for (const [path, { sha256 }] of files) expect(sha256).toBe(hashFile(path));
      expect(house.read(SPEC)).toContain('20 minutes');
    },
  );
});

describe('a plan that was begun with --yes and killed', () => {
  it('has its files written when it is resumed', async () => {
    const server = closeAfterTest(
      await startOllama({ models: ['alpha', 'beta'], answer: makeShortAnswer }),
    );
    const env = { OLLAMA_HOST: server.url };
    const args = ['plan', TOPIC_FILE, '--plain', '--yes', '--seed', '7'].concat(
      ...['--model', 'ollama/alpha', '--seat', 'chair=ollama/beta'],
    );
    const whole = new House();
    expect((await whole.run(args, env)).code).toBe(0);
    const calls = server.chats('beta').map(findFormName);
    const house = new House();
    server.setBehaviour('beta', [
      ...calls.slice(0, calls.indexOf('goal')).map(() => 'ok' as const),
      'stall-before-headers',
    ]);
    const killed = house.start(args, env);
    await server.waitForChat(server.chats().length + 1);
    await expect
      .poll(() => server.chats('beta').slice(calls.length).map(findFormName))
      .toContain('goal');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(house.has(SPEC)).toBe(false);
    server.setBehaviour('beta', 'ok');
    expect((await house.run(['resume', 'latest', '--plain'], env)).code).toBe(0);
    const removeRunId = (text: string): string =>
      text.replace(/Run [\w-]+/, 'Run').replace(/"run": "[\w-]+"/, '');
    for (const path of [SPEC, DATA, STATUS])
      expect(removeRunId(house.read(path))).toBe(removeRunId(whole.read(path)));
  });
});

describe('a plan whose file names are already taken', () => {
  const makeSpecFile = (more: object): string =>
    `${JSON.stringify({ run: 'x', state: 'open', title: 'Sell the house', ...more }, null, 2)}\n`;
  const staff: Script['staff'] = () => ({
    queries: ['how long a session lasts'],
    clusters: ['ux'],
    name: 'session length',
  });
  const specIn = async (world: World): Promise<string | undefined> =>
    (await world.makePlan({ script: { staff } })).files[0]?.path;

  it('gets a number after its name if those files belong to a plan on another topic or to no plan', async () => {
    const world = new World();
    const free = await world.makePlan({ script: { staff } });
    expect(free.files[0]?.path).toBe('docs/roadmap/session-length.spec.md');
    for (const { path, text } of free.files) world.write(path, text);
    expect(await specIn(world)).toBe('docs/roadmap/session-length.spec.md');
    world.write('docs/roadmap/session-length.spec.json', makeSpecFile({}));
    expect(await specIn(world)).toBe('docs/roadmap/session-length-2.spec.md');
    world.write('docs/roadmap/session-length-2.spec.md', '# Mine, and no plan\n');
    expect(await specIn(world)).toBe('docs/roadmap/session-length-3.spec.md');
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'the plan of another topic',
      {
        [SPEC]: '# Sell the house\n',
        [DATA]: makeSpecFile({ topic: 'docs/planning/house/topic.md' }),
      },
      `${SPEC} is the plan of another topic, “Sell the house”`,
    ],
    ['a file that is no plan', { [SPEC]: '# Mine\n' }, `${SPEC} is there, and is no plan`],
    [
      'a JSON file that belongs to no plan',
      { [SPEC]: '# Mine\n', [DATA]: '[]\n' },
      'is there, and is no plan',
    ],
  ])(
    'does not replace %s with --yes; --write without --yes shows the person what would change',
    async (_what, files, why) => {
      const house = new House(files);
      const refused = await house.planHere(TOPIC_FILE, '--yes');
      expect(refused.code).toBe(1);
      expect(refused.err).toContain(`${why}; nothing was written`);
      expect(house.listChanged()).toEqual([]);
      const shown = await house.runHere(['plan', '--write', 'latest']);
      expect(shown.err).toContain(`${why}.\n`);
      expect(shown.err).toContain(`+++ ${SPEC} (changed)`);
    },
  );

  it('replaces the files of an earlier plan for the same topic file, even under a new title', async () => {
    const house = new House();
    await house.planHere(TOPIC_FILE, '--yes');
    house.write(TOPIC_FILE, '# Forms and sessions that do not end\n');
    expect((await house.planHere(TOPIC_FILE, '--yes')).code).toBe(0);
    expect(house.read(SPEC)).toContain('# Forms and sessions that do not end');
  });
});

describe('a plan whose files a person has edited', () => {
  const EDIT = '\nMy own words.\n';

  it.each<[string, (house: House) => Promise<unknown>]>([
    ['the same plan', async () => undefined],
    [
      'a later plan of the topic',
      (house) => {
        house.write(TOPIC_FILE, '# Forms and sessions that do not end\n');
        return house.planHere(TOPIC_FILE);
      },
    ],
  ])('keeps the edit if %s is written with --yes, and says so', async (_what, prepare) => {
    const house = new House();
    await house.planHere(TOPIC_FILE, '--yes');
    const edited = house.read(SPEC) + EDIT;
    house.write(SPEC, edited);
    const files = filesBelow(house.folder);
    await prepare(house);
    const refused = await house.runHere(['plan', '--write', 'latest', '--yes']);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`${SPEC} has changed since a plan wrote it; nothing was written`);
    expect(refused.err).toMatch(/say yes to it: .*plan --write/);
    expect({ ...filesBelow(house.folder), [TOPIC_FILE]: files[TOPIC_FILE] }).toEqual(files);
    const shown = await house.runHere(['plan', '--write', 'latest']);
    expect(shown.err).toContain(`${SPEC} has changed since a plan wrote it.\n`);
    expect(shown.err).toContain('- My own words.');
  });

  it('overwrites the edit if only line ends changed, or if the database has no record of the plan’s text', async () => {
    const house = new House();
    await house.planHere(TOPIC_FILE, '--yes');
    const written = house.read(SPEC);
    house.write(SPEC, written + EDIT);
    house.write(SPEC, written.replaceAll('\n', '\r\n'));
    expect((await house.runHere(['plan', '--write', 'latest', '--yes'])).code).toBe(0);
    expect(house.read(SPEC)).toBe(written);
    const clone = new House({ [SPEC]: written + EDIT, [DATA]: house.read(DATA) });
    expect((await clone.planHere(TOPIC_FILE, '--yes')).code).toBe(0);
    expect(clone.read(SPEC)).not.toContain(EDIT);
  });
});

describe('a fix of the code that a plan suggests', () => {
  const CODE = 'src/session.ts';
  const FIX = 'docs/fixes/stay-signed-in-1.fix.json';
  const fix = {
    title: 'An empty sweeper',
    path: CODE,
    problem: 'It sweeps nothing.',
    quotation: 'export function sweep(now: number): void {}',
    change: 'Let it count.',
    replacement: 'export function sweep(now: number): number {\n  return now - LENGTH;\n}',
  };
  /** Returns a repository with the committed files of a plan that suggests one fix of the code. */
  async function planWithFix(more: Partial<typeof fix> = {}): Promise<House> {
    const house = new House();
    const held = await house.makePlan({
      script: { synthesis: () => makeSpecDraft({ fixes: [{ ...fix, ...more }] }) },
    });
    for (const { path, text } of held.files) house.write(path, text);
    house.commit();
    return house;
  }

  it('is only shown as a diff by "plan --apply" where nobody can say yes, and is applied with --yes', async () => {
    const house = await planWithFix();
    const shown = await house.runHere(['plan', '--apply', FIX]);
    expect(shown.code).toBe(0);
    expect(shown.err).toContain(
      [
        'An empty sweeper: It sweeps nothing.',
        `+++ ${CODE} (changed)`,
        '  export const LENGTH = 900;',
        '  /** Ends a session that nobody has used. */',
        '- export function sweep(now: number): void {}',
        '+ export function sweep(now: number): number {',
        '+   return now - LENGTH;',
        '+ }',
      ].join('\n'),
    );
    expect(house.listChanged()).toEqual([]);
    expect(await house.runHere(['plan', '--apply', FIX, '--yes'])).toMatchObject({
      code: 0,
      out: `${CODE}\n`,
    });
    expect(house.read(CODE)).toContain('return now - LENGTH;');
    expect(house.listChanged()).toEqual([CODE]);
  });

  it('is not applied twice; the program says that it is applied already', async () => {
    const house = await planWithFix();
    await house.runHere(['plan', '--apply', FIX, '--yes']);
    const text = house.read(CODE);
    const again = await house.runHere(['plan', '--apply', FIX, '--yes']);
    expect(again).toMatchObject({ code: 0, out: '' });
    expect(again.err).toBe(`${FIX} is applied already: ${CODE} has its new words.\n`);
    expect(house.read(CODE)).toBe(text);
    house.write(CODE, '// Somebody wrote this anew.\n');
    const gone = await house.runHere(['plan', '--apply', FIX, '--yes']);
    expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('letter for letter') });
  });

  it('is shown as a diff among the files of the plan', async () => {
    const house = new House();
    const server = closeAfterTest(
      await startOllama({
        models: ['alpha'],
        answer: (asked) => {
          const answer = JSON.parse(makeShortAnswer(asked));
          return JSON.stringify('goal' in answer ? { ...answer, fixes: [fix] } : answer);
        },
      }),
    );
    const args = ['plan', TOPIC_FILE, '--plain', '--model', 'ollama/alpha'];
    const shown = await house.runHere(args, { OLLAMA_HOST: server.url });
    expect(shown.err).toContain('+++ docs/fixes/clock-1.fix.json (new');
    expect(shown.err).toContain('  - export function sweep(now: number): void {}');
    const written = await house.runHere(['plan', '--write', 'latest', '--yes']);
    expect(written.err).toContain('plan --apply docs/fixes/clock-1.fix.json');
    expect(house.listChanged()).not.toContain(CODE);
  });

  it.each<[string, Partial<typeof fix>, string]>([
    [
      'says only in words what to change',
      { replacement: '' },
      'it says only in words what to change',
    ],
    [
      'contains an invisible character',
      { replacement: 'sweep(\u202e)' },
      'its new words hold characters that nobody sees',
    ],
  ])('is not applied if it %s', async (_what, more, why) => {
    const house = await planWithFix(more);
    const refused = await house.runHere(['plan', '--apply', FIX, '--yes']);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`cannot be applied: ${why}`);
    expect(refused.err).toContain(`${CODE}, line 3: Let it count.`);
    expect(house.listChanged()).toEqual([]);
  });

  it.each<[string, (file: Record<string, unknown>, house: House) => object | string, RegExp]>([
    ['not JSON', () => 'x', /it is not JSON/],
    ['JSON without the fields of a fix', () => ({ title: 'x' }), /it is no fix of a plan/],
    [
      'for a path outside the repository',
      (file) => ({ ...file, path: '../x.ts' }),
      /leads out of the repository/,
    ],
    ['for a file of git', (file) => ({ ...file, path: '.git/config' }), /one of git’s own/],
    [
      'for a file that does not exist',
      (file) => ({ ...file, path: 'src/gone.ts' }),
      /there is no file src\/gone/,
    ],
    [
      'for a file that is a link',
      (file, { folder }) => {
        symlinkSync(join(folder, CODE), join(folder, 'src/link.ts'));
        return { ...file, path: 'src/link.ts' };
      },
      /is a link/,
    ],
    [
      'for words that the file contains twice',
      (file, house) => {
        house.write(CODE, `${fix.quotation}\n${fix.quotation}\n`);
        return { ...file, from: 9, to: 9 };
      },
      /stands there more than once/,
    ],
  ])('is refused if it is %s', async (_what, change, why) => {
    const house = await planWithFix();
    const given = change(JSON.parse(house.read(FIX)), house);
    house.write(FIX, typeof given === 'string' ? given : JSON.stringify(given));
    house.commit();
    const refused = await house.runHere(['plan', '--apply', FIX, '--yes']);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toMatch(why);
    expect(house.listChanged()).toEqual([]);
  });
});
