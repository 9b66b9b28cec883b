/** Failures of coding agents, with messages and next steps for a person. */
import { RequestError } from '@agentclientprotocol/sdk';
import { formatHint } from '../kernel/hints.ts';
import { clipLine, type Failure } from '../models/failure.ts';
import { findNearest } from '../text/nearest.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import type { CodingAgent } from './agent.ts';

/** The error code of an agent that is not signed in (Agent Client Protocol: auth_required). */
const AUTH_REQUIRED = -32_000;
const NOT_SIGNED_IN =
  /\b(?:not (?:logged|signed) in|log ?in required|please run \/login|auth(?:entication)?[_ ](?:is )?required|authentication_error|unauthori[sz]ed|invalid (?:api key|token|authentication)|(?:token|credentials?) (?:has |have )?expired|HTTP 401|\b401\b)/i;
const LIMITED =
  /\b(?:usage limit|rate limit|limit reached|hit your limit|quota|too many requests|429|insufficient_quota)\b/i;
const NO_MODEL = /\bmodel_not_found\b|\bmodel\b.{0,80}\b(?:does not|may not) exist\b/i;
const NAME_A_MODEL = ({ name }: CodingAgent): string => `Name a model that it has: ${name}/MODEL`;
/**
 * Matches the time at which a usage limit ends: `resets 3pm`, `try again at 10:00`, `try again in 2 hours`.
 */
const LIFTED =
  /\b(?:resets?(?: at| in| on)?|(?:try|available) again (?:at|in|on)|retry (?:after|in))\s*:?\s*([^.|\n]{1,60})/i;
/** Matches Claude Code's time, a number after a vertical bar. */
const LIFTED_AT = /\|(\d{10})\b/;

const makeFatalFailure = (code: Failure['code'], message: string, next?: string): Failure => ({
  code,
  message,
  retry: false,
  ...withoutUndefined({ next }),
});

/** Returns the failure for an agent whose program is not installed. */
export function notInstalledFailure({ title, command, install }: CodingAgent): Failure {
  return makeFatalFailure(
    'unreachable',
    `${title} is not installed: there is no ${command} on your PATH`,
    install === undefined ? `Install it, or set its command in agents:` : `Install it: ${install}`,
  );
}

function notSignedIn({ title, signIn }: CodingAgent, words = ''): Failure {
  return makeFatalFailure(
    'auth',
    `${title} is not signed in${words === '' ? '' : `: ${clipLine(words)}`}`,
    signIn === undefined
      ? 'Sign in with its own program, then try again'
      : `Sign in with: ${signIn}`,
  );
}

function planLimit({ title }: CodingAgent, words: string): Failure {
  const stamp = LIFTED_AT.exec(words)?.[1];
  const when =
    stamp === undefined
      ? LIFTED.exec(words)?.[1]?.trim()
      : new Date(Number(stamp) * 1000).toISOString();
  return makeFatalFailure(
    'rate-limited',
    `${title}: the limit of your plan is reached: ${clipLine(words)}`,
    when === undefined
      ? 'Wait until it is lifted, or give this seat another model'
      : `It is lifted: ${clipLine(when, 80)}. Until then give this seat another model`,
  );
}

/** Returns the failure for an agent that may only run in a sandbox, on a machine without one. */
export function noSandboxFailure({ title }: CodingAgent): Failure {
  return makeFatalFailure(
    'rejected',
    `${title} was not started: there is no sandbox here that would keep it from changing your files`,
    'Install bubblewrap (bwrap), or allow it to run without a sandbox: --unsandboxed',
  );
}

/** Returns the failure for an agent that would get a folder containing the person's whole home. */
export function wholeHomeFailure({ title }: CodingAgent, path: string): Failure {
  return makeFatalFailure(
    'rejected',
    `${title} was not started: ${path} holds your whole home folder, with all keys in it`,
    'Name a folder below it with --look',
  );
}

/**
 * Returns the failure for an agent that speaks another version of the protocol. `said` is the
 * agent's version, `ours` the program's.
 */
export function otherVersionFailure(
  { title, install }: CodingAgent,
  said: number,
  ours: number,
): Failure {
  return makeFatalFailure(
    'malformed',
    `${title} speaks version ${said} of the Agent Client Protocol, and this program version ${ours}`,
    install === undefined ? 'Install another version of it' : `Update it: ${install}@latest`,
  );
}

/**
 * Returns the failure of a call whose agent ended, disconnected or could not be started. `lastLine` is
 * the last line that the agent printed. `by` says why it could not be started; absent if it was started.
 */
export function processEndedFailure(
  { title }: CodingAgent,
  lastLine: string,
  by?: string,
): Failure {
  const why =
    by ?? (lastLine === '' ? 'it ended' : `it ended; its last line was: ${clipLine(lastLine)}`);
  return {
    code: 'interrupted',
    message: `${title} went away: ${why}`,
    retry: false,
    next: formatHint('Try again; deliberate doctor tells what is wrong with it'),
  };
}

/**
 * Returns the failure for a call whose process was ended because another call had to be stopped. A
 * retry can succeed.
 */
