/**
 * What can be said in a run's log. A fact is an open envelope; what is inside belongs to one owner: the
 * kernel, or a protocol. Each owner keeps a closed vocabulary, so that its own `switch` over facts is
 * checked by type, and nobody can read another owner's facts by accident.
 *
 * To add a fact: add its schema to its owner's list with `v: 1`. To change one: raise its `v` and say
 * in the owner's `upgrades` how the older body becomes the newer one.
 */
import * as z from 'zod';

/** Where and when a fact stands in the log. */
export interface Envelope {
  readonly run: string;
  /** 1, 2, 3, … within the run. */
  readonly seq: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
}

/** What every fact says: its kind, and in which version. */
export interface AnyBody {
  readonly v: number;
  readonly type: string;
  /** The step it belongs to, where it belongs to one. */
  readonly step?: string | undefined;
}

/** A fact of whatever owner, as the log holds it. */
export type AnyFact = Envelope & AnyBody;

/** A body as `Omit` would spoil it: the union kept apart, `v` left for `make` to fill in. */
type Draft<B extends AnyBody, T extends B['type']> = Omit<Extract<B, { type: T }>, 'v' | 'type'>;

/** A sentence for each kind of fact: a kind that has none is an error of types. */
export type Sayings<B extends AnyBody> = {
  readonly [T in B['type']]: (one: Envelope & Extract<B, { type: T }>) => string;
};

/** From `type@v` of an older body to the next version's body. */
type Upgrades = Readonly<Record<string, (body: Record<string, unknown>) => object>>;

/** Facts as a table that people query: SQL to read the log by, see `src/store/sql-views.ts`. */
export interface SqlView {
  readonly name: string;
  /** What stands behind `CREATE VIEW name AS`. Old programs read it: SQLite 3.38 has to understand it. */
  readonly select: string;
}

type BodySchema = z.ZodObject<{ v: z.ZodLiteral<number>; type: z.ZodLiteral<string> }>;

/** The closed list of an owner's facts. */
export class Vocabulary<B extends AnyBody> {
  readonly sqlViews: readonly SqlView[];
  readonly #describe: () => readonly BodySchema[];
  #known: ReadonlyMap<string, BodySchema> | undefined;
  readonly #upgrades: ReadonlyMap<string, (body: Record<string, unknown>) => object>;

  /** Use `vocabulary` or `extend`, which infer the bodies. */
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
    this.#known ??= new Map(this.#describe().map((one) => [one.shape.type.value, one]));
    return this.#known;
  }

  /** For published schemas; one object schema a kind. */
  get schemas(): readonly BodySchema[] {
    return [...this.#kinds.values()];
  }

  /** Whether a kind of fact is one of these. */
  has(type: string): boolean {
    return this.#kinds.has(type);
  }

  /** Whether the fact is one of these. It was checked when it entered the log or was read from it. */
  readonly owns = (one: AnyFact): one is Envelope & B => this.#kinds.has(one.type);

  /** The fact as one of these; undefined where it belongs to another owner. */
  own(one: AnyFact): (Envelope & B) | undefined {
    return this.owns(one) ? one : undefined;
  }

  /** `facts.filter(BOARD.is('ballot.cast'))`: those of one kind. */
  is<T extends B['type']>(type: T): (one: AnyFact) => one is Envelope & Extract<B, { type: T }> {
    return (one): one is Envelope & Extract<B, { type: T }> => one.type === type;
  }

  /** What is said of a fact; undefined where there is no sentence for its kind. */
  say<O extends AnyBody>(sayings: Sayings<O>, one: AnyFact): string | undefined {
    if (!this.owns(one) || !Object.hasOwn(sayings, one.type)) return undefined;
    const saying = sayings[one.type as O['type']] as (one: AnyFact) => string;
    return saying(one);
  }

  /** Makes a body of the version that is current: `make('run.ended', { status: 'done' })`. */
  readonly make = <T extends B['type']>(type: T, body: Draft<B, T>): Extract<B, { type: T }> => {
    const v = this.#kinds.get(type)?.shape.v.value;
    return { v, type, ...body } as unknown as Extract<B, { type: T }>;
  };

  /** Brings an older body up to date. */
  upgrade(body: Record<string, unknown>): Record<string, unknown> {
    let current = body;
    for (;;) {
      const step = this.#upgrades.get(`${String(current.type)}@${String(current.v)}`);
      if (step === undefined) return current;
      current = { ...step(current) };
    }
  }

  /** Checks a body; what it does not name is left out. @throws z.ZodError */
  check(body: AnyBody): AnyBody {
    const schema = this.#kinds.get(body.type);
    if (schema === undefined) throw unknownKind(body.type);
    return schema.parse(body);
  }
}

