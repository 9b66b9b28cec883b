/**
 * Defines which facts a run's log can contain. A fact is an open envelope whose body belongs to one owner:
 * the kernel, or a protocol. Each owner has a closed list of facts, so that its own `switch` over facts is
 * checked by type, and nobody reads another owner's facts by accident.
 *
 * To add a fact: add its `factSchema` to its owner's list. To change one: raise its `v` and add a
 * function to the owner's `upgrades` that turns the older body into the newer one.
 */
import * as z from 'zod';
import { NewerRunError } from './errors.ts';

/** The position and the time of a fact in the log. */
export interface Envelope {
  readonly run: string;
  /** The position in the run's log, from 1 without gaps. */
  readonly seq: number;
  /** The time in ISO 8601, UTC, with milliseconds. */
  readonly at: string;
}

/** The fields that the content of every fact has: its type and the version of that type. */
export interface AnyBody {
  readonly v: number;
  readonly type: string;
  /** The step that the fact belongs to, if any. */
  readonly step?: string | undefined;
}

/** A fact (an entry of a run's log) of any type. */
export type AnyFact = Envelope & AnyBody;

/** A body without `v` and `type`, which `make` fills in. `Extract` keeps the members of the union apart. */
type Draft<B extends AnyBody, T extends B['type']> = Omit<Extract<B, { type: T }>, 'v' | 'type'>;

/**
 * Functions that describe a fact in a sentence, one for each type of fact. TypeScript reports an error
 * if the function for a type is missing.
 */
export type FactSentences<B extends AnyBody> = {
  readonly [T in B['type']]: (fact: Envelope & Extract<B, { type: T }>) => string;
};

/** Functions from an older body to the next version's body, by `type@v` of the older one. */
type Upgrades = Readonly<Record<string, (body: Record<string, unknown>) => object>>;

/** A SQL view by which people query the log; `src/store/sql-views.ts` has the conventions. */
export interface SqlView {
  readonly name: string;
  /**
   * The query after `CREATE VIEW name AS`. The query must work in SQLite 3.38, since older programs
   * read the file.
   */
  readonly select: string;
}

type BodySchema = z.ZodObject<{ v: z.ZodLiteral<number>; type: z.ZodLiteral<string> }>;

/**
 * Returns the schema of a fact's content: the fields `v` and `type`, then the given fields.
 * @param v the version of the type, from 1
 */
export function factSchema<T extends string, F extends z.ZodRawShape, V extends number = 1>(
  type: T,
  fields: F,
  v = 1 as V,
) {
  return z.object({ v: z.literal(v), type: z.literal(type), ...fields });
}

/**
 * All types of facts that one part of the program defines, with their schemas, upgrades and SQL
 * views.
 */
export class Vocabulary<B extends AnyBody> {
  readonly sqlViews: readonly SqlView[];
  readonly #describe: () => readonly BodySchema[];
  #known: ReadonlyMap<string, BodySchema> | undefined;
  readonly #upgrades: ReadonlyMap<string, (body: Record<string, unknown>) => object>;

  /** Used by `defineVocabulary`, which infers the type parameter from the schemas. */
  constructor(
    describe: () => readonly BodySchema[],
    upgrades: Upgrades,
    sqlViews: readonly SqlView[] = [],
  ) {
    this.#describe = describe;
    this.sqlViews = sqlViews;
    this.#upgrades = new Map(Object.entries(upgrades));
  }

