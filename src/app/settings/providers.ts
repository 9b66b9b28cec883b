/** The models of this call of the program, from its flags, configuration and environment. */

import { createModels, type ModelGateway } from '../../models/gateway.ts';
import { rehearsalProvider } from '../../protocols/rehearsal/provider.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from './config.ts';
import { readProfiles } from './profiles.ts';
import { readPrices, readWindows } from './tables.ts';

export function openModels(call: Invocation, config: Config): ModelGateway {
  const { flags, env } = call;
  return createModels({
    env,
    idleMs: config.idle_timeout,
    concurrency: config.concurrency,
    more: [rehearsalProvider({ speed: flags.rehearseSpeed })],
    prices: readPrices(env),
    windows: readWindows(env),
    profiles: readProfiles(call),
  });
}
