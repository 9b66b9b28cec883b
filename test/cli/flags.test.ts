/** Times as people write them, and what a clock can wait for. */
import { describe, expect, it } from 'vitest';
import { checkFlagValues } from '../../src/app/flag-words.ts';
import { readFlags } from '../../src/app/flags.ts';
import { describeConfig, SETTINGS } from '../../src/app/settings/config.ts';
import { getCommand } from '../../src/cli/commands.ts';
import { BadFile, readYaml } from '../../src/io/yaml-file.ts';
import { parseDuration } from '../../src/kernel/duration.ts';
import { UsageError } from '../../src/kernel/errors.ts';

describe('A duration', () => {
  it('is parsed with its unit', () => {
    expect(['500ms', '30s', '2m', '1h', '5', '596h'].map(parseDuration)).toEqual([
      500, 30_000, 120_000, 3_600_000, 5_000, 2_145_600_000,
    ]);
  });

  it.each(['597h', '9'.repeat(400), '99999999999999999999s'])(
    'is refused if it is longer than any timer supports: %s',
    (text) => {
      expect(() => parseDuration(text)).toThrow(UsageError);
      const setting = /^\d+$/.test(text) ? `"${text}"` : text;
      expect(() => readYaml('f', `idle_timeout: ${setting}`, describeConfig())).toThrow(BadFile);
    },
  );
});

describe('checkFlagValues, which looks for flags without a value,', () => {
  it.each([
    ['before another flag', ['--budget-usd', '--plain', 'Why?']],
    ['at the end', ['Why?', '--budget-usd']],
    ['after an equals sign', ['--budget-usd=', 'Why?']],
  ])('refuses a flag that lacks its value %s, and the error names the flag', (_where, argv) => {
    expect(() => checkFlagValues(argv, ['budgetUsd', 'plain'])).toThrow(
      '--budget-usd: missing value',
    );
  });

  it.each([
    [['--budget-usd', '-1']],
    [['--budget-usd=2', '--plain']],
    [['--attach=-', '--note', '', 'Why?', '--', '--budget-usd']],
  ])('accepts a value of any form, such as -1 or an empty text: %j', (argv) => {
    expect(() => checkFlagValues(argv, ['attach', 'budgetUsd', 'note', 'plain'])).not.toThrow();
  });
});

it.each([
  [{ budgetUsd: Number.NaN }, '--budget-usd: expected a number'],
  [{ budgetUsd: 0 }, '--budget-usd: expected more than 0'],
  [{ budgetTokens: 10.5 }, '--budget-tokens: expected a whole number'],
  [{ speed: 2000 }, '--speed: expected at most 1000'],
  [{ bell: 'loud' }, '--bell: expected never, bell, notice'],
])(
  'A wrong value of a flag is refused, and the error says which values are accepted: %j',
  (flags, said) => {
    expect(() => readFlags(flags)).toThrow(said);
  },
);

it('deliberate config accepts every flag that changes a setting', () => {
  const flags = Object.values(SETTINGS).flatMap(({ flag }) => flag ?? []);
  expect(getCommand('config').flags).toEqual(expect.arrayContaining(flags));
});
