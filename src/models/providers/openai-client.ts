/**
 * Sends the requests of OpenAI's API that are used here, as plain HTTP. OpenAI's own library would take a
 * tenth of the time from the program's start to its first request to load, and its retries, timeouts and
 * stream checks are done by the gateway and the `StreamGuard`.
 */
import { parseJson } from '../../text/json.ts';
import { SseFramer } from '../framing.ts';

/** The body: a form, or an object that is sent as JSON. Absent: the method is GET. */
type Content = object;

/** Sends requests to one server that speaks OpenAI's protocols. */
export class OpenAIClient {
  readonly #endpoint: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof globalThis.fetch;

  /**
   * @param endpoint the address before `/models` and the like, without a slash at its end
   * @param key absent: no key is sent
   * @param headers further headers, which replace the client's own of the same name
   * @param fetch must throw if the server answers with an error, and end when the request is
   * stopped
   */
  constructor(
    endpoint: string,
    key: string | undefined,
    headers: Readonly<Record<string, string>>,
    fetch: typeof globalThis.fetch,
  ) {
    this.#endpoint = endpoint;
    this.#headers = {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    };
    this.#fetch = fetch;
  }

  /**
   * Yields the parsed JSON of each server-sent event, until `[DONE]` or the end. Rejects as `fetch`
   * does.
   */
  async *stream(path: string, content: Content): AsyncGenerator<unknown> {
    const { body } = await this.#send(path, content, 'text/event-stream');
    if (body === null) return;
    const framer = new SseFramer();
    for await (const bytes of body)
      for (const { data } of framer.push(bytes)) {
        if (data === '[DONE]') return;
        if (data !== '') yield JSON.parse(data);
      }
    const last = framer.rest()?.data ?? '';
    if (last !== '' && last !== '[DONE]') yield JSON.parse(last);
  }

  /**
   * Returns the JSON document of the answer; undefined if it is not JSON.
   *
   * @param path relative to the endpoint, or a whole address
   */
  async ask(path: string, content?: Content): Promise<unknown> {
    return parseJson(await (await this.#send(path, content, 'application/json')).text());
  }

  /** Returns the response itself, to be read in pieces. */
  open(path: string): Promise<Response> {
    return this.#send(path, undefined, 'application/binary');
  }

  #send(path: string, content: Content | undefined, accept: string): Promise<Response> {
    const url = path.startsWith('/') ? this.#endpoint + path : path;
    if (content === undefined)
      return this.#fetch(url, { method: 'GET', headers: { accept, ...this.#headers } });
    // This client names no content type for form data. `fetch` sets one with the boundary between the parts, which
    // only `fetch` knows.
    const isForm = content instanceof FormData;
    return this.#fetch(url, {
      method: 'POST',
      headers: {
        accept,
        ...(isForm ? {} : { 'content-type': 'application/json' }),
        ...this.#headers,
      },
      body: isForm ? content : JSON.stringify(content),
    });
  }
}
