/**
 * Detects a protocol that waits for something that is not a step, such as a timer, a file or a request of
 * its own: a resumed run could not repeat such a wait. There are two signs: while the author's code runs,
 * it begins an operation that only time or another machine ends; or no step is running, and the protocol
 * has not ended either.
 */
import { type AsyncHook, createHook } from 'node:async_hooks';
import { RunStopped } from '../kernel/errors.ts';
import { nameProblem } from '../kernel/names.ts';
import { INSIDE, type RunningProtocol } from './inside.ts';
import { NoAnswer } from './no-answer.ts';

/**
 * Types of asynchronous operations that wait for a clock, a file, the network, a process or another thread.
 */
const FOREIGN =
  /^(Timeout|Immediate|FSREQ|FILEHANDLE|GETADDRINFO|GETNAMEINFO|QUERYWRAP|TCP|TLS|UDP|HTTP|PROCESSWRAP|WORKER|MESSAGEPORT|.*REQUEST$)/;

/** Descriptions of these operations for a person. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(Timeout|Immediate)/, 'a timer'],
  [/^(FSREQ|FILEHANDLE)/, 'a file'],
  [/^(GETADDRINFO|GETNAMEINFO|QUERYWRAP|TCP|TLS|UDP|HTTP)/, 'the network'],
  [/^PROCESSWRAP/, 'a process'],
];

/**
 * Thrown if the code of a user's own protocol does something forbidden, such as waiting for a timer
 * of its own. The message says what happened, and `place` says where in the code.
 */
export class Misstep extends Error {
  override readonly name = 'Misstep';
  /** The file and line; undefined if unknown. */
  readonly place: string | undefined;

  constructor(sentence: string, place: string | undefined) {
    super(sentence);
    this.place = place;
  }
}

const NO_STEP =
  'a resumed run could not repeat that. Put it into a step: await step(key, inputs, () => …)';
/** The number of stack frames to keep, as the author's line may be below many frames of a library. */
const DEEP = 60;

/**
 * Watches the code of a user's own protocol during one attempt, and ends the attempt if the code
 * does something forbidden.
 */
export class Attendance {
  /** Returns the line in the author's file that a stack leads to. */
  readonly #placeOf: (stack: string | undefined) => string | undefined;
  /** Running steps, and the place where each began. */
  readonly #active = new Map<string, string | undefined>();
  readonly #used = new Set<string>();
  readonly #hook: AsyncHook;
  readonly #found: Promise<never>;
  #find: (error: unknown) => void = () => undefined;
  /** For errors of steps: the place where the step began. */
  readonly #places = new WeakMap<Error, string>();
  /** The last line of the person's file that awaited something. */
  #last: string | undefined;
  #over = false;
  /**
   * The asynchronous context of this attempt; code of an earlier attempt may still be running in another
   * one.
   */
  #inside: RunningProtocol | undefined;

