/** Every place where names are looked up, and what strangers call themselves. */
import fc from 'fast-check';
import { type FuzzTarget, makeTarget } from './fuzz.ts';
import { type Lookup, strangerName } from './names.ts';
import { COMMAND_LOOKUPS } from './names-in-commands.ts';
import { TABLE_LOOKUPS } from './names-in-tables.ts';

export const LOOKUPS: readonly Lookup[] = [...TABLE_LOOKUPS, ...COMMAND_LOOKUPS];

/** One target: a place and a name at a time. */
export const NAME_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'names: no unknown name is taken for a known one',
    fc.tuple(fc.constantFrom(...LOOKUPS), strangerName),
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
