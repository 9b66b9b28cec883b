/**
 * Three models behind an Ollama server that hold a structured deliberation: whatever schema a request
 * brings is answered with a value that fits it, the same one for the same request, so that a run that
 * was killed and resumed must come to the same records as one that was not.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import { valueFor } from '../../src/protocols/rehearsal/json.ts';
import { topicOf } from '../../src/protocols/rehearsal/topic.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import type { Fact } from '../every-fact.ts';
import { known } from '../every-fact.ts';
import type { Recorded } from '../servers/http.ts';

type Schema = { readonly properties?: Readonly<Record<string, unknown>> } & Record<string, unknown>;

/** The three models, on the four roles and the verifier. */
export const PANEL = [
  ...['action=ollama/a', 'guardian=ollama/b', 'observer=ollama/c', 'critic=ollama/a'].flatMap(
    (seat) => ['--seat', seat],
  ),
  '--verifier',
  'ollama/b',
];

/** All that a request says. */
export function promptOf({ body }: Recorded): string {
  const messages = (body?.messages ?? []) as { content: string }[];
  return messages.map(({ content }) => content).join('\n');
}

/** A request as a value: two of them are the same call. */
export function identityOf({ body }: Recorded): string {
  return JSON.stringify([body?.model, body?.messages, body?.format]);
}

export function deliberate(request: Recorded): string {
  const text = promptOf(request);
  const schema = request.body?.format as Schema | undefined;
  const chance = new Chance(request.model, text);
  if (schema === undefined) return `${request.model} would keep it, for reason ${chance.next()}.`;
  const value = valueFor(schema, topicOf(text), chance) as Record<string, unknown>;
  return JSON.stringify({ ...value, ...healthy(schema, text) });
}

/** A place of each artifact that can be cited, not its title; nothing where there is only one. */
function bothSides(schema: Schema): Record<string, unknown> {
  const places = [...JSON.stringify(schema).matchAll(/"(artifacts\/[^"#]+)#([^"]+)"/g)];
  const files = [...Map.groupBy(places, ([, file]) => file).values()];
  const refs = files.flatMap(([, place]) =>
    place === undefined ? [] : [`${place[1]}#${place[2]}`],
  );
  return refs.length > 1 ? { evidence_refs: refs } : {};
}

/** What a deliberation that goes well has in it: a steady dispute, tested claims, no drift. */
function healthy(schema: Schema, text: string): Record<string, unknown> {
  const has = (name: string): boolean => schema.properties?.[name] !== undefined;
  const ids = enumerationsIn(schema);
  if (has('evidence_refs'))
    return { result: text.includes('Check 2:') ? 'BROKEN' : 'ROBUST', ...bothSides(schema) };
  if (has('deviation_score')) return { verdict: 'PASS', deviation_score: 1 };
  if (has('bearings')) {
    const verdicts = ids.filter((id) => id.startsWith('V-'));
    return {
      bearings: ids
        .filter((id) => id.startsWith('C-'))
        .map((claim, index) => ({
          verification: verdicts[index % verdicts.length],
          claim,
          stance: index % 3 === 0 ? 'attacks' : 'upholds',
          bearing: 'whole',
          why: 'it was tested',
        })),
    };
  }
  if (has('decisions'))
    return {
      decisions: [
        {
          text: 'Keep what was tested.',
          made_by: 'consensus',
          cites: [...new Set([ids[0], ids.at(-4)])].flatMap((id) =>
            id === undefined ? [] : [{ id, relation: 'based-on' }],
          ),
        },
      ],
    };
  return {};
}

/** Every claim, verdict and decision that the schema allows to be named. */
function enumerationsIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const own = 'enum' in schema && Array.isArray(schema.enum) ? (schema.enum as string[]) : [];
  return [
    ...own.filter((id) => /^[CVD]-\d/.test(id)),
    ...Object.values(schema).flatMap(enumerationsIn),
  ];
}

/** The files below a folder, without what tells one run from another. */
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

/** The latest run's log. */
export function factsIn(file: string): Fact[] {
  const store = Store.open(file, FACTS);
  try {
    return known(store.facts(store.find('latest')));
  } finally {
    store.close();
  }
}
