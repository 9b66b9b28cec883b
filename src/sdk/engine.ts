/**
 * Runs a protocol from a person's own file. Every call that its author makes is a step of the run.
 *
 * `seats.ts` asks seats. `attendance.ts` runs the author's code inside an `AsyncLocalStorage`, detects code
 * that waits for a clock, a file or the network without being a step, and refuses that code by name. A
 * seat's model at a step is the recorded one, else the one that the fork kept for that step, else the seat's
 * own. So no step is repeated because its seat gets another model later.
 *
 * `protocol-file.ts` loads the file. The path that a person named for a run is stored in a separate table
 * and not in the run's facts, since an imported run can name any path. Imported runs have no row there.
 */
import * as z from 'zod';
import { RunStopped, StoreError } from '../kernel/errors.ts';
import { fact } from '../kernel/facts.ts';
import type { GateAnswer, GateQuestion, Run } from '../kernel/handle.ts';
import type { Outcome } from '../kernel/protocol.ts';
import type { AnyBody, Vocabulary } from '../kernel/vocabulary.ts';
import { noteSchema } from '../protocols/common/requests.ts';
import { sanitiseText } from '../text/sanitise.ts';
import { Attendance, Misstep } from './attendance.ts';
import { toSeatAtWork } from './config.ts';
import { askAll } from './context/ask-all.ts';
import { type Choice, type Edit, openGate } from './context/gate.ts';
import { runGrouping } from './context/grouping.ts';
import { openLedger } from './context/ledger.ts';
import {
  Concluded,
  formatOutcome,
  makeOutcomeFact,
  makeOutcomeOfAnswers,
  withoutEscapedLineEnds,
} from './context/outcome.ts';
import { comparePoll, takePoll } from './context/poll.ts';
import {
  type AnyDefinition,
  type Conclusion,
  type Context,
  type Decision,
  type FactDefinition,
  factOf,
  type GroupOptions,
  type Item,
  type Outcome as OwnOutcome,
  type SeatAtWork,
} from './define.ts';
import { SDK, type SdkBody } from './facts.ts';
import { type Figure, readFigure } from './figure.ts';
import { INSIDE } from './inside.ts';
import { NoAnswer, TooFew } from './no-answer.ts';
import { vocabularyOf } from './own-facts.ts';
import { findPlace, nameOf, type ProtocolFiles } from './place.ts';
import { toPlainValue } from './plain.ts';
import type { OwnRunContext } from './requests.ts';
import { type AnyAskOptions, Seats } from './seats.ts';

type OwnContext = Context<
  Record<string, unknown>,
  string,
  Readonly<Record<string, FactDefinition>>,
  string
>;

/** What the program adds to the definition of a protocol in order to run it. */
interface Holding {
  readonly places: ProtocolFiles;
  /** Returns the task of a call by the first part of its key; absent: `own/ask`. */
  readonly task?: (phase: string) => string;
  /** Returns whether a seat of the role may use tools if the call does not say so; absent: no seat may. */
  readonly looks?: ((role: string) => boolean) | undefined;
  /** Called by the program, not by the author's code, when the run has a conclusion. */
  readonly concluded?: (text: string) => Promise<void>;
}

/**
 * Carries out one attempt of a user's own protocol or of a built-in debate; recorded steps return their results
 * at once.
 * @param holding the paths of the protocol's files in `places`; the other fields are given for built-in debates
 * only
 */
export function runProtocol(
  run: Run,
  context: OwnRunContext,
  definition: AnyDefinition,
  holding: Holding,
): Promise<Outcome> {
  return new Attempt(run, context, definition, holding).hold();
}

class Attempt {
  readonly #run: Run;
  readonly #given: OwnRunContext;
  readonly #definition: AnyDefinition;
  readonly #places: ProtocolFiles;
  readonly #attendance: Attendance;
  readonly #vocabulary: Vocabulary<AnyBody>;
  readonly #seats: Seats;
  readonly #concluded: Holding['concluded'];

  constructor(
    run: Run,
    context: OwnRunContext,
    definition: AnyDefinition,
    { places, task = () => 'own/ask', looks, concluded }: Holding,
  ) {
    this.#run = run;
    this.#given = context;
    this.#definition = definition;
    this.#places = places;
    this.#concluded = concluded;
    this.#attendance = new Attendance((stack) => findPlace(stack, places));
    this.#vocabulary = vocabularyOf(definition);
    const texts = { ...definition.texts, ...context.config.texts };
    this.#seats = new Seats(run, context, task, Object.values(texts), looks);
  }

