/**
 * Tests the tools that only look: what they find, and what they refuse by name, on real files and with real
 * git.
 */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolOutput } from '../../src/kernel/tools/tools.ts';
import { openTools, TOOLS } from '../../src/tools/tools.ts';
import { makePdf } from '../documents/make.ts';
import { needProgram } from '../setup/needs.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeEmptyFolder, makeRepository, makeToolCaller, toolsOver } from './repository.ts';

const toLines = ({ text }: ToolOutput): string[] => text.split('\n');
/** A machine without git. */
const NO_GIT = { ...process.env, PATH: '/nonexistent' };

describe('the tool named read, for documents,', () => {
  it('returns the text of a PDF with the page of each line', async () => {
    const place = makeEmptyFolder();
    place.write('report.pdf', makePdf({ pages: [['one'], ['two', 'three', 'four'], ['five']] }));
    const use = makeToolCaller(toolsOver(place));
    expect(await use('read', { path: 'report.pdf', from: 3, to: 4 })).toEqual({
      about: 'report.pdf, page 2, lines 3-4 of 5',
      text: 'three\nfour',
      from: 3,
      parts: [{ name: 'p2', from: 2 }],
    });
    place.write('plan.md', 'one\n');
    expect(await use('read', { path: 'plan.md' })).not.toHaveProperty('parts');
  });
});

describe('the tool named list', () => {
  it('lists a folder without ignored and secret files', async () => {
    const use = makeToolCaller(toolsOver(makeRepository()));
    expect(toLines(await use('list'))).toEqual([
      'src/ (2 files)',
      '.gitignore',
      'README.md',
      'inside.md',
      'logo.png',
      'notes.txt',
      'outside',
      'outside.txt',
      'shown.txt',
    ]);
    expect(toLines(await use('list', { path: 'src/' }))).toEqual(['deep/ (1 file)', 'clock.ts']);
    expect(await use('list', { pattern: '**/*.ts' })).toMatchObject({
      text: 'src/clock.ts\nsrc/deep/er/rules.ts',
    });
    expect(await use('list', { path: 'build' })).toMatchObject({ refused: true });
  });

  it('leaves out secret files outside a repository, too', async () => {
    needProgram('git');
    const place = makeEmptyFolder();
    place.write('.gitignore', '*.log\n');
    place.write('a.txt', 'a\n');
    place.write('b.log', 'b\n');
    place.write('.env.local', 'KEY=1\n');
    expect(toLines(await makeToolCaller(toolsOver(place))('list'))).toEqual([
      '.gitignore',
      'a.txt',
    ]);
    expect(await makeToolCaller(toolsOver(place, NO_GIT))('list')).toMatchObject({
      refused: true,
      text: expect.stringContaining('git is not installed'),
    });
    rmSync(join(place.folder, '.gitignore'));
    expect(toLines(await makeToolCaller(toolsOver(place, NO_GIT))('list'))).toEqual([
      'a.txt',
      'b.log',
    ]);
  });

  it('says how many entries it left out', async () => {
    const place = makeEmptyFolder();
    for (let at = 0; at < 350; at += 1) place.write(`f${String(at).padStart(3, '0')}.txt`, 'x');
    const found = await makeToolCaller(toolsOver(place))('list');
    expect(toLines(found)).toHaveLength(300);
    expect(found.more).toContain('50 more');
  });
});

