/**
 * What the doctor found out about models, kept from one call of the program to the next: how each is
 * best given a schema, how much really reaches it, whether its server holds two at once; and how models
 * did at the reader's entrance, which runs of rounds hold as well. A profile counts for as long as it is
 * fresh and the model is the one that was measured. No address and no key is in it: a server is known by
 * a hash of where it is.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  type HostMeasured,
  holdsTogether,
  isCut,
  type ModelMeasured,
  rateOf,
} from './probe/verdicts.ts';
import { type Told, toldSchema } from './told.ts';

/** Servers are updated and models pulled anew: what was measured earlier is measured again. */
export const FRESH_DAYS = 30;
const DAY_MS = 86_400_000;

const profileSchema = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  /** What the model was, as its server tells editions apart; absent where it does not. */
  edition: z.string().optional(),
  /**
   * How it keeps to a schema: `given` as the protocol has it, `unthinking` with thinking switched off,
   * in `words`, or `never`.
   */
  schema: z.enum(['given', 'unthinking', 'words', 'never']).optional(),
  /** Tokens that reach the model, where that is less than its server declares. */
  window: z.number().int().positive().optional(),
  firstTokenMs: z.number().nonnegative(),
  /** Tokens a second. */
  rate: z.number().positive().optional(),
});
export type Profile = z.infer<typeof profileSchema>;

/** How it did at the reader's entrance, whoever held that: the doctor or a run. */
const readerSchema = z.object({
  at: z.iso.datetime(),
  edition: z.string().optional(),
  items: z.number().int(),
  errors: z.number().int(),
  /** Items that are not true and were called true. */
  calledTrue: z.number().int(),
});
export type Reader = z.infer<typeof readerSchema>;

const profilesSchema = z.object({
  v: z.literal(1),
  hosts: z.record(
    z.string(),
    z.object({
      at: z.iso.datetime(),
      /** Whether two models stay loaded side by side. */
      together: z.boolean().optional(),
      models: z.record(z.string(), profileSchema),
      readers: z.record(z.string(), readerSchema).optional(),
      told: toldSchema.optional(),
    }),
  ),
});
export type Profiles = z.infer<typeof profilesSchema>;

export const NO_PROFILES: Profiles = { v: 1, hosts: {} };

/** Undefined where it is no such file, or one of another version. */
export function parseProfiles(json: unknown): Profiles | undefined {
  const read = profilesSchema.safeParse(json);
  return read.success ? read.data : undefined;
}

function hostKey(endpoint: string): string {
  return createHash('sha256').update(endpoint.toLowerCase()).digest('hex').slice(0, 16);
}

function isFresh(at: string, now: number): boolean {
  const age = now - Date.parse(at);
  return age >= 0 && age < FRESH_DAYS * DAY_MS;
}

export function hasProfile(profiles: Profiles, endpoint: string, model: string): boolean {
  return Object.hasOwn(profiles.hosts[hostKey(endpoint)]?.models ?? {}, model);
}

/** What is known of a model, if it still holds. `edition`: what it is now. */
export function profileFor(
  profiles: Profiles,
  endpoint: string,
  model: string,
  edition: string | undefined,
  now: number,
): Profile | undefined {
  const models = profiles.hosts[hostKey(endpoint)]?.models ?? {};
  const found = Object.hasOwn(models, model) ? models[model] : undefined;
  return found && isFresh(found.at, now) && found.edition === edition ? found : undefined;
}

export function hasReader(profiles: Profiles, endpoint: string, model: string): boolean {
  return Object.hasOwn(profiles.hosts[hostKey(endpoint)]?.readers ?? {}, model);
}

/** How a model did at the reader's entrance, if that still holds. `edition`: what it is now. */
export function readerFor(
  profiles: Profiles,
  endpoint: string,
  model: string,
  edition: string | undefined,
  now: number,
): Reader | undefined {
  const readers = profiles.hosts[hostKey(endpoint)]?.readers ?? {};
  const found = Object.hasOwn(readers, model) ? readers[model] : undefined;
  return found && isFresh(found.at, now) && found.edition === edition ? found : undefined;
}

