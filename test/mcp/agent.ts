/**
 * A coding agent as far as the protocol is concerned: the official MCP client, connected to the real
 * program.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallToolResult, Client, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { estimateTokens } from '../../src/kernel/tokens.ts';
import type { RunStanding } from '../../src/mcp/standing.ts';
import { PROGRAM } from '../e2e/terminal.ts';

/**
 * A version of the Model Context Protocol (MCP): `legacy` has sessions; `modern`, the version 2026-07-28, has
 * none.
 */
export type McpVersion = 'legacy' | 'modern';
/** Both versions of MCP that are tested. */
export const ERAS: readonly McpVersion[] = ['legacy', 'modern'];

/** A function that answers a question to the person, which the server puts through the client. */
type Elicit = (message: string) => ElicitResult | Promise<ElicitResult>;

/**
 * How `deliberate mcp` and a client of it are started. By default the version of MCP is `legacy`, the server
 * rehearses, and folders and database are new.
 */
export interface AgentOptions {
  /** The version of MCP. */
  readonly era?: McpVersion;
  /** The flags of `deliberate mcp`, instead of those for a rehearsal. */
  readonly flags?: readonly string[];
  /** The server's environment variables besides PATH, HOME and DELIBERATE_DB, which can also be given. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder of the server. */
  readonly cwd?: string;
  /** The path of the database. */
  readonly db?: string;
  /** Answers questions to the person. By default the client says that it cannot ask the person. */
  readonly elicit?: Elicit;
}

/** The answer to a call of one of the MCP server's tools. */
export interface ToolAnswer {
  /** The texts of the answer, joined by line breaks. */
  readonly text: string;
  readonly isError: boolean;
  /** The structured part of the answer: how the run stands. */
  readonly standing: RunStanding;
  /** The whole answer. */
  readonly result: CallToolResult;
}

/**
 * Flags for a rehearsal with a seed with which the run asks whether to stop after round 6, and again later.
 */
const FAST = ['--rehearse', '--rehearse-speed', '1000', '--seed', '4'];
/** Returns the arguments of Node that start `deliberate mcp` with the given flags. */
export const serverArgsOf = (flags: readonly string[]): readonly string[] => [
  PROGRAM,
  'mcp',
  ...flags,
];

/** The time after which a call is given up, in milliseconds. */
const PATIENCE_MS = 50_000;

/** An MCP client with a `deliberate mcp` of its own, in a temporary folder. */
export class Agent {
  readonly client: Client;
  /** The path of the database. */
  readonly db: string;
  /** The connection to the server, with the id of its process. */
  readonly transport: StdioClientTransport;
  /** The questions to the person so far, in order. */
  readonly elicited: string[] = [];
  /** Answers the next questions to the person; a test may replace it. */
  elicit: Elicit;
  readonly #home = mkdtempSync(join(tmpdir(), 'deliberate-agent-'));

  private constructor({ era = 'legacy', flags = FAST, env = {}, cwd, db, elicit }: AgentOptions) {
    this.db = db ?? join(this.#home, 'runs.db');
    this.elicit = elicit ?? (() => ({ action: 'decline' }));
    this.client = new Client(
      { name: 'test', version: '1' },
      {
        versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
        capabilities: elicit === undefined ? {} : { elicitation: {} },
      },
    );
    if (elicit !== undefined)
      this.client.setRequestHandler('elicitation/create', (request) => {
        this.elicited.push(request.params.message);
        return this.elicit(request.params.message);
      });
    const makeFolder = (name: string): string => {
      mkdirSync(join(this.#home, name));
      return join(this.#home, name);
    };
    this.transport = new StdioClientTransport({
      command: process.execPath,
      args: [...serverArgsOf(flags)],
      env: {
        PATH: process.env.PATH ?? '',
        HOME: makeFolder('home'),
        DELIBERATE_DB: this.db,
        ...env,
      },
      cwd: cwd ?? makeFolder('project'),
      stderr: 'pipe',
    });
  }

  /** Starts a server with a client. Both end with the test. */
  static async start(around: AgentOptions = {}): Promise<Agent> {
    const agent = new Agent(around);
    onTestFinished(() => agent.close());
    await agent.client.connect(agent.transport);
    return agent;
  }

  /**
   * Starts one server for all tests of a group, before the first of them, and returns a function that
   * returns its client.
   */
  static shared(around: () => AgentOptions): () => Agent {
    let agent: Agent | undefined;
    beforeAll(async () => {
      agent = new Agent(around());
      await agent.client.connect(agent.transport);
    });
    afterAll(() => agent?.close());
    return () => {
      if (agent === undefined) throw new Error('no test has begun');
      return agent;
    };
  }

  /** Ends the server and kills the processes that work on its runs. */
  async close(): Promise<void> {
    await this.client.close();
    killWorkers(this.db);
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** Calls a tool of the server. An error of the tool is an answer with `isError`. */
  async call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    options: {
      onprogress?: (message: string) => void;
      signal?: AbortSignal;
      /** What stands in the call's `_meta`. */
      meta?: Readonly<Record<string, unknown>>;
    } = {},
  ): Promise<ToolAnswer> {
    const { onprogress, meta, ...others } = options;
    const result = (await this.client.callTool(
      { name, arguments: { ...given }, ...(meta && { _meta: { ...meta } }) },
      {
        ...others,
        // Stop waiting for the answer after a while, as MCP clients do, which ignore an answer that comes
        // later.
        timeout: PATIENCE_MS,
        ...(onprogress && { onprogress: ({ message = '' }) => onprogress(message) }),
      },
    )) as CallToolResult;
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return {
      text,
      result,
      standing: result.structuredContent as RunStanding,
      isError: result.isError === true,
    };
  }

  /**
   * Calls the tool `wait` until the run of an answer is no longer running, and returns the last answer. Each
   * call waits up to `seconds`.
   */
  async waitForEnd({ standing }: ToolAnswer, seconds = 45): Promise<ToolAnswer> {
    for (;;) {
      const answered = await this.call('wait', { run: standing.run, wait_seconds: seconds });
      if (answered.standing.status !== 'running') return answered;
    }
  }
}

/**
 * Estimates how many tokens of an answer an agent reads. The structured part counts as well, since some clients
 * hand on both parts.
 */
export function tokensOf({ result }: ToolAnswer): number {
  return estimateTokens(JSON.stringify([result.content, result.structuredContent]));
}

interface Row {
  readonly id: string;
  readonly owner: string | null;
}

/** Returns the ids of the processes that work on runs of a database, by the id of the run. */
export function workersOf(db: string): Map<string, number> {
  const file = new Database(db, { readonly: true, fileMustExist: true });
  try {
    const rows = file.prepare<[], Row>('SELECT id, owner FROM run WHERE owner IS NOT NULL').all();
    return new Map(
      rows.map(({ id, owner }) => [id, (JSON.parse(owner ?? '') as { pid: number }).pid]),
    );
  } finally {
    file.close();
  }
}

/** Kills all processes that work on runs of a database. */
export function killWorkers(db: string): void {
  for (const pid of workersOf(db).values())
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // ESRCH means that the process has ended meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
}
