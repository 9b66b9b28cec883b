/**
 * The process of an agent during a run: started for the run's first call, with a session for each call, and
 * ended together with everything that it started.
 */
import { Readable, Writable } from 'node:stream';
import {
  type ClientConnection,
  client,
  type InitializeResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk/unstable';
import type { Env } from '../io/tools.ts';
import type { Folder } from '../kernel/tools/tools.ts';
import type { Sandbox } from '../kernel/tools/workshop.ts';
import { type Failure, ProviderFailure } from '../models/failure.ts';
import { type ProcessEnd, runProcess } from '../sandbox/process.ts';
import { removeFolder } from '../sandbox/remove-folder.ts';
import type { CodingAgent } from './agent.ts';
import {
  type Cell,
  cellEnvironment,
  confineAgent,
  findProgram,
  makeCell,
  realHome,
} from './cell.ts';
import {
  endedForAnotherFailure,
  failureOf,
  notInstalledFailure,
  otherVersionFailure,
  processEndedFailure,
  tooMuchOutputFailure,
} from './failures.ts';
import { getMark, removeLeftBehind, writeOwner } from './left-behind.ts';
import { fillHome } from './login.ts';
import type { Turn } from './turn.ts';

/** The most bytes for one answer, with all reports on tools. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The largest message in bytes; an answer arrives in pieces. */
const MOST_MESSAGE = 8 * 1024 * 1024;
/** The longest time of a timer, 24 days: an agent's process is ended by its run, not by a timeout. */
const NEVER_MS = 2 ** 31 - 1;

interface ProcessOptions {
  readonly agent: CodingAgent;
  readonly env: Env;
  readonly sandbox: Sandbox;
  readonly folders: readonly Folder[];
  /** Aborted when the process is no longer needed, possibly while it starts. */
  readonly over: AbortSignal;
}

/** A running process of a coding agent, which can have several sessions. */
export class AgentProcess {
  /** The folders that were made for the process. */
  readonly cell: Cell;
  /** The working folder of the agent's sessions. */
  readonly cwd: string;
  readonly sandbox: Sandbox;
  readonly #agent: CodingAgent;
  readonly #keepLogins: () => string[];
  readonly #turns = new Map<string, Turn>();
  readonly #stop = new AbortController();
  #ended: Promise<ProcessEnd> = new Promise(() => undefined);
  #connection: ClientConnection | undefined;
  #told: InitializeResponse | undefined;
  #bytes = 0;
  /** Why this program ended it; undefined if it did not. */
  #why: Failure | undefined;
  #isOver = false;

  private constructor({ agent, env, sandbox, folders }: ProcessOptions) {
    this.#agent = agent;
    this.sandbox = sandbox;
    this.cell = makeCell(env, agent);
    writeOwner(this.cell.folder);
    this.cwd = folders[0]?.path ?? this.cell.work;
    this.#keepLogins = fillHome(agent, realHome(env), this.cell.home);
  }

  /**
   * Starts the process.
   * @throws ProviderFailure if it cannot be started, or speaks another version of the protocol
   */
  static async start(options: ProcessOptions): Promise<AgentProcess> {
    const { agent, env } = options;
    const program = findProgram(agent, env);
    if (program === undefined) throw new ProviderFailure(notInstalledFailure(agent));
    await removeLeftBehind(env);
    const started = new AgentProcess(options);
    options.over.addEventListener('abort', () => started.#stop.abort(), { once: true });
    if (options.over.aborted) started.#stop.abort();
    try {
      await started.#begin(program, options);
      return started;
    } catch (error) {
      await started.end();
      throw error instanceof ProviderFailure ? error : new ProviderFailure(failureOf(agent, error));
    }
  }

  /** Whether the process has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The agent's description of itself; undefined until it has arrived. */
  get told(): InitializeResponse | undefined {
    return this.#told;
  }

  /**
   * Sends a request to the agent.
   * @throws ProviderFailure if the agent ends or refuses
   */
  async ask<T>(asked: (connection: ClientConnection) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    if (connection === undefined || this.#isOver) throw new ProviderFailure(await this.#gone());
    try {
      return await asked(connection);
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      if (error instanceof RequestError && !connection.signal.aborted)
        throw new ProviderFailure(failureOf(this.#agent, error));
      throw new ProviderFailure(await this.#gone());
    }
  }

  /**
   * Passes the agent's updates of a session to `turn`, which collects one answer. Returns a function
   * that stops passing them.
   */
  follow(session: string, turn: Turn): () => void {
    // Answers that are under way at the same time share the limit `MOST_BYTES`.
    if (this.#turns.size === 0) this.#bytes = 0;
    this.#turns.set(session, turn);
    return () => this.#turns.delete(session);
  }

  /**
   * Ends the process with everything that it started, copies renewed logins back, and removes its
   * folder. Calls that are under way fail with `why` or, if it is undefined, because the process
   * ended.
   */
  async end(why?: Failure): Promise<void> {
    this.#why ??= why;
    this.#stop.abort();
    await this.#ended.catch(() => undefined);
    this.#connection?.close();
    this.#keepLogins();
    removeFolder(this.cell.folder);
  }

  /**
   * Ends the process because one of its calls could not be stopped otherwise. All other calls of the
   * process fail in a way that lets them be retried.
   */
  endForAnother(): Promise<void> {
    return this.end(endedForAnotherFailure(this.#agent));
  }

  async #begin(program: string, { env, sandbox, folders }: ProcessOptions): Promise<void> {
    const agent = this.#agent;
    const { promise: connected, resolve: connect } = Promise.withResolvers<ClientConnection>();
    this.#ended = runProcess(
      {
        argv: confineAgent(agent, program, this.cell, { env, sandbox, folders }),
        cwd: this.cell.work,
        env: cellEnvironment(env, agent, this.cell, sandbox),
        timeoutMs: NEVER_MS,
        most: { bytes: Number.POSITIVE_INFINITY },
        mark: getMark(this.cell.folder),
        talk: async (input, output) => {
          output.on('data', (part: Buffer) => this.#count(part.length));
          const connection = this.#connect(input, output);
          connect(connection);
          await connection.closed;
        },
        wrapped: sandbox === 'bwrap' ? 'bwrap' : undefined,
      },
      this.#stop.signal,
    ).finally(() => {
      this.#isOver = true;
    });
    const first = await Promise.race([connected, this.#ended]);
    if (!('agent' in first)) throw new ProviderFailure(await this.#gone());
    this.#connection = first;
    const told = await this.ask(({ agent: other }) =>
      other.request('initialize', {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'deliberate', version: '0' },
      }),
    );
    if (told.protocolVersion !== PROTOCOL_VERSION)
      throw new ProviderFailure(otherVersionFailure(agent, told.protocolVersion, PROTOCOL_VERSION));
    this.#told = told;
  }

  #connect(input: Writable, output: Readable): ClientConnection {
    // The types of streams in Node and in the web standard differ only in parts that are not used
    // here.
    const stream = ndJsonStream(
      Writable.toWeb(input) as WritableStream<Uint8Array>,
      Readable.toWeb(output) as unknown as ReadableStream<Uint8Array>,
      { maxMessageBytes: MOST_MESSAGE },
    );
    return client({ name: 'deliberate' })
      .onRequest('session/request_permission', ({ params }) => {
        const turn = this.#turns.get(params.sessionId);
        return turn?.permit(params) ?? { outcome: { outcome: 'cancelled' } };
      })
      .onNotification('session/update', ({ params }) =>
        this.#turns.get(params.sessionId)?.take(params.update),
      )
      .connect(stream);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= MOST_BYTES || this.#why !== undefined) return;
    this.#why = tooMuchOutputFailure(this.#agent, MOST_BYTES / 1024 ** 2);
    this.#stop.abort();
  }

  /** Returns why the process is no longer available. */
  async #gone(): Promise<Failure> {
    if (this.#why !== undefined) return this.#why;
    // Stop the program: if it has closed its output, it is useless even if it still runs.
    this.#stop.abort();
    const { text, note, ended } = await this.#ended;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return processEndedFailure(
      this.#agent,
      lines.at(-1) ?? '',
      ended === 'not-started' ? note : undefined,
    );
  }
}
