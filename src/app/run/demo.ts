/**
 * `deliberate demo`: plays back a recorded example that comes with the program, so that a person without a
 * model sees what a run comes to. Calls no model and opens no database.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BUILT_IN } from '../../io/files.ts';
import { UsageError } from '../../kernel/errors.ts';
import { hint } from '../../kernel/hints.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { FACTS } from '../../protocols/vocabulary.ts';
import type { Invocation } from '../invocation.ts';
import { EXAMPLES } from './examples.ts';
import { playRecorded } from './replay.ts';

const DEFAULT = 'board';

export async function demo(call: Invocation): Promise<number> {
  const [name = DEFAULT, ...more] = call.words;
  const example = EXAMPLES.find(({ id }) => id === name);
  if (example === undefined || more.length > 0)
    throw new UsageError(
      more.length > 0 ? 'only one example at a time' : `unknown example "${name}"`,
      `The examples are ${EXAMPLES.map(({ id }) => id).join(', ')}: deliberate demo ${DEFAULT}`,
    );
  const code = await playRecorded(call, { facts: factsOf(example.id), protocol: example.protocol });
  if (!call.flags.quiet && !call.flags.json)
    call.err.write(
      hint(`That was a recorded example. Ask a question of your own: ${example.again}\n`),
    );
  return code;
}

function factsOf(id: string): AnyFact[] {
  const packed = readFileSync(join(BUILT_IN, 'examples', `${id}.jsonl.gz`));
  return gunzipSync(packed)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => FACTS.read(JSON.parse(line)));
}
