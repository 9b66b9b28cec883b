/**
 * The connection to one tool server. It is opened when it is first needed, reopened if the server has gone
 * away, and closed with the run. Its library is loaded with the first connection.
 */
import type {
  CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  Tool,
} from '@modelcontextprotocol/client';
import { isProgram, ServerFailure, type ToolServer } from './definition.ts';
import { type Fetch, makeBoundedFetch } from './http.ts';
import { ProgramTransport, type StartGuard } from './program.ts';

/** Milliseconds for an answer; at the first start the server may have to be downloaded. */
const ANSWER_MS = 60_000;
/** How often a server is started in one run. */
const MOST_STARTS = 5;
/** The most pages of a server's list, and tools on them. */
const MOST_PAGES = 20;
const MOST_LISTED = 500;

/** The options of connections to tool servers. */
export interface ConnectionOptions {
  /** The version of this program, which is sent to servers. */
  readonly version: string;
  /** Starts the guard that ends a server's program together with this process. */
  readonly startGuard: StartGuard;
  readonly fetch: Fetch;
  /** The time limit for an answer in milliseconds; absent: a minute. */
  readonly answerMs?: number | undefined;
}

interface Link {
  readonly client: Client;
  readonly transport: ProgramTransport | StreamableHTTPClientTransport;
  /** The server's own name. */
  readonly calledItself: string;
  tools: ReadonlyMap<string, Tool>;
  /** Whether the server has announced that its list has changed. */
  isStale: boolean;
}

/** A connection to one tool server, which is opened when it is first used. */
export class ServerConnection {
  readonly #server: ToolServer;
  readonly #options: ConnectionOptions;
  #link: Promise<Link> | undefined;
  #starts = 0;
  /** Aborts a connection that is being opened. */
  #leave = new AbortController();

  constructor(server: ToolServer, options: ConnectionOptions) {
    this.#server = server;
    this.#options = options;
  }

  /**
   * Returns the server's tools, and the name by which the server calls itself.
   * @throws ServerFailure if the server cannot be reached or answers with an error
   */
  async list(signal: AbortSignal): Promise<{ calledItself: string; tools: readonly Tool[] }> {
    const link = await this.#open(signal);
    return { calledItself: link.calledItself, tools: [...link.tools.values()] };
  }

