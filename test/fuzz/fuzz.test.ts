/** A few cases of every target, from seeds that never change. `npm run nightly` does the rest. */
import { describe, it } from 'vitest';
import { TARGETS } from './targets.ts';

const SEEDS = [1, 20_260_101, 0x5eed];
const CASES = 60;

describe.each(TARGETS)('$name', ({ run }) => {
  it.each(SEEDS)('from seed %i', (seed) => run(CASES, seed));
});
