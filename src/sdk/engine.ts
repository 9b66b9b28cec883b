/** How a definition is held: the kernel's protocol, and every call of the author's as a step of the run. */
import * as z from 'zod';
import { RunStopped, StoreError, UsageError } from '../kernel/errors.ts';
import { fact } from '../kernel/facts.ts';
import type { Run } from '../kernel/handle.ts';
import { type ModelRequest, type Seat, splitSpec } from '../kernel/model.ts';
import type { Outcome, Past, Protocol, RunContext, Wanted } from '../kernel/protocol.ts';
import { shortId } from '../kernel/short-id.ts';
import { stepOf } from '../kernel/tools/tools.ts';
import { type AnyBody, Vocabulary } from '../kernel/vocabulary.ts';
import { askWithTools } from '../protocols/common/ask-with-tools.ts';
import { noBoard, nothingToResume, OF_BOARDS } from '../protocols/common/past.ts';
import { conveneSchema, noteSchema, retrySchema } from '../protocols/common/requests.ts';
import { sanitise } from '../text/sanitise.ts';
import { Attendance, Misstep } from './attendance.ts';
import { configSchema, modelAt, type OwnConfig } from './config.ts';
import {
  type AnyDefinition,
  type AskOptions,
  type Conclusion,
  type Context,
  type FactDefinition,
  factOf,
} from './define.ts';
import { NoAnswer } from './no-answer.ts';
import { nameOf, type Places, placeIn } from './place.ts';

const requestSchema = z.discriminatedUnion('kind', [conveneSchema, retrySchema]);
type OwnRequest = z.infer<typeof requestSchema>;
type OwnRunContext = RunContext<OwnConfig, OwnRequest>;

/** A protocol of somebody's own, as the session holds any other. `places`: of the files it lies in. */
export function kernelProtocol(definition: AnyDefinition, places: Places): Protocol {
  const protocol: Protocol<OwnConfig, OwnRequest> = {
    name: definition.name,
    config: configSchema,
    requests: requestSchema,
    controls: noteSchema,
    request: requestWanted,
    execute: (run, context) => new Attempt(run, context, definition, places).hold(),
  };
  return protocol as Protocol;
}

/** A run of it goes on as far as it got, or with failed calls of some seats asked again. @throws DeliberateError */
function requestWanted({ view }: Past, wanted: Wanted): OwnRequest {
  const fork = `To change something, fork it: deliberate fork ${shortId(view.id)} --at STEP --set seat.ROLE.model=M`;
  if (wanted.kind === 'retry') {
    const open = Object.values(view.calls).some(
      ({ seat, state }) => wanted.seats.includes(seat) && state !== 'done',
    );
    // What was answered stays: the rest of the run was made from it.
    if (view.status === 'done' && !open)
      throw nothingToResume(view, `every call of ${wanted.seats.join(', ')} was answered`, fork);
    return { ...wanted, seats: [...wanted.seats] };
  }
  if (wanted.kind === 'resynthesize')
    throw new UsageError(`${view.protocol} makes no further synthesis`, fork);
  if (wanted.kind !== 'resume') throw noBoard(view, OF_BOARDS[wanted.kind]);
  if (view.status === 'done') throw nothingToResume(view, 'it has its conclusion', fork);
  return view.request.kind === 'retry' ? requestSchema.parse(view.request) : { kind: 'convene' };
}

/** Its own facts, by their whole names: `red-team/objection.raised`. */
function vocabularyOf({ name, facts = {} }: AnyDefinition): Vocabulary<AnyBody> {
  const schemas = Object.entries(facts).map(([kind, one]) => {
    const { v, body } = factOf(one);
    return z.object({
      ...body.shape,
      v: z.literal(v),
      type: z.literal(`${name}/${kind}`),
      step: z.string().optional(),
    });
  });
  return new Vocabulary<AnyBody>(schemas, {});
}

