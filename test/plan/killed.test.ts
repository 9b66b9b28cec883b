/**
 * Tests that a plan with `--yes` that is killed at any of its calls and resumed comes to the same files, byte
 * for byte, as one that nobody disturbs. In the long form it is killed at every call, otherwise once at each kind.
 */
import { expect, it } from 'vitest';
import { closeAfterTest } from '../e2e/scene.ts';
import { LONG } from '../long.ts';
import { startOllama } from '../servers/index.ts';
import { findFormName, House, makeShortAnswer, SPEC, STATUS, TOPIC_FILE } from './house.ts';

const FILES = [SPEC, SPEC.replace('.md', '.json'), STATUS];
const ARGS = ['plan', TOPIC_FILE, '--plain', '--yes', '--seed', '7', '--model', 'ollama/alpha'];

/** Returns the files of the plan, without the id of the run. */
function filesIn(house: House): string[] {
  return FILES.map((path) =>
    house
      .read(path)
      .replace(/Run [\w-]+/, 'Run')
      .replace(/"run": "[\w-]+"/, '"run"'),
  );
}

/**
 * Returns the numbers of the calls, from 1 on, that differ in what is asked or in whether the same was asked just
 * before.
 */
function findDifferingCalls(forms: readonly string[]): number[] {
  const seen = new Set<string>();
  return forms.flatMap((form, index) => {
    const key = `${form} ${form === forms[index - 1]}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [index + 1];
  });
}

it('a plan that is killed at a call of any kind and resumed writes the same files as a plan that was never killed', async () => {
  const server = closeAfterTest(await startOllama({ models: ['alpha'], answer: makeShortAnswer }));
  const env = { OLLAMA_HOST: server.url };
  const whole = new House();
  expect((await whole.run(ARGS, env)).code).toBe(0);
  const forms = server.chats().map(findFormName);
  expect(forms.length).toBeGreaterThan(10);
  for (const at of LONG ? forms.map((_form, index) => index + 1) : findDifferingCalls(forms)) {
    const house = new House();
    const before = server.chats().length;
    server.setBehaviour('alpha', [...Array(at - 1).fill('ok'), 'stall-before-headers']);
    const killed = house.start(ARGS, env);
    await server.waitForChat(before + at);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect([at, house.has(SPEC)]).toEqual([at, false]);
    server.setBehaviour('alpha', 'ok');
    expect([at, (await house.run(['resume', 'latest', '--plain'], env)).code]).toEqual([at, 0]);
    expect([at, filesIn(house)]).toEqual([at, filesIn(whole)]);
  }
}, 300_000);
