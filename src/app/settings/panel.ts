/** Assigns seats from flags, a preset and the available models. Pure functions. */

import type { Role } from '../../io/preset-kinds.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { ModelSpec, Seat } from '../../kernel/model.ts';
import { checkSpec } from '../../kernel/providers/spec.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

/** A seat that a person wants, with or without a model. */
export interface SeatRequest {
  /** The slug of the role: the name of its file without the extension. */
  readonly role: string;
  /** The model; absent: one of the models that are found. */
  readonly model?: ModelSpec | undefined;
  /** How long the model should think, as one of `EFFORTS`. */
  readonly effort?: string | undefined;
  /** Instructions to the seat in this run, instead of its role's. */
  readonly brief?: string | undefined;
}

/**
 * Parses a seat such as `critic=ollama/qwen3:8b` into its role and model.
 *
 * @throws UsageError if the text has another form
 */
export function parseSeatRequest(text: string): SeatRequest {
  const [role, model] = splitPair(text);
  if (role === '' || model === '')
    throw new UsageError(
      `--seat ${text}: expected ROLE=PROVIDER/MODEL`,
      'Example: --seat critic=ollama/qwen3:8b',
    );
  return { role, model: checkSpec(model) };
}

function splitPair(text: string): [string, string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

/** The default board: an advocate, a critic and an analyst. */
export const DEFAULT_BOARD = 'classic-triad';

/**
 * Makes the seats that a person requested. Each gets an id and its own model or, if it has none,
 * the next of `models`, which begin again after the last. The second seat of the role `critic` gets
 * the id `critic-2`.
 *
 * @param places the requested seats
 * @param roles the roles by slug
 */
export function seatsFor(
  places: readonly SeatRequest[],
  roles: ReadonlyMap<string, Role>,
  models: readonly ModelSpec[],
): Seat[] {
  const counts = new Map<string, number>();
  const named = new Set(places.map(({ role }) => role));
  let turn = 0;
  return places.map(({ role: slug, model, effort, brief }) => {
    const role = roles.get(slug);
    if (role === undefined) throw new Error(`role ${slug} was not read`);
    let count = (counts.get(slug) ?? 0) + 1;
    while (count > 1 && named.has(`${slug}-${count}`)) count += 1;
    counts.set(slug, count);
    const chosen = model ?? models[turn++ % models.length];
    if (chosen === undefined) throw new Error('no model to give');
    return {
      id: count === 1 ? slug : `${slug}-${count}`,
      role: slug,
      title: count === 1 ? role.name : `${role.name} ${count}`,
      model: chosen,
      brief: brief ?? role.brief,
      ...withoutUndefined({ colour: role.colour, temperature: role.temperature }),
      ...withEffort(effort ?? role.effort),
    };
  });
}

/** Returns the effort as a field, or no field if there is none. */
function withEffort(effort: string | undefined): Pick<Seat, 'effort'> {
  return effort === undefined ? {} : { effort };
}

/** Returns the seats, with the thinking effort set for all that have none. */
export function giveEffort(seats: readonly Seat[], effort: string | undefined): readonly Seat[] {
  return effort === undefined ? seats : seats.map((seat) => ({ effort, ...seat }));
}
