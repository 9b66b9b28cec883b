/** Asks the seats of an attempt, and collects who had no answer and what was said. */
import type * as z from 'zod';
import { fact } from '../kernel/facts.ts';
import type { Run } from '../kernel/handle.ts';
import type { Message, MessagePart, ModelRequest, Quoted, Seat } from '../kernel/model.ts';
import { splitSpec } from '../kernel/providers/spec.ts';
import { stepOf } from '../kernel/tools/tools.ts';
import { askWithTools } from '../protocols/common/asking/asking.ts';
import { makeAttachedPart } from '../protocols/common/prompts/attached.ts';
import { isPlaceholder, repeatsPrompt } from '../text/form-words.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { getModelAt, toSeatAtWork } from './config.ts';
import { type Silence, withoutEscapedLineEnds } from './context/outcome.ts';
import type { AskOptions, Check } from './define.ts';
import { NoAnswer } from './no-answer.ts';
import { type OwnRunContext, stepsToRetry } from './requests.ts';

/** The options of a call to one seat or several, without specific types. */
export type AnyAskOptions = AskOptions & {
  readonly schema?: z.ZodType;
  readonly check?: Check<never>;
  readonly least?: number;
};

interface Answered {
  readonly answer: unknown;
  readonly text: string;
}

/** Limits of a structured answer without its own: small models fill its lists until they are cut. */
const FORM = { tokens: 6_000 };

/** Asks the seats of a run, and remembers who was asked and who did not answer. */
export class Seats {
  /** The seats, with the models that they have now. */
  all: readonly Seat[];
  /** Whether the stand-in answered any call in place of a model. */
  rehearsal = false;
  /** The ids of the seats that were asked. */
  readonly asked = new Set<string>();
  /** The calls without an answer. */
  readonly silences: Silence[] = [];
  /**
   * All texts that were said, shown or entered so far. A number in the outcome should be in one of
   * them.
   */
  readonly said: string[] = [];
  readonly #run: Run;
  readonly #given: OwnRunContext;
  readonly #task: (phase: string) => string;
  /** The protocol's instructions; an answer that repeats them has no content. */
  readonly #texts: readonly string[];
  /** Returns whether a seat of the role may use tools if the call does not say so. */
  readonly #looks: (role: string) => boolean;
  /** The attached documents as the beginning of a prompt; empty if nothing is attached. */
  readonly #attached: readonly MessagePart[];
  /** Failed calls that a person has asked to repeat. */
  readonly #again: ReadonlySet<string>;

  /**
   * `task` returns the name of the task for the first part of a step's key. `texts` are the
   * protocol's instructions, which an answer must not repeat. `looks` returns whether seats of a
   * role may use tools if a call does not say so.
   */
  constructor(
    run: Run,
    context: OwnRunContext,
    task: (phase: string) => string,
    texts: readonly string[] = [],
    looks: (role: string) => boolean = () => false,
  ) {
    this.all = context.seats;
    this.#run = run;
    this.#given = context;
    this.#task = task;
    this.#texts = texts;
    this.#looks = looks;
    const attached = makeAttachedPart(context.config);
    this.#attached = attached === undefined ? [] : [attached];
    this.#again = stepsToRetry(context);
  }

  /**
   * Asks a seat, and asks a second time if the first answer cannot be used. `heard` are the texts
   * that the prompt quotes.
   * @throws NoAnswer if the call failed, a person stopped it, or the second answer cannot be used either. With
   *   `options.otherwise`, that text is returned instead
   */
  async ask(
    key: string,
    id: string,
    prompt: string,
    heard: readonly Quoted[],
    options: AnyAskOptions = {},
  ): Promise<unknown> {
    const { check, wrongTwice = 'none', documents = true } = options;
    const seat = this.all.find((seat) => seat.id === id);
    if (seat === undefined)
      throw new TypeError(
        `there is no seat ${JSON.stringify(id)}; the seats are ${this.all.map((seat) => seat.id).join(', ')}`,
      );
    if (typeof prompt !== 'string' || prompt.trim() === '')
      throw new TypeError(`ask ${key}: the prompt is not text`);
    this.asked.add(seat.id);
    const asked = this.#texts.filter((text) => prompt.includes(text));
    const findRepetition = (answer: unknown): string | undefined => findRepeated(answer, asked);
    const wrongWith = (answer: unknown): string | undefined =>
      findRepetition(answer) ?? check?.(answer as never, toSeatAtWork(seat));
    const messages: Message[] = [
      { role: 'user', parts: [...(documents ? this.#attached : []), { text: prompt }] },
    ];
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
        const keeps = wrongTwice === 'keep' && findRepetition(first.answer) === undefined;
        if (keeps && error instanceof NoAnswer) return first;
        throw error;
      });
      const still = wrongWith(again.answer);
      const keeps = wrongTwice === 'keep' && findRepetition(again.answer) === undefined;
      if (still === undefined || keeps) return this.#take(again);
      throw new NoAnswer(key, seat.title, `its answer could not be used twice: ${still}`);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.silences.push({ seat: id, title: seat.title, key, reason: error.reason });
      if (options.otherwise !== undefined) return options.otherwise;
      throw error;
    }
  }