/** The profiles with an entrance that was held; a later one that is known already stays. */
export function withReader(
  profiles: Profiles,
  endpoint: string,
  model: string,
  reader: Reader,
): Profiles {
  const key = hostKey(endpoint);
  const host = profiles.hosts[key] ?? { at: reader.at, models: {} };
  const readers = host.readers ?? {};
  const known = Object.hasOwn(readers, model) ? readers[model] : undefined;
  if (known !== undefined && Date.parse(known.at) > Date.parse(reader.at)) return profiles;
  return {
    v: 1,
    hosts: { ...profiles.hosts, [key]: { ...host, readers: { ...readers, [model]: reader } } },
  };
}

/** What a server has told of itself before; undefined where nothing is remembered. */
export function toldAt(profiles: Profiles, endpoint: string): Told | undefined {
  return profiles.hosts[hostKey(endpoint)]?.told;
}

/** The profiles with what a server has told now. */
export function withTold(profiles: Profiles, endpoint: string, told: Told, at: string): Profiles {
  const key = hostKey(endpoint);
  const host = profiles.hosts[key] ?? { at, models: {} };
  return { v: 1, hosts: { ...profiles.hosts, [key]: { ...host, told } } };
}

/** Whether the server holds two models at once; undefined where that is not known any more. */
export function togetherAt(profiles: Profiles, endpoint: string, now: number): boolean | undefined {
  const host = profiles.hosts[hostKey(endpoint)];
  return host && isFresh(host.at, now) ? host.together : undefined;
}

/** The profiles with what was measured now; models that were not measured keep what they had. */
export function withMeasured(
  profiles: Profiles,
  host: HostMeasured,
  models: readonly {
    readonly name: string;
    readonly edition: string | undefined;
    readonly measured: ModelMeasured;
  }[],
  at: string,
): Profiles {
  const key = hostKey(host.endpoint);
  const before = profiles.hosts[key];
  const together = host.together === undefined ? before?.together : holdsTogether(host.together);
  const fresh = models.flatMap(({ name, edition, measured }) => {
    const profile = profileOf(measured, edition, at);
    return profile === undefined ? [] : [[name, profile] as const];
  });
  return {
    v: 1,
    hosts: {
      ...profiles.hosts,
      [key]: {
        at,
        ...(together === undefined ? {} : { together }),
        models: { ...before?.models, ...Object.fromEntries(fresh) },
        ...(before?.readers === undefined ? {} : { readers: before.readers }),
        ...(before?.told === undefined ? {} : { told: before.told }),
      },
    },
  };
}

/** Undefined where the model did not answer, or little enough was measured that nothing follows. */
function profileOf(
  { answer, schema, context }: ModelMeasured,
  edition: string | undefined,
  at: string,
): Profile | undefined {
  if ('code' in answer || schema === undefined) return undefined;
  const rate = rateOf(answer);
  const window =
    context !== undefined && 'read' in context && isCut(context) ? context.read : undefined;
  const manner = mannerOf(schema);
  return {
    at,
    ...(edition === undefined ? {} : { edition }),
    ...(manner === undefined ? {} : { schema: manner }),
    ...(window === undefined ? {} : { window }),
    firstTokenMs: Math.round(answer.firstTokenMs),
    ...(rate === undefined ? {} : { rate: Math.round(rate * 10) / 10 }),
  };
}

function mannerOf({
  given,
  unthinking,
  inWords,
}: NonNullable<ModelMeasured['schema']>): Profile['schema'] {
  if (given === 'obeyed') return 'given';
  if (unthinking === 'obeyed') return 'unthinking';
  if (inWords === 'obeyed') return 'words';
  // A call that failed says nothing about the schema.
  return [given, inWords].includes('failed') ? undefined : 'never';
}
