/**
 * Tests every fault with every provider in a whole run: what the person sees, and what is kept. The faults
 * whose server sends very much are tested in `memory.test.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { openEmptyStore } from '../store/empty.ts';
import { type Outcome, outcomeOf } from './cell.ts';
import { FAULTS, isLarge, PROVIDERS, type ProviderName } from './faults.ts';
import { expectDocumented, expectOutcome } from './judged.ts';

const SMALL = FAULTS.filter((fault) => !isLarge(fault));
const seen = new Map<string, Outcome>();
/** One database for all runs. */
const folder = mkdtempSync(join(tmpdir(), 'deliberate-faults-'));
const store = openEmptyStore(join(folder, 'faults.db'));
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

describe.each(PROVIDERS)('the provider %s', (provider: ProviderName) => {
  test.concurrent.each(SMALL.map((fault) => [fault.name, fault] as const))(
    'ends the call as the list of faults expects if its server has the fault: %s',
    async (_name, fault) => {
      const outcome = await outcomeOf(fault, provider, store);
      seen.set(`${provider}/${fault.name}`, outcome);
      expectOutcome(fault, provider, outcome);
    },
  );

  test('treats every fault of its server as the table in docs/faults.md says', () => {
    for (const fault of SMALL)
      expectDocumented(fault, provider, seen.get(`${provider}/${fault.name}`));
  });
});
