/**
 * What runs took under the first rules: tokens in and out of an able panel, on average over 200 runs.
 * Measured at the last commit that held runs under them, by this very measure with `--first --json`.
 */
import { cost, type Measure } from './table.ts';

const FIRST: Readonly<Record<number, { readonly input: number; readonly output: number }>> = {
  3: { input: 1, output: 1 },
};

/** For runs of so many rounds; nothing where the first rules were not measured at that length. */
export function costs(rounds: number): Measure[] {
  const before = Object.hasOwn(FIRST, rounds) ? FIRST[rounds] : undefined;
  if (before === undefined) return [];
  return [cost('input', before.input), cost('output', before.output)];
}