  async hold(): Promise<Outcome> {
    const { settings = z.object({}), run: author } = this.#definition;
    const { config } = this.#given;
    const read = settings.safeParse(config.settings);
    if (!read.success) {
      const [issue] = read.error.issues;
      const reason = `the file's settings have changed: ${issue?.path.join('.')}: ${issue?.message}`;
      return { status: 'failed', reason };
    }
    await this.#seats.changeModel();
    try {
      const context = this.#authorContext(read.data);
      const done: unknown = await this.#attendance.watch(
        { seed: config.seed, attachments: config.attachments ?? [] },
        async () => {
          try {
            return await author(context);
          } catch (error) {
            if (!(error instanceof TooFew)) throw error;
            return context.conclude(makeOutcomeOfAnswers(error));
          }
        },
      );
      if (done instanceof Concluded) {
        await this.#concluded?.(done.text);
        return { status: 'done' };
      }
      throw new Misstep(
        'run returned no conclusion; end it with return conclude(text)',
        nameOf(this.#places.main, this.#places),
      );
    } catch (error) {
      if (this.#run.signal.aborted) throw this.#run.signal.reason;
      if (error instanceof RunStopped || error instanceof StoreError) throw error;
      return { status: 'failed', reason: this.#sentence(error) };
    }
  }

  /** Formats an error with its place: `mine.ts:12: attack/1 failed: …`. */
  #sentence(error: unknown): string {
    const place = this.#attendance.placeOfError(error);
    const words =
      error instanceof Misstep || error instanceof NoAnswer
        ? error.message
        : error instanceof Error
          ? `${error.name}: ${error.message}`
          : `it threw ${String(error)}`;
    const next = error instanceof NoAnswer && error.next !== undefined ? `. ${error.next}` : '';
    return sanitiseText(`${place === undefined ? '' : `${place}: `}${words}${next}`)
      .replace(/\s+/g, ' ')
      .trim();
  }

  #authorContext(settings: Record<string, unknown>): OwnContext {
    const { question, config } = this.#given;
    const ask = (key: string, seat: string, prompt: string, options?: AnyAskOptions) => {
      const heard = [...(INSIDE.getStore()?.quoted ?? [])].filter(([block]) =>
        prompt.includes(block),
      );
      return this.#attendance.attend(key, () =>
        this.#seats.ask(
          key,
          seat,
          prompt,
          heard.map(([, quotation]) => quotation),
          options,
        ),
      );
    };
    const decide = (key: string, asked: GateQuestion): Promise<GateAnswer> =>
      this.#attendance.attend(key, () => this.#run.decide(key, asked));
    const record = (key: string, bodies: readonly SdkBody[]): Promise<void> =>
      this.#attendance.attend(key, () => this.#record(key, bodies));
    const askAtGate = <V>(key: string, prompt: string, asked: Choice | Edit<V>) =>
      openGate(decide, key, prompt, asked);
    const parts = {
      question,
      settings,
      texts: { ...this.#definition.texts, ...config.texts },
      prompt: (task: string, ...more: string[]) =>
        [`Question: ${question}`, task, ...more].join('\n\n'),
      seed: config.seed,
      seats: this.#seats.all.map(toSeatAtWork),
      present: (seats: readonly SeatAtWork[]) =>
        seats.filter(({ id }) => this.#seats.silences.every(({ seat }) => seat !== id)),
      ask,
      askAll: (
        key: string,
        seats: readonly SeatAtWork[],
        prompt: string | ((seat: SeatAtWork) => string),
        options?: AnyAskOptions,
      ) =>
        askAll(
          seats,
          (seat) =>
            ask(
              `${key}/${seat.id}`,
              seat.id,
              typeof prompt === 'string' ? prompt : prompt(seat),
              options,
            ),
          options?.least,
        ),
      step: (key: string, inputs: unknown, work: () => unknown) =>
        this.#attendance.attend(key, (place) => this.#step(key, inputs, work, place)),
      emit: (key: string, kind: string, body: object) =>
        this.#attendance.attend(key, (place) => this.#emit(key, kind, body, place)),
      takeInput: (key: string) => this.#attendance.attend(key, () => this.#takeInput(key)),
      gate: askAtGate,
      group: (key: string, seat: string, items: readonly Item[], options: GroupOptions) =>
        runGrouping(
          {
            ask: (step, prompt, schema) => ask(step, seat, prompt, { schema, documents: false }),
            gate: (step, prompt, edit) => askAtGate(step, prompt, edit) as Promise<Decision<never>>,
            record,
            seed: config.seed,
          },
          key,
          items,
          options,
        ),
      ledger: (name: string, prefix: string) => openLedger(record, name, prefix),
      show: (key: string, figure: Figure) =>
        record(key, [SDK.make('figure.shown', { step: key, figure: readFigure(key, figure) })]),
      conclude: (outcome: string | OwnOutcome) =>
        this.#attendance.attend('conclusion', () => this.#conclude(outcome), true),
    };
    const context = parts as unknown as OwnContext;
    return {
      ...context,
      poll: (key, seats, prompt, options) => takePoll(context, key, seats, prompt, options),
      compare: (key, poll, last, reasons) => comparePoll(context, key, poll, last, reasons),
    };
  }

  async #record(key: string, bodies: readonly SdkBody[]): Promise<void> {
    const checked = bodies.map((body) => toPlainValue(SDK.check(body), key));
    this.#seats.said.push(...checked.map((body) => withoutEscapedLineEnds(JSON.stringify(body))));
    await this.#run.step(key, checked, ({ emit }) => {
      for (const body of checked) emit(body);
    });
  }

  async #step<T>(
    key: string,
    inputs: unknown,
    work: () => T | Promise<T>,
    place: string | undefined,
  ): Promise<T> {
    try {
      return await this.#run.step(key, { inputs }, async () => toPlainValue(await work(), key));
    } catch (error) {
      if (this.#run.signal.aborted) throw this.#run.signal.reason;
      if (error instanceof StoreError) throw error;
      // End the run if a step fails. If the run went on, resuming it later would repeat the step. The step might
      // then succeed, and the run would end differently.
      const words = error instanceof Error ? error.message : String(error);
      const at = findPlace(error instanceof Error ? error.stack : undefined, this.#places) ?? place;
      this.#attendance.refuse(new Misstep(`the step ${key} failed: ${words}`, at));
      return new Promise(() => undefined);
    }
  }

  async #emit(key: string, kind: string, body: object, place: string | undefined): Promise<void> {
    const { name, facts = {} } = this.#definition;
    const definition = Object.hasOwn(facts, kind) ? facts[kind] : undefined;
    if (definition === undefined)
      throw new Misstep(`${name} has no fact ${kind}: name it under facts`, place);
    const draft = { ...body, v: factOf(definition).v, type: `${name}/${kind}`, step: key };
    let checked: AnyBody;
    try {
      checked = toPlainValue(this.#vocabulary.check(draft), key);
    } catch (error) {
      const [issue] = error instanceof z.ZodError ? error.issues : [];
      if (issue === undefined) throw error;
      throw new Misstep(`the fact ${kind}: ${issue.path.join('.')}: ${issue.message}`, place);
    }
    await this.#run.step(key, checked, ({ emit }) => emit(checked));
  }

  async #takeInput(key: string): Promise<readonly string[]> {
    const said = await this.#run.takeInput(key);
    return said.flatMap((note) => noteSchema.safeParse(note).data?.text ?? []);
  }

  async #conclude(said: string | OwnOutcome): Promise<Conclusion> {
    const outcome = typeof said === 'string' ? undefined : said;
    const told =
      outcome === undefined
        ? { text: said as string, unknown: [] }
        : formatOutcome(outcome, this.#seats.asked.size, this.#seats.silences, [
            this.#given.question,
            ...this.#seats.said,
          ]);
    const { text } = told;
    if (typeof text !== 'string' || (outcome?.result ?? text).trim() === '')
      throw new TypeError('conclude: the conclusion is not text');
    const { rehearsal } = this.#seats;
    await this.#run.step('conclusion', { text, rehearsal }, ({ emit }) => {
      if (outcome !== undefined) emit(makeOutcomeFact(outcome, told.unknown));
      emit(
        fact('synthesis.completed', {
          version: 1,
          model: '',
          text,
          included: [],
          excluded: [],
          labels: {},
          missing: [],
          rehearsal,
          conclusion: true,
        }),
      );
    });
    return new Concluded(text);
  }
}
