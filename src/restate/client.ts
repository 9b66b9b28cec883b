/**
 * Sends requests to a Restate server over its HTTP ingress. No library is needed, so a person who only
 * submits or watches a run has nothing to install.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { collectWithin } from '../io/bounded.ts';
import { DeliberateError } from '../kernel/errors.ts';
import type { Entry } from '../store/elsewhere.ts';
import { toLine } from '../text/line.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { batchesSchema, type RunSignal, SERVICE, type SubmittedRun } from './handed.ts';

/** The default address at which a Restate server accepts requests. */
export const INGRESS = 'http://127.0.0.1:8080';
const ADMIN_PORT = '9070';

/** The time limit in milliseconds for requests that a worker answers at once. */
const PATIENCE_MS = 5_000;
/** Milliseconds that a request waits for new batches before it is repeated. */
const LONGEST_MS = 4 * 60_000;
/** The largest answer in bytes; a worker sends less. */
const LARGEST = 64 * 1024 * 1024;
/** The most characters of a server's error that are shown. */
const MOST_SAID = 300;

interface Asked {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A client of one Restate server. */
export class RestateClient {
  /** The server's address, without a slash at its end. */
  readonly address: string;

  constructor(address: string) {
    this.address = address.replace(/\/+$/, '');
  }

  /** Submits a run. Submitting again with the same key has no effect. */
  async submit(key: string, handed: SubmittedRun): Promise<void> {
    await this.#ask(`${SERVICE}/${key}/run/send`, { body: handed });
  }

  /**
   * Returns the batches of a run's log that follow the first `after` ones, as many as fit into one answer.
   * Returns an empty list if there are no more.
   *
   * @param key the key that the run was submitted with
   * @param options `wait`: whether to wait up to four minutes for a new batch if there is none yet
   */
  async read(
    key: string,
    after: number,
    { wait = false, signal }: { wait?: boolean; signal?: AbortSignal } = {},
  ): Promise<readonly (readonly Entry[])[]> {
    const late = AbortSignal.timeout(wait ? LONGEST_MS : PATIENCE_MS);
    const limit = AbortSignal.any(signal === undefined ? [late] : [late, signal]);
    try {
      const said = await this.#ask(`${SERVICE}/${key}/read`, {
        body: { after, wait },
        signal: limit,
      });
      const read = batchesSchema.safeParse(said);
      if (!read.success) throw otherServerError(this.address);
      return read.data.map(({ entries }) => entries as readonly Entry[]);
    } catch (error) {
      if (wait && late.aborted) return [];
      throw error;
    }
  }

  /** Asks a run to stop. The server keeps the request until a worker takes it. */
  async stop(key: string, given: RunSignal): Promise<void> {
    await this.#ask(`${SERVICE}/${key}/stop/send`, { body: given });
  }

  /**
   * Answers a question at which the run waits.
   *
   * @param step the key of the step that asks
   * @returns false if the question was answered before
   * @throws DeliberateError `not-taken` if no worker reacts within five seconds. The server then keeps the
   *   answer for a later worker
   */
  async answer(key: string, step: string, given: RunSignal): Promise<boolean> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const body = { step, given };
      return (await this.#ask(`${SERVICE}/${key}/answer`, { body, signal })) === true;
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new DeliberateError(
        'not-taken',
        `no worker of Restate at ${toLine(this.address)} answers; what you said is kept there, and counts once one does`,
      );
    }
  }

  async #ask(path: string, { body, signal }: Asked): Promise<unknown> {
    const response = await sendRequest(`${this.address}/${path}`, this.address, body, signal);
    const said = await textOf(response, this.address);
    if (response.status === 404)
      throw new DeliberateError(
        'no-workers',
        `no worker has come to Restate at ${toLine(this.address)} yet`,
        `Start one: deliberate worker --engine restate --restate ${toLine(this.address)}`,
      );
    if (!response.ok) throw rejectedError(this.address, response.status, said);
    return said === '' ? undefined : readJson(this.address, said);
  }
}

/**
 * Registers the workers' address `uri` at a Restate server. Waits for a server that is still
 * starting, until `signal` is aborted.
 *
 * @param address the address of the server
 * @param admin the server's administration address; undefined: the default port of its host
 */
export async function registerWorkers(
  address: string,
  admin: string | undefined,
  uri: string,
  signal: AbortSignal,
): Promise<void> {
  const at = (admin ?? adminOf(address)).replace(/\/+$/, '');
  for (;;) {
    try {
      const response = await sendRequest(`${at}/deployments`, at, { uri }, signal);
      const said = await textOf(response, at);
      if (response.ok) return;
      // The status 409 means that the address is registered with other workers, for example those before an
      // update of this program. Register by force then.
      if (response.status !== 409) throw rejectedError(at, response.status, said);
      const forced = await sendRequest(`${at}/deployments`, at, { uri, force: true }, signal);
      if (forced.ok) return;
      throw rejectedError(at, forced.status, await textOf(forced, at));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof DeliberateError) || error.code !== 'unreachable') throw error;
      await sleep(1000, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}

/** Returns the admin address on the machine of the ingress. */
function adminOf(address: string): string {
  const url = new URL(address);
  url.port = ADMIN_PORT;
  return url.origin;
}

async function sendRequest(
  url: string,
  address: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      ...withoutUndefined({ signal }),
    });
  } catch (error) {
    throw unreachableError(address, error);
  }
}

async function textOf({ body }: Response, address: string): Promise<string> {
  if (body === null) return '';
  try {
    const bytes = await collectWithin(body, LARGEST);
    if (bytes !== undefined) return bytes.toString('utf8');
  } catch (error) {
    throw unreachableError(address, error);
  }
  throw new DeliberateError('too-large', `Restate at ${toLine(address)} answers without an end`);
}

function unreachableError(address: string, error: unknown): DeliberateError {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return new DeliberateError(
    'unreachable',
    isLate
      ? `no worker of Restate at ${toLine(address)} answers`
      : `Restate at ${toLine(address)} cannot be reached`,
    isLate
      ? `Start one: deliberate worker --engine restate --restate ${toLine(address)}`
      : 'Start the server, or name its address with --restate.',
  );
}

function readJson(address: string, said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    throw otherServerError(address);
  }
}

function otherServerError(address: string): DeliberateError {
  return new DeliberateError(
    'not-ours',
    `what answers at ${toLine(address)} is no Restate server with workers of this version`,
    'Name its address with --restate.',
  );
}

function rejectedError(address: string, status: number, said: string): DeliberateError {
  return new DeliberateError(
    'refused',
    `Restate at ${toLine(address)} answers ${status}: ${toLine(said).slice(0, MOST_SAID)}`,
  );
}
