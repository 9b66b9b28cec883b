/** Answers that fail: what they do to the figures, and what they leave alone. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startOpenAI } from '../servers/index.ts';
import { temporaryFolder } from '../store/folder.ts';
import { answerer } from './answerer.ts';
import { evaluateHere, outcomesIn } from './evaluations.ts';

const FLAGS = { arms: 'single,vote,board', model: 'openai/a', size: '6' };

/** Where `openai/a` has a price. */
function pricedFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'deliberate'), { recursive: true });
  writeFileSync(
    join(folder, 'deliberate', 'prices.json'),
    JSON.stringify({
      as_of: '2026-11-01',
      source: 'test',
      usd_per_million_tokens: {
        'openai/a': { input: 10, output: 20, cache_read: 0, cache_write: 0 },
      },
    }),
  );
  return folder;
}

it('one answer that fails takes neither the dollars nor the report from all others', async () => {
  const folder = pricedFolder();
  const server = await startOpenAI({
    models: ['a'],
    answer: answerer(0),
    served: () => 'a-2026-01-01',
  });
  onTestFinished(() => server.close());
  server.behave('a', [{ status: 400, message: 'not this one' }, 'ok']);
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
  const { out, err } = await evaluateHere({ folder, env }, ['puzzles'], FLAGS);
  const outcomes = outcomesIn(out);
  const missing = outcomes.filter(({ state }) => state === 'missing');
  expect(missing.length, err).toBe(1);
  expect(missing[0]).toMatchObject({ costUsd: 0, models: [] });
  const text = await evaluateHere({ folder, env }, ['report'], { format: 'md' });
  expect(text.out).toMatch(/the dollars and .* times the tokens of vote\/board/);
  expect(text.out).not.toContain('Not every call has a price');
}, 60_000);
