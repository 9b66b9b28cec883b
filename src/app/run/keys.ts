/** Refuses a run whose models cannot be asked, because a setting such as a key is missing. */

import { UsageError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import type { Invocation } from '../invocation.ts';
import { isHandedOver } from './detached.ts';

/** A seat, or another part of a run that asks a model. */
interface Asker {
  /** The display name, such as "Critic". */
  readonly title: string;
  readonly model: ModelSpec;
}

/**
 * Refuses a run if every call of one of its models would fail because a setting is missing or wrong:
 * no key, or no valid address. Asks no server and starts no program. A run that a worker is to take
 * is not refused, because the worker has an environment of its own.
 *
 * @param askers the seats and other parts of the run that ask models
 * @throws UsageError that names the setting and the seats
 */
export function refuseMissingKeys(
  call: Invocation,
  askers: readonly Asker[],
  models: Pick<ModelGateway, 'fault'>,
): void {
  if (isHandedOver(call) && !call.flags.detach) return;
  for (const { model } of askers) {
    const fault = models.fault(model);
    if (fault === undefined) continue;
    const { provider } = splitSpec(model);
    const titles = askers
      .filter((asker) => splitSpec(asker.model).provider === provider)
      .map(({ title }) => title);
    throw new UsageError(
      `${fault.message}, and these would be asked there: ${[...new Set(titles)].join(', ')}`,
      `${fault.next ?? 'Check its settings'}, or give them another model.`,
    );
  }
}
