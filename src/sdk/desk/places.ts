/**
 * Determines the seats of a protocol that names its own roles: from the command line, from values in the file,
 * or by default.
 */

import type { Invocation } from '../../app/invocation.ts';
import { REHEARSAL_MODEL } from '../../app/settings/discovery.ts';
import { parseSeatRequest, type SeatRequest } from '../../app/settings/panel.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { checkSpec } from '../../kernel/providers/spec.ts';
import { type SeatPlan, toSeatDefinition } from '../config.ts';
import { type AnyDefinition, type Many, MOST_SEATS } from '../define.ts';

/** A seat of a person's own protocol, with or without a model. */
export interface OpenPlace extends SeatRequest {
  readonly title?: string | undefined;
  /** Whether the seat should get a model of a family that no other seat uses. */
  readonly outsider?: boolean;
  /** Whether the seat is left out if there is no such model. */
  readonly optional?: boolean;
}

/**
 * Determines the seats of a person's own protocol, from its file and from the flags. Flags override
 * the file.
 *
 * @param configured the model that the configuration names for all seats
 * @param named seats that are set already, for example in a stored variant of the protocol; flags
 *   override them
 * @throws UsageError if a role does not exist, or has too many or too few seats
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
  const all = Object.entries(seats).flatMap(([role, definition]) => {
    const { many, outsider = false } = toSeatDefinition(definition);
    const own = wanted.filter((place) => place.role === role);
    const values = named.filter((place) => place.role === role);
    const counted = countOf(role, own.length, values.length, many, name);
    const optional = outsider && counted === 0 && forAll === undefined;
    const apart = { ...(outsider ? { outsider } : {}), ...(optional ? { optional } : {}) };
    return Array.from({ length: optional ? 1 : counted }, (_, index): OpenPlace => {
      const value = values[index];
      const model = own[index]?.model ?? (own.length > 0 ? undefined : value?.model) ?? forAll;
      return {
        ...value,
        ...apart,
        role,
        ...(model === undefined ? { model: undefined } : { model }),
      };
    });
  });
  // If only optional seats lack a model, leave these seats out, so that no search for models is needed. If a
  // required seat lacks a model, models are searched for, and the optional seats may get some too.
  const isOpen = all.some(({ model, optional }) => model === undefined && optional !== true);
  return isOpen ? all : all.filter(({ optional }) => optional !== true);
}

/**
 * Returns how many seats a role gets.
 * @throws UsageError if that is out of its range
 */
function countOf(
  role: string,
  own: number,
  values: number,
  many: Many | undefined,
  protocol: string,
): number {
  if (many === undefined) {
    if (own > 1) throw new UsageError(`--seat ${role} is given twice`, 'Remove one of them.');
    return 1;
  }
  const count = own > 0 ? own : values > 0 ? values : many.usual;
  const { least, most = MOST_SEATS } = many;
  if (count < least || count > most)
    throw new UsageError(
      `${protocol} takes ${least} to ${most} seats of role ${role}, not ${count}`,
      `Name each: ${Array.from({ length: Math.min(least, 3) }, () => `--seat ${role}=PROVIDER/MODEL`).join(' ')}`,
    );
  return count;
}

/**
 * Gives the seats without a model the found models in turn: the first such seat gets the first model, and after
 * the last model the first one follows again. A seat with `outsider` is no part of this turn. It gets a model of
 * a family (the model's name without version and size) that no seat without `outsider` uses. If there is no
 * such model, the seat is left out if it is `optional`, and otherwise gets the first found model.
 */
export function seatModels(
  places: readonly OpenPlace[],
  found: readonly ModelSpec[],
): (OpenPlace & SeatPlan)[] {
  let turn = 0;
  const seated = places.map((place): OpenPlace => {
    if (place.model !== undefined || place.outsider === true) return place;
    return { ...place, model: found[turn++ % found.length] };
  });
  const taken = new Set(
    seated.flatMap(({ model, outsider }) =>
      model === undefined || outsider === true ? [] : [familyOf(model)],
    ),
  );
  const apart = found.find((model) => !taken.has(familyOf(model)));
  return seated.flatMap(({ outsider: _apart, optional, ...place }) => {
    const model = place.model ?? apart ?? (optional === true ? undefined : found[0]);
    if (model !== undefined) return [{ ...place, model }];
    if (optional === true) return [];
    throw new Error(`no model for ${place.role}`);
  });
}

/**
 * Returns a model's family, the name before versions and sizes: `ollama/qwen3:8b` → `qwen`, `openai/gpt-5.2` →
 * `gpt`.
 */
function familyOf(model: ModelSpec): string {
  const name = model.slice(model.indexOf('/') + 1).toLowerCase();
  return /[a-z]+/.exec(name.slice(name.lastIndexOf('/') + 1))?.[0] ?? name;
}
