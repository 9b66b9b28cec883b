/** What a protocol of one's own says of itself, and what it is given while it runs. */
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

/** A seat: its brief, or its brief with what else is known of it. */
export type SeatDefinition =
  | string
  | {
      /** What the seat is told in every call, as the system prompt. */
      readonly brief: string;
      /** As people read it; by default the role's name: `devils-advocate` → `Devils Advocate`. */
      readonly title?: string;
      /** `#rrggbb`, for the column's header. */
      readonly colour?: string;
      readonly temperature?: number;
      /** How hard its model is to think, as far as it knows such a level: `low`, `high`. */
      readonly effort?: string;
      /** Several seats have this role: `juror-1`, `juror-2`, …, with one brief. */
      readonly many?: Many;
      /**
       * Plays a model of another family than the others, where one was found. A role that usually has no
       * seat has one then.
       */
      readonly outsider?: boolean;
    };

/** How many seats a role has: `usual` where the person names none. */
export interface Many {
  readonly least: number;
  readonly usual: number;
  /** By default 9. */
  readonly most?: number;
}

/** The body of a fact; with a version where it is not the first. */
export type FactDefinition =
  | z.ZodObject
  | {
      /** Raise it whenever the body changes: what is in older logs stays as it was written. */
      readonly v: number;
      readonly body: z.ZodObject;
    };

type BodyOf<F extends FactDefinition> = F extends z.ZodObject
  ? z.input<F>
  : F extends { readonly body: infer B extends z.ZodObject }
    ? z.input<B>
    : never;

/** What `run` gives back: made by `conclude`, and by nothing else. */
export interface Conclusion {
  readonly text: string;
}

