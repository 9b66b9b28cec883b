/** Adapts a definition to the kernel's `Protocol`. */
import type { Protocol } from '../kernel/protocol.ts';
import { noteSchema } from '../protocols/common/requests.ts';
import { configSchema, type OwnConfig } from './config.ts';
import type { AnyDefinition } from './define.ts';
import { runProtocol } from './engine.ts';
import type { ProtocolFiles } from './place.ts';
import { type OwnRequest, ownRequest, ownRequestSchema } from './requests.ts';

/**
 * Returns the protocol, as the kernel runs it, for a user's definition. `places` are the protocol's
 * files, for error messages.
 */
export function kernelProtocol(definition: AnyDefinition, places: ProtocolFiles): Protocol {
  const protocol: Protocol<OwnConfig, OwnRequest> = {
    name: definition.name,
    config: configSchema,
    requests: ownRequestSchema,
    controls: noteSchema,
    request: ownRequest,
    execute: (run, context) => runProtocol(run, context, definition, { places }),
  };
  return protocol as Protocol;
}
