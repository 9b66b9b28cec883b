/**
 * Tests the tools that work on trees: what they find, how they change a tree, and what they refuse by name.
 */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { replaceOnce } from '../../src/workshop/edit.ts';
import {
  beginWorkshop,
  callTool,
  commitOf,
  makePersonRepository,
  makeShop,
  signal,
  workshopOf,
} from './place.ts';

const getState = ({ state: tree }: { readonly state?: string | undefined }): string => {
  expect(tree).toMatch(/^[0-9a-f]{40}$/);
  return tree ?? '';
};

describe('tools that read a tree (one state of a repository’s files)', () => {
  it('list, search and read as in a folder', async () => {
    const { workshop, tree } = await beginWorkshop(makeShop());
    expect(workshop.tools.offered.map(({ name }) => name)).toEqual([
      ...['list', 'grep', 'read', 'edit', 'write', 'remove'],
    ]);
    for (const { parameters } of workshop.tools.offered)
      expect(JSON.stringify(parameters)).not.toContain('"tree"');
    const listed = await callTool(workshop, tree, 'list');
    expect(listed.text.split('\n')).toEqual([
      ...['src/ (2 files)', 'test/ (1 file)', 'with space/ (1 file)'],
      ...['"line\\nend.txt"', 'README.md', 'dos.txt', 'inside.md', 'run.sh'],
    ]);
    expect(listed.state).toBeUndefined();
    expect(await callTool(workshop, tree, 'list', { pattern: '**/*.{ts,txt}' })).toMatchObject({
      text: [
        ...['"line\\nend.txt"', 'dos.txt', 'src/list.ts', 'src/sum.ts', 'test/list.test.ts'],
        'with space/ünï cödé.txt',
      ].join('\n'),
    });
    expect(await callTool(workshop, tree, 'read', { path: 'src/list.ts', from: 2 })).toEqual({
      about: 'src/list.ts, lines 2-2 of 2',
      text: 'export function list() {}',
      from: 2,
    });
    expect(await callTool(workshop, tree, 'grep', { pattern: 'LIST' })).toMatchObject({
      text: 'src/list.ts:1: export const LIST = [];',
    });
    expect(
      await callTool(workshop, tree, 'grep', { pattern: 'l[i]st', regex: true, path: 'test' }),
    ).toMatchObject({ text: "test/list.test.ts:1: import '../src/list.ts';" });
    expect(await callTool(workshop, tree, 'grep', { pattern: 'here' })).toMatchObject({
      text: 'with space/ünï cödé.txt:1: here',
    });
  });

  it('stop a search whose pattern takes too long', async () => {
    const developer = makePersonRepository();
    developer.write('a.txt', `${'a'.repeat(60_000)}\n`.repeat(20));
    developer.git('add', '.');
    developer.git('commit', '--quiet', '-m', 'A');
    const { workshop, tree } = await beginWorkshop(developer);
    const found = await callTool(workshop, tree, 'grep', {
      pattern: '(a?){40}(a*)*b\\1\\2',
      regex: true,
    });
    expect(found.refused).toBe(true);
  });

  it('mask keys in their results', async () => {
    const developer = makeShop();
    developer.write('config.ts', 'const key = "sk-known";\n');
    developer.git('add', '.');
    developer.git('commit', '--quiet', '-m', 'Add a key');
    const conceal = (text: string): string => text.replaceAll('sk-known', '[key]');
    const { workshop, tree, base } = await beginWorkshop(
      developer,
      workshopOf(developer, { conceal }),
    );
    expect((await callTool(workshop, tree, 'read', { path: 'config.ts' })).text).toContain(
      '"[key]"',
    );
    const next = await commitOf(workshop, base, {
      'config.ts': 'const key = "sk-known"; // old\n',
    });
    expect(await workshop.diff(base, next, [], signal)).not.toContain('sk-known');
  });
});

