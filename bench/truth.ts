/** Runs a short measurement of how true records are; `npx node bench/truth/main.ts` runs the long one. */
import type { Row } from './measure.ts';
import { quotationRows } from './truth/board.ts';
import { measureCosts } from './truth/first-rules.ts';
import { measurePanels } from './truth/measure.ts';
import { PANELS } from './truth/minds.ts';
import { lineOf, MEASURES, rowsOf } from './truth/table.ts';

const RUNS = 12;
const SYNTHESES = 500;
const ROUNDS = 3;

/**
 * Runs simulated deliberations in rounds about documents with known truths, and measures how often their records
 * are right. Also measures how often a board's check of quotations is right. Returns rows for the table of
 * `npm run bench`.
 */
export async function benchTruth(): Promise<Row[]> {
  const { runs, faults } = await measurePanels({ panels: PANELS, runs: RUNS, rounds: ROUNDS });
  return [
    ...quotationRows(SYNTHESES),
    ...rowsOf([...MEASURES, ...measureCosts(ROUNDS)].map((measure) => lineOf(measure, runs))),
    {
      what: 'truth: answers of minds that did not fit what was asked',
      measured: String(faults.length),
      target: '<= 0',
      met: faults.length === 0,
    },
  ];
}