  get #kinds(): ReadonlyMap<string, BodySchema> {
    this.#known ??= new Map(this.#describe().map((schema) => [schema.shape.type.value, schema]));
    return this.#known;
  }

  /** The schemas of all facts, one object schema per type, as they are published. */
  get schemas(): readonly BodySchema[] {
    return [...this.#kinds.values()];
  }

  /** Returns whether a type of fact belongs to this vocabulary. */
  has(type: string): boolean {
    return this.#kinds.has(type);
  }

  /**
   * Returns whether a fact belongs to this vocabulary. The content was already checked when the
   * fact entered the log or was read from it.
   */
  readonly owns = (fact: AnyFact): fact is Envelope & B => this.#kinds.has(fact.type);

  /**
   * Returns the fact with its type narrowed to this vocabulary; undefined if the fact belongs to
   * another one.
   */
  own(fact: AnyFact): (Envelope & B) | undefined {
    return this.owns(fact) ? fact : undefined;
  }

  /** Returns a predicate for facts of one type: `facts.filter(BOARD.is('ballot.cast'))`. */
  is<T extends B['type']>(type: T): (fact: AnyFact) => fact is Envelope & Extract<B, { type: T }> {
    return (fact): fact is Envelope & Extract<B, { type: T }> => fact.type === type;
  }

  /**
   * Returns the sentence that describes a fact, made by the function that `sayings` has for the fact's type.
   * Returns undefined if there is no such function, or if the fact belongs to another vocabulary.
   */
  say<O extends AnyBody>(sayings: FactSentences<O>, fact: AnyFact): string | undefined {
    if (!this.owns(fact) || !Object.hasOwn(sayings, fact.type)) return undefined;
    const saying = sayings[fact.type as O['type']] as (fact: AnyFact) => string;
    return saying(fact);
  }

  /**
   * Makes the content of a fact in the current version of its type: `make('run.ended', { status:
   * 'done' })`.
   */
  readonly make = <T extends B['type']>(type: T, body: Draft<B, T>): Extract<B, { type: T }> => {
    const v = this.#kinds.get(type)?.shape.v.value;
    return { v, type, ...body } as unknown as Extract<B, { type: T }>;
  };

  /**
   * Upgrades the content of an older fact to the current version of its type. Other content is returned
   * unchanged.
   */
  upgrade(body: Record<string, unknown>): Record<string, unknown> {
    let current = body;
    for (;;) {
      const step = this.#upgrades.get(`${String(current.type)}@${String(current.v)}`);
      if (step === undefined) return current;
      current = { ...step(current) };
    }
  }

  /** Returns the version of a type of fact that this program records; undefined for an unknown type. */
  versionOf(type: string): number | undefined {
    return this.#kinds.get(type)?.shape.v.value;
  }

  /**
   * Checks the content of a fact and drops unknown fields.
   * @throws z.ZodError if the content does not fit the schema, or the type belongs to another vocabulary
   */
  check(body: AnyBody): AnyBody {
    const schema = this.#kinds.get(body.type);
    if (schema === undefined) throw unknownKind(body.type);
    return schema.parse(body);
  }
}

/**
 * Makes a vocabulary from schemas of facts and SQL views. If `facts` is a function, it is called
 * when the schemas are first needed. This makes the program start faster, since a run needs only the
 * schemas of its own protocol. `upgrades` convert facts of older versions.
 */
export function defineVocabulary<const S extends readonly z.ZodObject[]>(
  facts: S | (() => S),
  upgrades: Upgrades = {},
  sqlViews: readonly SqlView[] = [],
): Vocabulary<z.infer<S[number]> & AnyBody> {
  const describe = typeof facts === 'function' ? facts : () => facts;
  return new Vocabulary(describe as unknown as () => readonly BodySchema[], upgrades, sqlViews);
}

/** Reads and checks facts of all vocabularies, for code that does not depend on the protocols. */
export interface FactReader {
  /**
   * Parses a stored or exported fact and upgrades an older version.
   * @throws NewerRunError if only a newer version of this program can have recorded the fact
   * @throws z.ZodError if the content does not fit the type
   */
  read(json: unknown): AnyFact;
  /**
   * Checks the content of a fact before it is recorded.
   * @throws z.ZodError if the content does not fit its type
   */
  check(body: AnyBody): AnyBody;
  /** The SQL views of all vocabularies. */
  readonly sqlViews: readonly SqlView[];
}

const stored = z.looseObject({ type: z.string(), v: z.number() });
const envelope = z.object({ run: z.string(), seq: z.number().int(), at: z.string() });
/**
 * The schema for facts of a protocol that is not installed: they are kept unchanged and shown by their
 * type.
 */
