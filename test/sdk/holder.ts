/**
 * `holder.ts PLAN` runs every protocol file that the JSON file PLAN lists, with the real loader and a real
 * database. The script prints a line of JSON for each run: how it ended, or the error.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { Session } from '../../src/kernel/session.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { readSettings, seatsOf } from '../../src/sdk/config.ts';
import { openProtocol } from '../../src/sdk/desk/open.ts';
import { Store } from '../../src/store/store.ts';
import { ScriptedModels } from '../kernel/scripted-models.ts';

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  file: string;
  set: string[];
}[];
const folder = mkdtempSync(join(tmpdir(), 'deliberate-holder-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const store = Store.open(join(folder, 'runs.db'), FACTS);
for (const { file, set } of plan)
  process.stdout.write(`${JSON.stringify(await runProtocol(file, set))}\n`);
store.close();
process.exit(0);

async function runProtocol(file: string, set: readonly string[]): Promise<object> {
  try {
    const { protocol, definition, source } = await openProtocol(file);
    const session = new Session({
      journal: store.create(protocol.name),
      models: new ScriptedModels(),
      protocol,
      source,
      answer: () => Promise.reject(new Error('nobody is here')),
    });
    const config = { settings: readSettings(definition, set), seed: 7 };
    const seats = seatsOf(
      definition,
      Object.keys(definition.seats).map((role) => ({ role, model: 'test/model-1' })),
    );
    return await session.begin({ question: 'Q?', seats, config });
  } catch (error) {
    if (error instanceof DeliberateError) return { error: error.message, next: error.next };
    throw error;
  }
}
