/** Tests documents in encodings other than UTF-8, for every way to give the program a document. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attachmentsOf } from '../../src/text/documents/attachment.ts';
import { Root } from '../../src/tools/root.ts';
import { runDeliberate } from './calls.ts';
import { runProgram } from './program.ts';
import { makeFolder, viewIn } from './scene.ts';

const TEXT = 'Le café est fermé.\r\nThe queue holds 40,000 jobs.\r\n';
/** The text with the line ends that are recorded on every system. */
const LF = TEXT.replaceAll('\r\n', '\n');
const UTF16 = Buffer.from(`\ufeff${TEXT}`, 'utf16le');
const LATIN1 = Buffer.from(TEXT, 'latin1');

function makeDesk() {
  const cwd = makeFolder();
  const db = join(cwd, '.runs', 'runs.db');
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs', 'wide.md'), UTF16);
  writeFileSync(join(cwd, 'docs', 'latin.md'), LATIN1);
  const env = { DELIBERATE_DB: db, HOME: cwd };
  return {
    cwd,
    db,
    call: (...words: string[]) => runDeliberate(words, { cwd, env }),
    piped: (input: Buffer, ...words: string[]) => runProgram(words, { cwd, env, input }),
    attached: () => attachmentsOf(viewIn(db).config),
  };
}

const REHEARSED = ['--plain', '--quiet', '--rehearse', '--rehearse-speed', '1000'];
const ROUNDS = ['rounds', ...REHEARSED, '--rounds', '1', '--stress', 'none'];

describe('a document in UTF-16 with a byte order mark', () => {
  it.each([
    ['a board', ['board', ...REHEARSED]],
    ['rounds', ROUNDS],
  ])('is attached to %s, and the record names the encoding', async (_what, words) => {
    const here = makeDesk();
    const { code, err } = await here.call(...words, '--attach', 'docs/wide.md', 'Why?');
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(here.attached()).toMatchObject([
      { name: 'wide.md', text: LF, source: { encoding: 'utf-16le', bytes: UTF16.length } },
    ]);
  });

  it('is read as an attachment from standard input, as a question from a file, and as a run to import', async () => {
    const here = makeDesk();
    const piped = await here.piped(UTF16, 'board', ...REHEARSED, '--attach', '-', 'Why?');
    expect(piped.code).toBe(0);
    expect(here.attached()).toMatchObject([{ name: 'stdin', text: LF }]);
    const asked = await here.call('board', ...REHEARSED, '--file', 'docs/wide.md');
    expect(asked.code).toBe(0);
    expect(viewIn(here.db).question.replaceAll('\r\n', '\n')).toBe(LF.trim());
    const { out } = await here.call('export', 'latest', '--format', 'json');
    writeFileSync(join(here.cwd, 'run.json'), Buffer.from(`\ufeff${out}`, 'utf16le'));
    await here.call('rm', 'latest', '--yes');
    expect((await here.call('import', 'run.json')).code).toBe(0);
    expect(viewIn(here.db).question.replaceAll('\r\n', '\n')).toBe(LF.trim());
  });

  it('is indexed and found, and the file is never changed', async () => {
    const here = makeDesk();
    const added = await here.call('context', 'add', 'docs');
    expect(added.err).toContain('left out: docs/latin.md: not UTF-8 text: byte 7 is 0xe9');
    const found = await here.call('context', 'search', 'queue', '--quiet');
    expect(found.out).toContain('docs/wide.md#L1-L2');
    mkdirSync(join(here.cwd, '.deliberate'));
    const cards = 'clusters:\n  - name: jobs\n    line: Jobs\n';
    writeFileSync(join(here.cwd, '.deliberate', 'clusters.yaml'), cards);
    const set = await here.call('context', 'clusters', '--set', 'docs/wide.md=jobs');
    expect([set.code, set.err]).toEqual([0, '']);
    expect(readFileSync(join(here.cwd, 'docs', 'wide.md'))).toEqual(UTF16);
  });
});

describe('--encoding', () => {
  it('decodes attachments that are not UTF-8, and leaves UTF-8 alone', async () => {
    const here = makeDesk();
    writeFileSync(join(here.cwd, 'docs', 'plain.md'), 'café\n');
    const words = ['board', ...REHEARSED, '--attach', 'docs', 'Why?'];
    const refused = await here.call(...words);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--encoding')]);
    expect(refused.err).toContain('latin.md: not UTF-8 text: byte 7 is 0xe9');
    expect((await here.call(...words, '--encoding', 'latin1')).code).toBe(0);
    expect(here.attached()).toMatchObject([
      { name: 'docs/latin.md', text: LF, source: { encoding: 'windows-1252' } },
      { name: 'docs/plain.md', text: 'café\n' },
      { name: 'docs/wide.md', text: LF, source: { encoding: 'utf-16le' } },
    ]);
    expect(here.attached()[1]).not.toHaveProperty('source');
  });

  it('decodes questions, and documents for the index', async () => {
    const here = makeDesk();
    const named = ['--encoding', 'latin1'];
    const debate = [
      'debate',
      ...REHEARSED,
      '--yes',
      '--method',
      'delphi',
      '--file',
      'docs/latin.md',
    ];
    expect((await here.call(...debate)).code).toBe(2);
    expect((await here.call(...debate, ...named)).code).toBe(0);
    expect(viewIn(here.db).question.replaceAll('\r\n', '\n')).toBe(LF.trim());
    expect((await here.call('context', 'add', 'docs', ...named)).err).not.toContain('left out');
    expect((await here.call('context', 'search', 'fermé')).out).toContain('docs/latin.md#L1-L2');
  });

  it('is recorded with a folder of --look, whose files seats can then read', async () => {
    const here = makeDesk();
    const look = ['--look', 'docs', '--encoding', 'latin1'];
    expect((await here.call('board', ...REHEARSED, ...look, 'Why?')).code).toBe(0);
    const { look: kept } = viewIn(here.db).config as {
      look: { name: string; path: string; encoding: string }[];
    };
    expect(kept).toMatchObject([{ name: 'docs', encoding: 'windows-1252' }]);
    const [{ name = '', path = '', encoding = '' } = {}] = kept;
    const { signal } = new AbortController();
    const root = new Root(name, path, process.env, encoding);
    expect(await root.read('latin.md', signal)).toBe(TEXT);
    expect(await root.read('wide.md', signal)).toBe(TEXT);
    await expect(new Root(name, path, process.env).read('latin.md', signal)).rejects.toThrow(
      'not UTF-8 text: byte 7 is 0xe9',
    );
  });

  it('is refused with the name of an unknown character encoding, before any model is asked', async () => {
    const here = makeDesk();
    const { code, err } = await here.call('board', '--encoding', 'klingon', 'Why?');
    expect([code, err]).toEqual([2, expect.stringContaining('"klingon" is not a known encoding')]);
  });
});
