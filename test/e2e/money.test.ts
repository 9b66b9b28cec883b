/** Tests money before and during a run with the real program: estimates, own prices, budgets. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { startAnthropic, startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { closeAfterTest, makeFolder, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

const PAID = 'claude-haiku-4-5';

async function makeScene() {
  const anthropic = closeAfterTest(await startAnthropic({ models: [PAID] }));
  const ollama = closeAfterTest(
    await startOllama({ models: ['a', 'b', 'c', 'd'], tokensPerSecond: 300 }),
  );
  const home = makeFolder();
  const env = {
    HOME: home,
    OLLAMA_HOST: ollama.url,
    ANTHROPIC_BASE_URL: anthropic.url,
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    DELIBERATE_DB: join(home, 'runs.db'),
  };
  return { anthropic, ollama, env, home, db: env.DELIBERATE_DB };
}
const PAID_BOARD = [
  'board',
  '--seat',
  `critic=anthropic/${PAID}`,
  '--synthesizer',
  'ollama/a',
  'Should we?',
];
const FREE_BOARD = ['board', '--model', 'ollama/a', 'Should we?'];

it('an estimate names every seat with its price, and asks no model', async () => {
  const { env, anthropic, ollama } = await makeScene();
  const { code, out, err } = await runDeliberate([...PAID_BOARD, '--estimate'], { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(
    /Critic +anthropic\/claude-haiku-4-5 +1 +\d+ +250–1.2k +\$0.00\d–\$0.00\d +1 % of 200k/,
  );
  expect(out).toMatch(/Synthesizer +ollama\/a +2 .* \$0 +\d+ % of 33k/);
  expect(out).toMatch(/No model was called/);
  const { out: rounds } = await runDeliberate(
    ['rounds', '--model', 'ollama/b', '--no-predict', '--estimate', 'Should we?'],
    {
      env,
    },
  );
  expect(rounds).toMatch(/Total: 57–\d+ calls, .* free of charge/);
  expect([...anthropic.chats(), ...ollama.chats()]).toEqual([]);
});

it('a paid run says in one line what it may cost', async () => {
  const { env } = await makeScene();
  const paid = await runDeliberate([...PAID_BOARD, '--json'], { env });
  expect(paid.code).toBe(0);
  expect(paid.err).toMatch(/^Estimate: 3 calls, .* tokens in, .* out, \$0.00\d–\$0.00\d\.\n/);
  expect((await runDeliberate([...PAID_BOARD, '--quiet'], { env })).err).toBe('');
  expect((await runDeliberate(FREE_BOARD, { env })).err).not.toMatch(/Estimate/);
});

it('a person’s own prices are used and shown with their source', async () => {
  const { env, home } = await makeScene();
  const config = join(home, '.config', 'deliberate');
  mkdirSync(config, { recursive: true });
  const file = join(config, 'prices.json');
  const rates = { input: 1000, output: 1000, cache_read: 0, cache_write: 0 };
  const list = {
    as_of: '2026-02-03',
    source: 'my contract',
    usd_per_million_tokens: { [`anthropic/${PAID}`]: rates },
  };
  writeFileSync(file, JSON.stringify(list));
  expect((await runDeliberate([...PAID_BOARD, '--estimate'], { env })).out).toMatch(
    /\$0.\d+–\$1.\d\d/,
  );
  const { out } = await runDeliberate(['models', '--prices'], { env });
  const [, number] =
    /anthropic\/claude-haiku-4-5 +1000 +1000 +0 +0 +2026-02-03 +(\[\d+\])/.exec(out) ?? [];
  expect(out).toContain(`${number} ${file}: my contract`);
  // The person's list has a price of one model. The sources of all other prices are listed as built in.
  expect(out.match(/^\[\d+\] built in: https:/gm)?.length).toBeGreaterThan(3);
  expect(out.match(/^\[\d+\] https:/gm)).toBeNull();
  writeFileSync(file, JSON.stringify({ ...list, as_of: 'yesterday' }, null, 2));
  const { code, err } = await runDeliberate(PAID_BOARD, { env });
  expect(code).toBe(1);
  expect(err).toContain(`${file}:2: as_of:`);
});

it('a prices.json of the person corrects prices, and a prices.json of a project is ignored', async () => {
  const { env } = await makeScene();
  const cwd = makeFolder();
  const formatPrices = (usd: number): string => {
    const rates = { input: usd, output: usd, cache_read: usd, cache_write: usd };
    const usd_per_million_tokens = { [`anthropic/${PAID}`]: rates };
    return JSON.stringify({ as_of: '2026-02-03', source: 'a file', usd_per_million_tokens });
  };
  const projects = join(cwd, '.deliberate', 'prices.json');
  mkdirSync(dirname(projects));
  writeFileSync(projects, formatPrices(0));
  const foreign = await runDeliberate(['models', '--prices'], { env, cwd });
  expect(foreign.err).toBe(
    `${projects} is ignored: a project cannot set prices. Set them in ${join(env.HOME, '.config/deliberate/prices.json')}.\n`,
  );
  expect(foreign.out).not.toContain('a file');
  expect((await runDeliberate([...PAID_BOARD, '--estimate'], { env, cwd })).out).not.toMatch(
    /free of charge/,
  );

  const file = /^Add or correct prices in (.+)\.$/m.exec(foreign.out)?.[1] ?? '';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, formatPrices(777));
  const { out, err } = await runDeliberate(['models', '--prices'], { env });
  expect(err).toBe('');
  expect(out).toMatch(/anthropic\/claude-haiku-4-5 +777 +777 +777 +777 +2026-02-03/);
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  expect(page).toContain(
    `\`prices.json\` or \`windows.json\` of your own in \`${dirname(file).replace(env.HOME, '~')}\``,
  );
});

it('a budget flag without an amount is refused', async () => {
  const { env, ollama } = await makeScene();
  const { code, err } = await runDeliberate([...FREE_BOARD, '--budget-usd', '--plain'], { env });
  expect(code).toBe(2);
  expect(err).toBe('deliberate: --budget-usd: missing value\nWrite it as --budget-usd X.\n');
  expect(ollama.chats()).toEqual([]);
});

it('a budget stops a run before the call that may exceed the budget', async () => {
  const { env, ollama, db } = await makeScene();
  const { code, err } = await runDeliberate([...FREE_BOARD, '--budget-tokens', '2000', '--plain'], {
    env,
  });
  expect(code).toBe(130);
  expect(err).toMatch(/may pass the budget of 2000/);
  expect(err).toMatch(/Nobody to ask\. continue with: deliberate resume/);
  // Three seats ask at once for about 1,250 tokens each; one call fits the budget, and two do not.
  expect(ollama.chats().length).toBeLessThanOrEqual(1);
  expect(viewIn(db).status).toBe('stopped');
});

it('a call that may exceed the budget leads to a question, and the run continues or stops as the person answers', async () => {
  const { env, ollama } = await makeScene();
  const going = new Terminal([...FREE_BOARD, '--budget-tokens', '2000'], { env });
  await going.until(/The run is waiting for you/);
  // On the dialog's rows, streaming text stands beside the dialog, so read only what is between its borders.
  const dialog = [...(await going.screen()).matchAll(/│([^│\n]*)│/g)].map(([, row]) => row);
  expect(dialog.join(' ').replace(/\s+/g, ' ')).toMatch(
    /0 tokens are spent, running calls may take 1\d{3} and this one 1\d{3}, which may pass the budget of 2000\./,
  );
  expect(ollama.chats().length).toBeLessThanOrEqual(1);
  going.press('\x1b[B');
  await going.until(/> Continue without a limit/);
  going.press('\r');
  await expect.poll(() => ollama.chats().length).toBe(4);
  going.press('\x03');

  const stopping = new Terminal([...FREE_BOARD, '--budget-tokens', '2000'], {
    env: { ...env, DELIBERATE_DB: join(makeFolder(), 'other.db') },
  });
  await stopping.until(/The run is waiting for you/);
  stopping.press('\r');
  await stopping.until(/stopped/i);
  expect(ollama.chats().length).toBeLessThanOrEqual(5);
});
