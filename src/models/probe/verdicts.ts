/**
 * Turns the measurements of a server and its models into lines for a person, each with the next step if
 * something is wrong. Pure functions.
 */
import type { Failure } from '../failure.ts';

/** One line of the report that the `doctor` command prints. */
export interface Verdict {
  readonly mark: 'ok' | 'warn' | 'fail';
  /** What the line is about, such as a provider or a model. */
  readonly subject: string;
  /** The finding, as a sentence. */
  readonly says: string;
  /** The next step; absent if none is needed. */
  readonly next?: string | undefined;
}

/**
 * How a model treated a schema: its answer fits (`obeyed`), does not fit (`ignored`), the server
 * refused the schema (`refused`), or the call failed or its answer was cut (`failed`).
 */
export type SchemaOutcome = 'obeyed' | 'ignored' | 'refused' | 'failed';

/** The measurements of one answer. */
export interface AnswerMeasurements {
  /** Milliseconds from the request to the first text, which may be thinking. */
  readonly firstTokenMs: number;
  /** Milliseconds from the request to the end of the answer. */
  readonly ms: number;
  /** Tokens of the answer, thinking included: counted by the server, or estimated if it did not count. */
  readonly output: number;
  /** Whether the model showed thinking. */
  readonly thought: boolean;
}

/** The measurements of one model. A field is absent if it was not measured. */
export interface ModelMeasured {
  /** The model's name, such as `ollama/qwen3:8b`. */
  readonly spec: string;
  /** The context window that the server declares, in tokens. */
  readonly window?: number | undefined;
  /**
   * The context that the server has loaded the model with, in tokens. By default a server chooses
   * it by the memory of the machine.
   */
  readonly loaded?: number | undefined;
  readonly answer: AnswerMeasurements | Failure;
  /** The results of requests for a schema: one with the schema as a parameter (`given`), and further tries. */
  readonly schema?:
    | {
        readonly given: SchemaOutcome;
        /** The result without thinking; only for models that think. */
        readonly unthinking?: SchemaOutcome | undefined;
        /** The result with the schema in the prompt; only if no result above is `obeyed`. */
        readonly inWords?: SchemaOutcome | undefined;
      }
    | undefined;
  /**
   * The result of a long prompt: the tokens that were sent, estimated from short prompts, and the
   * tokens that the server counted.
   */
  readonly context?: { readonly sent: number; readonly read: number } | Failure | undefined;
  /**
   * The result of stopping a call at its first token: milliseconds until this program's side of the
   * connection was closed, and until the next call had its first token.
   */
  readonly cancel?:
    | { readonly closedMs: number; readonly nextMs?: number | undefined }
    | Failure
    | undefined;
}

/** The measurements of one server. */
export interface HostMeasured {
  /** The provider's name. */
  readonly name: string;
  readonly endpoint: string;
  /** The server's version; absent if it reports none. */
  readonly version?: string | undefined;
  /** The number of models that the server lists, or why it cannot be asked. */
  readonly listed: number | Failure;
  /**
   * Two models that were called one after the other, and the models in memory afterwards; absent if
   * not measured.
   */
  readonly together?:
    | { readonly called: readonly string[]; readonly loaded: readonly string[] }
    | undefined;
}

/** Tokens per second below which an answer is slower than a person reads. */
const SLOW_RATE = 8;
/** Milliseconds to the first text above which a seat seems to hang. */
const SLOW_START_MS = 30_000;
/** Tokens that a round of a deliberation may need for question, record and answer. */
const SMALL_WINDOW = 8_192;
/** The ratio of counted to sent tokens below which a prompt was cut. Estimates deviate less than this. */
const CUT_BELOW = 0.9;
const SLOW_CLOSE_MS = 1_000;
/** Milliseconds by which the next call is slower if the server has not stopped the call before. */
const SLOW_NEXT_MS = 3_000;

