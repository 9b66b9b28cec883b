/** Every lookup with every name of the list; `npm run nightly` makes up more. */
import { describe, it } from 'vitest';
import { LOOKUPS } from './names.fuzz.ts';
import { STRANGERS } from './names.ts';

describe.each(LOOKUPS)('$name', ({ look, known }) => {
  it('takes no stranger for somebody known', async () => {
    for (const stranger of STRANGERS.filter((one) => known?.(one) !== true))
      try {
        await look(stranger);
      } catch (error) {
        const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
        throw new Error(`${JSON.stringify(stranger.slice(0, 40))}: ${why}`, { cause: error });
      }
  });
});
