/** What a run of tests prints at its end: the counts, why tests were skipped, and how to run failures again. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../store/folder.ts';
import { formatCommand } from './reproduce.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const REPORTER = join(import.meta.dirname, 'reporter.ts');

describe('formatCommand', () => {
  it('returns the command that runs one test file or one test, with the test’s name quoted for the shell', () => {
    expect(formatCommand('test/a.test.ts')).toBe('npm run test:all -- test/a.test.ts');
    expect(formatCommand('test/a.test.ts', "a (b) > it's $5")).toBe(
      "npm run test:all -- test/a.test.ts -t '^a \\(b\\) (> )?it'\\''s \\$5$'",
    );
  });
});

describe('The report of the test runner', () => {
  it('counts tests and says why some were skipped', () => {
    const folder = temporaryFolder();
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'test'));
    writeFileSync(
      join(folder, 'vitest.config.ts'),
      `import Reporter from ${JSON.stringify(REPORTER)};
       export default { test: { reporters: [new Reporter({ leftOut: 'Slow ones are left out.' })] } };`,
    );
    writeFileSync(
      join(folder, 'test', 'some.test.ts'),
      `import { describe, expect, it } from 'vitest';
       it('holds', () => {});
       it('needs a program', ({ skip }) => skip('wonder is not installed'));
       describe('a > b (c)', () => {
         it("isn't $1.0", () => expect(1).toBe(2));
         it("isn't $1.0, either", () => {});
       });`,
    );
    writeFileSync(join(folder, 'test', 'broken.test.ts'), `import './nothing.ts';`);
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const { stdout, status } = spawnSync(process.execPath, [vitest, 'run', '--no-color'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    const rows = stdout.trimEnd().split('\n');
    expect(rows.at(-1)).toBe('2 passed, 2 failed, 1 skipped');
    expect(rows).toContain('1 skipped: wonder is not installed');
    expect(rows).toContain('Slow ones are left out.');
    const commands = rows.flatMap((row) => /^ {2}npm run test:all -- (.*)$/.exec(row)?.[1] ?? []);
    expect(commands.map((command) => command.split(' ')[0]).sort()).toEqual([
      'test/broken.test.ts',
      'test/some.test.ts',
    ]);
    const again = commands.find((command) => command.includes('-t'));
    const script = `"$0" "$1" run --no-color ${again} || true`;
    const second = execFileSync('sh', ['-c', script, process.execPath, vitest], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(second.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed, 3 skipped');
  });
});
