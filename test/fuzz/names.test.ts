/**
 * Every lookup in process with every name of the list. Commands, which open a database for each name, are
 * asked by names that differ, and in the long form by all; `npm run nightly` makes up more.
 */
import { afterAll, describe, it } from 'vitest';
import { LONG } from '../long.ts';
import { type NamePlace, STRANGERS, VARIED_STRANGERS } from './names.ts';
import { COMMAND_LOOKUPS, removeHome } from './names-in-commands.ts';
import { TABLE_LOOKUPS } from './names-in-tables.ts';

const LOOKUPS: readonly (NamePlace & { readonly strangers: readonly string[] })[] = [
  ...TABLE_LOOKUPS.map((lookup) => ({ ...lookup, strangers: STRANGERS })),
  ...COMMAND_LOOKUPS.map((lookup) => ({
    ...lookup,
    strangers: LONG ? STRANGERS : VARIED_STRANGERS,
  })),
];

afterAll(removeHome);

describe.each(LOOKUPS)(
  'the place "$name", where a name is looked up,',
  ({ look, known, strangers }) => {
    it('does not find an unknown name, such as `constructor`', async () => {
      for (const stranger of strangers.filter((stranger) => known?.(stranger) !== true))
        try {
          await look(stranger);
        } catch (error) {
          const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
          throw new Error(`${JSON.stringify(stranger.slice(0, 40))}: ${why}`, { cause: error });
        }
    });
  },
);