  /** `placeOf` returns the line of the author's code in a stack trace. */
  constructor(placeOf: (stack: string | undefined) => string | undefined) {
    this.#placeOf = placeOf;
    this.#found = new Promise((_, reject) => {
      this.#find = reject;
    });
    this.#found.catch(() => undefined);
    this.#hook = createHook({ init: (_id, type) => this.#begun(type) });
  }

  /**
   * Runs the user's code until it ends or does something forbidden.
   * @param given the run's seed and attached documents, for functions such as `quote` that the user's code
   * imports and calls without passing the run
   */
  async watch<T>(given: Omit<RunningProtocol, 'quoted'>, work: () => Promise<T>): Promise<T> {
    const handleRejection = (error: unknown): void => this.#lose(error);
    process.on('unhandledRejection', handleRejection);
    this.#hook.enable();
    try {
      this.#inside = { ...given, quoted: new Map() };
      const running = INSIDE.run(this.#inside, async () => work());
      running.catch(() => undefined);
      this.#look();
      const done = await Promise.race([running, this.#found]);
      const left = this.#left();
      if (left !== undefined) throw left;
      return done;
    } finally {
      this.#over = true;
      this.#hook.disable();
      process.off('unhandledRejection', handleRejection);
    }
  }

  /** Ends the run with an error, without waiting for the author's code. */
  refuse(error: unknown): void {
    this.#find(error);
  }

  /**
   * Does a step that the user's code has asked for. If the step is refused or comes too late, the
   * promise never settles, because the user's code must not continue.
   * @param isOurs true if the program itself asked for the step, whose key may then be a reserved one. Such a
   * step is refused while a step of the user's code still runs.
   */
  attend<T>(
    key: string,
    work: (place: string | undefined) => Promise<T>,
    isOurs = false,
  ): Promise<T> {
    const stack = stackHere();
    return INSIDE.run(undefined, () => {
      if (this.#over) return new Promise<T>(() => undefined);
      const place = this.#placeOf(stack);
      const wrong = this.#wrongWith(key, isOurs);
      const misstep = wrong === undefined ? undefined : new Misstep(wrong, place);
      const unawaited = isOurs ? this.#left() : undefined;
      const refused = misstep ?? unawaited;
      if (refused !== undefined) {
        this.refuse(refused);
        return new Promise<T>(() => undefined);
      }
      this.#used.add(key);
      this.#active.set(key, place);
      const done = this.#finish(key, () => work(place), place);
      // If a protocol author's code does not await a step that fails, Node reports an unhandled rejection.
      // Prevent this report: the program itself reports the missing `await` when the protocol ends.
      done.catch(() => undefined);
      return done;
    });
  }

  /**
   * Returns the line of the author's code that raised an error; otherwise the last line that
   * awaited a step. Undefined if there is neither.
   */
  placeOfError(error: unknown): string | undefined {
    return error instanceof Misstep ? error.place : (this.#ownPlace(error) ?? this.#last);
  }

  #ownPlace(error: unknown): string | undefined {
    if (!(error instanceof Error)) return undefined;
    return this.#places.get(error) ?? this.#placeOf(error.stack);
  }

  async #finish<T>(key: string, work: () => Promise<T>, place: string | undefined): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && place !== undefined) this.#places.set(error, place);
      throw error;
    } finally {
      this.#active.delete(key);
      this.#look();
    }
  }

  /** Returns the error for a step that still runs when none may. */
  #left(): Misstep | undefined {
    const [left] = this.#active;
    return left === undefined
      ? undefined
      : new Misstep(`the protocol ended while ${left[0]} was still running: await it`, left[1]);
  }

  /** Handles a rejection that is not awaited. One that is not the author's is a defect of this program. */
  #lose(error: unknown): void {
    if (error instanceof RunStopped) return;
    const isTheirs = error instanceof NoAnswer || this.#ownPlace(error) !== undefined;
    if (!isTheirs) throw error;
    this.refuse(error);
  }

  #wrongWith(key: unknown, isOurs: boolean): string | undefined {
    if (typeof key !== 'string' || !KEY.test(key) || nameProblem(key, LONGEST_KEY) !== undefined)
      return `${JSON.stringify(key)?.slice(0, 80)} is not a valid key: use letters, digits, ".", "_" and "-", in parts divided by "/"`;
    if (!isOurs && RESERVED.has(key.split('/')[0] ?? ''))
      return `the key ${key} is reserved: rename the step`;
    if (this.#used.has(key))
      return `the key ${key} is used twice; give every step its own, as in attack/1, attack/2`;
    return undefined;
  }

  /** Checks, when the author's code cannot go on without time passing, that a step is running. */
  #look(): void {
    if (this.#over || this.#active.size > 0) return;
    INSIDE.run(undefined, () => {
      setImmediate(() => {
        if (this.#over || this.#active.size > 0) return;
        this.refuse(new Misstep(`it waits for something outside a step; ${NO_STEP}`, this.#last));
      });
    });
  }

  /** Handles the beginning of an asynchronous operation. */
  #begun(type: string): void {
    if (this.#over || this.#inside === undefined || INSIDE.getStore() !== this.#inside) return;
    const place = this.#placeOf(stackHere());
    if (place !== undefined) this.#last = place;
    if (!FOREIGN.test(type)) return;
    const what = WORDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'something outside';
    this.refuse(
      new Misstep(`it waits for ${what}, which is not a step; ${NO_STEP}`, place ?? this.#last),
    );
  }
}

const KEY = /^[\p{L}\p{N}][\p{L}\p{N}._-]*(\/[\p{L}\p{N}][\p{L}\p{N}._-]*)*$/u;
const LONGEST_KEY = 200;
/** The first parts of keys that are reserved for the program. */
const RESERVED: ReadonlySet<string> = new Set(['budget', 'conclusion', 'seat-changed']);

function stackHere(): string | undefined {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = DEEP;
  const { stack } = new Error();
  Error.stackTraceLimit = before;
  return stack;
}