const foreign = z.looseObject({
  v: z.number().int().positive(),
  type: z.string(),
  step: z.string().optional(),
});

/**
 * Makes a reader for the facts of several vocabularies. A type with a slash, such as
 * `red-team/objection.raised`, belongs to a user's own protocol, which need not be installed; any
 * other unknown type is an error.
 */
export function readFacts(...owners: readonly Vocabulary<AnyBody>[]): FactReader {
  const checkBody = (body: AnyBody): AnyBody => {
    const owner = owners.find((candidate) => candidate.has(body.type));
    if (owner !== undefined) return owner.check(body);
    if (!body.type.includes('/')) throw unknownKind(body.type);
    // `parse` keeps all fields of a fact of a user's own protocol. Drop its run, position and time, so that a fork
    // does not record those of its parent.
    const { run: _run, seq: _seq, at: _at, ...own } = foreign.parse(body);
    return own;
  };
  return {
    check: checkBody,
    sqlViews: owners.flatMap(({ sqlViews }) => sqlViews),
    read: (json) => {
      const body = stored.parse(json);
      const owner = owners.find((candidate) => candidate.has(body.type));
      refuseNewerFact(body, owner?.versionOf(body.type));
      const current = owner?.upgrade(body) ?? body;
      return { ...envelope.parse(current), ...checkBody(current as unknown as AnyBody) };
    },
  };
}

/** The form of the types that this program gives to facts. */
const TYPE = /^[a-z]+(?:[-_][a-z]+)*(?:\.[a-z]+(?:[-_][a-z]+)*)+$/;

/**
 * Refuses a fact that a newer version of this program wrote: its type, or the version of its type, is unknown.
 * Does nothing for a type in another form than `TYPE`: such a type is damaged, or belongs to a user's own protocol.
 * @param known the version of the type that this program records; undefined for an unknown type
 * @throws NewerRunError
 */
function refuseNewerFact(
  { type, v, run }: { readonly type: string; readonly v: number; readonly run?: unknown },
  known: number | undefined,
): void {
  const isNew = known === undefined ? TYPE.test(type) : v > known;
  if (!isNew || typeof run !== 'string') return;
  const what = type.slice(0, 80);
  throw new NewerRunError(
    run,
    known === undefined
      ? `${what}, an unknown kind of fact`
      : `${what} in version ${v}; this version reads up to ${known}`,
    [known === undefined ? 'type' : 'v'],
  );
}

/**
 * Returns the fields of a fact of a user's own protocol, without run, position, time, version, type and step.
 * The values are not sanitised. Returns undefined for any other fact.
 */
export function ownFieldsOf(fact: AnyFact): Readonly<Record<string, unknown>> | undefined {
  if (!fact.type.includes('/')) return undefined;
  const { run: _run, seq: _seq, at: _at, v: _v, type: _type, step: _step, ...fields } = fact;
  return fields;
}

/**
 * Formats the fields of a fact of a user's own protocol, separated by commas: `text: It breaks., weight: 3`.
 * Returns undefined for any other fact. The text is not sanitised and may contain line breaks.
 */
export function formatFactBody(fact: AnyFact): string | undefined {
  const fields = ownFieldsOf(fact);
  return (
    fields &&
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${fieldText(value)}`)
      .join(', ')
  );
}

/** Formats the value of a field: a string stays as it is, anything else becomes JSON. */
export function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Makes a fact from its content, with empty values for `run`, `seq` and `at`. For functions that
 * take a fact and do not use these fields.
 */
export function toFoldable(body: AnyBody): AnyFact {
  return { run: '', seq: 0, at: '', ...body };
}

function unknownKind(type: string): z.ZodError {
  return new z.ZodError([
    {
      code: 'custom',
      path: ['type'],
      message: `unknown kind of fact: ${JSON.stringify(type.slice(0, 80))}`,
      input: type,
    },
  ]);
}
