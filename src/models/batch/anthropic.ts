/** Anthropic's Message Batches. A batch cannot be given a name, only its requests can. */
import type Anthropic from '@anthropic-ai/sdk';
import { isRecord } from '../../text/json.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { messageEvents } from '../answer/whole.ts';
import {
  type Failure,
  malformedFailure,
  ProviderFailure,
  type ServerDescription,
} from '../failure.ts';
import { errorIn } from '../network/error-reply.ts';
import { guardRequest } from '../stream-guard.ts';
import {
  type Batches,
  type BatchRequest,
  type BatchState,
  type FoundBatch,
  streamOf,
  type WaveMark,
} from './batches.ts';
import { readLines } from './lines.ts';
import { LOOK_MS, parseAnswer, SUBMIT_MS, submittedAbout, unansweredFailure } from './ways.ts';

interface AnthropicServer {
  readonly about: ServerDescription;
  /** @throws ProviderFailure if no request can be sent, such as without a key */
  readonly client: (fetch: typeof globalThis.fetch) => Promise<Anthropic>;
}

/** The API's limits: 100,000 requests and 256 MB, with a margin for the JSON around the requests. */
const MOST = { requests: 100_000, bytes: 250 * 1024 * 1024 };
const PAGE = 100;
/** Pages that are searched for a batch: more than an account makes in the hours around its time. */
const MOST_PAGES = 50;

type Entry = Readonly<Record<string, unknown>>;

/** Sends, finds and reads batches at Anthropic. */
export class AnthropicBatches implements Batches {
  readonly most = MOST;
  readonly #server: AnthropicServer;

  constructor(server: AnthropicServer) {
    this.#server = server;
  }

  submit(_wave: WaveMark, requests: readonly BatchRequest[], signal: AbortSignal): Promise<string> {
    return this.#ask(SUBMIT_MS, signal, async (client) => {
      const made: unknown = await client.messages.batches.create(
        {
          requests: requests.map(({ id, body }) => ({
            custom_id: id,
            params: JSON.parse(body) as Anthropic.Messages.MessageCreateParamsNonStreaming,
          })),
        },
        { signal },
      );
      return this.#idOf(made);
    });
  }

  /**
   * Finds batches by their time and number of requests. Other batches of the account may match as
   * well.
   */
  async find(wave: WaveMark, signal: AbortSignal): Promise<readonly FoundBatch[]> {
    const found: FoundBatch[] = [];
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { data, has_more: goesOn } = await this.#ask(LOOK_MS, signal, (client) =>
        client.messages.batches.list(
          { limit: PAGE, ...withoutUndefined({ after_id: after }) },
          { signal },
        ),
      );
      const listed: unknown = data;
      if (!Array.isArray(listed)) throw this.#malformed('the list of batches is none');
      const batches = listed.filter(isRecord);
      const about = batches.filter((batch) =>
        submittedAbout(wave, Date.parse(`${batch.created_at}`)),
      );
      for (const batch of about)
        if (typeof batch.id === 'string' && totalOf(batch) === wave.requests)
          found.push({ batch: batch.id, isCertain: false });
      const last = batches.at(-1);
      // The provider lists the newest batches first. If the last batch of a page is too old to be the wave, so
      // are all batches on further pages.
      const isPast = last !== undefined && Date.parse(`${last.created_at}`) < Date.parse(wave.at);
      const next = typeof last?.id === 'string' ? last.id : undefined;
      if (goesOn !== true || next === undefined || next === after) break;
      if (isPast && about.length === 0) break;
      after = next;
    }
    return found;
  }

  async look(batch: string, signal: AbortSignal): Promise<BatchState> {
    const state: unknown = await this.#ask(LOOK_MS, signal, (client) =>
      client.messages.batches.retrieve(batch, {}, { signal }),
    );
    if (!isRecord(state) || typeof state.processing_status !== 'string')
      throw this.#malformed('the state of a batch is none');
    const { processing } = countsOf(state);
    return {
      isOver: state.processing_status === 'ended',
      ended: totalOf(state) - (processing ?? 0),
    };
  }

  results(
    batch: string,
    take: (id: string, answer: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { about } = this.#server;
    // Build the address from the batch's id: the key must go to the configured host only, not to one that an
    // answer names.
    const path = `/v1/messages/batches/${encodeURIComponent(batch)}/results`;
    return this.#ask(
      LOOK_MS,
      signal,
      async (client) => {
        const response = await client.get(path, { signal }).asResponse();
        await readLines(about, response, LOOK_MS, ({ custom_id: id, result }) => {
          if (typeof id === 'string' && isRecord(result)) take(id, JSON.stringify(result));
        });
      },
      true,
    );
  }

  replay(answer: string, model: string): Response {
    const result = parseAnswer(answer);
    const { message } = result;
    if (result.type !== 'succeeded') throw new ProviderFailure(this.#failureOf(result, model));
    if (!isRecord(message) || !Array.isArray(message.content) || !isRecord(message.usage))
      throw this.#malformed('the batch holds an answer that is none');
    return streamOf(messageEvents(message, message.content));
  }

  #failureOf(result: Entry, model: string): Failure {
    const { about } = this.#server;
    if (result.type === 'expired' || result.type === 'canceled')
      return unansweredFailure(
        about,
        `the batch was ${result.type} before it came to this request`,
      );
    const told = isRecord(result.error) && isRecord(result.error.error);
    const failure = told ? errorIn(about, model, result.error as Entry) : undefined;
    return failure ?? unansweredFailure(about, 'the batch ended without an answer to this request');
  }

  #idOf(made: unknown): string {
    if (isRecord(made) && typeof made.id === 'string' && made.id !== '') return made.id;
    throw this.#malformed('the new batch has no id');
  }

  #malformed(words: string): ProviderFailure {
    return new ProviderFailure(malformedFailure(this.#server.about, words, true));
  }

  #ask<T>(
    idleMs: number,
    signal: AbortSignal,
    question: (client: Anthropic) => Promise<T>,
    isFile = false,
  ): Promise<T> {
    const { about, client } = this.#server;
    return guardRequest({ about, model: '', signal, idleMs, isFile }, async (fetch) =>
      question(await client(fetch)),
    );
  }
}

function countsOf({ request_counts: counts }: Entry): Readonly<Record<string, number>> {
  const known = isRecord(counts) ? counts : {};
  return Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, number] =>
      Number.isSafeInteger(entry[1]),
    ),
  );
}

function totalOf(batch: Entry): number {
  return Object.values(countsOf(batch)).reduce((sum, count) => sum + count, 0);
}
