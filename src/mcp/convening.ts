/**
 * Starts runs for coding agents: by the same commands that a person types, recorded here and carried out by
 * detached processes. The person's settings are the limits, and a call can only lower them.
 */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, parse, relative, resolve, sep } from 'node:path';
import { readFlags } from '../app/flags.ts';
import type { Invocation } from '../app/invocation.ts';
import { readConfig } from '../app/settings/config.ts';
import { withStore } from '../app/store.ts';
import type { ToolPart } from '../app/tool-part.ts';
import { CollectedOutput } from '../io/collected.ts';
import { RUN_ID_VARIABLE } from '../io/environment.ts';
import { workingFolder } from '../io/files.ts';
import { errorCode, explainCode } from '../io/text-file.ts';
import { DeliberateError, RunOwnedError, UsageError } from '../kernel/errors.ts';
import type { RunEstimate } from '../kernel/estimate.ts';
import type { Caller } from '../kernel/facts.ts';
import { shortId } from '../kernel/short-id.ts';
import { viewOf } from '../kernel/view.ts';
import { realPathOf } from '../platform/real-path.ts';
import type { ToolParts } from '../protocols/desks.ts';
import { writeCaller } from '../telemetry/caller.ts';
import { isAddress } from '../text/documents/attachment.ts';
import { toLine } from '../text/line.ts';
import { formatCount } from '../text/numbers.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { type Budget, type ConveneArguments, conveneSchemaOf } from './wish.ts';

/** The most tokens of a run if the person has set no limit. */
const MOST_TOKENS = 1_000_000;
/** The most simultaneous runs of all agents together. */
const MOST_AT_WORK = 4;
/**
 * Milliseconds within which an equal request returns the same run, as a client that lost its answer asks
 * again.
 */
const SAME_MS = 60 * 60_000;

/** The limits with which a run was started. */
interface Before extends Budget {
  /** See `Terms`. */
  readonly isWish: boolean;
}

const WISHED: Before = { isWish: true };

/** A run that was started, continued or found, and notes for the calling program. */
export interface BegunRun {
  readonly run: string;
  readonly notes: readonly string[];
  /**
   * The position of the last fact when `resume` was called; absent after other calls. A question to a
   * person up to this position belongs to the time before.
   */
  readonly after?: number;
}

/** Starts and continues runs for the programs that are connected to one MCP server. */
export class Convening {
  readonly #call: Invocation;
  readonly #parts: ToolParts;
  /** The schema of a request to start a run. */
  readonly wishSchema: ReturnType<typeof conveneSchemaOf>;
  /** Starting runs by the digest of their request: simultaneous equal requests start one run. */
  readonly #beginning = new Map<string, Promise<BegunRun>>();
  /** Settles when the last started run counts as running. */
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * Prepares the server's runs.
   * @param call the command line of the server itself
   * @param parts the protocols that can be started
   */
  constructor(call: Invocation, parts: ToolParts) {
    this.#call = call;
    this.#parts = parts;
    this.wishSchema = conveneSchemaOf(parts);
  }

