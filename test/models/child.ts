/**
 * Makes calls in a process of its own, to show which libraries they load and what those print. `child.ts
 * answer` makes one call and prints one JSON object. Otherwise calls are made to the models in SPECS, and
 * the result is sent to the parent process.
 */
import { registerHooks } from 'node:module';
import { z } from 'zod';
import { callModel } from './ask.ts';

const resolved: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    resolved.push(specifier);
    return next(specifier, context);
  },
});

const { createModels } = await import('../../src/models/gateway.ts');
const models = createModels({
  env: process.env,
  idleMs: Number(process.env.IDLE_MS ?? 2_000),
  retry: { backoffMs: 5 },
});

const LIBRARIES = ['ollama', '@anthropic-ai/sdk', 'openai'];
const listLoaded = () => LIBRARIES.filter((name) => resolved.includes(name));

if (process.argv[2] === 'answer') {
  const { result } = await callModel(models, 'ollama/alpha');
  console.log(
    JSON.stringify({ status: result.status, attempts: result.attempts, loaded: listLoaded() }),
  );
} else {
  // Make calls to all given models, each without and with a schema. The libraries might print messages about
  // them.
  const specs = (process.env.SPECS ?? '').split(' ');
  const statuses: string[] = [];
  for (const spec of specs) {
    statuses.push((await callModel(models, spec)).result.status);
    statuses.push(
      (await callModel(models, spec, { schema: z.object({ a: z.string() }) })).result.status,
    );
  }
  process.send?.({ statuses, loaded: listLoaded() });
}
