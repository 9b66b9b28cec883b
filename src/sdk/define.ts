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

/** The definition of a seat: its brief alone, or an object with the brief and options. */
export type SeatDefinition =
  | string
  | {
      /** The system prompt of the seat's calls. */
      readonly brief: string;
      /**
       * The display name. By default made from the role: `Devils Advocate` for `devils-advocate`.
       */
      readonly title?: string;
      /** The color of the seat's column, as `#rrggbb`. */
      readonly colour?: string;
      readonly temperature?: number;
      /** The thinking effort, if the model supports the level: `low`, `high`. */
      readonly effort?: string;
      /** Lets the role have several seats with the same brief, such as `juror-1` and `juror-2`. */
      readonly many?: Many;
      /**
       * If no model is named for the seat, gives it a model of another family than the other seats have, if
       * there is one. If the role normally has no seat, it then gets one.
       */
      readonly outsider?: boolean;
    };

/** How many seats a role may have. `usual` applies if the person names none. */
export interface Many {
  readonly least: number;
  readonly usual: number;
  /** The largest number; by default 9. */
  readonly most?: number;
}

/** The definition of a fact: the schema of its content, with a version unless that is 1. */
export type FactDefinition =
  | z.ZodObject
  | {
      /**
       * The version. Raise it whenever the schema changes; facts in older logs stay as they are.
       */
      readonly v: number;
      readonly body: z.ZodObject;
    };

type BodyOf<F extends FactDefinition> = F extends z.ZodObject
  ? z.input<F>
  : F extends { readonly body: infer B extends z.ZodObject }
    ? z.input<B>
    : never;

/** The value that `run` must return. Only `conclude` creates it. */
export interface Conclusion {
  readonly text: string;
}

/**
 * Everything that a protocol can do. Every function that returns a promise is a step: it is done
 * once for its key and recorded, and a run that is resumed, replayed or forked at a later step gets the
 * recorded result. A key may be used once. A key consists of letters, digits, `.`, `_` and `-`, in parts
 * separated by `/`.
 */
export interface Context<
  S,
  R extends string,
  F extends Record<string, FactDefinition>,
  T extends string = never,
> {
  /** The question of the run. */
  readonly question: string;
  /** The settings of the run, as the protocol's schema parsed them. */
  readonly settings: S;
  readonly seats: readonly SeatAtWork<R>[];
  /** The seed of the run, for random choices that must be the same when the run is resumed. */
  readonly seed: number;
  /**
   * Asks a seat, and returns its answer; with a schema, the parsed object.
   * @throws NoAnswer if the call failed, a person stopped it, or its answer was rejected twice
   */
  readonly ask: Ask<R>;
  /**
   * Does any other work that takes time or may have different results, such as reading a file or
   * the clock. `inputs` and the result must be JSON. If the inputs differ from the recorded ones,
   * the work is done again. An exception ends the run.
   */
  readonly step: <T>(key: string, inputs: unknown, work: () => T | Promise<T>) => Promise<T>;
  /**
   * Records one of the protocol's own facts. The log names its type with the protocol:
   * `NAME/objection.raised`.
   */
  readonly emit: <K extends string & keyof F>(
    key: string,
    kind: K,
    body: BodyOf<F[K]>,
  ) => Promise<void>;
  /**
   * Returns the notes that the person has written at the console since the last call, oldest first.
   */
  readonly takeInput: (key: string) => Promise<readonly string[]>;
  /**
   * Asks several seats in parallel, each under the key `KEY/SEAT`. Seats without an answer are left
   * out of the result.
   */
  readonly askAll: AskAll<R>;
  /**
   * Returns the given seats without those that have left a call unanswered so far. A seat that was never asked
   * stays.
   */
  readonly present: (seats: readonly SeatAtWork<R>[]) => SeatAtWork<R>[];
  /**
   * Asks seats for blind answers, each with a choice, and shows how many chose what. `judge` is the
   * seat that decides which choices mean the same. If fewer than `least` seats answer (default: 1), the run
   * ends, and its conclusion contains only their answers.
   */
  readonly poll: (
    key: string,
    seats: readonly SeatAtWork<R>[],
    prompt: string,
    options: { readonly judge: SeatId<R>; readonly least?: number },
  ) => Promise<Poll<R>>;
  /**
   * Compares later ballots with the first ones, and shows and describes who changed. Each ballot's
   * `because` is the id of a text, or `nothing`.
   */
  readonly compare: (
    key: string,
    poll: Poll<R>,
    last: readonly Heard<LastBallot, R>[],
    /** The texts of the ids in `because`. */
    reasons?: readonly Item[],
  ) => Promise<{
    /** The count of the last ballots. */
    readonly tally: Tally;
    /** The result of the last ballots in a sentence; with fewer than two ballots, that there is no result. */
    readonly result: string;
    /** Who changed from what to what, with the reason, in a sentence; or that nobody did or nobody voted again. */
    readonly moved: string;
    /** Titles of seats that changed and named no reason. */
    readonly unexplained: readonly string[];
  }>;
  /** Builds a prompt from the question, the task and further paragraphs. */
  readonly prompt: (task: string, ...more: readonly string[]) => string;
  /**
   * Asks the person at the console to choose, or to edit a draft. If nobody is there, the default
   * or the draft is taken.
   */
  readonly gate: Gate;
  /**
   * Groups texts with the same meaning. The seat, which is no member of the panel, sorts the texts'
   * ids. Pairs that are opposed or differ in a number are refused. With `gate`, a person confirms
   * the groups. Without it, or if no person answers, texts are joined if their wording is equal or if a second
   * call in another order confirms the pair.
   */
  readonly group: (
    key: string,
    seat: SeatId<R>,
    items: readonly Item[],
    options: GroupOptions,
  ) => Promise<Grouping>;
  /**
   * Opens a list of statements for which the program manages ids, quotations and statuses: `const
   * points = ledger('points', 'P')`.
   */
  readonly ledger: (name: string, prefix: string) => Ledger;
  /**
   * Shows a figure in the console's Method tab and in the report. A figure replaces an earlier one
   * with the same title.
   */
  readonly show: (key: string, figure: Figure) => Promise<void>;
  /** The protocol's `texts`, where a person's replacements take precedence. */
  readonly texts: Readonly<Record<T, string>>;
  /** Records the outcome of the run. Its result must be returned: `return conclude(text)`. */
  readonly conclude: (outcome: string | Outcome) => Promise<Conclusion>;
}

