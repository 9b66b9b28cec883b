/**
 * Three models behind an Ollama server for a deliberation in rounds. Each request gets a valid value of its
 * schema, and equal requests get equal values, so that a run that was killed and resumed has the same
 * records as a run that was not killed.
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

/** Flags of the program that put the models `a`, `b` and `c` on the four roles and the verifier. */
export const PANEL_FLAGS = [
  ...['action=ollama/a', 'guardian=ollama/b', 'observer=ollama/c', 'critic=ollama/a'].flatMap(
    (seat) => ['--seat', seat],
  ),
  '--verifier',
  'ollama/b',
];

/** Returns the texts of all messages of a request, joined by line breaks. */
export function promptOf({ body }: RecordedRequest): string {
  const messages = (body?.messages ?? []) as { content: string }[];
  return messages.map(({ content }) => content).join('\n');
}

/** Returns a request as a text that is the same for equal calls: its model, messages and schema. */
export function identityOf({ body }: RecordedRequest): string {
  return JSON.stringify([body?.model, body?.messages, body?.format]);
}

/**
 * Returns a valid answer to a request: a value of its schema as JSON, or a sentence if there is no schema.
 */
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

/** Returns fields of an answer that keep a dispute going from round to round. */
function answerSteadily({ properties = {} }: Schema, text: string): Record<string, unknown> {
  if (properties.evidence_refs === undefined) return {};
  return { result: checkIn(text) === 2 ? 'BROKEN' : 'ROBUST' };
}

/**
 * Returns the texts of all files below a folder by their paths, in order of the paths. The id and the time
 * of the run are left empty.
 */
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

/** Returns the facts of a run in a database, by default of the latest run. */
export function factsIn(file: string, run = 'latest'): Fact[] {
  const store = Store.open(file, FACTS);
  try {
    return filterKnownFacts(store.facts(store.find(run)));
  } finally {
    store.close();
  }
}