/**
 * An owner's facts, and the views by which they are queried. Given as a function, the facts are described
 * when somebody asks for them: those of all protocols are a tenth of what a start costs, and a run has
 * those of one.
 */
export function vocabulary<const S extends readonly z.ZodObject[]>(
  facts: S | (() => S),
  upgrades: Upgrades = {},
  sqlViews: readonly SqlView[] = [],
): Vocabulary<z.infer<S[number]> & AnyBody> {
  const describe = typeof facts === 'function' ? facts : () => facts;
  return new Vocabulary(describe as unknown as () => readonly BodySchema[], upgrades, sqlViews);
}

/** What somebody else's log is read and checked by, who knows no vocabulary. */
export interface FactReader {
  /**
   * A fact as it was stored or exported, older versions brought up to date.
   * @throws z.ZodError where it fits no fact that is known here.
   */
  read(json: unknown): AnyFact;
  /** A body on its way into the log. @throws z.ZodError */
  check(body: AnyBody): AnyBody;
  /** How the facts are queried. */
  readonly sqlViews: readonly SqlView[];
}

const stored = z.looseObject({ type: z.string(), v: z.number() });
const envelope = z.object({ run: z.string(), seq: z.number().int(), at: z.string() });
/** Facts of a protocol that is not here: kept as they are, and shown by their kind. */
const foreign = z.looseObject({
  v: z.number().int().positive(),
  type: z.string(),
  step: z.string().optional(),
});

/**
 * Reads the facts of several owners. A kind with a slash (`red-team/objection.raised`) is some
 * protocol's own, which need not be here; any other kind has to be known, so that a fact that somebody
 * forgot to list fails at once.
 */
export function readFacts(...owners: readonly Vocabulary<AnyBody>[]): FactReader {
  const check = (body: AnyBody): AnyBody => {
    const owner = owners.find((one) => one.has(body.type));
    if (owner !== undefined) return owner.check(body);
    if (!body.type.includes('/')) throw unknownKind(body.type);
    // A fork hands on its parent's facts: where those stood is no part of what they say.
    const { run: _run, seq: _seq, at: _at, ...own } = foreign.parse(body);
    return own;
  };
  return {
    check,
    sqlViews: owners.flatMap(({ sqlViews }) => sqlViews),
    read: (json) => {
      const body = stored.parse(json);
      const owner = owners.find((one) => one.has(body.type));
      const current = owner?.upgrade(body) ?? body;
      return { ...envelope.parse(current), ...check(current as unknown as AnyBody) };
    },
  };
}

/** Returns what a fact of somebody's own protocol holds beside its envelope, not clean; undefined for any other fact. */
export function ownFieldsOf(fact: AnyFact): Readonly<Record<string, unknown>> | undefined {
  if (!fact.type.includes('/')) return undefined;
  const { run: _run, seq: _seq, at: _at, v: _v, type: _type, step: _step, ...fields } = fact;
  return fields;
}

/** Returns the fields of such a fact in a line, not clean: `text: It breaks., weight: 3`. */
export function bodyWords(fact: AnyFact): string | undefined {
  const fields = ownFieldsOf(fact);
  return (
    fields &&
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${fieldText(value)}`)
      .join(', ')
  );
}

/** Returns a value of a field as text: a string as it is, anything else as JSON. */
export function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
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
