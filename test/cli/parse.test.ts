/** The words of a command line, as people type them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFlagValues, refuseRepeats } from '../../src/app/flag-words.ts';
import { readFlags } from '../../src/app/flags.ts';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { parse } from '../../src/cli/parse.ts';
import { UsageError } from '../../src/kernel/errors.ts';

const KNOWN = [
  'plain',
  'vote',
  'model',
  'budgetUsd',
  'seat',
  'attach',
  'note',
  'seed',
  'to',
] as const;

it.each([
  [['--plain', 'Why?'], ['Why?'], { plain: true }],
  [['--plain', 'false', 'Why?'], ['Why?'], { plain: false }],
  [['--plain=false'], [], { plain: false }],
  [['--plain', 'true', 'false'], ['false'], { plain: true }],
  [['--plain=perhaps'], [], { plain: 'perhaps' }],
  [['--no-vote', 'Why?'], ['Why?'], { vote: false }],
  [['--budget-usd', '2'], [], { budgetUsd: '2' }],
  [['--budgetUsd', '2'], [], { budgetUsd: '2' }],
  [['--budget-usd=', '2'], ['2'], { budgetUsd: '' }],
  [['--seed', '-1'], [], { seed: '-1' }],
  [['-5 degrees?', '-.5'], ['-5 degrees?', '-.5'], {}],
  [['--seat', 'a', '--seat=b', 'Why?'], ['Why?'], { seat: ['a', 'b'] }],
  [['--seat', 'a', 'b'], ['b'], { seat: ['a'] }],
  [['--attach', '-', '-'], ['-'], { attach: ['-'] }],
  [['latest', '--to', '-'], ['latest'], { to: '-' }],
  [['--note=--x=y', '--model', ''], [], { note: '--x=y', model: '' }],
  [['--model', 'a', '--', '--plain', '--', '-x'], ['--plain', '--', '-x'], { model: 'a' }],
])('parse splits %j into the words %j and the flags %j', (argv, words, flags) => {
  expect(parse(argv, KNOWN)).toEqual({ words, flags, unknown: undefined });
});

it.each([
  [['--nope', 'v'], 'nope'],
  [['--nope=v'], 'nope'],
  [['--no-nope'], 'nope'],
  [['--no-vote=x'], 'no-vote'],
  [['-abc'], 'a'],
  [['--constructor'], 'constructor'],
  [['--__proto__', 'x'], '__proto__'],
  [['--note', '-x'], 'x'],
  [['---plain'], '-plain'],
])('parse reports for the arguments %j the unknown flag %s', (argv, unknown) => {
  expect(parse(argv, KNOWN).unknown).toBe(unknown);
});

describe('parse, compared with the library meow', () => {
  const words = fc.constantFrom(
    ...['--plain', '--no-vote', '--vote', '--model', '--model=', '--model=a', '--seat', '--seat=b'],
    ...[
      '--budget-usd',
      '--attach',
      '--to',
      '--note=--x',
      '--seed',
      '--',
      'true',
      'false',
      'Why?',
      '-',
      '2',
    ],
  );

  /** Returns the words and flags that `read` finds in a command line, or `refused` if the line has a mistake. */
  const parseWith = (read: typeof parse, argv: readonly string[]) => {
    try {
      refuseRepeats(argv, KNOWN);
      const { words: said, flags, unknown } = read(argv, KNOWN);
      checkFlagValues(argv, KNOWN);
      return { said, unknown, flags: readFlags(flags) };
    } catch (error) {
      if (error instanceof UsageError) return 'refused';
      throw error;
    }
  };

  it('reads every command line in the same way', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 6 }), (argv) => {
        expect(parseWith(parse, argv)).toEqual(parseWith(readCommandLine, argv));
      }),
      { numRuns: 600 },
    );
  });
});
