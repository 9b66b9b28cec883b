/** Who sits where in a protocol that names its own seats: by the command line, by values, or as is usual. */
import { UsageError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { checkSpec } from '../../kernel/spec.ts';
import { fullSeat, type Place } from '../../sdk/config.ts';
import { type AnyDefinition, type Many, MOST_SEATS } from '../../sdk/define.ts';
import type { Invocation } from '../invocation.ts';
import { REHEARSAL_MODEL } from '../settings/discovery.ts';
import { parseSeatRequest, type SeatRequest } from '../settings/panel.ts';

/** A seat whose model may still be open. */
export interface OpenPlace extends SeatRequest {
  readonly title?: string | undefined;
}

/**
 * A place for every seat. `named` is what values say of seats; the command line's word goes before.
 * @throws UsageError where a role is not there, or has too many or too few seats
 */
export function placesOf(
  { flags }: Pick<Invocation, 'flags'>,
  { name, seats }: AnyDefinition,
  configured: string | undefined,
  named: readonly OpenPlace[] = [],
): OpenPlace[] {
  const roles = Object.keys(seats);
  const wanted = flags.seat.map((text) => ({
    text,
    ...(text.includes('=') ? parseSeatRequest(text) : { role: text.trim(), model: undefined }),
  }));
  for (const { role, text } of wanted)
    if (!roles.includes(role))
      throw new UsageError(
        `--seat ${text}: ${name} has no such seat`,
        `Its seats are ${roles.join(', ')}.`,
      );
  const general = flags.model ?? (flags.rehearse ? REHEARSAL_MODEL : configured);
  const forAll = general === undefined ? undefined : checkSpec(general);
  return Object.entries(seats).flatMap(([role, definition]) => {
    const { many } = fullSeat(definition);
    const own = wanted.filter((one) => one.role === role);
    const values = named.filter((one) => one.role === role);
    const count = countOf(role, own.length, values.length, many, name);
    return Array.from({ length: count }, (_, index): OpenPlace => {
      const value = values[index];
      const model = own[index]?.model ?? (own.length > 0 ? undefined : value?.model) ?? forAll;
      return { ...value, role, ...(model === undefined ? { model: undefined } : { model }) };
    });
  });
}

/** @throws UsageError */
function countOf(
  role: string,
  own: number,
  values: number,
  many: Many | undefined,
  protocol: string,
): number {
  if (many === undefined) {
    if (own > 1) throw new UsageError(`--seat ${role} is given twice`, 'Keep one of them.');
    return 1;
  }
  const count = own > 0 ? own : values > 0 ? values : many.usual;
  const { least, most = MOST_SEATS } = many;
  if (count < least || count > most)
    throw new UsageError(
      `${protocol} needs ${least} to ${most} seats called ${role}, not ${count}`,
      `Name each: ${Array.from({ length: Math.min(least, 3) }, () => `--seat ${role}=PROVIDER/MODEL`).join(' ')}`,
    );
  return count;
}

/** Who has no model gets the next of those that were found. */
export function seatModels(
  places: readonly OpenPlace[],
  found: readonly ModelSpec[],
): (OpenPlace & Place)[] {
  let turn = 0;
  return places.map((place) => {
    const model = place.model ?? found[turn++ % found.length];
    if (model === undefined) throw new Error(`no model for ${place.role}`);
    return { ...place, model };
  });
}
