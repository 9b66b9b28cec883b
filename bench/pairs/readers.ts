/**
 * Tests the written controls with readers who do not know them. `npx node bench/pairs/readers.ts lists DIR`
 * writes a folder for each reader. A reader gets that folder alone and writes the answers into it, as its
 * files say. Then `npx node bench/pairs/readers.ts count DIR` prints the figures, and exits with 1 if a
 * target is missed.
 *
 * --each 3   how many controls a list has: with fewer, more readers are needed
 * --deal 0   another number shuffles the controls differently, for a second group of readers
 * --latest   the controls of edition 7 that code accepts, instead of those of edition 5
 */
import { parseArgs } from 'node:util';
import { printed } from '../measure.ts';
import { blindFaults, blindLists, blindRows, readAnswers, writeLists } from './blind.ts';
import { readAcceptedControls, readControls } from './controls.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '3' },
    deal: { type: 'string', default: '0' },
    latest: { type: 'boolean', default: false },
  },
});
const [what, folder] = positionals;
if ((what !== 'lists' && what !== 'count') || folder === undefined)
  throw new Error('say: lists DIR, or count DIR');
const lists = blindLists(
  Number(values.each),
  Number(values.deal),
  values.latest ? readAcceptedControls() : readControls(),
);
if (what === 'lists') {
  writeLists(folder, lists);
  console.log(`${new Set(lists.map(({ reader }) => reader)).size} readers, in ${folder}`);
} else {
  const answers = readAnswers(folder, lists);
  const rows = blindRows(answers);
  console.log(printed(rows));
  for (const fault of blindFaults(answers)) console.log(fault);
  process.exitCode = rows.every(({ met }) => met !== false) ? 0 : 1;
}
