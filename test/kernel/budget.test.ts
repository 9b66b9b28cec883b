/** Tests the message before a budget is passed: it names the whole sum, so that a person can judge it. */
import { expect, it } from 'vitest';
import { Budget } from '../../src/kernel/budget.ts';
import { NO_USAGE } from '../../src/kernel/model.ts';

it('the question about a budget names what was spent, and what running calls and the new call may take', () => {
  const dollars = new Budget({ usd: 5 });
  expect(dollars.reserve({ tokens: 1200, usd: 5.2304 }, 'test/model')).toBe(
    '$0 is spent and this call may take $5.23, which may pass the budget of $5',
  );
  const tokens = new Budget({ tokens: 2000 });
  tokens.spend({ ...NO_USAGE, input: 30, output: 70 }, 0);
  expect(tokens.reserve({ tokens: 1200, usd: 0 }, 'test/model')).toBeTypeOf('function');
  expect(tokens.reserve({ tokens: 1100, usd: 0 }, 'test/model')).toBe(
    '100 tokens are spent, running calls may take 1200 and this one 1100, which may pass the budget of 2000',
  );
});

it('the question about a budget marks a sum that contains an estimate', () => {
  const budget = new Budget({ tokens: 1000, usd: 1 });
  budget.spend({ ...NO_USAGE, input: 30, output: 620, estimated: true }, 0.25);
  expect(budget.reserve({ tokens: 400, usd: 0 }, 'test/model')).toMatch(
    /^~650 tokens are spent and this call/,
  );
  expect(budget.reserve({ tokens: 0, usd: 0.8 }, 'test/model')).toMatch(
    /^~\$0.25 is spent and this call/,
  );
});

it('a budget in dollars refuses a call without a known price', () => {
  const dollars = new Budget({ usd: 5 });
  expect(dollars.reserve({ tokens: 10, usd: undefined }, 'openai/new')).toBe(
    'No price is known for openai/new, which may pass the budget of $5',
  );
  expect(dollars.reserve({ tokens: 10, usd: 0 }, 'ollama/free')).toBeTypeOf('function');
  const tokens = new Budget({ tokens: 1000 });
  expect(tokens.reserve({ tokens: 10, usd: undefined }, 'openai/new')).toBeTypeOf('function');
});
