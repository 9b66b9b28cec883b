/**
 * Carries out one call: attempts and retries, the split between thinking and answer, a second request if
 * the answer does not fit its schema, and the sum of its usage.
 */

import type * as z from 'zod';
import { computeDigest } from '../kernel/digest.ts';
import {
  addUsage,
  type CommonResult,
  type Message,
  type ModelResult,
  NO_USAGE,
} from '../kernel/model.ts';
import { estimatePrompt } from '../kernel/tokens.ts';
import { sanitiseText } from '../text/sanitise.ts';
import { answerTurn, isTight, problemTurn } from './answer/ask-again.ts';
import { makeAttempt } from './answer/attempt.ts';
import type { CallOptions } from './answer/call-options.ts';
import { findServedName, withoutInvisible } from './answer/cleaned.ts';
import { fillInUsage } from './counted.ts';
import { withNextStep } from './directions.ts';
import { clipLine, emptyFailure, type Failure, toFailedResult } from './failure.ts';
import { schemaInWords, toJsonSchema, withListedNumbers } from './json-schema.ts';
import type { Attempt, JsonSchema, ProviderRequest } from './provider.ts';
import { addLimits, lengthNotes, lengthProblems } from './providers/limits.ts';
import {
  type Feature,
  findRefusedFeature,
  isAboutEffort,
  NO_EFFORT,
  NO_SCHEMA,
  UNTOLD_SCHEMA,
  unknownEffort,
  unknownLevelNote,
} from './providers/refusals.ts';
import { isOffered, limitCalls } from './providers/tool-calls.ts';
import { type AttemptOutcome, withRetries } from './retry.ts';
import { untilAborted } from './stream-guard.ts';
import { answerInThoughts, readStructured, type Structured } from './structured.ts';
import {
  ANSWER_TASK,
  CHOICE_TASK,
  choiceJsonSchema,
  choiceSchema,
  describeInWords,
  readChoice,
} from './tools-in-words.ts';
import { FITS_ANYWHERE, tooLongFailure } from './window.ts';

const CUT = 'cut before its end: what there is of it is not used';
/** The most characters of a retry's reason, as much as fits on a seat's line. */
const MAX_REASON = 200;

/** One call to a model: all attempts at it, up to the result. */
export class Call {
  private readonly options: CallOptions;
  private schema: JsonSchema | undefined;
  /** Whether the schema lists numbers; after a bad answer also at servers that queue. */
  private listsNumbers: boolean;
  /** The thinking effort that is requested; undefined: the model's default. */
  private effort: string | undefined;
  private readonly began = performance.now();
  private readonly notes: string[] = [];
  private usage = NO_USAGE;
  private attempts = 0;
  /** The model's window, once a prompt was long enough to ask for it. */
  private window: number | undefined;
  private text = '';
  private thinking = '';
  private firstTokenMs: number | undefined;
  /** The model as the server named it, in the last request that it answered. */
  private served: string | undefined;
  /** The tools that the model wants to use, and its turn in the provider's format. */
  private asked: Pick<Extract<Attempt, { ok: true }>, 'calls' | 'turn'> = {};
  /** True if the server ended the answer in order to answer another request. */
  private wasDisplaced = false;
  /** The latest partial answer, kept if a later attempt has none. */
  private partial = { text: '', thinking: '' };

  constructor(options: CallOptions) {
    this.options = options;
    const { schema, limits, seat } = options.request;
    this.effort = seat.effort ?? seat.effortIfKnown;
    this.schema = schema && addLimits(toJsonSchema(schema), limits);
    this.listsNumbers = options.provider.ignoresBounds ?? false;
    if (schema && options.known !== undefined) this.notes.push(options.known);
  }

