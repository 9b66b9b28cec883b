/** What a protocol of one's own says of itself, and what it is given while it runs. */
import * as z from 'zod';

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
    };

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

export interface SeatAtWork<R extends string = string> {
  readonly id: R;
  readonly title: string;
  /** `provider/model`. */
  readonly model: string;
}

/**
 * What a protocol works with. Everything here that returns a promise is a step: done once for its key,
 * recorded, and given back from the record when a run is resumed, forked or replayed. A key is letters,
 * digits, `.`, `_` and `-`, in parts divided by `/`, and is used once.
 */
export interface Context<S, R extends string, F extends Record<string, FactDefinition>> {
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
  /** What the run came to. Give it back: `return conclude(text)`. */
  readonly conclude: (text: string) => Promise<Conclusion>;
}

export interface AskOptions {
  /** Gives the call up after so many milliseconds from when it was sent. */
  readonly timeoutMs?: number;
  /** Most tokens the answer may have. */
  readonly maxTokens?: number;
  /**
   * Lets the seat look into the folders that the person named with `--look` before it answers: turn by
   * turn, under the keys `KEY/turn-1`, `KEY/turn-2`, … Without such a folder it is asked as ever.
   */
  readonly look?: boolean;
}

export interface Ask<R extends string = string> {
  <T extends z.ZodType>(
    key: string,
    seat: R,
    prompt: string,
    options: AskOptions & { readonly schema: T },
  ): Promise<z.output<T>>;
  (key: string, seat: R, prompt: string, options?: AskOptions): Promise<string>;
}

export interface ProtocolDefinition<
  S extends z.ZodObject = z.ZodObject<Record<never, never>>,
  R extends string = string,
  F extends Record<string, FactDefinition> = Record<never, never>,
> {
  /** Small letters, digits and dashes; none that comes with the program. Names its runs and its facts. */
  readonly name: string;
  /** Set with `--set name=value`; without a default, a setting has to be given. */
  readonly settings?: S;
  readonly seats: Readonly<Record<R, SeatDefinition>>;
  readonly facts?: F;
  /** The least and the most calls it makes, for `--estimate`. */
  readonly calls?: (settings: z.output<S>, seats: readonly R[]) => readonly [number, number];
  /** Awaits nothing but what its context offers. */
  readonly run: (context: Context<z.output<S>, R, F>) => Promise<Conclusion>;
}

/** A definition whose types are forgotten: what the program works with. */
export type AnyDefinition = ProtocolDefinition<
  z.ZodObject,
  string,
  Readonly<Record<string, FactDefinition>>
>;

/** Known across copies of this file: tests load it from the source. */
const MADE = Symbol.for('deliberate/protocol');

/** What a protocol file exports by default. */
export interface OwnProtocol {
  readonly name: string;
}

/** The file does not say what a protocol has to say. Its sentence goes after the place it happened at. */
export class WrongDefinition extends Error {
  override readonly name = 'WrongDefinition';
}

/** Checks a definition; `export default protocol({…})`. @throws WrongDefinition */
export function protocol<
  R extends string,
  S extends z.ZodObject = z.ZodObject<Record<never, never>>,
  const F extends Record<string, FactDefinition> = Record<never, never>,
>(definition: ProtocolDefinition<S, R, F>): OwnProtocol {
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
const KIND = /^[a-z][a-z0-9]*([.-][a-z0-9]+)*$/;
/** What the log says of every fact. */
const ENVELOPE: ReadonlySet<string> = new Set(['v', 'type', 'step', 'run', 'seq', 'at']);

function check(definition: AnyDefinition): void {
  if (typeof definition !== 'object' || definition === null)
    throw new WrongDefinition('protocol({…}) takes an object');
  const { name, settings, seats, facts = {}, calls, run } = definition;
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
