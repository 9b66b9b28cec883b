/** The definition of a user's own protocol, and the context that it gets while it runs. */
import * as z from 'zod';
import type { Tally } from '../figures/tally.ts';
import type { Figure } from './figure.ts';
import type {
  AskAll,
  AskOptions,
  Check,
  Gate,
  Grouping,
  GroupOptions,
  Heard,
  Item,
  LastBallot,
  Ledger,
  Outcome,
  Poll,
  SeatAtWork,
  SeatId,
} from './panel.ts';

export type * from './panel.ts';

/** A seat: its brief, or an object with its brief and options. */
export type SeatDefinition =
  | string
  | {
      /** The system prompt of the seat's calls. */
      readonly brief: string;
      /** The display name; by default from the role: `devils-advocate` → `Devils Advocate`. */
      readonly title?: string;
      /** `#rrggbb`, for the column's header. */
      readonly colour?: string;
      readonly temperature?: number;
      /** The thinking effort, if the model supports the level: `low`, `high`. */
      readonly effort?: string;
      /** The role has several seats with one brief: `juror-1`, `juror-2`, … */
      readonly many?: Many;
      /**
       * The seat gets a model of another family than the others, if one is found. A role that usually has
       * no seat then has one.
       */
      readonly outsider?: boolean;
    };

/** The number of seats of a role; `usual` if the person names none. */
export interface Many {
  readonly least: number;
  readonly usual: number;
  /** Default: 9. */
  readonly most?: number;
}

/** The schema of a fact's body, with a version unless it is the first. */
export type FactDefinition =
  | z.ZodObject
  | {
      /** Raise it whenever the body changes. Facts in older logs stay unchanged. */
      readonly v: number;
      readonly body: z.ZodObject;
    };

type BodyOf<F extends FactDefinition> = F extends z.ZodObject
  ? z.input<F>
  : F extends { readonly body: infer B extends z.ZodObject }
    ? z.input<B>
    : never;

/** The return value of `run`, created only by `conclude`. */
export interface Conclusion {
  readonly text: string;
}

/**
 * The context of a protocol. Every function that returns a promise is a step: done once for its key,
 * recorded, and returned from the record when a run is resumed, forked or replayed. A key consists of
 * letters, digits, `.`, `_` and `-`, in parts separated by `/`, and is used once.
 */
export interface Context<
  S,
  R extends string,
  F extends Record<string, FactDefinition>,
  T extends string = never,
> {
  readonly question: string;
  readonly settings: S;
  readonly seats: readonly SeatAtWork<R>[];
  /** The run's seed, for random choices that are the same when the run is resumed. */
  readonly seed: number;
  /**
   * Asks a seat and returns its answer; with a schema, the parsed object.
   * @throws NoAnswer if the call failed or a person stopped it
   */
  readonly ask: Ask<R>;
  /**
   * Runs any other work that takes time or may have different results: a file, a command, the clock.
   * `inputs` and the result are JSON. With other inputs than the recorded ones it runs again. An exception
   * ends the run.
   */
  readonly step: <T>(key: string, inputs: unknown, work: () => T | Promise<T>) => Promise<T>;
  /** Records one of the protocol's own facts: `NAME/objection.raised` in the log. */
  readonly emit: <K extends string & keyof F>(
    key: string,
    kind: K,
    body: BodyOf<F[K]>,
  ) => Promise<void>;
  /** Returns the person's notes at the console since the last call, oldest first. */
  readonly takeInput: (key: string) => Promise<readonly string[]>;
  /** Asks several seats in parallel, each under `KEY/SEAT`. Seats without an answer are left out. */
  readonly askAll: AskAll<R>;
  /** Returns those of the seats that have answered everything they were asked so far. */
  readonly present: (seats: readonly SeatAtWork<R>[]) => SeatAtWork<R>[];
  /**
   * Asks for blind answers with a ballot each. `judge` decides which choices are one option, and the first
   * tally is shown.
   */
  readonly poll: (
    key: string,
    seats: readonly SeatAtWork<R>[],
    prompt: string,
    options: { readonly judge: SeatId<R>; readonly least?: number },
  ) => Promise<Poll<R>>;
  /**
   * Compares later ballots with the first, shows who changed, and describes it. `because`: an id, or
   * `nothing`.
   */
  readonly compare: (
    key: string,
    poll: Poll<R>,
    last: readonly Heard<LastBallot, R>[],
    /** The texts of the ids in `because`. */
    reasons?: readonly Item[],
  ) => Promise<{
    readonly tally: Tally;
    /** The result of the last ballots in a sentence; none with fewer than two. */
    readonly result: string;
    readonly moved: string;
    /** Titles of seats that changed and named no reason. */
    readonly unexplained: readonly string[];
  }>;
  /** Builds a prompt: the question, the task, and further paragraphs. */
  readonly prompt: (task: string, ...more: readonly string[]) => string;
  /**
   * Asks the person at the console to choose, or to edit a draft. If nobody is there, the default is taken.
   */
  readonly gate: Gate;
  /**
   * Groups texts with the same meaning: a seat outside the panel sorts their ids, the program refuses pairs
   * that are opposed or differ in a number, and the person sees the groups. Without a person, only pairs
   * that a second call in another order confirms are joined.
   */
  readonly group: (
    key: string,
    seat: SeatId<R>,
    items: readonly Item[],
    options: GroupOptions,
  ) => Promise<Grouping>;
  /**
   * Opens a list of statements whose ids, quotations and statuses the program manages: `const points =
   * ledger('points', 'P')`.
   */
  readonly ledger: (name: string, prefix: string) => Ledger;
  /** Shows a figure in the Method tab and the report. It replaces an earlier one with the same title. */
  readonly show: (key: string, figure: Figure) => Promise<void>;
  /** The instructions of `texts`, with the person's replacements. */
  readonly texts: Readonly<Record<T, string>>;
  /** Records the outcome of the run. Return its result: `return conclude(text)`. */
  readonly conclude: (outcome: string | Outcome) => Promise<Conclusion>;
}