  /**
   * Starts a run. If the same request was made within the last hour, its run is returned instead; with
   * `again`, only if that run is just being started. `caller` is the calling program's trace, which does not count when
   * requests are compared.
   * @throws DeliberateError if the run may not or could not be started
   */
  convene({ again = false, ...wish }: ConveneArguments, caller?: Caller): Promise<BegunRun> {
    const key = digestOf({ ...wish, folder: workingFolder(), rehearse: this.#call.flags.rehearse });
    const before = this.#beginning.get(key);
    if (before !== undefined) return before;
    const beginning = this.#inTurn(() => this.#convene(wish, key, again, caller)).finally(() =>
      this.#beginning.delete(key),
    );
    this.#beginning.set(key, beginning);
    return beginning;
  }

  async #convene(
    wish: Omit<ConveneArguments, 'again'>,
    key: string,
    again: boolean,
    caller: Caller | undefined,
  ): Promise<BegunRun> {
    const known = again ? undefined : await this.#knownRun(key);
    if (known !== undefined)
      return {
        run: known,
        notes: ['The same was asked within the hour: this is that run. For another: again.'],
      };
    await this.#refuse();
    const { kind, attachments = [], tools = [], budget, ...rest } = wish;
    const part = this.#parts.get(kind);
    if (part === undefined) throw new UsageError(`there is no kind ${toLine(kind)}`);
    const { words, flags } = part.line(rest);
    return this.#hand(
      { name: kind, load: part.command },
      words,
      {
        ...flags,
        attach: attachments.map((attachment) =>
          isAddress(attachment) ? attachment : checkAttachment(attachment),
        ),
        allowPrivate: this.#call.flags.allowPrivate,
        tools,
        rehearse: this.#call.flags.rehearse,
      },
      { budget, before: WISHED, caller, key },
    );
  }

  /**
   * Asks the seats of a run a further question. If this was the run's last request already, the
   * question is not asked again.
   */
  ask(run: string, question: string, budget?: Budget, caller?: Caller): Promise<BegunRun> {
    return this.#inTurn(() => this.#ask(run, question, budget, caller));
  }

  async #ask(
    run: string,
    question: string,
    budget: Budget | undefined,
    caller: Caller | undefined,
  ): Promise<BegunRun> {
    const isAsked = await withStore(this.#call, (store) => {
      const { request } = viewOf(store.facts(run));
      return request.kind === 'follow-up' && request.question === question.trim();
    });
    if (isAsked)
      return { run, notes: ['This was the last question of the run: it is not asked again.'] };
    await this.#refuse();
    return this.#hand(
      { name: 'ask', load: async () => (await import('../app/run/resume.ts')).ask },
      [run, question],
      {},
      { budget, before: await this.#limitsOf(run), caller },
    );
  }

  /** Continues a run. Nothing happens if another process works on it. */
  resume(run: string, budget?: Budget, caller?: Caller): Promise<BegunRun> {
    const isHeld = () => withStore(this.#call, (store) => store.isOwned(run));
    const lastSeq = () => withStore(this.#call, (store) => store.facts(run).at(-1)?.seq ?? 0);
    return this.#inTurn(async () => {
      const after = await lastSeq();
      // Start nothing if another process owns the run: it works on the run, or is just starting the
      // process that will continue the run.
      const held = { run, notes: ['Another process holds the run: nothing was begun.'], after };
      if (await isHeld()) return held;
      await this.#refuse();
      const before = await this.#limitsOf(run);
      const load = async () => (await import('../app/run/resume.ts')).resume;
      try {
        const how = { budget, before, caller };
        return { ...(await this.#hand({ name: 'resume', load }, [run], {}, how)), after };
      } catch (error) {
        if (error instanceof RunOwnedError || (await isHeld())) return held;
        // New facts show that another process continued the run and has already ended.
        if ((await lastSeq()) > after) return held;
        throw error;
      }
    });
  }

  /** Runs calls one after the other, so that each counts the runs of earlier ones. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /**
   * Checks that a run may be started. @throws DeliberateError inside another run, and if too many runs are
   * active
   */
  async #refuse(): Promise<void> {
    if (this.#call.env[RUN_ID_VARIABLE] !== undefined)
      throw new DeliberateError('inside-a-run', 'no run is begun from inside a run');
    const working = await withStore(this.#call, (store) => {
      store.clearDeadOwners();
      return store.detached.countAtWork();
    });
    if (working >= MOST_AT_WORK)
      throw new DeliberateError(
        'enough-runs',
        `${formatCount(working, 'run')} are at work, which is as many as there may be`,
        'Wait for one of them, or stop one.',
      );
  }

  #knownRun(key: string): Promise<string | undefined> {
    const since = new Date(Date.now() - SAME_MS).toISOString();
    return withStore(this.#call, (store) => store.detached.findRequested(key, since));
  }

  async #limitsOf(run: string): Promise<Before> {
    const { limits, isWish = false } =
      (await withStore(this.#call, (store) => store.detached.find(run))) ?? {};
    return { tokens: limits?.budget_tokens, usd: limits?.budget_usd, isWish };
  }

  /**
   * Returns the lowest limits of the person's settings and the call. The limits with which the run was last
   * continued count too if a person set them; those of a program are replaced.
   */
  #limits(wanted: Budget = {}, before: Before): Record<string, number> {
    const { budget_tokens, budget_usd } = readConfig(this.#call);
    const own = budget_tokens ?? (budget_usd === undefined ? MOST_TOKENS : undefined);
    const tokens = before.isWish
      ? (wanted.tokens ?? before.tokens)
      : smallestOf(wanted.tokens, before.tokens);
    const usd = before.isWish ? (wanted.usd ?? before.usd) : smallestOf(wanted.usd, before.usd);
    const budgetTokens = smallestOf(own, tokens);
    const budgetUsd = smallestOf(budget_usd, usd);
    return withoutUndefined({ budgetTokens, budgetUsd });
  }

  /** Calls the command as a person would to run it in the background. */
  async #hand(
    command: { readonly name: string; readonly load: ToolPart['command'] },
    words: readonly string[],
    given: Readonly<Record<string, unknown>>,
    {
      budget,
      before,
      caller,
      key,
    }: {
      readonly budget: Budget | undefined;
      readonly before: Before;
      readonly caller: Caller | undefined;
      readonly key?: string;
    },
  ): Promise<BegunRun> {
    const { stdin, flags, protocols } = this.#call;
    // Pass the trace of the client's request on to the run. The trace in the server's own environment
    // is the same for all requests.
    const env = { ...this.#call.env, TRACEPARENT: caller && writeCaller(caller) };
    const { db, config, idleTimeout, concurrency, rehearseSpeed, seed, encoding } = flags;
    const err = new CollectedOutput();
    let run: string | undefined;
    let expected: RunEstimate | undefined;
    const call: Invocation = {
      command: command.name,
      words,
      protocols,
      env,
      stdin,
      err,
      out: new CollectedOutput(),
      flags: {
        ...readFlags({ ...given, ...this.#limits(budget, before), detach: true, plain: true }),
        db,
        config,
        idleTimeout,
        concurrency,
        rehearseSpeed,
        seed,
        encoding,
      },
      ...withoutUndefined({ key }),
      isWish: before.isWish,
      begun: (id) => {
        run = id;
      },
      estimated: (estimate) => {
        expected = estimate;
      },
    };
    await (await command.load())(call);
    if (run === undefined) throw new DeliberateError('not-begun', err.lines().join(' '));
    if (expected !== undefined) await this.#keepExpected(run, expected);
    // Leave out the command's message that the run goes on in the background: every run of this server does.
    const id = shortId(run);
    return {
      run,
      notes: err
        .lines()
        .filter((said) => !said.startsWith(`run ${id}`))
        .map((said) => replaceCommandsByTools(toLine(said))),
    };
  }

  #keepExpected(run: string, { calls, usd, paid, unpriced }: RunEstimate): Promise<void> {
    const isKnown = paid && unpriced.length === 0;
    return withStore(this.#call, (store) => {
      const terms = store.detached.find(run) ?? { limits: {} };
      store.detached.keep(run, { ...terms, expected: { calls, ...(isKnown ? { usd } : {}) } });
    });
  }
}

/**
 * Replaces the commands `list` and `watch` in a hint by the MCP tools that do the same, and flags by the
 * arguments of these tools.
 */
export function replaceCommandsByTools(said: string): string {
  return said
    .replace(/\bdeliberate list\b/g, 'the tool list')
    .replace(/\bdeliberate watch\b/g, 'the tool wait with run')
    .replace(/(^|\s)--(preset|seat|rounds)\b/g, '$1$2');
}

function smallestOf(...limits: (number | undefined)[]): number | undefined {
  const set = limits.filter((limit) => limit !== undefined);
  return set.length === 0 ? undefined : Math.min(...set);
}

/** Checks that a path is below the working folder, also by its real path. @throws UsageError */
function checkAttachment(path: string): string {
  const folder = realPathOf(workingFolder());
  if (folder === parse(folder).root || folder === resolve(homedir()))
    throw new UsageError(
      'nothing is attached from a home folder or the root of the disk',
      'Start the server in the folder of a project.',
    );
  let real: string;
  try {
    real = realPathOf(resolve(folder, path));
  } catch (error) {
    throw new UsageError(`${toLine(path)}: ${explainCode(errorCode(error))}`);
  }
  const below = relative(folder, real);
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
    throw new UsageError(`${toLine(path)} lies outside the working folder`);
  if (below.split(sep).some((part) => part.startsWith('.') && part !== ''))
    throw new UsageError(
      `${toLine(path)} is hidden`,
      'Put what the panel needs into the question.',
    );
  return below === '' ? '.' : `.${sep}${below}`;
}

function digestOf(wish: object): string {
  const sorted = Object.entries(wish).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}
