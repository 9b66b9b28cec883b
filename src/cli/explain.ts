/**
 * Turns any error into the message and the exit code of the program. Most errors are `DeliberateError`s and say
 * what happened and what to do next. `explainSystemError` knows the conditions of the machine that any command can
 * meet. Everything else is a defect of the program: its details go to a file.
 */
import { join } from 'node:path';
import type { Invocation } from '../app/invocation.ts';
import { rewriteCommands } from '../app/suggest.ts';
import { stateFolder } from '../io/files.ts';
import { writeOwn } from '../io/own-file.ts';
import { DeliberateError, InterruptedError } from '../kernel/errors.ts';
import { makeRedactor } from '../models/redact.ts';
import { shortenMessage } from '../text/brief.ts';
import { sanitiseText } from '../text/sanitise.ts';
import { COMMANDS } from './commands.ts';
import { explainSystemError } from './machine.ts';

/** The most characters of an unexpected error's message that are printed. */
const MAX_SAID = 300;

/**
 * Formats an error for standard error and returns the exit code. The text contains no secrets and
 * no escape sequences.
 */
export function explain(error: unknown, env: Invocation['env']): { text: string; code: number } {
  const commands = Object.keys(COMMANDS);
  const clean = (text: string): string => shortenMessage(sanitiseText(makeRedactor(env)(text)));
  const rewriteText = (text: string): string => rewriteCommands(text, env, commands);
  if (error instanceof InterruptedError)
    return { text: `${error.message}\n`, code: error.exitCode };
  const known = error instanceof DeliberateError ? error : explainSystemError(error);
  if (known !== undefined) {
    const next = known.next === undefined ? '' : `\n${rewriteText(known.next)}`;
    return { text: `deliberate: ${clean(`${known.message}${next}`)}\n`, code: known.exitCode };
  }
  const told = clean(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  const said = told.split('\n', 1)[0] ?? '';
  return {
    text: [
      `deliberate: unexpected error: ${said.length > MAX_SAID ? `${said.slice(0, MAX_SAID)}…` : said}`,
      writeDetails(clean(error instanceof Error ? (error.stack ?? told) : told), env),
      rewriteText('The run is kept; see deliberate list.\n'),
    ].join('\n'),
    code: 1,
  };
}

/**
 * Writes the details of a defect to a file and returns a sentence that names it. Returns the details themselves
 * if the file cannot be written.
 */
function writeDetails(text: string, env: Invocation['env']): string {
  const file = join(stateFolder(env), 'last-error.txt');
  try {
    writeOwn(file, `${new Date().toISOString()}\n${text}\n`);
    return `The details are in ${sanitiseText(file)}.`;
  } catch {
    // Do not fail here: a full disk or a missing home folder may be the very error to explain.
    return text;
  }
}
