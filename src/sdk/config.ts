/** What a run of one's own protocol is held with: its settings, its seats, and which model played where. */
import * as z from 'zod';
import { entryOf } from '../kernel/entry.ts';
import { UsageError } from '../kernel/errors.ts';
import type { ModelSpec, Seat } from '../kernel/model.ts';
import { stepOf } from '../kernel/tools/tools.ts';
import { callAt, type RunView } from '../kernel/view.ts';
import { lookSchema, toolServersSchema } from '../protocols/common/look-config.ts';
import type { AnyDefinition, SeatAtWork, SeatDefinition } from './define.ts';

export const configSchema = z.object({
  /** As the protocol's own schema gave them back: what it left out is not here. */
  settings: z.record(z.string(), z.unknown()),
  seed: z.number().int(),
  /** Of a fork: steps of seats that have another model now, with the model that they had there. */
  models: z.record(z.string(), z.string()).optional(),
  /** Instructions that the person worded otherwise, by name. */
  texts: z.record(z.string(), z.string()).optional(),
  /** Where seats may look things up, in calls that allow it. */
  look: lookSchema,
  /** The tool servers whose tools seats may use. */
  toolServers: toolServersSchema,
});
export type OwnConfig = z.infer<typeof configSchema>;

/**
 * The settings of `--set name=value`, over those that the run has already. A value is taken as it is
 * written where the schema wants text, and as JSON where it wants anything else.
 * @throws UsageError that names the setting and what was expected.
 */
export function readSettings(
  { name, settings }: AnyDefinition,
  written: readonly string[],
  before: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const shape = settings?.shape ?? {};
  const given = new Map(Object.entries(before));
  for (const text of written) {
    const equals = text.indexOf('=');
    const key = text.slice(0, Math.max(0, equals)).trim();
    const schema = Object.hasOwn(shape, key) ? (shape[key] as z.ZodType) : undefined;
    if (schema === undefined)
      throw new UsageError(
        equals < 0
          ? `--set ${text}: expected NAME=VALUE`
          : `--set ${text}: ${name} has no setting ${key}`,
        namesOf(Object.keys(shape), name),
      );
    given.set(key, readValue(schema, text.slice(equals + 1)));
  }
  const read = (settings ?? z.object({})).safeParse(Object.fromEntries(given));
  if (!read.success) throw wrongSetting(read.error, given);
  const kept: unknown = JSON.parse(JSON.stringify(read.data));
  const again = (settings ?? z.object({})).safeParse(kept);
  if (!again.success || JSON.stringify(again.data) !== JSON.stringify(read.data))
    throw new UsageError(
      `the settings of ${name} cannot be recorded`,
      'Use only what JSON can express: numbers, text, booleans, lists and objects, without transforms.',
    );
  return kept as Record<string, unknown>;
}

function readValue(schema: z.ZodType, text: string): unknown {
  if (schema.safeParse(text).success) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function namesOf(names: readonly string[], protocol: string): string {
  return names.length === 0
    ? `${protocol} has no settings.`
    : `It has ${names.join(', ')}: --set ${names[0]}=VALUE`;
}

function wrongSetting(error: z.ZodError, given: ReadonlyMap<string, unknown>): UsageError {
  const [issue] = error.issues;
  const key = String(issue?.path[0] ?? '');
  if (!given.has(key))
    return new UsageError(`the setting ${key} has no value`, `Use --set ${key}=VALUE.`);
  return new UsageError(
    `--set ${key}=${show(given.get(key))}: ${issue?.message ?? 'not understood'}`,
  );
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where somebody sits: the role, and what the person says of this seat. */
export interface Place {
  readonly role: string;
  readonly model: ModelSpec;
  readonly title?: string | undefined;
  readonly brief?: string | undefined;
}

/** A seat for every place, in the order of the roles; of a role with several, each has a number. */
export function seatsOf({ seats }: AnyDefinition, places: readonly Place[]): Seat[] {
  return Object.entries(seats).flatMap(([role, definition]) => {
    const { brief, title, colour, temperature, effort, many } = fullSeat(definition);
    return places
      .filter((one) => one.role === role)
      .map((place, index): Seat => {
        const number = many === undefined ? '' : String(index + 1);
        return {
          id: number === '' ? role : `${role}-${number}`,
          role,
          title: place.title ?? [title ?? titleOf(role), number].join(' ').trim(),
          model: place.model,
          brief: (place.brief ?? brief).trim(),
          ...(colour === undefined ? {} : { colour }),
          ...(temperature === undefined ? {} : { temperature }),
          ...(effort === undefined ? {} : { effort }),
        };
      });
  });
}

/** The seats' ids, as `seatsOf` gives them. */
export function idsOf(
  definition: AnyDefinition,
  places: readonly { readonly role: string }[],
): string[] {
  return seatsOf(
    definition,
    places.map(({ role }) => ({ role, model: '' })),
  ).map(({ id }) => id);
}

/** With what goes without saying. */
export function fullSeat(seat: SeatDefinition): Exclude<SeatDefinition, string> {
  return typeof seat === 'string' ? { brief: seat } : seat;
}

/** `devils-advocate` → `Devils Advocate` */
function titleOf(role: string): string {
  return role.replace(
    /(^|[-_])([a-z0-9])/g,
    (_, before: string, letter: string) => `${before === '' ? '' : ' '}${letter.toUpperCase()}`,
  );
}

/**
 * The model that plays a seat at a step: the one that is on record there, so that a seat which got
 * another model is not asked everything again. `looks`: the step is asked in turns.
 */
export function modelAt(
  step: string,
  seat: Seat,
  { calls }: Pick<RunView, 'calls'>,
  { models = {} }: OwnConfig,
  looks = false,
): ModelSpec {
  const call = looks ? callAt(calls, step) : entryOf(calls, step);
  if (call?.seat === seat.id && (call.state === 'done' || call.state === 'failed'))
    return call.model;
  return entryOf(models, step) ?? seat.model;
}

/** The `models` of a fork whose seats are these: steps before `from` keep the model they were asked with. */
export function modelsBefore(
  from: ReadonlySet<string>,
  view: RunView,
  seats: readonly Seat[],
): Record<string, ModelSpec> {
  const changed = new Map(
    view.seats.flatMap(({ id, model }) => {
      const now = seats.find((one) => one.id === id)?.model;
      return now === undefined || now === model ? [] : [[id, now]];
    }),
  );
  const kept = Object.values(view.calls).flatMap(({ step, seat, model }): [string, ModelSpec][] => {
    const now = seats.find(({ id }) => id === seat)?.model;
    const isLeft = changed.has(seat) && from.has(step);
    return now === undefined || now === model || isLeft ? [] : [[step, model]];
  });
  // A step that is asked in turns goes by the model of its turns; a step's own name goes before that.
  const ofTurns = kept.map(([step, model]): [string, ModelSpec] => [stepOf(step), model]);
  return Object.fromEntries([...ofTurns, ...kept]);
}

/** A seat as its protocol sees it. */
export function atWork({ id, role, title, model }: Seat): SeatAtWork {
  return { id, role, title, model };
}
