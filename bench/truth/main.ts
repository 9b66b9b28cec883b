/**
 * Measures how true the records of simulated models are: `npx node bench/truth/main.ts`. Options: `--runs
 * 200` runs for each panel; `--minds able,bad` these panels only; `--rounds 3` rounds of each run; `--long
 * 60` runs of 8 rounds, to measure when they stop; `--json` prints all figures.
 */
import { parseArgs } from 'node:util';
import { quotationRows } from './board.ts';
import { measureCosts, withFirst } from './first-rules.ts';
import { measurePanels } from './measure.ts';
import { PANELS } from './minds.ts';
import { formatTable, lineOf, MEASURES, STOPPING } from './table.ts';

const LONG = 8;
/** How many syntheses of a board are made to measure quotations. */
const SYNTHESES = 2_000;
/** The panels with a target for whether they stop. */
const STOPPERS = ['able', 'flatterer', 'bad'];

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    long: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
    minds: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const wanted = values.minds?.split(',');
const panels = PANELS.filter(({ name }) => wanted === undefined || wanted.includes(name));
const rounds = Number(values.rounds);
const began = performance.now();

const short = await measurePanels({ panels, runs: Number(values.runs), rounds });
const long = await measurePanels({
  panels: panels.filter(({ name }) => STOPPERS.includes(name)),
  runs: Number(values.long),
  rounds: LONG,
});
const lines = [
  ...[...MEASURES, ...measureCosts(rounds)].map((measure) =>
    withFirst(lineOf(measure, short.runs)),
  ),
  lineOf(STOPPING, long.runs),
];
const board = quotationRows(SYNTHESES);
const faults = [...new Set([...short.faults, ...long.faults])];
if (values.json) console.log(JSON.stringify({ lines, board, faults }, null, 2));
else {
  console.log(formatTable(lines));
  for (const { what, measured, target, met } of board)
    console.log(`${what}: ${measured} (${target})${met === false ? ' !' : ''}`);
  for (const fault of faults) console.log(`at fault: ${fault}`);
  console.log(`${Math.round((performance.now() - began) / 1000)} s`);
}
process.exitCode =
  faults.length > 0 || lines.some(({ cells }) => cells.some(({ met }) => met === false)) ? 1 : 0;
