/**
 * Tests wrong names and numbers with the real program: they are refused by name, and never with a stack
 * trace.
 */
import { describe, expect, it } from 'vitest';
import { runProgram } from './program.ts';
import { makeFolder } from './scene.ts';

const REFUSED: readonly (readonly [args: readonly string[], says: string])[] = [
  [['constructor'], 'unknown command "constructor"'],
  [['help', 'toString'], 'unknown command "toString"'],
  [['board', '--constructor', 'Why?'], 'board has no flag --constructor'],
  [
    ['ask', 'latest', '--attach', 'a.pdf', 'Why?'],
    'A run keeps the documents that it was started with: for another one, start a new run.',
  ],
  [['list', '--has-own-property'], 'list has no flag --has-own-property'],
  [['completions', 'valueOf'], 'name a shell'],
  [['list', '--limit', '0x10'], '--limit: expected a number'],
  [['list', '--limit', '1e3'], '--limit: expected a number'],
  [['board', 'Why?', '--rehearse', '--seed', ' '], '--seed: expected a number'],
  [['board', 'Why?', '--rehearse', '--budget-usd', '12abc'], '--budget-usd: expected a number'],
  [['agent', 'x'.repeat(5_000), 'Why?'], 'there is no agent "xxx'],
  [['show', 'y'.repeat(5_000)], '"yyy'],
];

describe('The program', () => {
  it('refuses unknown and overlong names and malformed numbers with a short message', async () => {
    const at = makeFolder();
    const ended = await Promise.all(
      REFUSED.map(([args]) => runProgram(args, { cwd: at, env: { HOME: at } })),
    );
    for (const [index, { code, out, err }] of ended.entries()) {
      const [args, says] = REFUSED[index] ?? [[], ''];
      const told = `${args.join(' ').slice(0, 60)}: ${err}`;
      expect([told, code !== 0, out]).toEqual([told, true, '']);
      expect(err).toContain(says);
      expect(told).not.toMatch(/unexpected error|TypeError|ZodError|\n\s+at /);
      expect(err.length).toBeLessThan(2_000);
    }
  });
});