  /** Makes the call. Resolves to its result, failures included. */
  async run(): Promise<ModelResult> {
    const { refuses, request } = this.options;
    const { messages, schema } = request;
    const offers = isOffered(request);
    const unable = await this.learnAbilities();
    if (unable) return this.end(unable);
    if (offers && refuses.has('tools')) return this.choose();
    const failure = await this.converse(messages);
    // If the model turned out to refuse tools, describe the tools in the prompt instead.
    if (failure && offers && refuses.has('tools')) return this.choose();
    if (failure) return this.end(failure);
    if (!schema) return this.done();
    const first = this.read(schema);
    if (first.ok) return this.done(first);

    this.listsNumbers ||= this.options.provider.queues;
    const why = clipLine(this.options.redact(first.problems.join('; ')), MAX_REASON);
    this.options.context.onEvent({
      type: 'retrying',
      attempt: this.attempts,
      delayMs: 0,
      reason: `the answer does not have the right form: ${why}`,
    });
    const failedAgain = await this.converse(await this.withProblems(messages, first.problems));
    if (failedAgain) return this.end(failedAgain);
    this.notes.push(`asked again: ${why}`);
    const second = this.read(schema);
    if (second.ok) return this.done(second);
    return this.end({
      code: 'invalid-output',
      message: `${this.options.provider.name}: the answer does not have the right form, even when asked again: ${clipLine(second.problems.join('; '), MAX_REASON)}`,
      next: 'Give this seat a model that follows a schema',
      retry: false,
    });
  }

  /** Asks for the model's abilities if needed. Returns a failure if the seat needs a missing one. */
  private async learnAbilities(): Promise<Failure | undefined> {
    const { provider, refuses, model, request, context } = this.options;
    const { effort } = this;
    const isPlain = !isOffered(request) && this.schema === undefined && effort === undefined;
    const can = isPlain ? {} : ((await provider.abilities?.(model, context.signal)) ?? {});
    if (can.tools === false) refuses.add('tools');
    const isUntold = can.schema === 'untold' && !this.options.takesSchema;
    if (this.schema && (can.schema === false || isUntold)) {
      if (!refuses.has('schema')) this.notes.push(isUntold ? UNTOLD_SCHEMA : NO_SCHEMA);
      refuses.add('schema');
    }
    if (effort === undefined || can.efforts === undefined) return undefined;
    if (can.efforts.length > 0) {
      const unknown = unknownEffort(request.seat.model, effort, can.efforts);
      return unknown !== undefined && this.dropLevel() ? undefined : unknown;
    }
    this.notes.push(NO_EFFORT);
    refuses.add('effort');
    return undefined;
  }

  /** Calls a model without tool support, which says in JSON whether it wants to use a tool. */
  private async choose(): Promise<ModelResult> {
    const { messages, tools = [] } = this.options.request;
    this.notes.push('the model does not support tools; they were described in the prompt');
    this.schema = choiceJsonSchema(tools);
    const failure = await this.converse([...messages, CHOICE_TASK]);
    if (failure) return this.end(failure);
    const choice = readStructured(this.text, choiceSchema);
    const call = choice.ok ? readChoice(choice.value) : undefined;
    if (call !== undefined) {
      this.text = '';
      this.partial = { text: '', thinking: this.thinking };
      this.asked = { calls: limitCalls([call]) };
      return this.done();
    }
    // Prose instead of the JSON that chooses a tool is the model's answer in this turn; do not ask for it again.
    if (!choice.ok && !this.text.trimStart().startsWith('{')) return this.done();
    // The model chose to answer. If `formLater` is set, the caller asks for the answer in a later turn.
    if (this.options.request.formLater) return this.done();
    this.schema = undefined;
    const failedToAnswer = await this.converse([...messages, ANSWER_TASK]);
    return failedToAnswer ? this.end(failedToAnswer) : this.done();
  }

  /** Parses `text` by the schema and the limits. */
  private read(schema: z.ZodType): Structured {
    const { limits } = this.options.request;
    const read = readStructured(this.text, schema);
    if (!read.ok) return read;
    const problems = lengthProblems(read.value, limits);
    return problems.length > 0
      ? { ok: false, problems }
      : { ...read, notes: [...read.notes, ...lengthNotes(read.value, limits)] };
  }