describe('tools that change a tree', () => {
  it('make a new tree and leave the old tree unchanged', async () => {
    const { workshop, tree } = await beginWorkshop(makeShop());
    const edited = await callTool(workshop, tree, 'edit', {
      path: 'src/list.ts',
      old: 'list() {}',
      new: 'list() {\n  return LIST;\n}',
    });
    expect(edited).toMatchObject({
      about: 'src/list.ts changed; lines 1-4 of 4',
      text: 'export const LIST = [];\nexport function list() {\n  return LIST;\n}',
      from: 1,
    });
    const second = getState(edited);
    expect(await workshop.text(tree, 'src/list.ts', signal)).toContain('list() {}');
    expect(await workshop.text(second, 'src/list.ts', signal)).toContain('return LIST');
    const written = await callTool(workshop, second, 'write', { path: 'a/b/c.txt', text: 'c\n' });
    expect(written.about).toBe('a/b/c.txt made: 1 line');
    const removed = await callTool(workshop, getState(written), 'remove', { path: 'src/sum.ts' });
    expect(await workshop.changes(tree, getState(removed), signal)).toEqual([
      { path: 'a/b/c.txt', kind: 'added', added: 1, removed: 0 },
      { path: 'src/list.ts', kind: 'changed', added: 3, removed: 1 },
      { path: 'src/sum.ts', kind: 'removed', added: 0, removed: 1 },
    ]);
    // Writing the same text into the same tree again gives the same tree.
    const again = await callTool(workshop, second, 'write', { path: 'a/b/c.txt', text: 'c\n' });
    expect(again.state).toBe(written.state);
  });

  it('keep line ends, file modes and byte order marks', async () => {
    const developer = makeShop();
    developer.write('mark.txt', '\ufeffone\r\ntwo\r\n');
    developer.git('-c', 'core.autocrlf=false', 'add', '.');
    developer.git('commit', '--quiet', '-m', 'Mark');
    const { workshop, tree } = await beginWorkshop(developer);
    const dos = await callTool(workshop, tree, 'edit', {
      path: 'dos.txt',
      old: 'one\ntwo',
      new: '1\n1.5\n2',
    });
    expect(await workshop.text(getState(dos), 'dos.txt', signal)).toBe(
      '1\r\n1.5\r\n2\r\nthree\r\n',
    );
    const whole = await callTool(workshop, getState(dos), 'write', {
      path: 'mark.txt',
      text: 'x\ny\n',
    });
    expect(await workshop.text(getState(whole), 'mark.txt', signal)).toBe('\ufeffx\r\ny\r\n');
    const script = await callTool(workshop, getState(whole), 'edit', {
      path: 'run.sh',
      old: 'echo run',
      new: 'echo ran',
    });
    expect(await workshop.changes(tree, getState(script), signal)).toEqual([
      { path: 'dos.txt', kind: 'changed', added: 3, removed: 2 },
      { path: 'mark.txt', kind: 'changed', added: 2, removed: 2 },
      { path: 'run.sh', kind: 'changed', added: 1, removed: 1 },
    ]);
    expect(await workshop.diff(tree, getState(script), ['run.sh'], signal)).toContain('index ');
    expect(await workshop.diff(tree, getState(script), ['run.sh'], signal)).toContain(' 100755');
    expect(await workshop.text(getState(script), 'line\nend.txt', signal)).toBe(
      'a name of two lines\n',
    );
  });

  it('keep files whose names are not valid text', async () => {
    const developer = makeShop();
    const bytes = Buffer.concat([
      Buffer.from(
        developer.git('ls-tree', '-z', 'HEAD', '--', 'README.md').replace(/README\.md\0$/, ''),
      ),
      Buffer.from([0x66, 0xe9, 0x66, 0]),
    ]);
    const odd = execFileSync('git', ['mktree', '-z'], {
      cwd: developer.folder,
      input: bytes,
      encoding: 'utf8',
    }).trim();
    const commit = developer.git('commit-tree', '-m', 'Odd', odd).trim();
    developer.git('reset', '--quiet', '--soft', commit);
    const { workshop, tree } = await beginWorkshop(developer);
    const next = await workshop.put(tree, 'new.txt', 'new\n', signal);
    expect(await workshop.put(next, 'new.txt', undefined, signal)).toBe(odd);
  });

  it.each([
    ['absent', 'nowhere', 'does not stand there; read the file'],
    ['twice', 'a', 'stands there 2 times'],
    ['with other spaces', 'b  c', 'other spaces or line ends'],
  ])('reject an edit if the text to replace is %s', async (_what, old, why) => {
    const developer = makePersonRepository();
    developer.write('x.txt', 'a\na\nb c\n');
    developer.git('add', '.');
    developer.git('commit', '--quiet', '-m', 'X');
    const { workshop, tree } = await beginWorkshop(developer);
    const found = await callTool(workshop, tree, 'edit', { path: 'x.txt', old, new: 'z' });
    expect(found).toMatchObject({ refused: true, text: expect.stringContaining(why) });
    expect(found.state).toBeUndefined();
  });

  it.each([
    ['../x', /".."/],
    ['/etc/passwd', /absolute/],
    ['.git/hooks/pre-commit', /git's own/],
    ['src/.GIT/config', /git's own/],
    ['.env', /keys/],
    ['deploy/credentials.json', /keys/],
    ['inside.md', /is a link/],
    ['outside/passwd', /outside is a link/],
    ['lib/x.c', /lib is a submodule/],
    ['lib', /submodule/],
    ['src', /is a folder/],
    ['src/list.ts/x', /src\/list\.ts is a file/],
    ['logo.png', /binary/],
    ['latin.txt', /not UTF-8 text: byte 4/],
    ['', /name a file/],
    ['a\nb', /no path/],
    ['.g\u200cit/config', /does not take a file of that name/],
    ['git~1/config', /does not take a file of that name/],
  ])('refuse to write at %s', async (path, why) => {
    const developer = makeShop();
    developer.link('outside', '/etc');
    developer.write('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
    developer.write('latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
    developer.git('add', '.');
    developer.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${developer.git('rev-parse', 'HEAD').trim()},lib`,
    );
    developer.git('commit', '--quiet', '-m', 'Everything');
    const { workshop, tree } = await beginWorkshop(developer);
    const found = await callTool(workshop, tree, 'write', { path, text: 'x\n' });
    expect(found).toMatchObject({ refused: true, text: expect.stringMatching(why) });
    const putMayReplace = path === 'logo.png' || path === 'latin.txt';
    if (!putMayReplace)
      await expect(workshop.put(tree, path, 'x\n', signal)).rejects.toMatchObject({
        code: 'not-put',
      });
  });

  it('refuse to write a text that is binary, not UTF-8 or larger than 2 MB', async () => {
    const { workshop, tree } = await beginWorkshop(makeShop());
    expect(await callTool(workshop, tree, 'write', { path: 'x', text: 'a\0b' })).toMatchObject({
      text: 'x: binary, not text',
    });
    expect(await callTool(workshop, tree, 'write', { path: 'x', text: '\ud800' })).toMatchObject({
      text: 'x: not UTF-8 text',
    });
    expect(
      await callTool(workshop, tree, 'write', { path: 'x', text: 'x'.repeat(3_000_000) }),
    ).toMatchObject({ text: expect.stringContaining('at most 2.0 MB are written') });
    expect(await callTool(workshop, '--help', 'read', { path: 'x' })).toMatchObject({
      text: 'read: tree: not the hash of a tree',
    });
    expect(await callTool(workshop, tree, 'bash', { command: 'ls' })).toMatchObject({
      refused: true,
      text: expect.stringContaining('there is no tool bash'),
    });
    expect(await callTool(workshop, 'f'.repeat(40), 'read', { path: 'README.md' })).toMatchObject({
      refused: true,
    });
  });
});

describe('replacing one occurrence of a text', () => {
  it('leaves the line ends of all other lines unchanged', () => {
    expect(replaceOnce('a\r\nb\nc\r\n', 'b\n', 'B\n')).toMatchObject({ text: 'a\r\nB\nc\r\n' });
    expect(replaceOnce('a\r\nb\nc\r\n', 'a\nb', 'A\nx\nB')).toMatchObject({
      text: 'A\r\nx\r\nB\nc\r\n',
      from: 1,
      to: 3,
    });
    expect(replaceOnce('a\r\nb\r\n', '\nb', '')).toMatchObject({ text: 'a\r\n' });
    expect(replaceOnce('a\r\nb\r\n', 'a\r\n', '')).toMatchObject({ text: 'b\r\n' });
  });

  it('is refused if the text occurs at two places, even if they overlap', () => {
    expect(replaceOnce('aaa', 'aa', 'b')).toEqual({ done: false, places: 2, loosely: false });
  });
});
