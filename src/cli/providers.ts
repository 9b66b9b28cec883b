/** The models of this call of the program, from its flags, configuration and environment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createModels, type ModelGateway } from '../models/gateway.ts';
import { BUILT_IN, type Config } from './files.ts';
import type { Invocation } from './invocation.ts';

export function openModels({ flags, env }: Invocation, config: Config): ModelGateway {
  return createModels({
    env,
    idleMs: flags.idleTimeout ?? config.idle_timeout,
    concurrency: flags.concurrency ?? config.concurrency,
    rehearsal: { speed: flags.rehearseSpeed },
    prices: JSON.parse(readFileSync(join(BUILT_IN, 'prices.json'), 'utf8')) as unknown,
  });
}
