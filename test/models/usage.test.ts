/** Tests that token counts of servers can always be summed, whatever the servers report. */
import { describe, expect, it } from 'vitest';
import { readCount } from '../../src/models/counted.ts';
import { createModels } from '../../src/models/gateway.ts';
import { closeAfterTest } from '../e2e/scene.ts';
import { startOllama } from '../servers/index.ts';
import { callModel } from './ask.ts';

const NONE = [1.7e308, Number.POSITIVE_INFINITY, Number.NaN, -1, 0, 1.5, 2 ** 53, 1e9, '7', null];

describe('A token count of a server', () => {
  it('is used only if it is a plausible whole number', () => {
    expect(NONE.map(readCount)).toEqual(NONE.map(() => 0));
    expect([1, 12_345, 10_000_000].map(readCount)).toEqual([1, 12_345, 10_000_000]);
  });

  it.each(NONE)('is ignored if it is %j', async (count) => {
    const records = [
      { model: 'a', message: { role: 'assistant', content: 'Yes.' }, done: false },
      {
        model: 'a',
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        prompt_eval_count: count,
        eval_count: count,
      },
    ];
    const server = closeAfterTest(
      await startOllama({ models: ['a'], behaviours: { a: { records, alone: true } } }),
    );
    const models = createModels({ env: { OLLAMA_HOST: server.url } });
    const { result } = await callModel(models, 'ollama/a');
    expect(result).toMatchObject({ status: 'done', text: 'Yes.' });
    for (const figure of Object.values(result.usage).filter(
      (figure) => typeof figure === 'number',
    )) {
      expect(Number.isSafeInteger(figure)).toBe(true);
      expect(figure).toBeLessThan(1_000);
    }
  });
});