export interface Ask<R extends string = string> {
  <V extends z.ZodType>(
    key: string,
    seat: SeatId<R>,
    prompt: string,
    options: AskOptions & { readonly schema: V; readonly check?: Check<z.output<V>, R> },
  ): Promise<z.output<V>>;
  (
    key: string,
    seat: SeatId<R>,
    prompt: string,
    options?: AskOptions & { readonly check?: Check<string, R> },
  ): Promise<string>;
}

export interface ProtocolDefinition<
  S extends z.ZodObject = z.ZodObject<Record<never, never>>,
  R extends string = string,
  F extends Record<string, FactDefinition> = Record<never, never>,
  T extends string = never,
> {
  /**
   * Lower-case letters, digits and dashes; not the name of a built-in protocol. Names its runs and its
   * facts.
   */
  readonly name: string;
  /** The settings, set with `--set name=value`; a setting without a default is required. */
  readonly settings?: S;
  readonly seats: Readonly<Record<R, SeatDefinition>>;
  readonly facts?: F;
  /** Instructions that people may replace, by name. */
  readonly texts?: Readonly<Record<T, string>>;
  /**
   * By the first part of a step's key: the earlier texts that its prompts may contain, as first parts of
   * steps' keys, fields of their answers (`estimate.because`), or the seat's own (`own:estimate`). It is
   * not enforced during a run; a test can check every prompt against it.
   */
  readonly phases?: Readonly<Record<string, readonly string[]>>;
  /** The least and the most calls it makes, for `--estimate`. */
  readonly calls?: (
    settings: z.output<S>,
    seats: readonly SeatId<R>[],
  ) => readonly [number, number];
  /** The protocol itself. It must await only functions of its context. */
  readonly run: (context: Context<z.output<S>, R, F, T>) => Promise<Conclusion>;
}

/** A definition without specific types, as the program uses it. */
export type AnyDefinition = ProtocolDefinition<
  z.ZodObject,
  string,
  Readonly<Record<string, FactDefinition>>,
  string
>;

/** A global symbol, the same in every copy of this file, as tests load it from the source. */
const MADE = Symbol.for('deliberate/protocol');

/** What a protocol file exports by default. */
export interface OwnProtocol {
  readonly name: string;
}

/** Thrown for an invalid definition. The message follows the place where it happened. */
class WrongDefinition extends Error {
  override readonly name = 'WrongDefinition';
}

/** Checks a definition; `export default protocol({…})`. @throws WrongDefinition */
export function protocol<
  R extends string,
  S extends z.ZodObject = z.ZodObject<Record<never, never>>,
  const F extends Record<string, FactDefinition> = Record<never, never>,
  T extends string = never,
>(definition: ProtocolDefinition<S, R, F, T>): OwnProtocol {
  const given = definition as unknown as AnyDefinition;
  check(given);
  const made: OwnProtocol = { name: given.name };
  return Object.freeze(Object.defineProperty(made, MADE, { value: given }));
}

