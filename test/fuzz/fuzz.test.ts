/**
 * A few cases of every target, from seeds that never change; in the long form twice as many. `npm run nightly`
 * does the rest.
 */
import { afterAll, describe, it } from 'vitest';
import { LONG } from '../long.ts';
import { removeHome } from './names-in-commands.ts';
import { TARGETS } from './targets.ts';

const SEEDS = [1, 20_260_101, 0x5eed];
const CASES = LONG ? 60 : 30;

afterAll(removeHome);

describe.each(TARGETS)('the fuzz target "$name"', ({ run }) => {
  it.each(SEEDS)('passes with random inputs made from seed %d', (seed) => run(CASES, seed));
});