  /**
   * Uses a tool of the server.
   * @throws ServerFailure if the server fails; also if the server no longer lists the tool, or
   * lists it in a form that may not be offered
   */
  async call(
    tool: string,
    given: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const link = await this.#open(signal);
    if (link.isStale) {
      link.isStale = false;
      link.tools = await this.#listed(link.client, link.transport, signal);
    }
    const listed = link.tools.get(tool);
    if (listed === undefined) throw new ServerFailure('it has no such tool any more');
    if (!isOfferable(listed, this.#server))
      throw new ServerFailure(
        'it no longer says that this tool only reads, and the person does not allow it',
      );
    try {
      return await this.#asked(link.transport, (timeout) =>
        link.client.request(
          { method: 'tools/call', params: { name: tool, arguments: given } },
          { signal, timeout, maxTotalTimeout: timeout },
        ),
      );
    } catch (error) {
      // If the server is reached over HTTP, its session may have expired. So let the next call open a new one.
      if (!(link.transport instanceof ProgramTransport)) this.#link = undefined;
      throw error;
    }
  }

  /** Closes the connection. A later call opens it again. */
  async close(): Promise<void> {
    this.#leave.abort();
    this.#leave = new AbortController();
    const link = await this.#link?.catch(() => undefined);
    this.#link = undefined;
    if (link === undefined) return;
    // If the server has sessions, tell it that this session is over, and wait at most half a second for its
    // answer.
    if ('terminateSession' in link.transport)
      await Promise.race([
        link.transport.terminateSession().catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 500).unref()),
      ]);
    await link.client.close();
    await link.transport.close();
  }

  async #open(signal: AbortSignal): Promise<Link> {
    const before = this.#link;
    const known = await before?.catch(() => undefined);
    if (known !== undefined && !isOver(known.transport)) return known;
    // If several seats call at once, only the first call opens the connection.
    if (this.#link === before) {
      if (this.#starts >= MOST_STARTS)
        throw new ServerFailure(`it went away ${MOST_STARTS} times and is not started again`);
      if (isProgram(this.#server.reach)) this.#starts += 1;
      this.#link = this.#connect(this.#leave.signal);
      // If opening fails while no caller waits for it, Node must not report an unhandled rejection.
      this.#link.catch(() => undefined);
    }
    const link = this.#link;
    if (link === undefined) throw new ServerFailure('it was ended');
    return unlessAborted(link, signal);
  }

  async #connect(signal: AbortSignal): Promise<Link> {
    const library = await import('@modelcontextprotocol/client');
    const { reach } = this.#server;
    const { version, startGuard, fetch } = this.#options;
    const client = new library.Client(
      { name: 'deliberate', version },
      { capabilities: {}, listMaxPages: MOST_PAGES, inputRequired: { autoFulfill: false } },
    );
    const transport = isProgram(reach)
      ? new ProgramTransport(reach, startGuard)
      : new library.StreamableHTTPClientTransport(new URL(reach.url), {
          requestInit: { headers: { ...reach.headers } },
          fetch: makeBoundedFetch(fetch),
          onInsufficientScope: 'throw',
        });
    try {
      await this.#asked(transport, (timeout) => client.connect(transport, { signal, timeout }));
      const { name = '', version: serverVersion = '' } = client.getServerVersion() ?? {};
      const calledItself = `${name} ${serverVersion}`.trim();
      const link: Link = { client, transport, calledItself, tools: new Map(), isStale: false };
      client.setNotificationHandler('notifications/tools/list_changed', () => {
        link.isStale = true;
      });
      link.tools = await this.#listed(client, transport, signal);
      return link;
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  async #listed(
    client: Client,
    transport: Link['transport'],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Tool>> {
    const tools = new Map<string, Tool>();
    let cursor: string | undefined;
    for (let page = 1; page <= MOST_PAGES && tools.size < MOST_LISTED; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const listed = await this.#asked(transport, (timeout) =>
        client.request({ method: 'tools/list', params }, { signal, timeout }),
      );
      for (const tool of listed.tools)
        if (!tools.has(tool.name) && tools.size < MOST_LISTED) tools.set(tool.name, tool);
      cursor = listed.nextCursor;
      if (cursor === undefined) break;
    }
    return tools;
  }

  /** Sends a request. @throws ServerFailure for any error */
  async #asked<T>(
    transport: Link['transport'],
    ask: (timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    const timeoutMs = this.#options.answerMs ?? ANSWER_MS;
    try {
      return await ask(timeoutMs);
    } catch (error) {
      throw await failureOf(error, transport, timeoutMs);
    }
  }
}

/** The allowed names of tools: a name appears in prompts without a note that a server chose it. */
const NAME = /^[A-Za-z0-9_./-]{1,64}$/;

/**
 * Returns whether a tool may be offered to seats: its server marks it as read-only, or the person's
 * configuration allows it. Its name must also have no more than 64 characters, all of them letters,
 * digits or `_./-`.
 */
export function isOfferable(
  { name, annotations }: Pick<Tool, 'name' | 'annotations'>,
  { allow }: Pick<ToolServer, 'allow'>,
): boolean {
  return NAME.test(name) && (annotations?.readOnlyHint === true || allow.includes(name));
}

/**
 * Waits for a promise. @throws the signal's reason as soon as it is aborted; the promise itself goes on for
 * others
 */
async function unlessAborted<T>(what: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([what, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function isOver(transport: Link['transport']): boolean {
  return transport instanceof ProgramTransport && transport.isOver;
}

async function failureOf(
  error: unknown,
  transport: Link['transport'],
  timeoutMs: number,
): Promise<ServerFailure> {
  if (error instanceof ServerFailure) return error;
  const said = transport instanceof ProgramTransport ? transport : undefined;
  if (said?.failure !== undefined) return said.failure;
  const { SdkError, SdkErrorCode, SdkHttpError, ProtocolError } = await import(
    '@modelcontextprotocol/client'
  );
  const cause = causeOf(error);
  if (cause instanceof ServerFailure) return cause;
  if (error instanceof SdkHttpError)
    return new ServerFailure(`it answered with HTTP ${error.status ?? 'an error'}`, error.message);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new ServerFailure(
      `it did not answer within ${Math.ceil(timeoutMs / 1000)} s`,
      said?.words ?? '',
    );
  const words = error instanceof Error ? error.message : String(error);
  if (error instanceof ProtocolError) return new ServerFailure('it answered with an error', words);
  if (error instanceof SdkError) return new ServerFailure('its answer was not understood');
  const reason = cause instanceof Error ? `: ${cause.message}` : '';
  return new ServerFailure(`it could not be reached`, `${words}${reason}`);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}