/** Asks one seat, with or without a schema for the answer, see `Context.ask`. */
export interface Ask<R extends string = string> {
  /** Returns the parsed object; the seat must answer in the form of `schema`. */
  <V extends z.ZodType>(
    key: string,
    seat: SeatId<R>,
    prompt: string,
    options: AskOptions & { readonly schema: V; readonly check?: Check<z.output<V>, R> },
  ): Promise<z.output<V>>;
  /** Returns the answer as text. */
  (
    key: string,
    seat: SeatId<R>,
    prompt: string,
    options?: AskOptions & { readonly check?: Check<string, R> },
  ): Promise<string>;
}

/**
 * A protocol in a user's own file: its seats, settings, facts and the function that carries it out.
 */
export interface ProtocolDefinition<
  S extends z.ZodObject = z.ZodObject<Record<never, never>>,
  R extends string = string,
  F extends Record<string, FactDefinition> = Record<never, never>,
  T extends string = never,
> {
  /**
   * The name of the protocol: lower-case letters, digits and dashes, and not the name of a built-in
   * protocol. The type of each of its facts begins with it.
   */
  readonly name: string;
  /**
   * The schema of its settings, which people set with `--set name=value`. A setting without a
   * default is required.
   */
  readonly settings?: S;
  /** The definitions of the seats, by role. */
  readonly seats: Readonly<Record<R, SeatDefinition>>;
  /** The definitions of its own facts, by kind. */
  readonly facts?: F;
  /** Instructions for models that people may replace, by name. */
  readonly texts?: Readonly<Record<T, string>>;
  /**
   * Which earlier texts the prompts of a step may contain, by the first part of the step's key (`attack` for
   * the key `attack/1`). Each text is named by the first part of the key of the step that it comes from
   * (`estimate`), by a field of that step's answers (`estimate.because`), or as the same seat's own text
   * (`own:estimate`). A run does not enforce these limits; a test can check every prompt against them.
   */
  readonly phases?: Readonly<Record<string, readonly string[]>>;
  /** Returns the smallest and the largest number of calls, for `--estimate`. */
  readonly calls?: (
    settings: z.output<S>,
    seats: readonly SeatId<R>[],
  ) => readonly [number, number];
  /** Carries out the protocol. The function must await nothing but functions of its context. */
  readonly run: (context: Context<z.output<S>, R, F, T>) => Promise<Conclusion>;
}

/** The definition of any protocol, without its specific types. */
export type AnyDefinition = ProtocolDefinition<
  z.ZodObject,
  string,
  Readonly<Record<string, FactDefinition>>,
  string
>;

/**
 * The symbol of the property that holds a protocol's definition. The symbol is global, and so the
 * same in every loaded copy of this file: tests load another copy, from the source.
 */
const MADE = Symbol.for('deliberate/protocol');

/** The value that a protocol file exports by default. */
export interface OwnProtocol {
  readonly name: string;
}

/** Thrown for an invalid definition. The message follows the place where it happened. */
class WrongDefinition extends Error {
  override readonly name = 'WrongDefinition';
}

/**
 * Checks the definition of a user's own protocol and returns it in the form that a protocol file
 * exports: `export default protocol({…})`.
 * @throws WrongDefinition that says what is wrong
 */
export function protocol<
  R extends string,
  S extends z.ZodObject = z.ZodObject<Record<never, never>>,
  const F extends Record<string, FactDefinition> = Record<never, never>,
  T extends string = never,
