/** The settings of a run of a user's own protocol: values, seats, and models of earlier steps. */
import * as z from 'zod';
import { entryOf } from '../kernel/entry.ts';
import { UsageError } from '../kernel/errors.ts';
import type { ModelSpec, Seat } from '../kernel/model.ts';
import { stepOf } from '../kernel/tools/tools.ts';
import { callAt, type RunView } from '../kernel/view.ts';
import { attachedSchema } from '../protocols/common/prompts/attached.ts';
import { lookSchema, toolServersSchema } from '../protocols/common/settings/look-config.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import type { AnyDefinition, SeatAtWork, SeatDefinition } from './define.ts';

/** The schema of the settings that are recorded with a run of a user's own protocol. */
export const configSchema = z.object({
  /** The settings as parsed by the protocol's own schema. */
  settings: z.record(z.string(), z.unknown()),
  seed: z.number().int(),
  /**
   * In a fork that gives a seat another model, the models of the parent run's calls of this seat, by the keys of
   * their steps: these steps are copied and not asked again. Absent if the run is no fork.
   */
  models: z.record(z.string(), z.string()).optional(),
  /** The texts with which the person has replaced instructions of the protocol, by the instruction's name. */
  texts: z.record(z.string(), z.string()).optional(),
  /** The folders that seats may read, in calls that allow reading. */
  look: lookSchema,
  /** The tool servers whose tools seats may use. */
  toolServers: toolServersSchema,
  /** The documents that are shown to seats in every call, unless the call declines them. */
  attachments: attachedSchema,
});
/** The settings that are recorded with a run of a user's own protocol. */
export type OwnConfig = z.infer<typeof configSchema>;

/**
 * Merges settings given as `name=value` (`written`) with the run's existing ones (`before`). A
 * value is taken as text if the schema accepts text, and otherwise parsed as JSON.
 * @throws UsageError if a setting is unknown, missing or invalid, or cannot be recorded as JSON
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
    `--set ${key}=${formatValue(given.get(key))}: ${issue?.message ?? 'not understood'}`,
  );
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A seat to be made: its role and model. `title` and `brief` replace those of the role. */
export interface SeatPlan {
  readonly role: string;
  readonly model: ModelSpec;
  readonly title?: string | undefined;
  readonly brief?: string | undefined;
}

/** Makes the seats of a run, in the order of the roles. Seats of a role that may have several are numbered from 1. */
export function seatsOf({ seats }: AnyDefinition, plans: readonly SeatPlan[]): Seat[] {
  return Object.entries(seats).flatMap(([role, definition]) => {
    const { brief, title, colour, temperature, effort, many } = toSeatDefinition(definition);
    return plans
      .filter((plan) => plan.role === role)
      .map((plan, index): Seat => {
        const number = many === undefined ? '' : String(index + 1);
        return {
          id: number === '' ? role : `${role}-${number}`,
          role,
          title: plan.title ?? [title ?? titleOf(role), number].join(' ').trim(),
          model: plan.model,
          brief: (plan.brief ?? brief).trim(),
          ...withoutUndefined({ colour, temperature, effort }),
        };
      });
  });
}

/** Returns the ids that the seats will get from `seatsOf`. */
export function idsOf(
  definition: AnyDefinition,
  plans: readonly { readonly role: string }[],
): string[] {
  return seatsOf(
    definition,
    plans.map(({ role }) => ({ role, model: '' })),
  ).map(({ id }) => id);
}

/** Converts a seat's definition, which may be its instructions alone, to an object. */
export function toSeatDefinition(seat: SeatDefinition): Exclude<SeatDefinition, string> {
  return typeof seat === 'string' ? { brief: seat } : seat;
}

/** Formats a role as a title: `devils-advocate` → `Devils Advocate`. */
function titleOf(role: string): string {
  return role.replace(
    /(^|[-_])([a-z0-9])/g,
    (_, before: string, letter: string) => `${before === '' ? '' : ' '}${letter.toUpperCase()}`,
  );
}

/**
 * Returns the model to use for a seat at a step. If an answered or failed call of the seat at this step is
 * recorded, its model is used again, so that a change of the seat's model does not repeat earlier steps.
 * Otherwise the model is the one that the setting `models` names for the step, or else the seat's own.
 * @param looks whether the step takes several turns with tools
 */
export function getModelAt(
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

/**
 * Returns the setting `models` of a fork that gives some seats another model. For each recorded step of such a
 * seat that the fork does not do again, the setting names the model that was asked, so that the fork does not
 * repeat the step with the new model.
 * @param from the steps that the fork does again
 * @param seats the seats of the fork, with their new models
 * @param before the setting of the run that is forked, if it is a fork itself
 */
export function makeForkModels(
  from: ReadonlySet<string>,
  view: RunView,
  seats: readonly Seat[],
  before: Readonly<Record<string, ModelSpec>> = {},
): Record<string, ModelSpec> {
  const changed = new Map(
    view.seats.flatMap(({ id, model }) => {
      const now = seats.find((seat) => seat.id === id)?.model;
      return now === undefined || now === model ? [] : [[id, now]];
    }),
  );
  const kept = Object.values(view.calls).flatMap(({ step, seat, model }): [string, ModelSpec][] => {
    const now = seats.find(({ id }) => id === seat)?.model;
    const isLeft = changed.has(seat) && from.has(step);
    return now === undefined || now === model || isLeft ? [] : [[step, model]];
  });
  // A call recorded as `KEY/turn-1` also gives its model to the step `KEY`.
  const ofTurns = kept.map(([step, model]): [string, ModelSpec] => [stepOf(step), model]);
  const stillValid = Object.entries(before).filter(([step]) => {
    const call = callAt(view.calls, step);
    return call === undefined || !changed.has(call.seat) || !from.has(call.step);
  });
  return Object.fromEntries([...stillValid, ...ofTurns, ...kept]);
}

/** Converts a seat to the form in which the code of a protocol file gets it. */
export function toSeatAtWork({ id, role, title, model }: Seat): SeatAtWork {
  return { id, role, title, model };
}
