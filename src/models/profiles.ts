/**
 * Stores what the doctor measured of models: how each is best given a schema, how much of a prompt reaches
 * it, and whether its server keeps two models in memory. Results of the entrance test for readers, which
 * runs of rounds hold too, are stored as well. A profile applies as long as it is recent and the model has
 * the same edition. It contains no address and no key: a server is identified by a hash of its address.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { withoutUndefined } from '../text/without-undefined.ts';
import {
  type HostMeasured,
  holdsTogether,
  isCut,
  type ModelMeasured,
  rateOf,
} from './probe/verdicts.ts';
import { type ServerReport, toldSchema } from './told.ts';

/**
 * The age in days from which stored measurements no longer count, since servers and models are updated.
 */
export const FRESH_DAYS = 30;
const DAY_MS = 86_400_000;

const profileSchema = z.object({
  /** When the model was measured, in ISO 8601. */
  at: z.iso.datetime(),
  /**
   * What the server reports to identify the edition of the model, such as a digest; absent if the server
   * reported none.
   */
  edition: z.string().optional(),
  /**
   * How the model keeps to a schema: `given` as a parameter, `unthinking` with thinking switched off, in
   * `words` in the prompt, or `never`. Absent if the doctor could not tell.
   */
  schema: z.enum(['given', 'unthinking', 'words', 'never']).optional(),
  /** The tokens that reach the model, if fewer than its server declares. */
  window: z.number().int().positive().optional(),
  firstTokenMs: z.number().nonnegative(),
  /** Tokens per second after the first token; absent if the answer was too short to tell. */
  rate: z.number().positive().optional(),
});
/** The stored measurements of one model. */
export type Profile = z.infer<typeof profileSchema>;

/** A model's result in the entrance test for readers, held by the doctor or a run. */
const readerSchema = z.object({
  /** When the model took the entrance test, in ISO 8601. */
  at: z.iso.datetime(),
  /**
   * What the server reports to identify the edition of the model, such as a digest; absent if the server
   * reported none.
   */
  edition: z.string().optional(),
  /** The number of statements that the model judged. */
  items: z.number().int(),
  /** The number of statements that the model judged wrongly. */
  errors: z.number().int(),
  /** The number of false or undecided statements that the model called true. */
  calledTrue: z.number().int(),
});
/**
 * A model's stored result in the entrance test, whether passed or not. The test decides whether the
 * model may be a reader, which checks claims against documents.
 */
export type ReaderResult = z.infer<typeof readerSchema>;

const profilesSchema = z.object({
  v: z.literal(1),
  hosts: z.record(
    z.string(),
    z.object({
      at: z.iso.datetime(),
      /** Whether the server keeps two models in memory at the same time; absent if this was not measured. */
      together: z.boolean().optional(),
      models: z.record(z.string(), profileSchema),
      readers: z.record(z.string(), readerSchema).optional(),
      told: toldSchema.optional(),
    }),
  ),
});
/** All stored measurements, by server and model. */
export type Profiles = z.infer<typeof profilesSchema>;

/** The profiles before anything was measured. */
export const NO_PROFILES: Profiles = { v: 1, hosts: {} };

/** Parses the file of profiles. Returns undefined if its content or version is not as expected. */
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

/** Returns whether measurements of a model are stored, however old. */
export function hasProfile(profiles: Profiles, endpoint: string, model: string): boolean {
  return Object.hasOwn(profiles.hosts[hostKey(endpoint)]?.models ?? {}, model);
}

/**
 * Returns the stored measurements of a model; undefined if there are none, they are too old, or
 * `edition` differs from the stored one. `edition` identifies what the server offers under the
 * model's name now; `now` is in milliseconds since the epoch.
 */
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

/**
 * Returns whether a model's result in the entrance test for readers is stored, however old, and whether
 * passed or not.
 */
export function hasReaderResult(profiles: Profiles, endpoint: string, model: string): boolean {
  return Object.hasOwn(profiles.hosts[hostKey(endpoint)]?.readers ?? {}, model);
}

/**
 * Returns a model's stored result in the entrance test for readers, whether passed or not. Undefined if
 * there is none, it is `FRESH_DAYS` old, or `edition` differs from the stored one. `edition` identifies
 * what the server offers under the model's name now; `now` is in milliseconds since the epoch.
 */
export function findReaderResult(
  profiles: Profiles,
  endpoint: string,
  model: string,
  edition: string | undefined,
  now: number,
): ReaderResult | undefined {
  const readers = profiles.hosts[hostKey(endpoint)]?.readers ?? {};
  const found = Object.hasOwn(readers, model) ? readers[model] : undefined;
  return found && isFresh(found.at, now) && found.edition === edition ? found : undefined;
}

/** Adds a new result in the entrance test to the profiles, unless a later result is stored. */
export function withReaderResult(
  profiles: Profiles,
  endpoint: string,
  model: string,
  reader: ReaderResult,
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

/**
 * Returns what a server reported about itself and its models in earlier processes; undefined if
 * nothing is stored.
 */
export function findReported(profiles: Profiles, endpoint: string): ServerReport | undefined {
  return profiles.hosts[hostKey(endpoint)]?.told;
}

/**
 * Adds what a server reported about itself and its models to the profiles.
 * @param at the time of the report, in ISO 8601
 */
export function withReported(
  profiles: Profiles,
  endpoint: string,
  told: ServerReport,
  at: string,
): Profiles {
  const key = hostKey(endpoint);
  const host = profiles.hosts[key] ?? { at, models: {} };
  return { v: 1, hosts: { ...profiles.hosts, [key]: { ...host, told } } };
}

/**
 * Returns whether the server keeps two models in memory; undefined if that is unknown or the server
 * was last measured too long ago.
 */
export function canKeepTwoModels(
  profiles: Profiles,
  endpoint: string,
  now: number,
): boolean | undefined {
  const host = profiles.hosts[hostKey(endpoint)];
  return host && isFresh(host.at, now) ? host.together : undefined;
}

/**
 * Adds new measurements of a server and some of its models to the profiles. The stored measurements
 * of its other models stay.
 * @param at the time of the measurements, in ISO 8601
 */
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
        ...withoutUndefined({ together }),
        models: { ...before?.models, ...Object.fromEntries(fresh) },
        ...withoutUndefined({ readers: before?.readers, told: before?.told }),
      },
    },
  };
}

/**
 * Returns the profile that follows from measurements; undefined if the model did not answer or too little
 * was measured.
 */
function profileOf(
  { answer, schema, context }: ModelMeasured,
  edition: string | undefined,
  at: string,
): Profile | undefined {
  if ('code' in answer || schema === undefined) return undefined;
  const rate = rateOf(answer);
  const window =
    context !== undefined && 'read' in context && isCut(context) ? context.read : undefined;
  const manner = schemaSupport(schema);
  return {
    at,
    ...withoutUndefined({ edition, schema: manner, window }),
    firstTokenMs: Math.round(answer.firstTokenMs),
    ...(rate === undefined ? {} : { rate: Math.round(rate * 10) / 10 }),
  };
}

function schemaSupport({
  given,
  unthinking,
  inWords,
}: NonNullable<ModelMeasured['schema']>): Profile['schema'] {
  if (given === 'obeyed') return 'given';
  if (unthinking === 'obeyed') return 'unthinking';
  if (inWords === 'obeyed') return 'words';
  const isUnknown = [given, unthinking, inWords].includes('failed');
  return isUnknown ? undefined : 'never';
}