>(definition: ProtocolDefinition<S, R, F, T>): OwnProtocol {
  const given = definition as unknown as AnyDefinition;
  checkDefinition(given);
  const made: OwnProtocol = { name: given.name };
  return Object.freeze(Object.defineProperty(made, MADE, { value: given }));
}

/** Returns the definition that was passed to `protocol`; undefined for any other value. */
export function definitionIn(value: unknown): AnyDefinition | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, MADE)) return undefined;
  return (value as Record<symbol, unknown>)[MADE] as AnyDefinition;
}

/** The pattern of a protocol's name: lower-case words, with digits if needed, joined by dashes. */
export const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const ROLE = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;
/** The most seats of one role by default. More columns could not be read on a screen. */
export const MOST_SEATS = 9;
const KIND = /^[a-z][a-z0-9]*([.-][a-z0-9]+)*$/;
/** Fields that every fact in the log has. */
const ENVELOPE: ReadonlySet<string> = new Set(['v', 'type', 'step', 'run', 'seq', 'at']);

function checkDefinition(definition: AnyDefinition): void {
  if (typeof definition !== 'object' || definition === null)
    throw new WrongDefinition('protocol({…}) takes an object');
  const { name, settings, seats, facts = {}, texts = {}, calls, run } = definition;
  if (typeof name !== 'string' || !NAME.test(name))
    throw new WrongDefinition(
      `name: ${formatValue(name)} is not a valid name; use lower-case letters, digits and dashes: red-team`,
    );
  if (settings !== undefined && !isObjectSchema(settings))
    throw new WrongDefinition('settings: write z.object({…}), with the z of deliberate/protocol');
  if (typeof seats !== 'object' || seats === null || Object.keys(seats).length === 0)
    throw new WrongDefinition("seats: name at least one: { critic: 'You look for what breaks.' }");
  for (const [role, seat] of Object.entries(seats)) checkSeat(role, seat);
  for (const [kind, factDefinition] of Object.entries(facts)) checkFact(kind, factDefinition);
  for (const [text, words] of Object.entries(texts))
    if (typeof words !== 'string' || words.trim() === '')
      throw new WrongDefinition(
        `texts: ${formatValue(text)} is not text; write { ${text}: 'Answer …' }`,
      );
  if (calls !== undefined && typeof calls !== 'function')
    throw new WrongDefinition('calls: write a function that returns [least, most]');
  if (typeof run !== 'function')
    throw new WrongDefinition('run: write async run({ question, ask, conclude }) { … }');
}

function checkSeat(role: string, seat: unknown): void {
  if (!ROLE.test(role))
    throw new WrongDefinition(
      `seats: ${formatValue(role)} is not a valid role; use lower-case letters: critic`,
    );
  const brief = typeof seat === 'object' && seat !== null && 'brief' in seat ? seat.brief : seat;
  if (typeof brief !== 'string')
    throw new WrongDefinition(`seats: ${role} has no brief; write { ${role}: 'You …' }`);
  const many = typeof seat === 'object' && seat !== null && 'many' in seat ? seat.many : undefined;
  if (many !== undefined) checkMany(role, many);
}

function checkMany(role: string, many: unknown): void {
  const { least, usual, most = MOST_SEATS } = Object(many) as Partial<Many>;
  const isOne = [least, usual, most].every(
    (count) => Number.isInteger(count) && Number(count) >= 0,
  );
  if (!isOne || Number(least) > Number(usual) || Number(usual) > most)
    throw new WrongDefinition(
      `seats: ${role}: many is { least, usual, most } in rising whole numbers: { least: 2, usual: 3 }`,
    );
}

function checkFact(kind: string, factDefinition: unknown): void {
  if (!KIND.test(kind))
    throw new WrongDefinition(
      `facts: ${formatValue(kind)} is not a valid kind; use lower-case letters: 'objection.raised'`,
    );
  const { v, body } = factOf(factDefinition as FactDefinition);
  if (!Number.isInteger(v) || v < 1)
    throw new WrongDefinition(`facts: ${kind}: v is a whole number from 1 on`);
  if (!isObjectSchema(body)) throw new WrongDefinition(`facts: ${kind}: write z.object({…})`);
  const taken = Object.keys(body.shape).find((key) => ENVELOPE.has(key));
  if (taken !== undefined)
    throw new WrongDefinition(`facts: ${kind}: every fact has a ${taken}; call it something else`);
}

/** Returns the version (default 1) and the schema from the definition of a fact. */
export function factOf(factDefinition: FactDefinition): { v: number; body: z.ZodObject } {
  return isObjectSchema(factDefinition)
    ? { v: 1, body: factDefinition }
    : (factDefinition as { v: number; body: z.ZodObject });
}

/** Returns whether a value is an object schema, of any copy of zod. */
function isObjectSchema(value: unknown): value is z.ZodObject {
  return (
    value instanceof z.ZodObject ||
    (typeof value === 'object' && value !== null && 'shape' in value && 'safeParse' in value)
  );
}

function formatValue(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? String(value);
}
