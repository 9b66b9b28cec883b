/**
 * Offers tools of MCP servers. A server is contacted when its tools are first listed or used; its answer is
 * a result like any tool's, in lines that can be cited, with its source and time.
 */
import type { FetchOrigin, ToolCall, ToolOutput, Tools } from '../../kernel/tools/tools.ts';
import { isRecord } from '../../text/json.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { type ConnectionOptions, isOfferable, ServerConnection } from './connection.ts';
import {
  isProgram,
  type ListedServer,
  MOST_TOOLS,
  ServerFailure,
  type ServerTool,
  type ToolServer,
} from './definition.ts';
import { limitTool, namedToolsOf } from './describe.ts';
import { toFound } from './result.ts';

const LONGEST_ABOUT = 200;
/** The most characters of a server's error message. */
const LONGEST_WORDS = 2_000;

interface ServersOptions extends ConnectionOptions {
  /** Removes known keys from what servers say. */
  readonly conceal: (text: string) => string;
  /** The time to record. */
  readonly now?: () => Date;
}

/** The tool servers of a run, each with its connection. */
export class ToolServers {
  readonly #options: ServersOptions;
  readonly #servers: ReadonlyMap<
    string,
    { readonly server: ToolServer; readonly connection: ServerConnection }
  >;

  constructor(servers: readonly ToolServer[], options: ServersOptions) {
    this.#options = options;
    this.#servers = new Map(
      servers.map((server) => [
        server.name,
        { server, connection: new ServerConnection(server, options) },
      ]),
    );
  }

  /**
   * Connects to every server and lists its tools. In each result, `others` are the names of the
   * tools that seats are not offered.
   * @throws ServerFailure if a server fails; its message names the server
   */
  async list(
    signal: AbortSignal,
  ): Promise<(ListedServer & { readonly others: readonly string[] })[]> {
    return Promise.all(
      [...this.#servers.values()].map(async ({ server, connection }) => {
        const { calledItself, tools: all } = await connection
          .list(signal)
          .catch((error: unknown) => {
            throw error instanceof ServerFailure
              ? new ServerFailure(`${server.name}: ${error.message}`, this.#words(error.words))
              : error;
          });
        // Leave out a tool whose name contains a secret: it could not be called without revealing
        // the secret.
        const { conceal } = this.#options;
        const tools = all.filter(({ name }) => conceal(name) === name);
        const offerable = tools.filter((tool) => isOfferable(tool, server)).slice(0, MOST_TOOLS);
        return {
          name: server.name,
          address: isProgram(server.reach)
            ? this.#words(calledItself).replace(/\s+/g, ' ').slice(0, 80)
            : addressOf(server.reach.url),
          tools: offerable.map((tool) => redactTool(limitTool(tool), conceal)),
          withheld: tools.length - offerable.length,
          others: tools.flatMap((tool) => (offerable.includes(tool) ? [] : [tool.name])),
        };
      }),
    );
  }

  /**
   * Returns the tools that were listed when the run began, for seats to use. A server is contacted
   * when one of its tools is first used.
   */
  tools(listed: readonly ListedServer[]): Tools {
    const offered = namedToolsOf(listed);
    const addresses = new Map(listed.map(({ name, address }) => [name, address]));
    return {
      offered: [...offered.values()].map(({ info }) => info),
      use: (call, signal) => {
        const wanted = offered.get(call.name);
        if (wanted === undefined) return Promise.resolve(refuseCall('', 'there is no such tool'));
        const { server, tool } = wanted;
        return this.#use(call, { server, address: addresses.get(server) ?? '', tool }, signal);
      },
      close: () => this.close(),
    };
  }

  /** Closes the connections to all servers. */
  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ connection }) => connection.close()));
  }

  /** Uses a tool. Never rejects. */
  async #use(
    { arguments: given }: Omit<ToolCall, 'id'>,
    { server, address, tool }: { server: string; address: string; tool: string },
    signal: AbortSignal,
  ): Promise<ToolOutput> {
    const about = aboutOf(given);
    if (!isRecord(given)) return refuseCall(about, 'the arguments are not a JSON object');
    const found = this.#servers.get(server);
    if (found === undefined)
      return refuseCall(about, `nobody has named the tool server ${server} on this machine`);
    const makeFetched = (): FetchOrigin => ({
      server,
      address,
      at: (this.#options.now?.() ?? new Date()).toISOString(),
    });
    try {
      const result = await found.connection.call(tool, given, signal);
      return toFound(result, about, makeFetched(), this.#options.conceal);
    } catch (error) {
      if (!(error instanceof ServerFailure)) {
        const why = error instanceof Error ? error.message : String(error);
        return refuseCall(about, `it failed: ${this.#words(why)}`);
      }
      const words = this.#words(error.words);
      // If a tool server refuses a call in words of its own, record the server as the source of these words
      // (`fetched`). A refusal without such words has no source.
      return words === ''
        ? refuseCall(about, `${server}: ${error.message}`)
        : {
            about,
            from: 1,
            refused: true,
            fetched: makeFetched(),
            text: `${server}: ${error.message}\n${words}`,
          };
    }
  }

  #words(words: string): string {
    return this.#options.conceal(sanitiseText(words)).trim().slice(-LONGEST_WORDS);
  }
}

/** Removes secrets from a tool's description, which is stored and sent to models. */
function redactTool(tool: ServerTool, conceal: (text: string) => string): ServerTool {
  return JSON.parse(conceal(JSON.stringify(tool))) as ServerTool;
}

function refuseCall(about: string, text: string): ToolOutput {
  return { about, text, from: 1, refused: true };
}

/** Returns an address without query and credentials, which may contain a key. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Formats a model's arguments on one line: `query: "queues", count: 3`. */
function aboutOf(given: unknown): string {
  const said = isRecord(given)
    ? Object.entries(given)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join(', ')
    : String(given);
  const clean = sanitiseText(said).replace(/\s+/g, ' ').trim();
  return clean.length > LONGEST_ABOUT ? `${clean.slice(0, LONGEST_ABOUT)}…` : clean;
}
