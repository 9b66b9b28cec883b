/**
 * Tests `deliberate plan` in a real repository: what it writes there, and what it says about bad input. It
 * runs the real program if it needs a terminal, another PATH or a first write, and otherwise its command in
 * this process.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { closeAfterTest } from '../e2e/scene.ts';
import { Terminal } from '../e2e/terminal.ts';
import { startOllama } from '../servers/index.ts';
import { temporaryFolder } from '../store/folder.ts';
import {
  House,
  makeShortAnswer,
  makeSpecialistFile,
  REHEARSE,
  SPEC,
  STATUS,
  TOPIC_FILE,
} from './house.ts';

describe('the files of a plan', () => {
  it('are written after --yes, and their paths are printed', async () => {
    const house = new House();
    const { code, out } = await house.plan(TOPIC_FILE, '--yes');
    expect(code).toBe(0);
    expect(house.listChanged()).toEqual([
      'docs/context/research/clock.md',
      STATUS,
      'docs/roadmap/clock.spec.json',
      SPEC,
    ]);
    for (const path of house.listChanged()) expect(out.split('\n')).toContain(path);
    expect(house.read(SPEC)).toContain('_Rehearsal: no model wrote this._');
    expect(JSON.parse(house.read(STATUS))).toMatchObject({ state: 'output-created' });
  });

  it('are never written into the built-in example', async () => {
    const house = new House();
    const { code, out, err } = await house.planHere('--yes');
    expect([code, out.includes('docs/roadmap')]).toEqual([0, false]);
    expect(err).not.toContain('--write');
    const later = await house.runHere(['plan', '--write', 'latest', '--yes']);
    expect(later.code).toBe(1);
    expect(later.err).toMatch(/the built-in example, which is read-only/);
    expect(existsSync(new URL('../../presets/examples/plan/docs/roadmap', import.meta.url))).toBe(
      false,
    );
  });

  it('are shown but not written if no person can say yes', async () => {
    const house = new House();
    const { code, err } = await house.planHere(TOPIC_FILE);
    expect(code).toBe(0);
    expect(house.listChanged()).toEqual([]);
    expect(err).toContain(`+++ ${SPEC} (new)`);
    const [, id = ''] = /Write them: .*plan --write ([\w-]+)/.exec(err) ?? [];
    expect(id).not.toBe('');
    const later = await house.runHere(['plan', '--write', id, '--yes']);
    expect(later).toMatchObject({ code: 0 });
    expect(house.listChanged()).toContain(SPEC);
    const again = await house.runHere(['plan', '--write', '--yes']);
    expect(again.err).toMatch(/^Latest plan run: \S+ ".*"\nThe files already match this plan\.\n$/);
    // The journal has one fact about written files, because only the first `plan --write` wrote any. The second
    // one found the files as they should be.
    const facts = JSON.parse((await house.runHere(['export', id, '--format', 'json'])).out);
    const said = facts.facts.filter(({ type }: { type: string }) => type === 'files.written');
    expect(said).toHaveLength(1);
    const paths = said[0].files.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(new Set(house.listChanged()));
    for (const { path, sha256 } of said[0].files)
      expect(createHash('sha256').update(house.read(path)).digest('hex')).toBe(sha256);
    expect((await house.runHere(['show', id])).out).toMatch(
      new RegExp(`## Files[\\s\\S]*${SPEC.replaceAll('.', '\\.')}`),
    );
  });

  it('are shown as a diff if a person has changed them meanwhile', async () => {
    const house = new House();
    await house.planHere(TOPIC_FILE, '--yes');
    writeFileSync(join(house.folder, SPEC), '# Mine now\n');
    const { err, code } = await house.runHere(['plan', '--write', 'latest']);
    expect(code).toBe(0);
    expect(err).toContain('- # Mine now');
    expect(house.read(SPEC)).toBe('# Mine now\n');
  });

  it('are not written over a file that changes before the person’s yes', async () => {
    const house = new House();
    await house.planHere(TOPIC_FILE);
    const terminal = new Terminal(['plan', '--write', 'latest'], {
      cwd: house.folder,
      env: { DELIBERATE_DB: house.database },
    });
    await expect.poll(() => terminal.raw).toMatch(/Write 4 files\? \[y\/N\]/);
    house.write(SPEC, '# Mine now\n');
    terminal.process.write('y\r');
    expect(await terminal.exited).not.toBe(0);
    expect(terminal.raw).toContain('has changed since it was shown');
    expect(house.read(SPEC)).toBe('# Mine now\n');
  });

  it.each<[string, (outside: string, house: House) => void]>([
    [
      'a folder that is a link to elsewhere',
      (outside, { folder }) => symlinkSync(outside, join(folder, 'docs/roadmap')),
    ],
    [
      'a folder that is a link to where nothing is yet',
      (outside, { folder }) => symlinkSync(join(outside, 'later'), join(folder, 'docs/roadmap')),
    ],
    [
      'a file that is a link to elsewhere',
      (outside, { folder }) => {
        mkdirSync(join(folder, 'docs/roadmap'));
        symlinkSync(join(outside, 'spec.md'), join(folder, SPEC));
      },
    ],
    [
      'a folder that is a file',
      (_outside, { folder }) => writeFileSync(join(folder, 'docs/roadmap'), 'mine\n'),
    ],
  ])('are not written through %s', async (_what, prepare) => {
    const house = new House();
    const outside = temporaryFolder();
    prepare(outside, house);
    const { code, err } = await house.planHere(TOPIC_FILE, '--yes');
    expect(code).not.toBe(0);
    expect(err).toMatch(/deliberate: docs\/roadmap\S* /);
    expect(err).not.toMatch(/ {4}at |Error:/);
    expect(existsSync(join(outside, 'clock.spec.md'))).toBe(false);
    expect(existsSync(join(outside, 'spec.md'))).toBe(false);
    expect(existsSync(join(outside, 'later'))).toBe(false);
    expect(house.has(STATUS)).toBe(false);
  });

  it('are not written outside the repository, whatever an imported run says', async () => {
    const house = new House();
    await house.planHere(TOPIC_FILE);
    const { out } = await house.runHere(['export', 'latest', '--format', 'json']);
    const outside = basename(temporaryFolder());
    const foreignExport = out.replaceAll('"docs/roadmap"', `"../${outside}"`);
    expect(foreignExport).not.toBe(out);
    const env = { DELIBERATE_DB: join(temporaryFolder(), 'runs.db') };
    const file = join(temporaryFolder(), 'theirs.json');
    writeFileSync(file, foreignExport);
    expect(await house.runHere(['import', file], env)).toMatchObject({ code: 0 });
    const given = ['--look', `repo=${house.folder}`, '--rehearse-speed', '1000', '--plain'];
    const change = ['--at', 'synthesis', '--set', 'seat.chair.model=rehearsal/other'];
    const forked = await house.runHere(['fork', 'latest', ...change, ...given], env);
    expect(forked.code, forked.err).toBe(0);
    const { code, err } = await house.runHere(['plan', '--write', 'latest', '--yes'], env);
    expect([code, err]).toEqual([1, expect.stringMatching(/clock\.spec\.md leads out of the/)]);
    expect(readdirSync(join(house.folder, '..', outside))).toEqual([]);
    expect(house.listChanged()).toEqual([]);
  });

  it('contain no control characters if they are JSON', async () => {
    const house = new House();
    const title = 'See \u009b2J\u202e this';
    const server = closeAfterTest(
      await startOllama({
        models: ['alpha'],
        answer: (asked) => {
          const answer = JSON.parse(makeShortAnswer(asked));
          return JSON.stringify('goal' in answer ? { ...answer, goal: title } : answer);
        },
      }),
    );
    const env = { OLLAMA_HOST: server.url };
    const args = ['plan', TOPIC_FILE, '--plain', '--yes', '--model', 'ollama/alpha'];
    expect((await house.runHere(args, env)).code).toBe(0);
    const text = house.read('docs/roadmap/clock.spec.json');
    expect(text).not.toMatch(/[\u009b\u202e]/);
    expect(JSON.parse(text).goal).toBe(title);
    const again = await house.runHere(['plan', '--write', 'latest', '--yes'], env);
    expect(again.err).toContain('The files already match this plan.');
  });
});

describe('a topic that was planned before', () => {
  it('is planned with the same search queries as before, until its text changes', async () => {
    const house = new House();
    await house.planHere(TOPIC_FILE, '--yes');
    const { queries } = JSON.parse(house.read(STATUS)) as { queries: string[] };
    await house.planHere(TOPIC_FILE);
    expect(staffOf(house)).toMatchObject({
      kept: true,
      queries: queries.map((query) => ({ query })),
    });
    writeFileSync(join(house.folder, TOPIC_FILE), '# Let forms forget what was typed\n');
    await house.planHere(TOPIC_FILE);
    expect(staffOf(house)).not.toHaveProperty('kept');
  });

  it('gets new search queries if the status file of its earlier plan is invalid', async () => {
    const house = new House({ [STATUS]: '{"topic": 7, "queries": "all"}' });
    const { code } = await house.planHere(TOPIC_FILE);
    expect(code).toBe(0);
    expect(staffOf(house)).not.toHaveProperty('kept');
  });
});

function staffOf(house: House): unknown {
  const store = house.store();
  const facts = store.facts(store.find('latest'));
  return facts.find(({ type }) => type === 'plan.staffed');
}

describe('deliberate plan', () => {
  it.each<[string, readonly string[], RegExp]>([
    [
      'a --repo that is not there',
      ['a topic', '--repo', 'nowhere'],
      /--repo nowhere: no such folder/,
    ],
    ['a folder in place of a topic’s file', ['docs'], /docs: is a folder\nName a file in it\./],
    ['a topic’s file that is not there', ['docs/gone.md'], /docs\/gone\.md: no such file/],
    ['a topic’s file that says nothing', ['docs/empty.md'], /docs\/empty\.md: the topic is empty/],
    ['a topic that says nothing', ['***'], /the topic is empty/],
    ['somebody who is not there', ['a topic', '--call-in', 'zoo'], /--call-in zoo: no such spec/],
    ['a seat that is not there', ['a topic', '--seat', 'zoo=ollama/alpha'], /zoo/],
    ['too many rounds', ['a topic', '--rounds', '9'], /--rounds 9: expected 1 to 3/],
  ])('refuses invalid input, and the error names it: %s', async (_what, args, why) => {
    const house = new House({ 'docs/empty.md': '\n \n' });
    const seats = args.includes('--seat') ? [] : ['--rehearse'];
    const { code, err } = await house.runHere(['plan', ...args, '--plain', ...seats]);
    expect(code).not.toBe(0);
    expect(err).toMatch(why);
    expect(err).not.toMatch(/ {4}at /);
    expect(house.listChanged()).toEqual([]);
  });

  it('fails with a message if a project’s list of document clusters is empty', async () => {
    const house = new House({ '.deliberate/clusters.yaml': 'clusters: []\n' });
    const { code, err } = await house.planHere(TOPIC_FILE);
    expect(code).not.toBe(0);
    expect(err).toMatch(/cluster/);
    expect(err).not.toMatch(/ {4}at /);
  });

  it('goes on with a warning if a specialist’s file names a cluster that the project does not have', async () => {
    const house = new House({
      '.deliberate/specialists/ux.md': makeSpecialistFile('ux', 'ux, perfumes, __proto__'),
    });
    const { code, err } = await house.planHere(TOPIC_FILE);
    expect(code).toBe(0);
    expect(err).toContain('ux: this project has no cluster perfumes, __proto__');
  });

  it('names the mistakes in specialists’ files, even if all files are invalid', async () => {
    const broken = '---\nclusters: [ux]\n---\nYou are.\n';
    const house = new House({
      '.deliberate/specialists/security.md': broken,
      '.deliberate/specialists/ux.md': broken,
    });
    const { code, err } = await house.planHere(TOPIC_FILE);
    expect(code).not.toBe(0);
    expect(err).toMatch(/specialists\/ux\.md:2: .*missing/);
    expect(err).not.toContain('no specialists of this project');
  });

  it('refuses an index that another version of the program has made', async () => {
    const house = new House();
    await house.planHere(TOPIC_FILE);
    const db = new Database(house.database);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const { changes } = db.prepare('UPDATE context_version SET version = 99').run();
    db.close();
    expect(changes).toBe(1);
    const { code, err } = await house.planHere(TOPIC_FILE);
    expect(code).not.toBe(0);
    expect(err).toMatch(/index.*version|version.*index/);
  });

  it('uses the indexed documents of a folder that no longer exists', async () => {
    const house = new House();
    house.index();
    rmSync(join(house.folder, 'docs'), { recursive: true });
    const { code, err } = await house.planHere('Let sessions and forms last longer');
    expect(code).toBe(0);
    expect(err).toContain('docs is gone: its documents stay in the index');
  });

  it('works without git, and says that no commit is recorded', async () => {
    const house = new House();
    const { code, err } = await house.run(['plan', TOPIC_FILE, '--yes', ...REHEARSE], {
      PATH: '/nonexistent',
    });
    expect(code).toBe(0);
    expect(err).toContain('no commit recorded');
    expect(house.read(SPEC)).not.toContain(', commit ');
  });

  it('works in a folder that is no repository', async () => {
    const house = new House();
    rmSync(join(house.folder, '.git'), { recursive: true });
    const { code, err } = await house.planHere(TOPIC_FILE, '--yes');
    expect(code).toBe(0);
    expect(err).toContain('no commit recorded');
    expect(house.has(SPEC)).toBe(true);
  });
});
