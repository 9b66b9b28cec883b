/**
 * `deliberate demo`: plays back a recorded example that comes with the program, so that a person without a
 * model sees what a run comes to. Calls no model and opens no database.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BUILT_IN } from '../../io/files.ts';
import { UsageError } from '../../kernel/errors.ts';
import { formatHint } from '../../kernel/hints.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Invocation } from '../invocation.ts';
import { hasConsole } from '../run/display.ts';
import { playRecorded } from '../run/replay.ts';
import { EXAMPLES } from './examples.ts';

const DEFAULT = 'board';

/** Runs `deliberate demo`: plays back a recorded example. Resolves to the exit code. */
export async function demo(call: Invocation): Promise<number> {
  const [name = DEFAULT, ...more] = call.words;
  const example = EXAMPLES.find(({ id }) => id === name);
  if (example === undefined || more.length > 0)
    throw new UsageError(
      more.length > 0 ? 'only one example at a time' : `unknown example "${name}"`,
      `The examples are ${EXAMPLES.map(({ id }) => id).join(', ')}: deliberate demo ${DEFAULT}`,
    );
  const facts = factsOf(call, example.id);
  const code = await playRecorded(call, { facts, protocol: example.protocol });
  // The home screen starts an example with `--quiet`, and afterwards covers everything that is printed.
  const isFromHome = hasConsole(call) && call.flags.quiet;
  if (!call.flags.json && !isFromHome)
    for (const row of await trackOf(facts)) call.out.write(`${row}\n`);
  if (!call.flags.quiet && !call.flags.json)
    call.err.write(
      formatHint(`That was a recorded example. Ask a question of your own: ${example.again}\n`),
    );
  return code;
}

/**
 * Returns what `deliberate track` says of the example, as lines; empty if none of its predictions was answered.
 * An example has no prices, so nothing is said of what its seats used.
 */
async function trackOf(facts: readonly AnyFact[]): Promise<string[]> {
  if (!facts.some(({ type }) => type === 'prediction.resolved')) return [];
  const { trackedRun } = await import('../track/read.ts');
  const { trackLines } = await import('../track/sheet.ts');
  const { trackPairs, trackRows } = await import('../../evaluation/track/runs.ts');
  const runs = trackedRun(facts[0]?.run ?? '', facts, { claims: [], usage: [] });
  const lines = trackLines(trackRows(runs, 'model'), 'model', trackPairs(runs, 'model'));
  return ['# What deliberate track says then', '', ...lines];
}

function factsOf({ protocols }: Invocation, id: string): AnyFact[] {
  const packed = readFileSync(join(BUILT_IN, 'examples', `${id}.jsonl.gz`));
  return gunzipSync(packed)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => protocols.facts.read(JSON.parse(line)));
}
