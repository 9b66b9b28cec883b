/**
 * Starts test servers by hand: `node test/servers/cli.ts --ollama 3 --rate 50`
 *
 *   --ollama N  --anthropic N  --openai N   a server of that protocol with N models, each named m1, m2, …
 *   --rate N                                tokens a second (default 50; 0: at once)
 *   --words N                               an answer of so many words
 *   --one-at-a-time  --load-ms N            the Ollama server holds one model, which takes N ms to load
 *   --schema MODEL=MANNER                   when the model keeps to a schema (schema.ts); repeatable
 *   --reads-at-most N                       the Ollama server cuts longer prompts silently
 *   --described JSON                        more fields of every model in the OpenAI server's list
 *   --behave MODEL=BEHAVIOUR                a name from behaviour.ts, or an HTTP status; repeatable
 *
 * Prints one line of JSON, `{"ollama": {"url", "models", "env"}, …}`, and runs until it is stopped.
 */
import { parseArgs } from 'node:util';
import { startAnthropic } from './anthropic.ts';
import type { Behaviour, BehaviourName } from './behaviour.ts';
import { startOllama } from './ollama.ts';
import { startOpenAI } from './openai.ts';
import type { SchemaManner } from './schema.ts';

const { values } = parseArgs({
  options: {
    ollama: { type: 'string' },
    anthropic: { type: 'string' },
    openai: { type: 'string' },
    rate: { type: 'string', default: '50' },
    words: { type: 'string' },
    'one-at-a-time': { type: 'boolean', default: false },
    'load-ms': { type: 'string', default: '0' },
    schema: { type: 'string', multiple: true, default: [] },
    'reads-at-most': { type: 'string' },
    described: { type: 'string', default: '{}' },
    behave: { type: 'string', multiple: true, default: [] },
  },
});

const makeNames = (count: string) => Array.from({ length: Number(count) }, (_, at) => `m${at + 1}`);
const behaviours: Record<string, Behaviour> = {};
for (const rule of values.behave) {
  const [model = '', behaviour = ''] = rule.split('=');
  behaviours[model] = /^\d+$/.test(behaviour)
    ? { status: Number(behaviour) }
    : (behaviour as BehaviourName);
}
const schemas = Object.fromEntries(
  values.schema.map((rule) => rule.split('=') as [string, SchemaManner]),
);
const words = Array.from({ length: Number(values.words ?? 0) }, (_, at) =>
  (at + 1) % 60 === 0 ? `word${at}.\n\n` : `word${at} `,
).join('');
const options = {
  tokensPerSecond: Number(values.rate),
  behaviours,
  schemas,
  ...(words === '' ? {} : { answer: words }),
};
const started: Record<
  string,
  { url: string; models: readonly string[]; env: Record<string, string> }
> = {};

if (values.ollama !== undefined) {
  const { url, models } = await startOllama({
    ...options,
    models: makeNames(values.ollama),
    loadOneAtATime: values['one-at-a-time'],
    loadMs: Number(values['load-ms']),
    ...(values['reads-at-most'] ? { readsAtMost: Number(values['reads-at-most']) } : {}),
  });
  started.ollama = { url, models, env: { OLLAMA_HOST: url } };
}
if (values.anthropic !== undefined) {
  const { url, models } = await startAnthropic({ ...options, models: makeNames(values.anthropic) });
  started.anthropic = { url, models, env: { ANTHROPIC_BASE_URL: url } };
}
if (values.openai !== undefined) {
  const { url, models } = await startOpenAI({
    ...options,
    models: makeNames(values.openai),
    described: JSON.parse(values.described) as Record<string, unknown>,
  });
  started.openai = { url: `${url}/v1`, models, env: { OPENAI_BASE_URL: `${url}/v1` } };
}
console.log(JSON.stringify(started));
