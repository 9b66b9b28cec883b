/**
 * Communicates with a tool server's program: one JSON message per line. Limits are checked while reading.
 * Lines that are no messages are skipped, and the program and its process group are ended if it writes too
 * much.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { endTree, ownGroupOptions } from '../../platform/processes.ts';
import { commandToStart, findOnPathOrScript, isPath } from '../../platform/programs.ts';
import { isRecord } from '../../text/json.ts';
import { ServerFailure, type ServerProgram } from './definition.ts';

/** The most bytes of the answer to one request, images included. */
export const MOST_BYTES = 16 * 1024 * 1024;
/** The most characters that are kept of the program's output besides messages of the protocol. */
const KEPT_WORDS = 2_000;
/** Milliseconds that the program has to end after its input is closed, and again after SIGTERM. */
const GRACE_MS = 300;
const ASKED_MS = 1_000;

/**
 * A helper outside of this process. It ends a tool server's program, with all processes that the
 * program started, as soon as this process has ended, even if this process is killed.
 */
export interface Guard {
  /** The environment variables that mark the program's processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Tells the guard the number of the process group that it has to end. */
  readonly watch: (group: number) => void;
  /** Ends those of the program's processes that still run, and the guard itself. */
  readonly end: () => Promise<void>;
}
/**
 * Starts a guard for the program of a tool server. Resolves to undefined if no guard can be
 * started on this machine.
 */
export type StartGuard = () => Promise<Guard | undefined>;

/** Exchanges messages with the program of one tool server. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the program can no longer be used; undefined while it can. */
  failure: ServerFailure | undefined;
  readonly #program: ServerProgram;
  readonly #startGuard: StartGuard;
  #guard: Guard | undefined;
  #child: ChildProcess | undefined;
  #gone: Promise<unknown> = Promise.resolve();
  #line: Buffer[] = [];
  #lineBytes = 0;
  /** Bytes received since the last request. */
  #bytes = 0;
  #printed = '';
  #errors = '';
  #ending: Promise<void> | undefined;

  constructor(program: ServerProgram, startGuard: StartGuard) {
    this.#program = program;
    this.#startGuard = startGuard;
  }

  /** Starts the program. @throws ServerFailure if the program cannot be started */
  async start(): Promise<void> {
    const { argv, cwd, env } = this.#program;
    const [program = '', ...args] = argv;
    const file = isPath(program) ? program : findOnPathOrScript(program, env);
    if (file === undefined) throw this.#fail(`${program} is not on PATH`);
    const started = commandToStart(file, args, env);
    if (typeof started === 'string') throw this.#fail(started);
    this.#guard = await this.#startGuard();
    const child = spawn(started.file, started.args, {
      cwd,
      windowsVerbatimArguments: started.windowsVerbatimArguments === true,
      env: { ...env, ...this.#guard?.env },
      // Give the program a process group of its own. The group can be ended as a whole, and Ctrl-C at the
      // terminal does not reach it.
      ...ownGroupOptions(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#gone = new Promise((resolve) => {
      child.once('exit', resolve);
      child.once('error', resolve);
    });
    try {
      await once(child, 'spawn');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      await this.#guard?.end();
      const where = isAbsolute(program) ? program : `${program} in ${cwd}`;
      throw this.#fail(`${where} could not be started${code && ` (${code})`}`);
    }
    if (child.pid !== undefined) this.#guard?.watch(child.pid);
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('data', (part: Buffer) => this.#read(part));
    child.stderr?.on('data', (part: Buffer) => {
      this.#errors = (this.#errors + part.toString('latin1').slice(-KEPT_WORDS)).slice(-KEPT_WORDS);
    });
    child.once('exit', (code, signal) => void this.#leave(child, code, signal));
  }

  /** Whether the program can no longer be used. */
  get isOver(): boolean {
    return this.failure !== undefined || this.#ending !== undefined;
  }

  /** The lines that the program printed and that are no messages, and the end of its standard error. */
  get words(): string {
    const errors = Buffer.from(this.#errors, 'latin1').toString('utf8');
    return [this.#printed, errors]
      .map((line) => line.trim())
      .filter(Boolean)
      .join('\n');
  }

  /** Sends a message. Rejects with a ServerFailure if the program can no longer be used. */
  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (this.isOver || input === undefined || input === null || !input.writable)
      return Promise.reject(this.failure ?? this.#fail('its program takes nothing any more'));
    this.#bytes = 0;
    // Do not wait until the tool server's program has read the message: each MCP request has a time limit of its
    // own.
    input.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** Ends the program and the processes that it started, if necessary by SIGTERM and SIGKILL. */
  close(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Reads the rest of the output, which a child process may keep open. */
  async #leave(child: ChildProcess, code: number | null, signal: string | null): Promise<void> {
    await settlesWithin(GRACE_MS, once(child, 'close'));
    this.#fail(
      signal === null ? `its program ended with ${code}` : `its program ended by ${signal}`,
    );
    await this.close();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child?.pid !== undefined) {
      child.stdin?.end();
      if (!(await settlesWithin(GRACE_MS, this.#gone))) {
        signalGroup(child, 'SIGTERM');
        await settlesWithin(ASKED_MS, this.#gone);
      }
      // End what is left in the process group: the program, if it is still running, and processes that it
      // started.
      signalGroup(child, 'SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
    await this.#guard?.end();
    this.onclose?.();
  }

  #fail(sentence: string): ServerFailure {
    this.failure ??= new ServerFailure(sentence, this.words);
    return this.failure;
  }

  #read(part: Buffer): void {
    if (this.failure !== undefined) return;
    this.#bytes += part.length;
    let rest = part;
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      this.#take(Buffer.concat([...this.#line, rest.subarray(0, end)]));
      this.#line = [];
      this.#lineBytes = 0;
      rest = rest.subarray(end + 1);
    }
    this.#line.push(rest);
    this.#lineBytes += rest.length;
    if (this.#bytes <= MOST_BYTES && this.#lineBytes <= MOST_BYTES) return;
    this.#line = [];
    const failure = this.#fail(`it wrote more than ${MOST_BYTES / 1024 / 1024} MB and was ended`);
    if (this.#child !== undefined) signalGroup(this.#child, 'SIGKILL');
    this.onerror?.(failure);
    void this.close();
  }

  #take(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '') return;
    const message = messageIn(text);
    if (message !== undefined) this.onmessage?.(message);
    else if (this.#printed.length < KEPT_WORDS)
      this.#printed = `${this.#printed}${text.slice(0, 200)}\n`;
  }
}

/** Returns whether the promise settles within so many milliseconds. */
async function settlesWithin(ms: number, what: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const isThere = await Promise.race([what.then(() => true), late]);
  clearTimeout(timer);
  return isThere;
}

function messageIn(text: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value.jsonrpc === '2.0' ? (value as JSONRPCMessage) : undefined;
  } catch {
    // The line is a banner, a log message or an incomplete MCP message.
    return undefined;
  }
}

function signalGroup(group: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    endTree(group, signal);
  } catch {
    // The process group has no process left, so there is nothing to end.
  }
}
