/** Tests that files are written only where the person said, whatever names and links are in the way. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeOwn } from '../../src/io/own-file.ts';
import { writeTree } from '../../src/protocols/rounds/desk/folder.ts';
import { runDeliberate } from './calls.ts';
import { makeFolder } from './scene.ts';

const NAMES = [
  '../../escape.md',
  '../escape.md',
  '/escape.md',
  'a/../../../escape.md',
  '..\\..\\escape.md',
  'C:\\Windows\\escape.md',
  '\\\\server\\share\\escape.md',
  '.ssh/authorized_keys',
  'state/../../../escape.md',
  'nul\u0000byte.md',
  'two\nlines\u001b[2J.md',
];

it('attachments of an imported run are written only into the folder of records', async () => {
  const home = makeFolder();
  const cwd = join(home, 'a', 'b');
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'plan.md'), 'One line.\n');
  const env = { HOME: home, DELIBERATE_DB: join(home, 'one.db') };
  const rehearse = ['rounds', '--rehearse', '--rehearse-speed', '1000', '--rounds', '1', '--plain'];
  const held = await runDeliberate([...rehearse, '--yes', '--attach', 'plan.md', 'Should we?'], {
    cwd,
    env,
  });
  expect(held.code, held.err).toBe(0);
  const { out } = await runDeliberate(['export', 'latest', '--format', 'json'], { cwd, env });
  // Change the export as a stranger could: give attachments names that no file may have here.
  const archive = JSON.parse(out) as { facts: { config?: { attachments?: unknown } }[] };
  for (const { config } of archive.facts)
    if (config?.attachments !== undefined)
      config.attachments = NAMES.map((name) => ({ name, text: 'escaped\n' }));
  const there = { ...env, DELIBERATE_DB: join(home, 'two.db') };
  const input = JSON.stringify(archive);
  const imported = await runDeliberate(['import', '-'], { cwd, env: there, input });
  const before = readdirSync(home, { recursive: true }).length;
  if (imported.code === 0) {
    const to = join(cwd, 'out');
    const written = await runDeliberate(['export', 'latest', '--format', 'records', '--to', to], {
      cwd,
      env: there,
    });
    expect(written.code, written.err).toBe(0);
    const inside = readdirSync(to, { recursive: true }).length;
    const others = readdirSync(home, { recursive: true }).length - inside - 1;
    // Outside of the export, the number of files may differ by two, since SQLite creates and deletes files of its
    // own.
    expect(Math.abs(others - before)).toBeLessThanOrEqual(2);
    expect(readdirSync(join(to, 'attachments')).length).toBeGreaterThan(0);
    expect(readdirSync(to)).not.toContain('escape.md');
    for (const name of readdirSync(join(to, 'attachments'), { recursive: true })) {
      expect(name).not.toMatch(/\p{Cc}/u);
      expect(String(name).split('/')).not.toContain('..');
    }
  }
  for (const place of [home, join(home, 'a'), cwd, '/'])
    expect(existsSync(join(place, 'escape.md'))).toBe(false);
});

it('writeTree writes nothing outside its folder', () => {
  const root = makeFolder();
  const to = join(root, 'out');
  const elsewhere = join(root, 'elsewhere');
  mkdirSync(to);
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'kept.md'), 'kept');
  for (const path of ['../escape.md', 'state/../../escape.md']) {
    expect(() =>
      writeTree(
        new Map([
          ['ok.md', 'x'],
          [path, 'x'],
        ]),
        to,
      ),
    ).toThrow(/leads out/);
    expect(readdirSync(to)).toEqual([]);
  }
  symlinkSync(elsewhere, join(to, 'state'));
  expect(() =>
    writeTree(
      new Map([
        ['ok.md', 'x'],
        ['state/deep/claims.jsonl', ''],
      ]),
      to,
    ),
  ).toThrow(/is a link/);
  expect(readdirSync(to)).toEqual(['state']);
  expect(readdirSync(elsewhere)).toEqual(['kept.md']);
  // A link in the place of a file is replaced, and the link's target stays unchanged.
  symlinkSync(join(elsewhere, 'kept.md'), join(to, 'run.md'));
  writeTree(new Map([['run.md', 'new']]), to);
  expect(readFileSync(join(to, 'run.md'), 'utf8')).toBe('new');
  writeOwn(join(to, 'run.md'), 'newer');
  expect(readFileSync(join(elsewhere, 'kept.md'), 'utf8')).toBe('kept');
});

it('an export to a path that is a link replaces the link, and leaves the link’s target unchanged', async () => {
  const cwd = makeFolder();
  const env = { HOME: cwd, DELIBERATE_DB: join(cwd, '.runs.db') };
  await runDeliberate(
    ['board', '--rehearse', '--rehearse-speed', '1000', '--quiet', '--plain', 'Should we?'],
    { cwd, env },
  );
  writeFileSync(join(cwd, 'kept.md'), 'kept');
  symlinkSync(join(cwd, 'kept.md'), join(cwd, 'report.md'));
  const to = ['export', 'latest', '--format', 'markdown', '--to', 'report.md'];
  expect((await runDeliberate(to, { cwd, env })).code).toBe(2);
  expect((await runDeliberate([...to, '--yes'], { cwd, env })).code).toBe(0);
  expect(readFileSync(join(cwd, 'kept.md'), 'utf8')).toBe('kept');
  expect(readFileSync(join(cwd, 'report.md'), 'utf8')).toContain('Should we?');
});
