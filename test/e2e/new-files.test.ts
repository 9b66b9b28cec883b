/** Tests `presets show`, `presets new` and `agents new`: files that a person starts from a template. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KINDS } from '../../src/io/preset-kinds.ts';
import { runDeliberate } from './calls.ts';
import { makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

const MODEL_FREE = ['--rehearse', '--rehearse-speed', '1000', '--plain', '--quiet'];

function makePerson() {
  const home = makeFolder();
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const env = { HOME: home, DELIBERATE_DB: join(home, 'runs.db') };
  const toOwnPath = (path: string): string => join(home, '.config/deliberate', path);
  return {
    home,
    cwd,
    env,
    own: toOwnPath,
    call: (...args: string[]) => runDeliberate(args, { env, cwd }),
  };
}

it('presets show prints the preset that is used, and the path of its file', async () => {
  const { call: type, own } = makePerson();
  const built = await type('presets', 'show', 'roles/critic');
  expect(built).toMatchObject({
    code: 0,
    err: expect.stringContaining('roles/critic.md (built-in)'),
  });
  expect(built.out).toMatch(/^---\nname: Critic\n/);
  await type('presets', 'copy', 'roles/critic');
  writeFileSync(
    own('roles/critic.md'),
    '---\nname: Mine\ndescription: M.\n---\nBe \u001b[31mred.\n',
  );
  const result = await type('presets', 'show', 'roles/critic');
  expect(result.out).toBe('---\nname: Mine\ndescription: M.\n---\nBe red.\n');
  const none = await type('presets', 'show', 'roles/critik');
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean critic?') });
});

it('presets new creates a valid preset of every kind', async () => {
  const { call: type, own, cwd } = makePerson();
  for (const { folder: kind, ending } of KINDS) {
    const made = await type('presets', 'new', `${kind}/my-own`);
    expect(made).toMatchObject({ code: 0, err: '', out: `${own(`${kind}/my-own${ending}`)}\n` });
  }
  // Without quotes in the new file, YAML would read the name 2026 as a number.
  expect(await type('presets', 'new', 'roles/2026')).toMatchObject({ code: 0, err: '' });
  const checked = await type('presets', 'check');
  expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('no problems.') });
  const seated = await type('board', ...MODEL_FREE, '--seat', 'my-own', '--seat', 'critic', 'Why?');
  expect(seated).toMatchObject({ code: 0, out: expect.stringContaining('# My own') });
  await type('presets', 'new', 'boards/ours', '--to', 'project');
  expect(existsSync(join(cwd, '.deliberate/boards/ours.yaml'))).toBe(true);
});

it('agents new creates an agent that can be run', async () => {
  const { call: type, own } = makePerson();
  const made = await type('agents', 'new', 'risk-checker');
  expect(made).toMatchObject({ code: 0, out: `${own('agents/risk-checker.md')}\n` });
  expect(await type('agents', 'check')).toMatchObject({ code: 0 });
  expect(await type('agent', 'risk-checker', ...MODEL_FREE, 'Why?')).toMatchObject({ code: 0 });
});

it.each([
  [['presets', 'new', 'roles/critic'], 'deliberate presets copy roles/critic'],
  [['presets', 'new', 'roles/../../x'], 'no such preset'],
  [['presets', 'new', 'roles/a b'], 'cannot be the name of a preset'],
  [['presets', 'new', 'tones/dry'], 'no such preset'],
  [['presets', 'new'], 'no preset named'],
  [['agents', 'new', '../x'], 'cannot be the name of an agent'],
  [['agents', 'new', 'writer'], 'there is already an agent "writer"'],
  [['agents', 'new', 'x', '--to', 'moon'], 'expected project or user'],
  [['agents', 'new'], 'no name given'],
])('creating a file is refused with an error message: %j', async (args, sentence) => {
  const { code, err } = await makePerson().call(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});

it('presets new opens its file in the editor, and reports a mistake that was made there', async () => {
  const { home, env, own } = makePerson();
  const editor = join(home, 'editor');
  writeFileSync(editor, '#!/bin/sh\nsed -i "s/^description:.*/descritpion: x/" "$1"\n');
  chmodSync(editor, 0o755);
  const terminal = new Terminal(['presets', 'new', 'roles/sage'], {
    env: { ...env, VISUAL: editor },
  });
  expect(await terminal.exited).toBe(1);
  expect((await terminal.screen()).replaceAll('\n', '')).toMatch(
    /sage\.md:5: descritpion: unknown key/,
  );
  expect(readFileSync(own('roles/sage.md'), 'utf8')).toContain('descritpion: x');
});
