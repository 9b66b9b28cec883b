/** A coding agent as far as the protocol goes: the official client, before the real program. */
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

export type Era = 'legacy' | 'modern';
export const ERAS: readonly Era[] = ['legacy', 'modern'];

/** What the person answers who is asked through the client. */
type Elicit = (message: string) => ElicitResult | Promise<ElicitResult>;

export interface AgentOptions {
  readonly era?: Era;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly db?: string;
  readonly elicit?: Elicit;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** The structured answer. */
  readonly standing: RunStanding;
  readonly result: CallToolResult;
}

/** The stand-in with a seed whose signals ask whether to stop after round 6, and again later. */
const FAST = ['--rehearse', '--rehearse-speed', '1000', '--seed', '4'];
/** As clients start a server. */
export const serverArgsOf = (flags: readonly string[]): readonly string[] => [
  PROGRAM,
  'mcp',
  ...flags,
];

/** A call that is not answered by then is given up. */
const PATIENCE_MS = 50_000;

export class Agent {
  readonly client: Client;
  readonly db: string;
  readonly transport: StdioClientTransport;
  /** What the client was asked to put to the person. */
  readonly elicited: string[] = [];
  /** What the person says who is asked next. */
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

  static async start(around: AgentOptions = {}): Promise<Agent> {
    const agent = new Agent(around);
    onTestFinished(() => agent.close());
    await agent.client.connect(agent.transport);
    return agent;
  }

  /** One server for all tests of a group, which is started before the first of them. */
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

  /** With all that works on its runs. */
  async close(): Promise<void> {
    await this.client.close();
    killWorkers(this.db);
    rmSync(this.#home, { recursive: true, force: true });
  }

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
        // Stop waiting after a while, as clients do, which ignore any later answer.
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

  /** Calls what the run says next until it goes on no more. */
  async waitForEnd({ standing }: ToolAnswer, seconds = 45): Promise<ToolAnswer> {
    for (;;) {
      const answered = await this.call('wait', { run: standing.run, wait_seconds: seconds });
      if (answered.standing.status !== 'running') return answered;
    }
  }
}

/** What an agent reads of an answer: its text and, as some clients hand it on, the structured part. */
export function tokensOf({ result }: ToolAnswer): number {
  return estimateTokens(JSON.stringify([result.content, result.structuredContent]));
}

interface Row {
  readonly id: string;
  readonly owner: string | null;
}

/** The processes that work on runs of a database, by run. */
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

export function killWorkers(db: string): void {
  for (const pid of workersOf(db).values())
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // The process has ended meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
}
