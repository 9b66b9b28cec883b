/** Times as people write them, and what a clock can wait for. */
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../src/cli/config.ts';
import { milliseconds } from '../../src/cli/flags.ts';
import { BadFile, readYaml } from '../../src/cli/yaml-file.ts';
import { UsageError } from '../../src/kernel/errors.ts';

describe('A duration', () => {
  it('is read in its unit', () => {
    expect(['500ms', '30s', '2m', '1h', '5', '596h'].map(milliseconds)).toEqual([
      500, 30_000, 120_000, 3_600_000, 5_000, 2_145_600_000,
    ]);
  });

  it.each(['597h', '9'.repeat(400), '99999999999999999999s'])(
    'longer than a timer can wait is refused, and does not go off at once: %s',
    (text) => {
      expect(() => milliseconds(text)).toThrow(UsageError);
      const setting = /^\d+$/.test(text) ? `"${text}"` : text;
      expect(() => readYaml('f', `idle_timeout: ${setting}`, configSchema)).toThrow(BadFile);
    },
  );
});
