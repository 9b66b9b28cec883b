/** Texts that are not sent yet, and paths as they are typed: in real folders. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completePath, expandHome } from '../../src/io/complete-path.ts';
import { Drafts } from '../../src/io/drafts.ts';
import { makeFolder } from '../e2e/scene.ts';

describe('a stored draft of a text field', () => {
  it('is still there for the next process of the same person, until the text is emptied', () => {
    const state = makeFolder();
    const module = new URL('../../src/io/drafts.ts', import.meta.url).href;
    const script = `import { Drafts } from ${JSON.stringify(module)};
      const drafts = new Drafts({ XDG_STATE_HOME: ${JSON.stringify(state)} });
      drafts.keep('home', 'Should'); drafts.keep('home', 'Should we?');`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script]);
    const file = join(state, 'deliberate', 'drafts', 'home.txt');
    expect(readFileSync(file, 'utf8')).toBe('Should we?');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    const drafts = new Drafts({ XDG_STATE_HOME: state });
    expect(drafts.read('home')).toBe('Should we?');
    drafts.keep('home', '');
    expect(existsSync(file)).toBe(false);
    expect(drafts.read('home')).toBe('');
  });

  it('survives kill -9 of the program', async () => {
    const state = makeFolder();
    const module = new URL('../../src/io/drafts.ts', import.meta.url).href;
    const script = `import { Drafts } from ${JSON.stringify(module)};
      new Drafts({ XDG_STATE_HOME: ${JSON.stringify(state)} }).keep('home', 'Why?');
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 600);`;
    expect(() =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        stdio: 'ignore',
      }),
    ).toThrow();
    expect(new Drafts({ XDG_STATE_HOME: state }).read('home')).toBe('Why?');
  });

  it('is removed by Drafts.forget, called with its run, and drafts of other runs stay', () => {
    const state = makeFolder();
    const drafts = new Drafts({ XDG_STATE_HOME: state });
    const kept = join(state, 'deliberate', 'drafts');
    mkdirSync(kept, { recursive: true });
    for (const name of ['note-run-1', 'follow-up-run-1', 'note-run-2'])
      writeFileSync(join(kept, `${name}.txt`), 'x');
    drafts.forget('run-1');
    expect(readdirSync(kept)).toEqual(['note-run-2.txt']);
  });

  it('that is not yet on the disk is never written once Drafts.forget was called with its run', () => {
    const state = makeFolder();
    const module = new URL('../../src/io/drafts.ts', import.meta.url).href;
    const script = `import { Drafts } from ${JSON.stringify(module)};
      const drafts = new Drafts({ XDG_STATE_HOME: ${JSON.stringify(state)} });
      drafts.keep('note-run-1', 'Why?'); drafts.keep('note-run-2', 'How?');
      drafts.forget('run-1');`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script]);
    expect(readdirSync(join(state, 'deliberate', 'drafts'))).toEqual(['note-run-2.txt']);
  });
});

describe('completing a path', () => {
  function makeHome(): { readonly HOME: string } {
    const base = makeFolder();
    for (const name of ['notes.md', 'notes.txt', 'plan.md', '.hidden'])
      writeFileSync(join(base, name), 'x');
    mkdirSync(join(base, 'papers'));
    return { HOME: base };
  }

  it.each([
    ['~/pl', '~/plan.md', ['plan.md']],
    ['~/no', '~/notes.', ['notes.md', 'notes.txt']],
    ['~/pa', '~/papers/', ['papers/']],
    ['~/.h', '~/.hidden', ['.hidden']],
    ['~', '~/', ['notes.md', 'notes.txt', 'papers/', 'plan.md']],
    ['~/nothing/x', '~/nothing/x', []],
  ])('turns %j into %j', (typed, text, names) => {
    const env = makeHome();
    expect(completePath(typed, env)).toEqual({ text, names });
    const whole = typed === '~' ? `${env.HOME}/` : typed.replace('~', env.HOME);
    expect(completePath(whole, env)).toEqual({ text: text.replace('~', env.HOME), names });
  });

  it('replaces ~ by the home folder, and keeps ~root unchanged', () => {
    const env = makeHome();
    expect(expandHome('~/notes.md', env)).toBe(join(env.HOME, 'notes.md'));
    expect(expandHome('~root/x', env)).toBe('~root/x');
  });
});
