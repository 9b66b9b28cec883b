/** How a definition is held: the kernel's protocol, and every call of the author's as a step of the run. */
import * as z from 'zod';
import { RunStopped, StoreError } from '../kernel/errors.ts';
import { fact } from '../kernel/facts.ts';
import type { GateAnswer, GateQuestion, Run } from '../kernel/handle.ts';
import {
  type Message,
  type ModelRequest,
  type Quoted,
  type Seat,
  splitSpec,
} from '../kernel/model.ts';
import type { Outcome } from '../kernel/protocol.ts';
import { stepOf } from '../kernel/tools/tools.ts';
import type { AnyBody, Vocabulary } from '../kernel/vocabulary.ts';
import { askWithTools } from '../protocols/common/ask-with-tools.ts';
import { noteSchema } from '../protocols/common/requests.ts';
import { sanitise } from '../text/sanitise.ts';
import { Attendance, Misstep } from './attendance.ts';
import { atWork, modelAt } from './config.ts';
import { askAll } from './context/ask-all.ts';
import { type Choice, type Edit, openGate } from './context/gate.ts';
import { group } from './context/grouping.ts';
import { openLedger } from './context/ledger.ts';
import {
  answersAlone,
  Concluded,
  reached,
  type Silence,
  tellOutcome,
  unescaped,
} from './context/outcome.ts';
import { comparePoll, takePoll } from './context/poll.ts';
import {
  type AnyDefinition,
  type AskOptions,
  type Check,
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
import { nameOf, type Places, placeIn } from './place.ts';
import { plain } from './plain.ts';
import { type OwnRunContext, stepsToRetry } from './requests.ts';

export type OwnContext = Context<
  Record<string, unknown>,
  string,
  Readonly<Record<string, FactDefinition>>,
  string
>;

/** How a definition is held, beside what it says itself. */
export interface Holding {
  readonly places: Places;
  /** What a call is for, by the first part of its key; absent: `own/ask`. */
  readonly task?: (phase: string) => string;
}

type AnyAskOptions = AskOptions & {
  readonly schema?: z.ZodType;
  readonly check?: Check<never>;
  readonly least?: number;
};

/** Holds a run by its definition, from the top or from where it is on record. */
export function hold(
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
  readonly #places: Places;
  readonly #task: (phase: string) => string;
  readonly #attendance: Attendance;
  readonly #vocabulary: Vocabulary<AnyBody>;
  /** Failed calls that a person wants asked again. */
  readonly #again: ReadonlySet<string>;
  #seats: readonly Seat[];
  /** Whether the stand-in spoke in any call of the run. */
  #rehearsal = false;
  /** Seats that were asked anything, and those that had no answer. */
  readonly #asked = new Set<string>();
  readonly #silences: Silence[] = [];
  /** What was said, shown and entered: where the figures of a text can come from. */
  readonly #said: string[] = [];

  constructor(
    run: Run,
    context: OwnRunContext,
    definition: AnyDefinition,
    { places, task = () => 'own/ask' }: Holding,
  ) {
    this.#run = run;
    this.#given = context;
    this.#definition = definition;
    this.#places = places;
    this.#task = task;
    this.#attendance = new Attendance((stack) => placeIn(stack, places));
    this.#vocabulary = vocabularyOf(definition);
    this.#seats = context.seats;
    this.#again = stepsToRetry(context);
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
    await this.#changeModel();
    try {
      const context = this.#authorContext(read.data);
      const done: unknown = await this.#attendance.watch(config.seed, async () => {
        try {
          return await author(context);
        } catch (error) {
          if (!(error instanceof TooFew)) throw error;
          return context.conclude(answersAlone(error));
        }
      });
      if (done instanceof Concluded) return { status: 'done' };
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

  /** `mine.ts:12: attack/1 failed: …` */
  #sentence(error: unknown): string {
    const place = this.#attendance.placeOfError(error);
    const words =
      error instanceof Misstep || error instanceof NoAnswer
        ? error.message
        : error instanceof Error
          ? `${error.name}: ${error.message}`
          : `it threw ${String(error)}`;
    const next = error instanceof NoAnswer && error.next !== undefined ? `. ${error.next}` : '';
    return sanitise(`${place === undefined ? '' : `${place}: `}${words}${next}`)
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
        this.#ask(
          key,
          seat,
          prompt,
          heard.map(([, one]) => one),
          options,
        ),
      );
    };
    const decide = (key: string, asked: GateQuestion): Promise<GateAnswer> =>
      this.#attendance.attend(key, () => this.#run.decide(key, asked));
    const record = (key: string, bodies: readonly SdkBody[]): Promise<void> =>
      this.#attendance.attend(key, () => this.#record(key, bodies));
    const gate = <V>(key: string, prompt: string, asked: Choice | Edit<V>) =>
      openGate(decide, key, prompt, asked);
    const parts = {
      question,
      settings,
      texts: { ...this.#definition.texts, ...config.texts },
      prompt: (task: string, ...more: string[]) =>
        [`Question: ${question}`, task, ...more].join('\n\n'),
      seed: config.seed,
      seats: this.#seats.map(atWork),
      present: (seats: readonly SeatAtWork[]) =>
        seats.filter(({ id }) => this.#silences.every(({ seat }) => seat !== id)),
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
      gate,
      group: (key: string, seat: string, items: readonly Item[], options: GroupOptions) =>
        group(
          {
            ask: (step, prompt, schema) => ask(step, seat, prompt, { schema }),
            gate: (step, prompt, edit) => gate(step, prompt, edit) as Promise<Decision<never>>,
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

  async #ask(
    key: string,
    id: string,
    prompt: string,
    heard: readonly Quoted[],
    options: AnyAskOptions = {},
  ): Promise<unknown> {
    const { check, wrongTwice = 'none' } = options;
    const seat = this.#seats.find((one) => one.id === id);
    if (seat === undefined)
      throw new TypeError(
        `there is no seat ${JSON.stringify(id)}; the seats are ${this.#seats.map((one) => one.id).join(', ')}`,
      );
    if (typeof prompt !== 'string' || prompt.trim() === '')
      throw new TypeError(`ask ${key}: the prompt is not text`);
    this.#asked.add(seat.title);
    const wrongWith = (answer: unknown): string | undefined =>
      check?.(answer as never, atWork(seat));
    const messages: Message[] = [{ role: 'user', parts: [{ text: prompt }] }];
    try {
      const first = await this.#call(key, seat, messages, heard, options);
      const wrong = wrongWith(first.answer);
      if (wrong === undefined) return this.#take(first);
      const again = await this.#call(
        `${key}/again`,
        seat,
        [
          ...messages,
          { role: 'assistant', parts: [{ text: first.text }] },
          {
            role: 'user',
            parts: [{ text: `This cannot be used: ${wrong} Give the whole answer anew.` }],
          },
        ],
        heard,
        { ...options, look: false },
      ).catch((error: unknown) => {
        if (wrongTwice === 'keep' && error instanceof NoAnswer) return first;
        throw error;
      });
      const still = wrongWith(again.answer);
      if (still === undefined || wrongTwice === 'keep') return this.#take(again);
      throw new NoAnswer(key, seat.title, `its answer could not be used twice: ${still}`);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#silences.push({ seat: id, title: seat.title, key, reason: error.reason });
      if (options.otherwise !== undefined) return options.otherwise;
      throw error;
    }
  }

  #take({ answer, text }: Answered): unknown {
    this.#said.push(unescaped(text));
    return answer;
  }

  /** One call, or several where the seat looks something up first. @throws NoAnswer */
  async #call(
    key: string,
    known: Seat,
    messages: readonly Message[],
    heard: readonly Quoted[],
    { schema, timeoutMs, maxTokens, look }: AnyAskOptions,
  ): Promise<Answered> {
    const { config, past, question } = this.#given;
    const looks = look === true && this.#run.tools.length > 0;
    const again = (step: string): boolean => this.#again.has(step);
    const isAgain = looks ? [...this.#again].some((step) => stepOf(step) === key) : again(key);
    const seat = {
      ...known,
      model: isAgain ? known.model : modelAt(key, known, past, config, looks),
    };
    if (splitSpec(seat.model).provider === 'rehearsal') this.#rehearsal = true;
    const request: ModelRequest = {
      task: this.#task(key.split('/')[0] ?? key),
      about: { question, ...(heard.length === 0 ? {} : { heard }) },
      seat,
      messages,
      seed: config.seed,
      ...(schema === undefined ? {} : { schema }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    };
    const tools = looks ? {} : { tools: [] };
    const reply = await askWithTools(this.#run, key, request, { again, timeoutMs, ...tools });
    if (reply.status === 'done')
      return { answer: schema === undefined ? reply.text : reply.value, text: reply.text };
    if (this.#run.signal.aborted) throw this.#run.signal.reason;
    throw reply.status === 'failed'
      ? new NoAnswer(key, known.title, reply.message, reply.next)
      : new NoAnswer(key, known.title, 'it was stopped');
  }

  async #record(key: string, bodies: readonly SdkBody[]): Promise<void> {
    const checked = bodies.map((one) => plain(SDK.check(one), key));
    this.#said.push(...checked.map((one) => unescaped(JSON.stringify(one))));
    await this.#run.step(key, checked, ({ emit }) => {
      for (const one of checked) emit(one);
    });
  }

  async #step<T>(
    key: string,
    inputs: unknown,
    work: () => T | Promise<T>,
    place: string | undefined,
  ): Promise<T> {
    try {
      return await this.#run.step(key, { inputs }, async () => plain(await work(), key));
    } catch (error) {
      if (this.#run.signal.aborted) throw this.#run.signal.reason;
      if (error instanceof StoreError) throw error;
      // It would be done again when the run is resumed, and might come out otherwise: nobody goes on from it.
      const words = error instanceof Error ? error.message : String(error);
      const at = placeIn(error instanceof Error ? error.stack : undefined, this.#places) ?? place;
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
      checked = plain(this.#vocabulary.check(draft), key);
    } catch (error) {
      const [issue] = error instanceof z.ZodError ? error.issues : [];
      if (issue === undefined) throw error;
      throw new Misstep(`the fact ${kind}: ${issue.path.join('.')}: ${issue.message}`, place);
    }
    await this.#run.step(key, checked, ({ emit }) => emit(checked));
  }

  async #takeInput(key: string): Promise<readonly string[]> {
    const said = await this.#run.takeInput(key);
    return said.flatMap((one) => noteSchema.safeParse(one).data?.text ?? []);
  }

  async #conclude(said: string | OwnOutcome): Promise<Conclusion> {
    const outcome = typeof said === 'string' ? undefined : said;
    const told =
      outcome === undefined
        ? { text: said as string, unknown: [] }
        : tellOutcome(outcome, this.#asked.size, this.#silences, [
            this.#given.question,
            ...this.#said,
          ]);
    const { text } = told;
    if (typeof text !== 'string' || (outcome?.result ?? text).trim() === '')
      throw new TypeError('conclude: the conclusion is not text');
    const rehearsal = this.#rehearsal;
    await this.#run.step('conclusion', { text, rehearsal }, ({ emit }) => {
      if (outcome !== undefined) emit(reached(outcome, told.unknown));
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

  /** A person asked for seats again with another model: it plays them from now on. */
  async #changeModel(): Promise<void> {
    const { request, facts } = this.#given;
    if (request.kind !== 'retry' || request.model === undefined) return;
    const { model } = request;
    let count = facts.filter(({ type }) => type === 'seat.changed').length;
    for (const seat of this.#seats.filter(({ id }) => request.seats.includes(id))) {
      if (seat.model === model) continue;
      count += 1;
      await this.#run.step(`seat-changed/${count}`, { seat: seat.id, model }, ({ emit }) =>
        emit(fact('seat.changed', { seat: seat.id, model })),
      );
      this.#seats = this.#seats.map((one) => (one.id === seat.id ? { ...one, model } : one));
    }
  }
}

interface Answered {
  readonly answer: unknown;
  readonly text: string;
}