  #take({ answer, text }: Answered): unknown {
    this.said.push(withoutEscapedLineEnds(text));
    return answer;
  }

  /** Makes one call, or several if the seat uses tools first. @throws NoAnswer */
  async #call(
    key: string,
    known: Seat,
    messages: readonly Message[],
    heard: readonly Quoted[],
    { schema, timeoutMs, maxTokens, look = this.#looks(known.role) }: AnyAskOptions,
  ): Promise<Answered> {
    const { config, past, question } = this.#given;
    const looks = look === true && this.#run.tools.length > 0;
    const isRetried = (step: string): boolean => this.#again.has(step);
    const isAgain = looks ? [...this.#again].some((step) => stepOf(step) === key) : isRetried(key);
    const seat = {
      ...known,
      model: isAgain ? known.model : getModelAt(key, known, past, config, looks),
    };
    if (splitSpec(seat.model).provider === 'rehearsal') this.rehearsal = true;
    const request: ModelRequest = {
      task: this.#task(key.split('/')[0] ?? key),
      about: { question, ...(heard.length === 0 ? {} : { heard }) },
      seat,
      messages,
      seed: config.seed,
      ...withoutUndefined({ schema }),
      ...(schema === undefined || maxTokens !== undefined ? {} : { limits: FORM }),
      ...withoutUndefined({ maxTokens }),
    };
    const tools = looks ? {} : { tools: [] };
    const reply = await askWithTools(this.#run, key, request, {
      again: isRetried,
      timeoutMs,
      ...tools,
    });
    if (reply.status === 'done')
      return { answer: schema === undefined ? reply.text : reply.value, text: reply.text };
    if (this.#run.signal.aborted) throw this.#run.signal.reason;
    throw reply.status === 'failed'
      ? new NoAnswer(key, known.title, reply.message, reply.next)
      : new NoAnswer(key, known.title, 'it was stopped');
  }

  /** Gives seats another model, if the person's request to ask them again names a model. */
  async changeModel(): Promise<void> {
    const { request, facts } = this.#given;
    if (request.kind !== 'retry' || request.model === undefined) return;
    const { model } = request;
    let count = facts.filter(({ type }) => type === 'seat.changed').length;
    for (const seat of this.all.filter(({ id }) => request.seats.includes(id))) {
      if (seat.model === model) continue;
      count += 1;
      await this.#run.step(`seat-changed/${count}`, { seat: seat.id, model }, ({ emit }) =>
        emit(fact('seat.changed', { seat: seat.id, model })),
      );
      this.all = this.all.map((member) => (member.id === seat.id ? { ...member, model } : member));
    }
  }
}

/**
 * Returns the name of a part of an answer that repeats the instructions or is an unfilled placeholder;
 * undefined if none does.
 */
function findRepeated(answer: unknown, texts: readonly string[], name = ''): string | undefined {
  if (typeof answer === 'string') {
    if (!repeatsPrompt(answer, texts) && !isLeftOpen(answer)) return undefined;
    return `${name === '' ? 'It' : name} repeats the instructions instead of answering.`;
  }
  if (typeof answer !== 'object' || answer === null) return undefined;
  for (const [key, value] of Object.entries(answer)) {
    const wrong = findRepeated(value, texts, Array.isArray(answer) ? name : key);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/**
 * Returns whether a value is an unfilled placeholder: `<your choice>`, `...`. An empty field is allowed,
 * and a single word may be an offered answer.
 */
function isLeftOpen(value: string): boolean {
  return value.trim() !== '' && !/^\s*[\p{L}\p{N}]+\s*$/u.test(value) && isPlaceholder(value);
}
