/** The fuzz target of names: every lookup with unknown names. */
import fc from 'fast-check';
import { type FuzzTarget, makeTarget } from './fuzz.ts';
import { type NamePlace, unknownNames } from './names.ts';
import { COMMAND_LOOKUPS } from './names-in-commands.ts';
import { TABLE_LOOKUPS } from './names-in-tables.ts';

/** All places where names are looked up: `TABLE_LOOKUPS` and `COMMAND_LOOKUPS`. */
export const LOOKUPS: readonly NamePlace[] = [...TABLE_LOOKUPS, ...COMMAND_LOOKUPS];

/** One fuzz target. Each of its cases tries an unknown name at one of the places where names are looked up. */
export const NAME_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'names: no unknown name is taken for a known one',
    fc.tuple(fc.constantFrom(...LOOKUPS), unknownNames),
    async ([{ name, look, known }, given]) => {
      if (known?.(given)) return;
      try {
        await look(given);
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    },
  ),
];
