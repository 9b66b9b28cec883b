/** Every place where names are looked up, and what strangers call themselves. */
import fc from 'fast-check';
import { type Fuzz, runFuzz } from './fuzz.ts';
import { type Lookup, stranger } from './names.ts';
import { IN_COMMANDS } from './names-in-commands.ts';
import { IN_TABLES } from './names-in-tables.ts';

export const LOOKUPS: readonly Lookup[] = [...IN_TABLES, ...IN_COMMANDS];

/** One target: a place and a name at a time. */
export const NAMES: readonly Fuzz[] = [
  runFuzz(
    'names: no unknown name is taken for a known one',
    fc.tuple(fc.constantFrom(...LOOKUPS), stranger),
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