/**
 * What a protocol works with. Everything here that returns a promise is a step: done once for its key,
 * recorded, and given back from the record when a run is resumed, forked or replayed. A key is letters,
 * digits, `.`, `_` and `-`, in parts divided by `/`, and is used once.
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
  /** Of the run: for choices that look random and are the same when the run is resumed. */
  readonly seed: number;
  /**
   * Asks a seat and gives back what it said; with a schema, the object it answered with.
   * @throws NoAnswer where the call failed or a person stopped it
   */
  readonly ask: Ask<R>;
  /**
   * Anything else that takes time or may come out differently: a file, a command, the clock. `inputs`
   * and the result are JSON. With other inputs than those on record it is done again. What it throws
   * ends the run.
   */
  readonly step: <T>(key: string, inputs: unknown, work: () => T | Promise<T>) => Promise<T>;
  /** Records a fact of the protocol's own: `NAME/objection.raised` in the log. */
  readonly emit: <K extends string & keyof F>(
    key: string,
    kind: K,
    body: BodyOf<F[K]>,
  ) => Promise<void>;
  /** What the person has noted at the console since the last time, oldest first. */
  readonly takeInput: (key: string) => Promise<readonly string[]>;
  /** Asks several seats side by side, each under `KEY/SEAT`. Who was not heard is not among the answers. */
  readonly askAll: AskAll<R>;
  /** Of these seats those that have had an answer to everything they were asked so far. */
  readonly present: (seats: readonly SeatAtWork<R>[]) => SeatAtWork<R>[];
  /**
   * Blind answers with a ballot each: `judge` finds out which choices are one option, and the first tally
   * is shown.
   */
  readonly poll: (
    key: string,
    seats: readonly SeatAtWork<R>[],
    prompt: string,
    options: { readonly judge: SeatId<R>; readonly least?: number },
  ) => Promise<Poll<R>>;
  /** Holds later ballots against the first: shows who changed, and says it. `because`: an id, or `nothing`. */
  readonly compare: (
    key: string,
    poll: Poll<R>,
    last: readonly Heard<LastBallot, R>[],
    /** The texts behind the ids that `because` names. */
    reasons?: readonly Item[],
  ) => Promise<{
    readonly tally: Tally;
    /** What the last ballots come to, in a sentence; none with fewer than two of them. */
    readonly result: string;
    readonly moved: string;
    /** Titles of seats that changed and named no reason. */
    readonly unexplained: readonly string[];
  }>;
  /** A prompt: the question, the task, and whatever else belongs into it, a paragraph each. */
  readonly prompt: (task: string, ...more: readonly string[]) => string;
  /** Asks the person at the console to choose, or to edit a draft. Where nobody is there, the default holds. */
  readonly gate: Gate;
  /**
   * Finds out which texts say the same: a seat off the panel sorts their ids, code refuses what is
   * opposed or differs in a figure, and the person sees the groups. Where nobody looks at them, only
   * those that a second call, in another order, joins too.
   */
  readonly group: (
    key: string,
    seat: SeatId<R>,
    items: readonly Item[],
    options: GroupOptions,
  ) => Promise<Grouping>;
  /** A list of what was said, whose ids, quotations and statuses are code's: `const points = ledger('points', 'P')`. */
  readonly ledger: (name: string, prefix: string) => Ledger;
  /** Figures for the Method tab and the report. One with the title of an earlier one stands in its place. */
  readonly show: (key: string, figure: Figure) => Promise<void>;
  /** The instructions of `texts`, as they are or as the person's values say. */
  readonly texts: Readonly<Record<T, string>>;
  /** What the run came to. Give it back: `return conclude(text)`. */
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
  /** Small letters, digits and dashes; none that comes with the program. Names its runs and its facts. */
  readonly name: string;
  /** Set with `--set name=value`; without a default, a setting has to be given. */
  readonly settings?: S;
  readonly seats: Readonly<Record<R, SeatDefinition>>;
  readonly facts?: F;
  /** Instructions that people may word otherwise, by name. */
  readonly texts?: Readonly<Record<T, string>>;
  /**
   * By the first part of a step's key: whose earlier words its prompts may hold, as names of steps' first
   * parts, of fields in their answers (`estimate.because`), or of the seat's own (`own:estimate`). Nothing
   * enforces it while a run is held; a test can hold every prompt against it.
   */
  readonly phases?: Readonly<Record<string, readonly string[]>>;
  /** The least and the most calls it makes, for `--estimate`. */
  readonly calls?: (
    settings: z.output<S>,
    seats: readonly SeatId<R>[],
  ) => readonly [number, number];
  /** Awaits nothing but what its context offers. */
  readonly run: (context: Context<z.output<S>, R, F, T>) => Promise<Conclusion>;
}

/** A definition whose types are forgotten: what the program works with. */
export type AnyDefinition = ProtocolDefinition<
  z.ZodObject,
  string,
  Readonly<Record<string, FactDefinition>>,
  string
>;

/** Known across copies of this file: tests load it from the source. */
const MADE = Symbol.for('deliberate/protocol');

/** What a protocol file exports by default. */
export interface OwnProtocol {
  readonly name: string;
}

/** The file does not say what a protocol has to say. Its sentence goes after the place it happened at. */
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

/** What was handed to `protocol`; undefined where the value is something else. */
export function definitionIn(value: unknown): AnyDefinition | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, MADE)) return undefined;
  return (value as Record<symbol, unknown>)[MADE] as AnyDefinition;
}

/** What a protocol can be called. */
export const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const ROLE = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;
/** Seats of one role, unless the protocol says otherwise: more columns than these nobody reads. */
export const MOST_SEATS = 9;
const KIND = /^[a-z][a-z0-9]*([.-][a-z0-9]+)*$/;
/** What the log says of every fact. */
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

/** A fact's version and body. */
export function factOf(one: FactDefinition): { v: number; body: z.ZodObject } {
  return isObjectSchema(one) ? { v: 1, body: one } : (one as { v: number; body: z.ZodObject });
}

/** Whatever copy of zod it comes from. */
function isObjectSchema(value: unknown): value is z.ZodObject {
  return (
    value instanceof z.ZodObject ||
    (typeof value === 'object' && value !== null && 'shape' in value && 'safeParse' in value)
  );
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? String(value);
}
