/**
 * What a person is told when the program cannot go on. Most errors say themselves what happened and what
 * to do next; a few conditions of the machine can meet any command, also inside a library that is being
 * loaded, and are named here. Whatever is left is a defect of ours.
 */
import { join } from 'node:path';
import type { Invocation } from '../app/invocation.ts';
import { asStarted } from '../app/suggest.ts';
import { stateFolder } from '../io/files.ts';
import { writeOwn } from '../io/own-file.ts';
import { DeliberateError, InterruptedError } from '../kernel/errors.ts';
import { redactor } from '../models/redact.ts';
import { shortenMessage } from '../text/brief.ts';
import { sanitise } from '../text/sanitise.ts';
import { COMMANDS } from './commands.ts';
import { ofTheMachine } from './machine.ts';

/** As much of a defect's own words as stands in the sentence about it. */
const MAX_SAID = 300;

/** The words for standard error, and the exit code. Whatever they quote, a key or a terminal's command is not in them. */
export function explain(error: unknown, env: Invocation['env']): { text: string; code: number } {
  const commands = Object.keys(COMMANDS);
  const clean = (text: string): string => shortenMessage(sanitise(redactor(env)(text)));
  const typed = (text: string): string => asStarted(text, env, commands);
  if (error instanceof InterruptedError)
    return { text: `${error.message}\n`, code: error.exitCode };
  const known = error instanceof DeliberateError ? error : ofTheMachine(error);
  if (known !== undefined) {
    const next = known.next === undefined ? '' : `\n${typed(known.next)}`;
    return { text: `deliberate: ${clean(`${known.message}${next}`)}\n`, code: known.exitCode };
  }
  const told = clean(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  const said = told.split('\n', 1)[0] ?? '';
  return {
    text: [
      `deliberate: unexpected error: ${said.length > MAX_SAID ? `${said.slice(0, MAX_SAID)}…` : said}`,
      details(clean(error instanceof Error ? (error.stack ?? told) : told), env),
      typed('The run is kept; see deliberate list.\n'),
    ].join('\n'),
    code: 1,
  };
}

/** Where the details were put for whoever mends the defect; the details themselves where nothing can be written. */
function details(text: string, env: Invocation['env']): string {
  const file = join(stateFolder(env), 'last-error.txt');
  try {
    writeOwn(file, `${new Date().toISOString()}\n${text}\n`);
    return `The details are in ${sanitise(file)}.`;
  } catch {
    // The disk that is full or the home that is missing may be why we are here at all.
    return text;
  }
}