  /** Makes attempts until `text` is complete, and returns undefined; otherwise the failure or `stopped`. */
  private async converse(messages: readonly Message[]): Promise<Failure | 'stopped' | undefined> {
    const { context, policy, provider, refuses, hasAnswered } = this.options;
    const unfit = await this.unfit(messages);
    if (context.signal.aborted) return 'stopped';
    if (unfit) return unfit;
    for (;;) {
      const tried = await withRetries(() => this.attempt(messages), {
        policy,
        hasAnswered,
        signal: context.signal,
        onEvent: (event) =>
          context.onEvent(
            event.type === 'retrying'
              ? { ...event, attempt: this.attempts, reason: this.options.redact(event.reason) }
              : event,
          ),
      });
      this.usage = addUsage(this.usage, tried.usage);
      for (const note of tried.notes) if (!this.notes.includes(note)) this.notes.push(note);
      if (tried.last.ok) {
        const { calls = [], turn } = tried.last;
        const sound = limitCalls(calls);
        // `turn` repeats the tool calls, so it is kept only if no call was dropped or cut.
        const isWhole = JSON.stringify(sound) === JSON.stringify(calls);
        this.asked = { calls: sound, turn: isWhole ? turn : undefined };
        if (calls.length > 0) return undefined;
        this.takeFromThoughts();
        return this.text.trim() === ''
          ? emptyFailure(provider.name, this.thinking !== '')
          : undefined;
      }
      if (context.signal.aborted) {
        // If the call was stopped while the server was still loading the model, say so in a note.
        if (tried.last.failure.loading)
          this.notes.push(`still loading: ${tried.last.failure.message}`);
        return 'stopped';
      }
      const feature = this.refusedFeature(tried.last.failure);
      if (!feature && isAboutEffort(tried.last.failure) && this.dropLevel()) continue;
      if (!feature) return tried.last.failure;
      refuses.add(feature);
      if (feature === 'tools' && isOffered(this.options.request)) return tried.last.failure;
    }
  }

  /** Takes the thinking as the answer if the server put the structured answer there. */
  private takeFromThoughts(): void {
    const answer = this.schema && answerInThoughts(this.text, this.thinking);
    if (answer === undefined) return;
    this.text = answer;
    this.thinking = '';
    this.notes.push('the server sent the answer as thinking');
    this.options.context.onEvent({ type: 'text', text: answer });
  }

  /** Returns a failure for a prompt that exceeds the window, which some servers would cut silently. */
  private async unfit(messages: readonly Message[]): Promise<Failure | undefined> {
    const { context, request, window } = this.options;
    const estimated = estimatePrompt(request.seat.brief, messages, request.tools);
    const prompt = this.options.scale.apply(estimated);
    if (prompt < FITS_ANYWHERE) return undefined;
    this.window = await Promise.race([window(), untilAborted(context.signal)]);
    return tooLongFailure(request.seat.model, prompt, this.window, request.maxTokens);
  }

  private async attempt(messages: readonly Message[]): Promise<AttemptOutcome> {
    const { others, scale } = this.options;
    if (this.wasDisplaced) await others.letFinish();
    this.attempts += 1;
    const sent = this.toSend(messages);
    const { schema, attempts: number } = this;
    const heard = await makeAttempt(this.options, sent, { number, schema });
    const { attempt } = heard;
    this.text = heard.text;
    this.thinking = heard.thinking;
    this.firstTokenMs = heard.firstTokenMs;
    this.wasDisplaced = heard.wasDisplaced;
    this.served = attempt.served ?? this.served;
    const { input, estimated } = attempt.usage;
    if (estimated !== true)
      scale.learn(estimatePrompt(sent.system, sent.messages, sent.tools), input);
    const spoke = this.text !== '' || this.thinking !== '';
    if (!spoke) return { attempt, spoke };
    this.partial = { text: this.text, thinking: this.thinking };
    // Servers mostly report counts of tokens at the end of an answer. If the attempt ended earlier, estimate the
    // counts that are missing.
    const usage = fillInUsage(attempt.usage, sent, this.partial);
    return { attempt: { ...attempt, usage }, spoke };
  }

