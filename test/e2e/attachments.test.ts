/** Tests attachments from files, folders and pipes through the real program. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attachmentsOf } from '../../src/text/documents/attachment.ts';
import { startOllama } from '../servers/index.ts';
import { needProgram } from '../setup/needs.ts';
import { runDeliberate } from './calls.ts';
import { type ProgramResult, runProgram } from './program.ts';
import { closeAfterTest, makeFolder, viewIn } from './scene.ts';

/** A folder of files, and boards that are run in it. */
class Desk {
  readonly cwd = makeFolder();
  readonly db = join(this.cwd, '.runs', 'runs.db');

  write(path: string, text: string | Uint8Array = `${path}\n`): void {
    const file = join(this.cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  board(args: readonly string[], { input }: { input?: string } = {}): Promise<ProgramResult> {
    const words = ['board', '--plain', '--rehearse', '--rehearse-speed', '1000', ...args];
    const where = { cwd: this.cwd, env: { DELIBERATE_DB: this.db } };
    return input === undefined
      ? runDeliberate(words, where)
      : runProgram(words, { ...where, input });
  }

  attached(): (readonly [string, string])[] {
    return attachmentsOf(viewIn(this.db).config).map(({ name, text }) => [name, text] as const);
  }
}

describe('--attach', () => {
  it('says of a file without text that it is empty, and starts the run', async () => {
    const desk = new Desk();
    desk.write('empty.md', new Uint8Array());
    desk.write('blank.md', new TextEncoder().encode('\n\n'));
    const { code, err } = await desk.board([
      '--attach',
      'empty.md',
      '--attach',
      'blank.md',
      'Why?',
    ]);
    expect(code).toBe(0);
    expect(err).toContain('attached: empty.md is empty: nothing of it is shown\n');
    expect(err).toContain('attached: blank.md is empty: nothing of it is shown\n');
    expect(err).not.toContain('0 lines');
  });

  it('accepts files, folders and standard input', async () => {
    const desk = new Desk();
    for (const path of ['plan.md', 'docs/b.md', 'docs/a/plan.md', 'docs/a/z.txt']) desk.write(path);
    for (const path of ['docs/.hidden', 'docs/node_modules/x.js']) desk.write(path);
    desk.write('docs/logo.png', new Uint8Array([1, 0, 2]));
    symlinkSync(join(desk.cwd, 'plan.md'), join(desk.cwd, 'docs', 'link.md'));
    const { code, err } = await desk.board(
      ['--attach', 'plan.md', '--attach', 'docs', '--attach', 'docs/b.md', '--attach', '-', 'Why?'],
      { input: 'piped\r\nin\n' },
    );
    expect(err).toContain('attached: plan.md 1 line, ~');
    expect(err).toMatch(/attached: stdin 2 lines, ~\d+ tokens \(\d+ % of the prompt\)/);
    // The only line of plan.md is 1 or 2 % of the prompt, which has about 230 tokens: most of them are the
    // instructions to the seat.
    expect(err).toMatch(/attached: plan\.md 1 line, ~\d tokens \([12] % of the prompt\)/);
    expect(err).toContain(
      'not attached: docs/link.md (is a link), docs/logo.png (binary, not text: byte 2 is 0x00)\n',
    );
    expect(code).toBe(0);
    expect(desk.attached()).toEqual([
      ['plan.md', 'plan.md\n'],
      ['docs/a/plan.md', 'docs/a/plan.md\n'],
      ['docs/a/z.txt', 'docs/a/z.txt\n'],
      ['docs/b.md', 'docs/b.md\n'],
      ['stdin', 'piped\nin\n'],
    ]);
  });

  it('gives files with the same name different names by their paths', async () => {
    const desk = new Desk();
    for (const path of ['old/plan.md', 'new/plan.md', 'plan.txt']) desk.write(path);
    const { code } = await desk.board(
      ['old/plan.md', 'new/plan.md', 'plan.txt']
        .flatMap((path) => ['--attach', path])
        .concat('Why?'),
    );
    expect(code).toBe(0);
    expect(desk.attached().map(([name]) => name)).toEqual([
      'old/plan.md',
      'new/plan.md',
      'plan.txt',
    ]);
  });

  it('leaves out of a repository what git ignores', async () => {
    needProgram('git');
    const desk = new Desk();
    for (const path of ['src/a.ts', 'src/made/b.ts', 'src/new.ts']) desk.write(path);
    desk.write('.gitignore', 'made\n');
    // Git runs the program that `core.fsmonitor` names. Listing files to attach must not run it.
    execFileSync('git', ['init', '-q'], { cwd: desk.cwd });
    execFileSync('git', ['config', 'core.fsmonitor', `touch ${join(desk.cwd, 'was-run')}; false`], {
      cwd: desk.cwd,
    });
    const { code } = await desk.board(['--attach', '.', 'Why?']);
    expect(code).toBe(0);
    expect(desk.attached().map(([name]) => name)).toEqual(['src/a.ts', 'src/new.ts']);
    expect(existsSync(join(desk.cwd, 'was-run'))).toBe(false);
  });

  it('leaves out links that lead out of the folder or to a hidden folder in it, and names them', async () => {
    needProgram('git');
    const desk = new Desk();
    const outside = makeFolder();
    for (const name of ['passwd.md', 'deeper/keys.md']) {
      mkdirSync(dirname(join(outside, name)), { recursive: true });
      writeFileSync(join(outside, name), 'a secret\n');
    }
    for (const path of ['src/a.md', 'src/etc/passwd.md', 'src/etc/deeper/keys.md', 'src/in/b.md'])
      desk.write(path);
    desk.write('src/.hidden/config.md', 'hidden\n');
    desk.write('src/seen/config.md', 'seen\n');
    const runGit = (...args: string[]) => execFileSync('git', args, { cwd: desk.cwd });
    runGit('init', '-q');
    runGit('add', '--all', '--force', 'src');
    // Replace folders by links after `git add`, so that git's index still names the files that were in the folders.
    for (const [path, to] of [
      ['src/etc', outside],
      ['src/seen', '.hidden'],
    ] as const) {
      rmSync(join(desk.cwd, path), { recursive: true });
      symlinkSync(to, join(desk.cwd, path));
    }
    symlinkSync(join(outside, 'passwd.md'), join(desk.cwd, 'src', 'link.md'));
    execFileSync('mkfifo', [join(desk.cwd, 'src', 'pipe.md')]);
    runGit('add', '--all', '--force', '--intent-to-add', 'src/link.md');
    const { code, err } = await desk.board(['--attach', 'src', 'Why?']);
    expect(code).toBe(0);
    expect(desk.attached()).toEqual([
      ['src/a.md', 'src/a.md\n'],
      ['src/in/b.md', 'src/in/b.md\n'],
    ]);
    for (const said of [
      'src/etc/passwd.md (is a link that leads out of the folder)',
      'src/etc/deeper/keys.md (is a link that leads out of the folder)',
      'src/seen/config.md (a link leads to it, and it is hidden)',
      'src/link.md (is a link)',
    ])
      expect(err).toContain(said);
    // The folder that is attached may itself be a link.
    symlinkSync('src', join(desk.cwd, 'named'));
    expect((await desk.board(['--attach', 'named', 'Why?'])).code).toBe(0);
    expect(desk.attached().map(([name]) => name)).toEqual(['named/a.md', 'named/in/b.md']);
  });

  it('leaves out entries that are not regular files, and names them', async () => {
    const desk = new Desk();
    desk.write('docs/a.md');
    execFileSync('mkfifo', [join(desk.cwd, 'docs', 'pipe')]);
    symlinkSync('/etc', join(desk.cwd, 'docs', 'etc'));
    const { code, err } = await desk.board(['--attach', 'docs', 'Why?']);
    expect(code).toBe(0);
    expect(err).toContain('not attached: docs/etc (is a link), docs/pipe (not a regular file)\n');
    expect(desk.attached()).toEqual([['docs/a.md', 'docs/a.md\n']]);
    rmSync(join(desk.cwd, 'docs', 'a.md'));
    expect(await desk.board(['--attach', 'docs', 'Why?'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('docs: no files to attach in this folder'),
    });
  });

  it.each([
    ['no such file', 'absent.md', undefined],
    ['binary, not text', 'b.bin', new Uint8Array([65, 0, 66])],
    ['not UTF-8 text', 'latin.txt', new Uint8Array([0xe9, 0x74, 0xe9])],
    ['its name has characters that cannot be cited', 'pl\u200ban.md', 'x\n'],
    ['too large: 2.0 MB, at most 1.0 MB are read', 'big.txt', 'x'.repeat(2 * 1024 * 1024)],
  ])('refuses an attachment with its name and the reason: %s', async (why, name, bytes) => {
    const desk = new Desk();
    if (bytes !== undefined) desk.write(name, bytes);
    const { code, err } = await desk.board(['--attach', name, 'Why?']);
    const shown = name.replaceAll('\u200b', '');
    expect([code, err]).toEqual([2, expect.stringContaining(`${shown}: ${why}`)]);
  });

  it('reports a mistyped file name as a missing file, and not as a web page', async () => {
    const desk = new Desk();
    for (const name of ['report.pdf', 'notes.md']) {
      const { err } = await desk.board(['--attach', name, 'Why?']);
      expect(err).toBe(`deliberate: ${name}: no such file\nCheck its name.\n`);
    }
    const { err } = await desk.board(['--attach', 'example.com', 'Why?']);
    expect(err).toContain('For a web page, write https://example.com');
  });

  it('refuses an empty folder, too many files, and too much text', async () => {
    const desk = new Desk();
    mkdirSync(join(desk.cwd, 'empty'));
    for (let n = 0; n < 201; n += 1) desk.write(`many/${n}.txt`);
    for (let n = 0; n < 5; n += 1) desk.write(`much/${n}.txt`, 'x'.repeat(1024 * 1024));
    for (const [name, why] of [
      ['empty', 'empty: no files to attach in this folder'],
      ['many', '201 files to attach; the limit is 200'],
      ['much', 'much/4.txt brings the attachments to 5.0 MB; the limit is 4.0 MB'],
    ] as const) {
      const { code, err } = await desk.board(['--attach', name, 'Why?']);
      expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    }
  });

  it('refuses a named pipe instead of waiting for it', async () => {
    const desk = new Desk();
    execFileSync('mkfifo', [join(desk.cwd, 'pipe')]);
    const { code, err } = await desk.board(['--attach', 'pipe', 'Why?']);
    expect([code, err]).toEqual([2, expect.stringContaining('pipe: not a regular file')]);
  });

  it('refuses standard input (-) if it is given twice or the question is missing', async () => {
    const desk = new Desk();
    for (const args of [
      ['--attach', '-'],
      ['--attach', '-', '-'],
      ['--attach', '-', '--attach', '-', 'Why?'],
    ]) {
      const { code, err } = await desk.board(args, { input: 'text' });
      expect([code, err]).toEqual([2, expect.stringContaining('--attach -')]);
    }
  });
});

describe('attached documents', () => {
  it('are cited by line: the report lists the citations, and those of lines or attachments that do not exist', async () => {
    const desk = new Desk();
    desk.write('docs/plan.md', 'one\ntwo\nthree\n');
    const server = closeAfterTest(
      await startOllama({
        models: ['a'],
        answer:
          'Split it: attachments/docs/plan.md#L2-L3 says so, and plan.md#L40 and attachments/x.md#L1 do.',
      }),
    );
    const env = { DELIBERATE_DB: desk.db, OLLAMA_HOST: server.url };
    const { code } = await runDeliberate(
      ['board', '--quiet', '--seat', 'critic=ollama/a', '--attach', 'docs', 'Why?'],
      { cwd: desk.cwd, env },
    );
    expect(code).toBe(0);
    const prompt = JSON.stringify(server.requests.find(({ path }) => path === '/api/chat')?.body);
    expect(prompt).toMatch(/from=\\"docs\/plan\.md\\">\\n1: one\\n2: two\\n3: three\\n</);
    const { out } = await runDeliberate(['show', 'latest'], { env });
    expect(out).toContain('| attachments | docs/plan.md (3 lines) |');
    expect(out).toContain('- Critic: attachments/docs/plan.md#L2-L3\n');
    expect(out).toContain(
      '- Critic cites lines that do not exist: attachments/docs/plan.md#L40 (docs/plan.md has 3 lines), attachments/x.md#L1 (there is no attachment x.md)',
    );
  });

  it('leave the records of a rehearsed run of rounds free of errors', async () => {
    const desk = new Desk();
    desk.write('docs/plan.md', 'one\ntwo\nthree\n');
    const env = { DELIBERATE_DB: desk.db };
    const held = await runDeliberate(
      [
        'rounds',
        '--rehearse',
        '--rehearse-speed',
        '1000',
        '--quiet',
        '--rounds',
        '1',
        '--stress',
        'none',
        '--attach',
        'docs',
        'Why?',
      ],
      { cwd: desk.cwd, env },
    );
    expect(held.code).toBe(0);
    await runDeliberate(['export', 'latest', '--format', 'records', '--to', 'records'], {
      cwd: desk.cwd,
      env,
    });
    const { code, out } = await runDeliberate(['validate', 'records'], { cwd: desk.cwd, env });
    expect([code, out]).toEqual([0, expect.any(String)]);
  });
});