/** Made by `conclude` alone. */
class Concluded implements Conclusion {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type OwnContext = Context<
  Record<string, unknown>,
  string,
  Readonly<Record<string, FactDefinition>>
>;

class Attempt {
  readonly #run: Run;
  readonly #given: OwnRunContext;
  readonly #definition: AnyDefinition;
  readonly #places: Places;
  readonly #attendance: Attendance;
  readonly #vocabulary: Vocabulary<AnyBody>;
  /** Failed calls that a person wants asked again. */
  readonly #again: ReadonlySet<string>;
  #seats: readonly Seat[];
  /** Whether the stand-in spoke in any call of the run. */
  #rehearsal = false;

  constructor(run: Run, context: OwnRunContext, definition: AnyDefinition, places: Places) {
    this.#run = run;
    this.#given = context;
    this.#definition = definition;
    this.#places = places;
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
      const done: unknown = await this.#attendance.watch(config.seed, () => author(context));
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
    return {
      question,
      settings,
      seed: config.seed,
      seats: this.#seats.map(({ id, title, model }) => ({ id, title, model })),
      ask: ((key: string, seat: string, prompt: string, options?: AskOptions) =>
        this.#attendance.attend(key, () =>
          this.#ask(key, seat, prompt, options),
        )) as OwnContext['ask'],
      step: (key, inputs, work) =>
        this.#attendance.attend(key, (place) => this.#step(key, inputs, work, place)),
      emit: (key, kind, body) =>
        this.#attendance.attend(key, (place) => this.#emit(key, kind, body, place)),
      takeInput: (key) => this.#attendance.attend(key, () => this.#takeInput(key)),
      conclude: (text) => this.#attendance.attend('conclusion', () => this.#conclude(text), true),
    };
  }

  async #ask(
    key: string,
    id: string,
    prompt: string,
    { schema, timeoutMs, maxTokens, look }: AskOptions & { readonly schema?: z.ZodType } = {},
  ): Promise<unknown> {
    const { config, past } = this.#given;
    const known = this.#seats.find((one) => one.id === id);
    if (known === undefined)
      throw new TypeError(
        `there is no seat ${JSON.stringify(id)}; there is ${this.#seats.map((one) => one.id).join(', ')}`,
      );
    if (typeof prompt !== 'string' || prompt.trim() === '')
      throw new TypeError(`ask ${key}: the prompt is no text`);
    const looks = look === true && this.#run.tools.length > 0;
    const again = (step: string): boolean => this.#again.has(step);
    const isAgain = looks ? [...this.#again].some((step) => stepOf(step) === key) : again(key);
    const seat = {
      ...known,
      model: isAgain ? known.model : modelAt(key, known, past, config, looks),
    };
    if (splitSpec(seat.model).provider === 'rehearsal') this.#rehearsal = true;
    const request: ModelRequest = {
      task: 'own/ask',
      seat,
      messages: [{ role: 'user', parts: [{ text: prompt }] }],
      seed: config.seed,
      ...(schema === undefined ? {} : { schema }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    };
    const tools = looks ? {} : { tools: [] };
    const reply = await askWithTools(this.#run, key, request, { again, timeoutMs, ...tools });
    if (reply.status === 'done') return schema === undefined ? reply.text : reply.value;
    if (this.#run.signal.aborted) throw this.#run.signal.reason;
    throw reply.status === 'failed'
      ? new NoAnswer(key, known.title, reply.message, reply.next)
      : new NoAnswer(key, known.title, 'it was stopped');
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

  async #conclude(text: string): Promise<Conclusion> {
    if (typeof text !== 'string' || text.trim() === '')
      throw new TypeError('conclude: the conclusion is no text');
    const rehearsal = this.#rehearsal;
    await this.#run.step('conclusion', { text, rehearsal }, ({ emit }) =>
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
      ),
    );
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

/** Calls of the named seats that failed. */
function stepsToRetry({ request, past }: OwnRunContext): Set<string> {
  if (request.kind !== 'retry') return new Set();
  return new Set(
    Object.values(past.calls)
      .filter(({ seat, state }) => state === 'failed' && request.seats.includes(seat))
      .map(({ step }) => step),
  );
}

/** As it will be read from the record. @throws TypeError where JSON cannot say it. */
function plain<T>(value: T, key: string): T {
  const text = JSON.stringify(value ?? null);
  if (text === undefined) throw new TypeError(`what ${key} returns cannot be recorded as JSON`);
  return JSON.parse(text) as T;
}