/** Returns the lines of the `doctor` command's report that are about a server. */
export function hostVerdicts(host: HostMeasured): Verdict[] {
  const { name: subject, endpoint, version, listed, together } = host;
  if (typeof listed !== 'number')
    return [makeFail(subject, withoutProviderName(listed, subject), listed.next)];
  const what = version === undefined ? endpoint : `version ${version} at ${endpoint}`;
  const reached: Verdict =
    listed === 0
      ? makeWarn(subject, `${what}: no models`, whenNone(subject))
      : makeOk(subject, `${what}: ${listed} ${listed === 1 ? 'model' : 'models'}`);
  if (together === undefined) return [reached];
  const names = together.called.join(' and ');
  return [
    reached,
    holdsTogether(together)
      ? makeOk(subject, `${names} stay loaded side by side`)
      : makeWarn(
          subject,
          `${names} push each other out of memory: their calls take turns`,
          'Use one model for all seats, or set OLLAMA_MAX_LOADED_MODELS=2 if memory allows',
        ),
  ];
}

/** Returns whether both called models stayed in memory. */
export function holdsTogether({ called, loaded }: NonNullable<HostMeasured['together']>): boolean {
  return called.every((model) => loaded.includes(model));
}

/** Returns the lines of the `doctor` command's report that are about a model. */
export function modelVerdicts(measured: ModelMeasured): Verdict[] {
  const { spec: subject, answer } = measured;
  if ('code' in answer)
    return [makeFail(subject, withoutProviderName(answer, subject), answer.next)];
  return [
    answerVerdict(subject, answer, measured.cancel),
    ...schemaVerdict(subject, measured.schema),
    ...windowVerdict(measured),
    ...cancelVerdict(measured, answer),
  ];
}

/**
 * Returns the tokens per second after the first token; undefined if there were too few tokens or too
 * little time to tell.
 */
export function rateOf({ output, ms, firstTokenMs }: AnswerMeasurements): number | undefined {
  const spoke = ms - firstTokenMs;
  return output < 10 || spoke < 50 ? undefined : (output * 1_000) / spoke;
}

/** Explains a slow start by the time of a later answer of the same model. */
function whySlow(later: ModelMeasured['cancel']): string {
  if (later === undefined || 'code' in later || later.nextMs === undefined)
    return 'It was loading its model or busy with other requests; try again';
  return later.nextMs > SLOW_START_MS / 3
    ? 'A later answer was slow to begin, too: it is busy with other requests, or too slow'
    : 'A later answer began soon: it was still loading; keep it loaded';
}

function answerVerdict(
  subject: string,
  answer: AnswerMeasurements,
  later: ModelMeasured['cancel'],
): Verdict {
  const rate = rateOf(answer);
  const thinks = answer.thought ? ', thinks first' : '';
  const says = `answers: first token after ${formatSeconds(answer.firstTokenMs)}${rate === undefined ? '' : `, then ${Math.round(rate)} tokens/s`}${thinks}`;
  if (rate !== undefined && rate < SLOW_RATE)
    return makeWarn(subject, says, 'A smaller model, or a machine with a GPU');
  if (answer.firstTokenMs > SLOW_START_MS) return makeWarn(subject, says, whySlow(later));
  return makeOk(subject, says);
}

function schemaVerdict(subject: string, schema: ModelMeasured['schema']): Verdict[] {
  if (schema === undefined) return [];
  const { given, unthinking, inWords } = schema;
  if (given === 'obeyed' && (unthinking === undefined || unthinking === 'obeyed'))
    return [makeOk(subject, 'follows a JSON schema')];
  if (given === 'obeyed')
    return [makeOk(subject, 'follows a JSON schema while it thinks, but not with thinking off')];
  if (unthinking === 'obeyed')
    return [
      makeWarn(
        subject,
        `a JSON schema is ${given} while it thinks, and followed with thinking off`,
        'Nothing to do: from now on structured calls run without thinking',
      ),
    ];
  if (inWords === 'obeyed')
    return [
      makeWarn(
        subject,
        `a JSON schema is ${given}, and followed when put in the prompt`,
        'Nothing to do: from now on schemas go into the prompt',
      ),
    ];
  if ([given, unthinking, inWords].includes('failed'))
    return [
      makeWarn(
        subject,
        'cannot tell whether it follows a JSON schema: the calls failed or were cut off',
        'Try again, or use it for a board only',
      ),
    ];
  return [
    makeFail(
      subject,
      `a JSON schema is ${given}, even in the prompt: not usable in rounds or as a verifier`,
      'Use it for a board, and another model for rounds',
    ),
  ];
}

