/**
 * Tests that commands in hints work here: they begin as the program was started, in errors, in the doctor
 * and on every screen.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDeliberate } from './calls.ts';
import { makeDatabasePath, makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

/** The environment variables that npm and npx set. */
const BY_NPM = { npm_lifecycle_event: 'start', npm_package_name: 'deliberate' };
const BY_NPX = { npm_lifecycle_event: 'npx', npm_lifecycle_script: 'deliberate x' };

const NOWHERE = { OLLAMA_HOST: 'http://127.0.0.1:9' };

describe.each([
  ['npm start', BY_NPM, 'npm start -- '],
  ['npx', BY_NPX, 'npx deliberate '],
])('the program, started by %s', (_name, by, started) => {
  it('begins commands with it in hints of the doctor, presets, show and the demo', async () => {
    const home = makeFolder();
    const env = { HOME: home, ...NOWHERE, ...by };
    const { out } = await runDeliberate(['doctor'], { env });
    expect(out).toContain(`without a model: ${started}board --rehearse\n`);
    const presets = await runDeliberate(['presets', 'what', 'else'], { env });
    expect(presets.err).toContain(`${started}presets [boards|`);
    const shown = await runDeliberate(['show', 'nothing'], { env });
    expect(shown.err).toContain(`See ${started}list.`);
    const demo = await runDeliberate(['demo', '--plain'], { env });
    expect(demo.err).toContain(`a question of your own: ${started}board "Should we …?"`);
    for (const text of [out, presets.err, shown.err, demo.err])
      expect(text.replaceAll(started, '')).not.toMatch(/\bdeliberate (?:board|presets|show|list)/);
  });
});

it('the run screen and the home screen show commands in the form in which the program was started', async () => {
  const home = makeFolder();
  const roles = join(home, '.config', 'deliberate', 'roles');
  mkdirSync(roles, { recursive: true });
  for (const name of ['one', 'two'])
    writeFileSync(join(roles, `${name}.md`), '---\nname: 3\n---\n');
  const env = { HOME: home, DELIBERATE_DB: makeDatabasePath(), ...NOWHERE, ...BY_NPM };
  const rehearsed = ['--rehearse', '--rehearse-speed', '1000', '--quiet'];
  expect((await runDeliberate(['board', ...rehearsed, 'Once?'], { env })).code).toBe(0);
  const terminal = new Terminal(['open', 'latest'], { columns: 100, rows: 30, env });
  await terminal.until(/✓ done/);
  terminal.press('.');
  await terminal.until(/Only in a replay: npm start -- replay RUN\./);
  terminal.press('q');
  expect(await terminal.exited).toBe(0);
  const screen = new Terminal([], { columns: 160, rows: 30, env });
  // Compare without spaces: the sentence contains a temporary folder's path, and the length of the path decides
  // where the sentence is wrapped.
  await screen.until((shown) =>
    /notread:.*·and\d+more:npmstart--presetscheck/.test(shown.replace(/\s+/g, '')),
  );
  screen.press('\u0003');
  expect(await screen.exited).toBe(0);
});
