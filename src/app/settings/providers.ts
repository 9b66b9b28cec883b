/** Opens the models of this call, from its flags, configuration and environment. */

import { agentProvider } from '../../coding-agents/provider.ts';
import { createModels, type ModelGateway, type ModelsConfig } from '../../models/gateway.ts';
import type { Profiles } from '../../models/profiles.ts';
import type { Invocation } from '../invocation.ts';
import { agentsOf } from './coding-agents.ts';
import type { Config } from './config.ts';
import { readProfiles } from './profiles.ts';
import { serversOf } from './servers.ts';
import { readPrices, readWindows } from './tables.ts';

/**
 * Opens the connections to all providers of models.
 *
 * @param profiles what was measured of models; default: the stored measurements
 * @param otherwise settings to use instead of the usual settings
 */
export function openModels(
  call: Invocation,
  config: Config,
  profiles: Profiles = readProfiles(call),
  otherwise: Partial<ModelsConfig> = {},
): ModelGateway {
  const { flags, env } = call;
  return createModels({
    env,
    servers: serversOf(config),
    idleMs: config.idle_timeout,
    concurrency: config.concurrency,
    more: [
      call.protocols.createRehearsal({ speed: flags.rehearseSpeed }),
      ...agentsOf(config).map((agent) =>
        agentProvider(agent, { env, unsandboxed: flags.unsandboxed }),
      ),
    ],
    prices: readPrices(env),
    windows: readWindows(env),
    profiles,
    ...otherwise,
  });
}