export function endedForAnotherFailure({ title }: CodingAgent): Failure {
  return {
    code: 'interrupted',
    retry: true,
    message: `${title} was ended for another seat that was stopped`,
  };
}

/** Returns the failure for an agent that printed too much. */
export function tooMuchOutputFailure({ title }: CodingAgent, megabytes: number): Failure {
  return makeFatalFailure(
    'malformed',
    `${title} wrote more than ${megabytes} MB for one answer, and was ended`,
    'Give this seat another model',
  );
}

/** Returns the failure for an agent that sent nothing for `idleMs` milliseconds. */
export function silentFailure({ title }: CodingAgent, idleMs: number): Failure {
  const seconds = Math.round(idleMs / 100) / 10;
  return makeFatalFailure(
    'timeout',
    `${title}: nothing came for ${seconds} s`,
    `Allow more time with --idle-timeout ${Math.ceil(seconds * 2)}s, or give this seat another model`,
  );
}

/**
 * Returns the failure for a model that the agent does not have. `known` are the models that it has.
 */
export function noSuchModelFailure(
  agent: CodingAgent,
  model: string,
  known: readonly string[],
): Failure {
  if (known.length === 0)
    return makeFatalFailure(
      'not-found',
      `${agent.title} does not let its model be chosen`,
      `Name it alone: ${agent.name}`,
    );
  const meant = findNearest(model, known);
  const list = known.slice(0, 12).join(', ');
  return makeFatalFailure(
    'not-found',
    `${agent.title} has no model "${clipLine(model, 80)}"`,
    `${meant === undefined ? '' : `Did you mean ${agent.name}/${meant}? `}It has ${list}${known.length > 12 ? ', …' : ''}`,
  );
}

/** The most changed files that are named. */
const MAX_NAMED = 16;

/**
 * Returns the failure for files that changed while an agent ran without a sandbox. Another program
 * may have changed them.
 */
export function changedFilesFailure({ title }: CodingAgent, paths: readonly string[]): Failure {
  return makeFatalFailure(
    'rejected',
    `${title}: files changed while it answered, so the answer is set aside: ${listPaths(paths)}`,
    'It ran without a sandbox. Look at the changes; nothing was put back',
  );
}

/**
 * Returns the note on files that changed while an agent answered in a sandbox. The agent cannot
 * have changed them.
 */
export function changedMeanwhileNote(paths: readonly string[]): string {
  return `changed meanwhile, and not by it, as its sandbox lets it write none of these: ${listPaths(paths)}`;
}

function listPaths(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `${paths.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/**
 * Returns the failure for a turn that the agent ended for a bad reason, such as a refusal;
 * undefined for a good end.
 */
export function turnEndFailure({ title }: CodingAgent, stopReason: string): Failure | undefined {
  switch (stopReason) {
    case 'end_turn':
      return undefined;
    case 'max_tokens':
      return makeFatalFailure('truncated', `${title}: the answer was cut at its limit of tokens`);
    case 'max_turn_requests':
      return makeFatalFailure(
        'unfinished',
        `${title} ended the answer at its own limit of requests`,
      );
    case 'refusal':
      return makeFatalFailure(
        'refused',
        `${title} declined to answer`,
        'Give this seat another model',
      );
    case 'cancelled':
      return makeFatalFailure(
        'unfinished',
        `${title} stopped by itself before the answer was whole`,
      );
    default:
      return makeFatalFailure(
        'unfinished',
        `${title} ended the answer for a reason that is not known: ${clipLine(stopReason, 40)}`,
      );
  }
}

/**
 * The longest answer in characters that can be an error of the agent's service; longer ones are answers.
 */
const LONGEST_NOTICE = 300;

/**
 * Returns the failure if an answer is really an error message of the agent; undefined for a real
 * answer.
 */
export function failureInAnswer(agent: CodingAgent, text: string): Failure | undefined {
  const words = text.trim();
  if (words.length > LONGEST_NOTICE) return undefined;
  if (
    /^(?:claude(?: ai)? usage limit reached|you['’]ve (?:hit|reached) your (?:usage )?limit)/i.test(
      words,
    )
  )
    return planLimit(agent, words);
  if (/(?:^|· )please run \/login\b/i.test(words)) return notSignedIn(agent, words);
  return undefined;
}

/** Converts an error that an agent returned into a failure. */
export function failureOf(agent: CodingAgent, error: unknown): Failure {
  const code = error instanceof RequestError ? error.code : undefined;
  const words = wordsOf(error);
  if (LIMITED.test(words)) return planLimit(agent, words);
  if (NO_MODEL.test(words))
    return makeFatalFailure('not-found', `${agent.title}: ${clipLine(words)}`, NAME_A_MODEL(agent));
  if (code === AUTH_REQUIRED || NOT_SIGNED_IN.test(words)) return notSignedIn(agent, words);
  return makeFatalFailure(
    'server',
    `${agent.title}: ${clipLine(words) || 'it reported an error without a message'}`,
    'Try again, or give this seat another model',
  );
}

/** Returns an error's message and its data. */
function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const data = error instanceof RequestError ? error.data : undefined;
  const more = typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data);
  return more === '' || message.includes(more) ? message : `${message}: ${more}`;
}