describe('the tool named read', () => {
  it('returns a range of lines with their numbers', async () => {
    const place = makeEmptyFolder();
    place.write(
      'long.txt',
      Array.from({ length: 1_000 }, (_, at) => `line ${at + 1}`).join('\r\n'),
    );
    const use = makeToolCaller(toolsOver(place));
    const whole = await use('read', { path: 'long.txt' });
    expect(whole).toMatchObject({
      about: 'long.txt, lines 1-400 of 1000',
      from: 1,
      more: '600 more lines; go on with from: 401',
    });
    expect(await use('read', { path: './long.txt', from: 401, to: 402 })).toEqual({
      about: 'long.txt, lines 401-402 of 1000',
      text: 'line 401\nline 402',
      from: 401,
    });
    expect(await use('read', { path: 'long.txt', from: 1_001 })).toMatchObject({ refused: true });
    expect(await use('read', { path: 'long.txt', from: 5, to: 4 })).toMatchObject({
      refused: true,
    });
  });

  it('limits its result, however long the lines are', async () => {
    const place = makeEmptyFolder();
    place.write('wide.txt', `${'x'.repeat(900)}\n`.repeat(100));
    place.write('one.txt', 'y'.repeat(100_000));
    place.write('huge.txt', 'z'.repeat(3_000_000));
    const use = makeToolCaller(toolsOver(place));
    expect((await use('read', { path: 'wide.txt' })).text.length).toBeLessThan(17_000);
    expect((await use('read', { path: 'one.txt' })).text.length).toBeLessThan(1_100);
    expect(await use('read', { path: 'huge.txt' })).toMatchObject({
      refused: true,
      text: expect.stringContaining('at most 2.0 MB'),
    });
  });

  it.each([
    ['../etc/passwd', /".."/],
    ['src/../../x', /".."/],
    ['/etc/passwd', /absolute/],
    ['~/.ssh/id_rsa', /absolute/],
    ['C:\\x', /no path/],
    ['src\\..\\..\\x', /no path/],
    ['a\u0000b', /no path/],
    ['.git/config', /git's own/],
    ['src/.GIT/config', /git's own/],
    ['.env', /keys/],
    ['.env.production', /keys/],
    ['certs/server.pem', /keys/],
    ['id_ed25519', /keys/],
    ['deploy/credentials.json', /keys/],
    ['.aws/config', /keys/],
    ['debug.log', /git ignores/],
    ['build/out.js', /git ignores/],
    ['shown.txt', /git ignores/],
    ['outside.txt', /out of the root/],
    ['outside/treasure.txt', /out of the root/],
    ['logo.png', /binary/],
    ['nowhere.txt', /no such file/],
    ['src', /is a folder/],
    ['', /name a file/],
  ])('refuses the path %j with a reason, and shows nothing of the file', async (path, why) => {
    const found = await makeToolCaller(toolsOver(makeRepository()))('read', { path });
    expect(found).toMatchObject({ refused: true, text: expect.stringMatching(why) });
    expect(found.text).not.toMatch(/buried|hunter2/);
  });

  it('follows a symbolic link within the folder, and reads files whose names only resemble those of keys', async () => {
    const place = makeRepository();
    place.write('.env.example', 'API_KEY=\n');
    place.write('id_generator.py', 'def next_id(): ...\n');
    place.write('src/credentials.ts', 'export interface Credentials {}\n');
    const use = makeToolCaller(toolsOver(place));
    expect(await use('read', { path: 'inside.md' })).toMatchObject({
      text: expect.stringContaining('# Clock'),
    });
    for (const path of ['.env.example', 'id_generator.py', 'src/credentials.ts'])
      expect((await use('read', { path })).refused, path).toBeUndefined();
  });

  it('does not follow a link that has taken the place of a folder since the tools were opened', async () => {
    const place = makeRepository();
    const use = makeToolCaller(toolsOver(place));
    const elsewhere = temporaryFolder();
    mkdirSync(join(elsewhere, 'deep'));
    writeFileSync(join(elsewhere, 'clock.ts'), 'the treasure is buried here\n');
    renameSync(join(place.folder, 'src'), join(place.folder, 'was'));
    symlinkSync(elsewhere, join(place.folder, 'src'));
    expect(await use('read', { path: 'src/clock.ts' })).toMatchObject({ refused: true });
    expect((await use('grep', { pattern: 'treasure' })).text).toBe('');
  });

  it('masks known keys in the text', async () => {
    const place = makeEmptyFolder();
    place.write('a.txt', 'the key is sk-test-1234567890, keep it\n');
    const tools = openTools([{ name: 'r', path: place.folder }], {
      env: process.env,
      conceal: (text) => text.replaceAll('sk-test-1234567890', '[key]'),
    });
    expect((await makeToolCaller(tools)('read', { path: 'a.txt' })).text).toBe(
      'the key is [key], keep it',
    );
  });
});

describe('the tool named grep', () => {
  it('takes the pattern as literal text unless the call says otherwise', async () => {
    const place = makeRepository();
    place.write('odd.txt', 'a.c\nabc\n[x]\nABC\n');
    const use = makeToolCaller(toolsOver(place));
    expect((await use('grep', { pattern: 'a.c' })).text).toBe('odd.txt:1: a.c');
    expect((await use('grep', { pattern: '[x]' })).text).toBe('odd.txt:3: [x]');
    expect((await use('grep', { pattern: '^a.c$', regex: true })).text).toBe(
      'odd.txt:1: a.c\nodd.txt:2: abc',
    );
    expect(toLines(await use('grep', { pattern: 'abc', ignore_case: true }))).toHaveLength(2);
    expect((await use('grep', { pattern: 'INCREMENT', path: 'src' })).text).toBe(
      'src/clock.ts:1: export const INCREMENT = 3;',
    );
    expect((await use('grep', { pattern: '--help' })).text).toBe('');
    expect(await use('grep', { pattern: '(', regex: true })).toMatchObject({ refused: true });
  });

  it('shows no line of a file that the tool named read refuses', async () => {
    const use = makeToolCaller(toolsOver(makeRepository()));
    for (const pattern of ['hunter2', 'ignored by git', 'treasure'])
      expect(await use('grep', { pattern }), pattern).toEqual({
        about: `nothing matches "${pattern}" in the root`,
        text: '',
        from: 1,
      });
  });

  it('searches only text files, and without git only for literal text', async () => {
    const place = makeEmptyFolder();
    place.write('a/b.txt', 'one\nneedle here\n');
    place.write('logo.png', Buffer.from('\0 needle\n'));
    const use = makeToolCaller(toolsOver(place));
    expect((await use('grep', { pattern: 'needle' })).text).toBe('a/b.txt:2: needle here');
    const without = makeToolCaller(toolsOver(place, NO_GIT));
    expect((await without('grep', { pattern: 'NEEDLE', ignore_case: true })).text).toBe(
      'a/b.txt:2: needle here',
    );
    expect(await without('grep', { pattern: 'n.*e', regex: true })).toMatchObject({
      refused: true,
      text: expect.stringContaining('need git'),
    });
  });

  it('is aborted if a regular expression takes too long', async () => {
    needProgram('git');
    const place = makeEmptyFolder();
    place.write('a.txt', `${'a'.repeat(200_000)}\n`);
    const found = await makeToolCaller(toolsOver(place))('grep', {
      pattern: '(((a*)*)*)*\\1\\2\\3b',
      regex: true,
    });
    expect(found.refused).toBe(true);
    expect(found.text).not.toContain('aaaa');
  });

  it('limits the number and the length of lines', async () => {
    needProgram('git');
    const place = makeEmptyFolder();
    place.write('many.txt', `${'word '.repeat(400)}\n`.repeat(9_000));
    const found = await makeToolCaller(toolsOver(place))('grep', { pattern: 'word' });
    expect(toLines(found).length).toBeLessThanOrEqual(150);
    expect(found.text.length).toBeLessThan(17_000);
    expect(found.more).toContain('narrow it');
  });
});

describe('the tools git_log, git_show and git_blame', () => {
  it('show earlier versions of files', async () => {
    const place = makeRepository();
    const use = makeToolCaller(toolsOver(place));
    const log = toLines(await use('git_log'));
    expect(log.map((line) => line.replace(/^\w+ /, ''))).toEqual([
      '2026-01-02 Ada: Lengthen the increment',
      '2026-01-02 Ada: Start the clock',
    ]);
    expect(toLines(await use('git_log', { path: 'README.md' }))).toHaveLength(1);
    const [hash = ''] = (log[0] ?? '').split(' ');
    const shown = await use('git_show', { commit: hash });
    expect(shown.text).toContain('-export const INCREMENT = 2;');
    expect(shown.text).toContain('Lengthen the increment');
    // A file that looks like a file of keys is not shown by way of its history, either.
    expect(shown.text).not.toContain('hunter2');
    expect(shown.more).toContain('1 of 2 changed files are not shown');
    expect((await use('git_show', { commit: 'HEAD~1', path: 'README.md' })).text).toContain(
      '+# Clock',
    );
    const blamed = await use('git_blame', { path: 'src/clock.ts', from: 2 });
    expect(blamed).toMatchObject({ from: 2, text: expect.stringMatching(/Ada 2026-01-02.*tick/) });
  });

  it.each([
    ['git_show', { commit: '--output=x' }],
    ['git_show', { commit: 'HEAD:.env' }],
    ['git_show', { commit: 'main..HEAD' }],
    ['git_show', { commit: 'nowhere' }],
    ['git_show', { commit: 'HEAD', path: '.env' }],
    ['git_blame', { path: '.env' }],
    ['git_blame', { path: 'debug.log' }],
    ['git_blame', { path: 'notes.txt' }],
    ['git_log', { path: '../x' }],
  ])('refuse dangerous or hidden arguments: %s %j', async (name, given) => {
    const found = await makeToolCaller(toolsOver(makeRepository()))(name, given);
    expect(found).toMatchObject({ refused: true });
    expect(found.text).not.toContain('hunter2');
  });

  it('start no program that the repository configures', async () => {
    const place = makeRepository();
    const touched = join(place.folder, 'touched');
    const run = `sh -c 'echo run >> ${touched}; cat'`;
    for (const key of ['core.fsmonitor', 'core.pager', 'diff.external', 'core.sshCommand'])
      place.git('config', key, run);
    place.git('config', 'filter.f.clean', run);
    place.git('config', 'filter.f.smudge', run);
    place.git('config', 'diff.f.textconv', run);
    place.write('.gitattributes', '*.ts filter=f diff=f\n');
    const use = makeToolCaller(toolsOver(place));
    await use('list');
    await use('grep', { pattern: 'tick' });
    await use('git_show', { commit: 'HEAD' });
    await use('git_log');
    await use('git_blame', { path: 'src/clock.ts' });
    expect(await use('read', { path: 'touched' })).toMatchObject({
      text: expect.stringContaining('no such file'),
    });
  });

  it('say if there is no repository', async () => {
    needProgram('git');
    const place = makeEmptyFolder();
    place.write('a.txt', 'a\n');
    for (const [name, given] of [
      ['git_log', {}],
      ['git_show', { commit: 'HEAD' }],
      ['git_blame', { path: 'a.txt' }],
    ] as const) {
      expect((await makeToolCaller(toolsOver(place))(name, given)).text, name).toContain(
        'no git repository',
      );
      expect((await makeToolCaller(toolsOver(place, NO_GIT))(name, given)).text, name).toContain(
        'git is not installed',
      );
    }
    const bare = makeEmptyFolder();
    bare.git('init', '--quiet');
    expect(await makeToolCaller(toolsOver(bare))('git_log')).toMatchObject({ refused: true });
  });
});

describe('a tool call of a model', () => {
  it('can name every tool that the program has, since all are offered with a schema', () => {
    const { offered } = toolsOver(makeRepository());
    expect(offered.map(({ name }) => name)).toEqual([...TOOLS.keys()]);
    expect(offered.find(({ name }) => name === 'read')?.parameters).toMatchObject({
      type: 'object',
      required: ['path'],
      additionalProperties: false,
    });
  });

  it.each([
    ['read', { path: 7 }],
    ['read', {}],
    ['nothing', {}],
    ['__proto__', {}],
    ['read', 'README.md'],
    ['read', null],
    ['read', { path: 'README.md', from: 0 }],
    ['grep', { pattern: '' }],
  ])(
    'of the tool “%s” with the arguments %j is refused with an error message',
    async (name, given) => {
      const found = await makeToolCaller(toolsOver(makeRepository()))(name, given);
      expect(found).toMatchObject({ refused: true, text: expect.stringMatching(/\w{3}/) });
    },
  );

  it('must name the folder if there are several', async () => {
    const [one, other] = [makeEmptyFolder(), makeEmptyFolder()];
    one.write('a.txt', 'one\n');
    other.write('a.txt', 'other\n');
    const use = makeToolCaller(
      openTools(
        [
          { name: 'one', path: one.folder },
          { name: 'other', path: other.folder },
        ],
        { env: process.env },
      ),
    );
    expect(await use('read', { path: 'a.txt', root: 'other' })).toMatchObject({
      about: 'other: a.txt, lines 1-1 of 1',
      text: 'other',
    });
    expect(await use('read', { path: 'a.txt' })).toMatchObject({ refused: true });
    expect(await use('read', { path: 'a.txt', root: 'toString' })).toMatchObject({ refused: true });
  });

  it('is refused if a folder no longer exists', async () => {
    const place = makeRepository();
    const tools = toolsOver(place);
    rmSync(place.folder, { recursive: true });
    for (const name of ['list', 'git_log'])
      expect(await makeToolCaller(tools)(name)).toMatchObject({
        refused: true,
        text: expect.stringContaining('not there any more'),
      });
  });
});
