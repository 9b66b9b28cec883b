/** `npm run bench`: measures what the project promises about cost, and prints a table. */
import { benchAgents } from './agents.ts';
import { benchConsole } from './console.ts';
import { benchContext } from './context.ts';
import { benchDebate } from './debate.ts';
import { benchDetectors } from './detectors.ts';
import { benchHeadless } from './headless.ts';
import { benchJournal } from './journal.ts';
import { benchMcp } from './mcp.ts';
import { formatRows, type Row } from './measure.ts';
import { benchNamed } from './named.ts';
import { benchPlan } from './plan.ts';
import { benchRestate } from './restate.ts';
import { benchRounds } from './rounds.ts';
import { benchSeats } from './seats.ts';
import { benchSettled } from './settled.ts';
import { benchStartup } from './startup.ts';
import { benchForecast } from './team/forecast.ts';
import { benchDefects } from './team/table.ts';
import { benchTeam } from './team.ts';
import { benchTruth } from './truth.ts';
import { benchEnter } from './whole/enter.ts';
import { benchGaps } from './whole/gaps.ts';
import { benchWhole } from './whole/whole.ts';
import { benchWorkers } from './workers.ts';

const wanted = process.argv.slice(2);
const PARTS: Readonly<Record<string, () => Promise<Row[]>>> = {
  journal: benchJournal,
  context: benchContext,
  headless: benchHeadless,
  named: benchNamed,
  whole: benchWhole,
  gaps: benchGaps,
  enter: benchEnter,
  startup: benchStartup,
  rounds: benchRounds,
  agents: benchAgents,
  seats: benchSeats,
  plan: benchPlan,
  settled: benchSettled,
  team: benchTeam,
  defects: benchDefects,
  forecast: benchForecast,
  debate: benchDebate,
  detectors: benchDetectors,
  truth: benchTruth,
  console: benchConsole,
  mcp: benchMcp,
  workers: benchWorkers,
  restate: benchRestate,
};

const rows: Row[] = [];
for (const [name, part] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await part()));
}
console.log(formatRows(rows));