/** Returns the definition that was passed to `protocol`; undefined for any other value. */
export function definitionIn(value: unknown): AnyDefinition | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, MADE)) return undefined;
  return (value as Record<symbol, unknown>)[MADE] as AnyDefinition;
}

/** The valid names of protocols. */
export const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const ROLE = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;
/** The most seats of one role by default; more columns could not be read. */
export const MOST_SEATS = 9;
const KIND = /^[a-z][a-z0-9]*([.-][a-z0-9]+)*$/;
/** Fields that every fact in the log has. */
const ENVELOPE: ReadonlySet<string> = new Set(['v', 'type', 'step', 'run', 'seq', 'at']);

function check(definition: AnyDefinition): void {
  if (typeof definition !== 'object' || definition === null)
    throw new WrongDefinition('protocol({…}) takes an object');
  const { name, settings, seats, facts = {}, texts = {}, calls, run } = definition;
  if (typeof name !== 'string' || !NAME.test(name))
    throw new WrongDefinition(
      `name: ${show(name)} is not a valid name; use lower-case letters, digits and dashes: red-team`,
    );
  if (settings !== undefined && !isObjectSchema(settings))
    throw new WrongDefinition('settings: write z.object({…}), with the z of deliberate/protocol');
  if (typeof seats !== 'object' || seats === null || Object.keys(seats).length === 0)
    throw new WrongDefinition("seats: name at least one: { critic: 'You look for what breaks.' }");
  for (const [role, seat] of Object.entries(seats)) checkSeat(role, seat);
  for (const [kind, one] of Object.entries(facts)) checkFact(kind, one);
  for (const [text, words] of Object.entries(texts))
    if (typeof words !== 'string' || words.trim() === '')
      throw new WrongDefinition(`texts: ${show(text)} is not text; write { ${text}: 'Answer …' }`);
  if (calls !== undefined && typeof calls !== 'function')
    throw new WrongDefinition('calls: write a function that returns [least, most]');
  if (typeof run !== 'function')
    throw new WrongDefinition('run: write async run({ question, ask, conclude }) { … }');
}

function checkSeat(role: string, seat: unknown): void {
  if (!ROLE.test(role))
    throw new WrongDefinition(
      `seats: ${show(role)} is not a valid role; use lower-case letters: critic`,
    );
  const brief = typeof seat === 'object' && seat !== null && 'brief' in seat ? seat.brief : seat;
  if (typeof brief !== 'string')
    throw new WrongDefinition(`seats: ${role} has no brief; write { ${role}: 'You …' }`);
  const many = typeof seat === 'object' && seat !== null && 'many' in seat ? seat.many : undefined;
  if (many !== undefined) checkMany(role, many);
}

function checkMany(role: string, many: unknown): void {
  const { least, usual, most = MOST_SEATS } = Object(many) as Partial<Many>;
  const isOne = [least, usual, most].every((one) => Number.isInteger(one) && Number(one) >= 0);
  if (!isOne || Number(least) > Number(usual) || Number(usual) > most)
    throw new WrongDefinition(
      `seats: ${role}: many is { least, usual, most } in rising whole numbers: { least: 2, usual: 3 }`,
    );
}

function checkFact(kind: string, one: unknown): void {
  if (!KIND.test(kind))
    throw new WrongDefinition(
      `facts: ${show(kind)} is not a valid kind; use lower-case letters: 'objection.raised'`,
    );
  const { v, body } = factOf(one as FactDefinition);
  if (!Number.isInteger(v) || v < 1)
    throw new WrongDefinition(`facts: ${kind}: v is a whole number from 1 on`);
  if (!isObjectSchema(body)) throw new WrongDefinition(`facts: ${kind}: write z.object({…})`);
  const taken = Object.keys(body.shape).find((key) => ENVELOPE.has(key));
  if (taken !== undefined)
    throw new WrongDefinition(`facts: ${kind}: every fact has a ${taken}; call it something else`);
}

/** Returns the version and schema of a fact. */
export function factOf(one: FactDefinition): { v: number; body: z.ZodObject } {
  return isObjectSchema(one) ? { v: 1, body: one } : (one as { v: number; body: z.ZodObject });
}

/** Returns whether a value is an object schema, of any copy of zod. */
function isObjectSchema(value: unknown): value is z.ZodObject {
  return (
    value instanceof z.ZodObject ||
    (typeof value === 'object' && value !== null && 'shape' in value && 'safeParse' in value)
  );
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? String(value);
}
