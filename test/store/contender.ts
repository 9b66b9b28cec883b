/** `contender.ts FILE`: reaches for every run there is at a moment that it is told, and says which it got. */
import { once } from 'node:events';
import { RunOwnedError } from '../../src/kernel/errors.ts';
import { Store } from '../../src/store/store.ts';

const store = Store.open(process.argv[2] ?? '');
const runs = store.list({ limit: 1_000 }).map(({ id }) => id);
console.log(JSON.stringify('ready'));
const [start] = (await once(process.stdin, 'data')) as [Buffer];
// All at one moment: told one after the other, the first would be done before the last has heard.
while (Date.now() < Number(start.toString())) await new Promise(setImmediate);
console.log(
  JSON.stringify(
    runs.filter((run) => {
      try {
        store.own(run);
        return true;
      } catch (error) {
        if (!(error instanceof RunOwnedError)) throw error;
        return false;
      }
    }),
  ),
);