  private toSend(messages: readonly Message[]): ProviderRequest {
    const { request, model, refuses, context } = this.options;
    const { seat } = request;
    const system = sanitiseText(seat.brief);
    const asWords = refuses.has('schema') ? this.schema : undefined;
    const form = this.schema && this.listsNumbers ? withListedNumbers(this.schema) : this.schema;
    const { tools, toolsClosed } = request;
    const toldOfTools = tools !== undefined && refuses.has('tools');
    const said = toldOfTools ? describeInWords(tools, messages) : messages;
    return {
      task: request.task,
      about: request.about,
      model,
      seatId: seat.id,
      role: seat.role,
      system,
      messages: (asWords
        ? [...said, { role: 'user' as const, parts: [{ text: schemaInWords(asWords) }] }]
        : said
      ).map(withoutInvisible),
      schema: asWords ? undefined : form,
      ...(tools === undefined || toldOfTools ? {} : { tools, toolsClosed }),
      temperature: refuses.has('temperature') ? undefined : seat.temperature,
      effort: refuses.has('effort') ? undefined : this.effort,
      maxTokens: request.maxTokens,
      room: request.room,
      answerTokens: refuses.has('limit') ? undefined : request.limits?.tokens,
      seed: request.seed,
      window: this.window,
      // Prompts begin with the seat's brief, so seats with the same brief share a prefix that the
      // provider can cache.
      ...(context.run === undefined ? {} : { cacheKey: computeDigest([context.run, system]) }),
      ...(context.longPauses === true ? { cacheFor: 'hour' as const } : {}),
      ...(this.schema && refuses.has('thinking') ? { think: false } : {}),
    };
  }

  /** Returns the feature that an error objects to, if the request can do without it. */
  private refusedFeature(failure: Failure): Feature | undefined {
    const { request, refuses } = this.options;
    const refused = findRefusedFeature(failure, {
      request,
      effort: this.effort,
      refuses,
      structured: this.schema !== undefined,
    });
    if (refused?.note !== undefined) this.notes.push(refused.note);
    return refused?.feature;
  }

  /** Drops an effort level that the seat does not insist on, for this call. False if there is none. */
  private dropLevel(): boolean {
    const { effort } = this;
    if (effort === undefined || this.options.request.seat.effort !== undefined) return false;
    this.notes.push(unknownLevelNote(effort));
    this.effort = undefined;
    return true;
  }

  /** Returns the conversation extended by the bad answer and the turn that lists its problems. */
  private async withProblems(
    messages: readonly Message[],
    problems: readonly string[],
  ): Promise<readonly Message[]> {
    const { context, request, scale, window } = this.options;
    this.window ??= await Promise.race([window(), untilAborted(context.signal)]);
    const tokensWith = (turn: Message): number =>
      scale.apply(estimatePrompt(request.seat.brief, [...messages, turn], request.tools));
    const full = problemTurn(problems, this.schema);
    // If the window has too little room, leave the schema out of the message that lists the problems: the request
    // contains the schema anyway.
    const turn = isTight(tokensWith(full), this.window) ? problemTurn(problems, undefined) : full;
    return [...messages, answerTurn(this.text, tokensWith(turn), this.window), turn];
  }

  private done(read?: { readonly value: unknown; readonly notes: readonly string[] }): ModelResult {
    if (read) this.notes.push(...read.notes);
    const { calls, turn } = this.asked;
    return {
      status: 'done',
      ...this.spoken(),
      ...(read ? { value: read.value } : {}),
      ...(calls !== undefined && calls.length > 0 ? { calls, turn } : {}),
    };
  }

  private async end(failed: Failure | 'stopped'): Promise<ModelResult> {
    const { redact, provider, model, context } = this.options;
    if (failed === 'stopped') return { status: 'stopped', ...this.spoken() };
    const failure = await withNextStep(provider, model, failed, context.signal);
    if (failure.code === 'truncated' && this.schema) this.notes.push(CUT);
    return toFailedResult(failure, this.spoken(), redact);
  }

  private spoken(): CommonResult {
    // A call may take several requests. If the last one brought no text, return the text and thinking of the
    // latest one that brought any.
    const words = this.text === '' ? this.partial : { text: this.text, thinking: this.thinking };
    return {
      ...words,
      usage: this.usage,
      latencyMs: Math.round(performance.now() - this.began),
      ...(this.firstTokenMs === undefined ? {} : { firstTokenMs: Math.round(this.firstTokenMs) }),
      ...findServedName(this.served, this.options.model),
      attempts: this.attempts,
      notes: this.notes.map(this.options.redact),
    };
  }
}
