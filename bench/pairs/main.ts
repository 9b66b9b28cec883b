/**
 * Measures how many planted conflicting pairs a model finds in `deliberate plan` and settles correctly:
 * `npx node bench/pairs/main.ts --model ollama/NAME`. Exits with 1 below the target. Options: `--model
 * PROVIDER/MODEL` compares, answers and holds; `--panels checkout,dates` runs these panels only; `--seed 7`
 * decides the control and the order of statements; `--db FILE` keeps the runs for `deliberate show --db
 * FILE`; `--json` prints all figures and every pair.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readFlags } from '../../src/app/flags.ts';
import { readConfig } from '../../src/app/settings/config.ts';
import { openModels } from '../../src/app/settings/providers.ts';
import { Output } from '../../src/io/output.ts';
import { checkSpec } from '../../src/kernel/providers/spec.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { formatRows } from '../measure.ts';
import { runPanelPlan } from './hold.ts';
import { type JudgedPlan, judgePlanPairs } from './judge.ts';
import { readPanels } from './panels.ts';
import { faultsOf, rowsOf } from './table.ts';

/** Hours that a call may take, because a person who answers by hand answers one request after the other. */
const PATIENCE_HOURS = 6;

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    panels: { type: 'string' },
    seed: { type: 'string', default: '7' },
    db: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const model = checkSpec(values.model ?? '');
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed ${values.seed}: a whole number is needed`);
const all = readPanels();
const wanted = values.panels?.split(',') ?? all.map(({ name }) => name);
const unknown = wanted.find((name) => !all.some((panel) => panel.name === name));
if (unknown !== undefined)
  throw new Error(`no panel ${unknown}: there are ${all.map(({ name }) => name).join(', ')}`);

const call = {
  command: '',
  words: [],
  flags: readFlags({ idleTimeout: `${PATIENCE_HOURS}h` }),
  protocols: PROTOCOLS,
  env: process.env,
  out: new Output(1),
  err: new Output(2),
  stdin: process.stdin,
};
const models = openModels(call, readConfig(call));
const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
const store = Store.open(values.db ?? join(folder, 'bench.db'), FACTS);
const judged: JudgedPlan[] = [];
try {
  for (const panel of all.filter(({ name }) => wanted.includes(name))) {
    process.stderr.write(`${panel.name} …\n`);
    const patience = PATIENCE_HOURS * 3_600_000;
    judged.push(
      judgePlanPairs(await runPanelPlan(store, panel, model, models, { patience, seed })),
    );
  }
} finally {
  store.close();
  rmSync(folder, { recursive: true, force: true });
}
const rows = rowsOf(judged);
if (values.json) console.log(JSON.stringify({ model, seed, rows, judged }, null, 2));
else {
  console.log(formatRows(rows));
  for (const fault of faultsOf(judged)) console.log(fault);
}
const isWhole = judged.every(({ failed }) => failed === undefined);
process.exitCode = isWhole && rows.every(({ met }) => met !== false) ? 0 : 1;
