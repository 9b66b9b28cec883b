/** The models of this call of the program, from its flags, configuration and environment. */
import { join } from 'node:path';
import * as z from 'zod';
import { DeliberateError } from '../kernel/errors.ts';
import { createModels, type ModelGateway } from '../models/gateway.ts';
import { type PriceList, readPriceList } from '../models/prices.ts';
import type { Config } from './config.ts';
import { BUILT_IN } from './files.ts';
import type { Invocation } from './invocation.ts';
import { textOf, whyNot } from './text-file.ts';

export function openModels({ flags, env }: Invocation, config: Config): ModelGateway {
  return createModels({
    env,
    idleMs: config.idle_timeout,
    concurrency: config.concurrency,
    rehearsal: { speed: flags.rehearseSpeed },
    prices: pricesIn(config.prices ?? join(BUILT_IN, 'prices.json')),
  });
}

/** @throws DeliberateError naming the file and what is wrong with it. */
function pricesIn(file: string): PriceList {
  try {
    const text = textOf(file, { most: 4 * 1024 * 1024, links: true });
    if (text === undefined) throw new DeliberateError('bad-file', `${file}: ${whyNot('ENOENT')}`);
    return readPriceList(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new DeliberateError('bad-file', `${file}: ${error.message}`);
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw new DeliberateError(
      'bad-file',
      `${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`,
      'Written like presets/prices.json, which comes with the program.',
    );
  }
}