function windowVerdict({ spec: subject, window, loaded, context }: ModelMeasured): Verdict[] {
  if (context !== undefined && 'code' in context)
    return [
      makeWarn(
        subject,
        `a long prompt fails: ${withoutProviderName(context, subject)}`,
        context.next,
      ),
    ];
  if (context !== undefined && isCut(context))
    return [
      makeWarn(
        subject,
        `only ${formatTokens(context.read)} of a prompt's ${formatTokens(context.sent)} tokens arrived: the server truncates silently`,
        'Nothing to do: from now on longer prompts are refused. For longer prompts, raise the context on the server',
      ),
    ];
  const whole =
    context === undefined ? '' : `; a prompt of ${formatTokens(context.sent)} arrived whole`;
  if (window === undefined)
    return [
      makeWarn(
        subject,
        `its context length is unknown${whole}`,
        'Add it to windows.json if you know it',
      ),
    ];
  const less =
    loaded === undefined || loaded === window ? '' : `, loaded with ${formatTokens(loaded)}`;
  const says = `context of ${formatTokens(window)} tokens${less}${whole}`;
  return [
    window < SMALL_WINDOW
      ? makeWarn(subject, says, 'Too small for rounds: use it for short boards')
      : makeOk(subject, says),
  ];
}

/**
 * Returns whether the server read clearly fewer tokens of a prompt than were sent: less than nine tenths,
 * since `sent` is an estimate. Returns false if the server did not count (`read` is 0).
 */
export function isCut({ sent, read }: { readonly sent: number; readonly read: number }): boolean {
  return read > 0 && read < sent * CUT_BELOW;
}

function cancelVerdict(
  { spec: subject, cancel }: ModelMeasured,
  answer: AnswerMeasurements,
): Verdict[] {
  if (cancel === undefined) return [];
  if ('code' in cancel)
    return [
      makeWarn(
        subject,
        `after a stopped call the next one fails: ${withoutProviderName(cancel, subject)}`,
        cancel.next,
      ),
    ];
  const { closedMs, nextMs } = cancel;
  if (closedMs > SLOW_CLOSE_MS)
    return [
      makeWarn(
        subject,
        `a stopped call takes ${formatSeconds(closedMs)} to close its connection`,
        'Look for a proxy between here and the server',
      ),
    ];
  if (nextMs !== undefined && nextMs > answer.firstTokenMs + SLOW_NEXT_MS)
    return [
      makeWarn(
        subject,
        `after a stop the next call waits ${formatSeconds(nextMs)}: the server keeps working on the stopped one`,
        'Update the server; until then stopping a seat saves nothing',
      ),
    ];
  const next = nextMs === undefined ? '' : `, the next call answers after ${formatSeconds(nextMs)}`;
  return [makeOk(subject, `a stop takes ${formatSeconds(closedMs)}${next}`)];
}

/** Returns the failure's message without the provider's name, which is shown before it. */
function withoutProviderName({ message }: Failure, subject: string): string {
  const provider = subject.split('/', 1)[0] ?? subject;
  return message.startsWith(`${provider}: `) ? message.slice(provider.length + 2) : message;
}

function whenNone(provider: string): string {
  return provider === 'ollama' ? 'Try: ollama pull qwen3:8b' : 'Load a model on the server';
}

function formatSeconds(ms: number): string {
  return ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}

function formatTokens(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US');
}

function makeOk(subject: string, says: string): Verdict {
  return { mark: 'ok', subject, says };
}

function makeWarn(subject: string, says: string, next: string | undefined): Verdict {
  return { mark: 'warn', subject, says, next };
}

function makeFail(subject: string, says: string, next: string | undefined): Verdict {
  return { mark: 'fail', subject, says, next };
}
