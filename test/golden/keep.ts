/**
 * Keeps the only run of a database as a golden journal: `npx node test/golden/keep.ts FILE.db played-board`.
 *
 * This is for runs that a person answered through a server with Ollama's protocol, since nobody can make
 * these runs again. With `--examples` the script writes the examples of the program (`presets/examples`)
 * again from the journals.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { EXAMPLES, fileOfExample, makeExample } from './examples.ts';
import { fileOf, isTeamName, PLAYED_NAMES, readGolden } from './journal.ts';
import { normalizeFacts, stepsIn, toJsonLines } from './kept.ts';

const [file = '', wanted] = process.argv.slice(2);
if (file === '--examples')
  for (const [name, golden] of EXAMPLES) {
    mkdirSync(dirname(fileOfExample(name)), { recursive: true });
    const text = toJsonLines(makeExample(readGolden(golden).facts));
    writeFileSync(fileOfExample(name), gzipSync(text, { level: 9 }));
  }
else {
  const name = PLAYED_NAMES.find((candidate) => candidate === wanted);
  if (name === undefined) throw new Error(`name one of ${PLAYED_NAMES.join(', ')}`);
  const store = Store.open(file, FACTS);
  const run = store.find('latest');
  // A team's run keeps its id, because recorded results of its steps depend on the id. For example, the run's
  // commits are dated by the time that the id contains.
  const facts = normalizeFacts(
    filterKnownFacts(store.facts(run)),
    isTeamName(name) ? run : undefined,
  );
  store.close();
  writeFileSync(fileOf(name, 'jsonl'), toJsonLines(facts));
  writeFileSync(fileOf(name, 'steps.jsonl'), toJsonLines(stepsIn(file)));
}
