/**
 * OpenAI's batches: a file of requests, a batch with the wave's id in its metadata, and files of results.
 */
import { isRecord } from '../../text/json.ts';
import { completionChunks, responseEvents } from '../answer/whole.ts';
import { clipLine, malformedFailure, ProviderFailure, type ServerDescription } from '../failure.ts';
import { httpFailure } from '../network/error-reply.ts';
import type { OpenAIClient } from '../providers/openai-client.ts';
import type { OpenAIServer } from '../providers/openai-server.ts';
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

/** The API's limits: 50,000 requests, and a file of 200 MB with a margin. */
const MOST = { requests: 50_000, bytes: 195 * 1024 * 1024 };
/** The key in a batch's metadata that contains the wave's id. */
const WAVE = 'deliberate_wave';
const PAGE = 100;
const MOST_PAGES = 50;
/** The expiry of uploaded files, which are otherwise kept forever. */
const KEPT = { anchor: 'created_at' as const, seconds: 30 * 24 * 3600 };

/** The final states of a batch. */
const OVER: ReadonlySet<unknown> = new Set(['completed', 'expired', 'cancelled', 'failed']);

type Entry = Readonly<Record<string, unknown>>;

/** Sends, finds and reads batches at OpenAI. */
export class OpenAIBatches implements Batches {
  readonly most = MOST;
  readonly #server: OpenAIServer;

  constructor(server: OpenAIServer) {
    this.#server = server;
  }

  async submit(
    wave: WaveMark,
    requests: readonly BatchRequest[],
    signal: AbortSignal,
  ): Promise<string> {
    const path = requests[0]?.path ?? '';
    const rows = requests.map(({ id, body }) => {
      const body_ = JSON.parse(body) as unknown;
      return `${JSON.stringify({ custom_id: id, method: 'POST', url: path, body: body_ })}\n`;
    });
    const { official } = this.#server;
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new File(rows, `${wave.id}.jsonl`));
    if (official)
      for (const [name, value] of Object.entries(KEPT))
        form.set(`expires_after[${name}]`, String(value));
    const uploaded = await this.#ask(SUBMIT_MS, signal, (client) => client.ask('/files', form));
    const input = idOf(uploaded);
    if (input === undefined) throw this.#malformed('the uploaded file has no id');
    const made = await this.#ask(SUBMIT_MS, signal, (client) =>
      client.ask('/batches', {
        input_file_id: input,
        endpoint: path,
        completion_window: '24h',
        metadata: { [WAVE]: wave.id },
        ...(official ? { output_expires_after: KEPT } : {}),
      }),
    );
    const batch = idOf(made);
    if (batch === undefined) throw this.#malformed('the new batch has no id');
    return batch;
  }

  async find(wave: WaveMark, signal: AbortSignal): Promise<readonly FoundBatch[]> {
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = new URLSearchParams({ limit: String(PAGE) });
      if (after !== undefined) query.set('after', after);
      const list = await this.#ask(LOOK_MS, signal, (client) => client.ask(`/batches?${query}`));
      const { data: listed, has_more: goesOn } = isRecord(list) ? list : {};
      if (!Array.isArray(listed)) throw this.#malformed('the list of batches is none');
      const batches = listed.filter(isRecord);
      const ours = batches.find(({ metadata }) => isRecord(metadata) && metadata[WAVE] === wave.id);
      if (typeof ours?.id === 'string') return [{ batch: ours.id, isCertain: true }];
      const last = batches.at(-1);
      const next = idOf(last);
      if (goesOn !== true || next === undefined || next === after) break;
      // The provider lists batches from the newest to the oldest. So stop at a page whose last batch was
      // submitted more than an hour before the wave.
      const createdAt = Number(last?.created_at) * 1000;
      if (createdAt < Date.parse(wave.at) && !submittedAbout(wave, createdAt)) break;
      after = next;
    }
    return [];
  }

  async look(batch: string, signal: AbortSignal): Promise<BatchState> {
    const state = await this.#state(batch, signal);
    const counts = isRecord(state.request_counts) ? state.request_counts : {};
    return {
      isOver: OVER.has(state.status),
      ended: (Number(counts.completed) || 0) + (Number(counts.failed) || 0),
      ...(state.status === 'failed' ? { failed: this.#reasonOf(state) } : {}),
    };
  }

  async results(
    batch: string,
    take: (id: string, answer: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const state = await this.#state(batch, signal);
    const counts = isRecord(state.request_counts) ? state.request_counts : {};
    const files = [state.output_file_id, state.error_file_id].filter(
      (id): id is string => typeof id === 'string' && id !== '',
    );
    if (files.length === 0 && Number(counts.completed) > 0)
      throw this.#malformed('a batch that is over has no file of its answers yet');
    for (const id of files)
      await this.#ask(
        LOOK_MS,
        signal,
        async (client) => {
          const response = await client.open(`/files/${encodeURIComponent(id)}/content`);
          await readLines(this.#server.about, response, LOOK_MS, (row) => {
            const { custom_id: of, response: reply = null, error = null } = row;
            if (typeof of === 'string') take(of, JSON.stringify({ response: reply, error }));
          });
        },
        true,
      );
  }

  replay(answer: string, model: string): Response {
    const { about } = this.#server;
    const { response, error } = parseAnswer(answer);
    if (!isRecord(response)) {
      const words = isRecord(error) ? (error.message ?? error.code) : undefined;
      throw new ProviderFailure(
        unansweredFailure(
          about,
          typeof words === 'string'
            ? clipLine(words)
            : 'the batch ended without an answer to this request',
        ),
      );
    }
    const { status_code: status, body } = response;
    if (typeof status === 'number' && status !== 200)
      throw new ProviderFailure(
        httpFailure(about, model, {
          status,
          statusText: '',
          headers: new Headers(),
          body: JSON.stringify(body ?? ''),
        }),
      );
    if (isRecord(body) && Array.isArray(body.output))
      return streamOf(responseEvents(body, body.output));
    if (isRecord(body) && Array.isArray(body.choices))
      return streamOf(completionChunks(body, body.choices), 'data: [DONE]\n\n');
    throw this.#malformed('the batch holds an answer that is none');
  }

  async #state(batch: string, signal: AbortSignal): Promise<Entry> {
    const state: unknown = await this.#ask(LOOK_MS, signal, (client) =>
      client.ask(`/batches/${encodeURIComponent(batch)}`),
    );
    if (!isRecord(state) || typeof state.status !== 'string')
      throw this.#malformed('the state of a batch is none');
    return state;
  }

  #reasonOf({ errors }: Entry): string {
    const data = isRecord(errors) ? errors.data : undefined;
    const [first] = Array.isArray(data) ? data : [];
    const message: unknown = isRecord(first) ? first.message : undefined;
    const words = typeof message === 'string' ? clipLine(message) : 'it gave no reason';
    return `${this.#server.about.name} refused a batch: ${words}`;
  }

  #malformed(words: string): ProviderFailure {
    return new ProviderFailure(malformedFailure(this.#about, words, true));
  }

  get #about(): ServerDescription {
    return this.#server.about;
  }

  #ask<T>(
    idleMs: number,
    signal: AbortSignal,
    question: (client: OpenAIClient) => Promise<T>,
    isFile = false,
  ): Promise<T> {
    return guardRequest({ about: this.#about, model: '', signal, idleMs, isFile }, async (fetch) =>
      question(await this.#server.client(fetch)),
    );
  }
}

function idOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value.id === 'string' && value.id !== '' ? value.id : undefined;
}
