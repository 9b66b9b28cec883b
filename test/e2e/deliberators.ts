/**
 * Three models behind an Ollama server for a structured deliberation. Every request is answered with a
 * valid and usable value of its schema, equal requests with equal values, so that a killed and resumed run
 * has the same records as one that was not killed.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import { makeSchemaValue } from '../../src/protocols/rehearsal/json.ts';
import { deriveTopic } from '../../src/protocols/rehearsal/topic.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import type { Fact } from '../every-fact.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { checkIn, makeSoundAnswer } from '../protocols/answers.ts';
import type { RecordedRequest } from '../servers/http.ts';

type Schema = { readonly properties?: Readonly<Record<string, unknown>> } & Record<string, unknown>;

/** Flags that put the three models on the four roles and the verifier. */
export const PANEL_FLAGS = [
  ...['action=ollama/a', 'guardian=ollama/b', 'observer=ollama/c', 'critic=ollama/a'].flatMap(
    (seat) => ['--seat', seat],
  ),
  '--verifier',
  'ollama/b',
];

/** Returns all texts of a request's messages. */
export function promptOf({ body }: RecordedRequest): string {
  const messages = (body?.messages ?? []) as { content: string }[];
  return messages.map(({ content }) => content).join('\n');
}

/** Returns a request as a text that is equal for equal calls. */
export function identityOf({ body }: RecordedRequest): string {
  return JSON.stringify([body?.model, body?.messages, body?.format]);
}

/** Returns a valid answer to a request. */
export function answerRequest(request: RecordedRequest): string {
  const text = promptOf(request);
  const schema = request.body?.format as Schema | undefined;
  const chance = new Chance(request.model, text);
  if (schema === undefined) return `${request.model} would keep it, for reason ${chance.next()}.`;
  const seed = (request.body?.options as { seed?: number } | undefined)?.seed ?? 0;
  const value = makeSchemaValue(schema, deriveTopic(text), chance) as Record<string, unknown>;
  const sound = makeSoundAnswer({ schema, text, seed }, chance);
  return JSON.stringify({ ...value, ...sound, ...answerSteadily(schema, text) });
}

/** Returns fields for a dispute that goes on from round to round. */
function answerSteadily({ properties = {} }: Schema, text: string): Record<string, unknown> {
  if (properties.evidence_refs === undefined) return {};
  return { result: checkIn(text) === 2 ? 'BROKEN' : 'ROBUST' };
}

/** Returns the texts of the files below a folder, without what differs between equal runs. */
export function recordsIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry): [string, string] => {
        const file = join(entry.parentPath, entry.name);
        const text = readFileSync(file, 'utf8');
        return [
          file.slice(folder.length + 1),
          entry.name === 'run.json'
            ? text.replace(/"(run|started_at)": ?"[^"]*"/g, '"$1": ""')
            : text,
        ];
      })
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** Returns the facts of a run, by default the latest. */
export function factsIn(file: string, run = 'latest'): Fact[] {
  const store = Store.open(file, FACTS);
  try {
    return filterKnownFacts(store.facts(store.find(run)));
  } finally {
    store.close();
  }
}
