/**
 * Draws the first frame of a screen from the command line alone, before libraries are loaded and files are
 * read. If the command line does not say enough, nothing is drawn until the screen itself is ready.
 */
import type { TypedCall } from '../app/typed-call.ts';
import { firstHomeRows } from '../console/home/head.ts';
import { firstRunRows } from '../console/run/first.ts';
import { type EarlyFrame, openEarly } from '../console/terminal/early.ts';
import type { Size } from '../console/terminal/layout.ts';
import { Theme } from '../console/terminal/theme.ts';
import { isTooSmall, tooSmallRows } from '../console/terminal/too-small.ts';
import { sanitiseText } from '../text/sanitise.ts';
import type { Command } from './commands.ts';

/**
 * Returns the rows of the first frame.
 * @param told the latest line meant for standard error
 */
type Rows = (theme: Theme, size: Size, told: string | undefined) => string[];

/**
 * Draws the first frame of a console before the rest of the program is loaded. Returns undefined if
 * the command line does not suffice for a frame or the terminal is too small.
 *
 * @param screen the screen that the command opens
 */
export function openFirst(
  screen: NonNullable<Command['screen']>,
  call: TypedCall,
): EarlyFrame | undefined {
  const { out, err, stdin, env } = call;
  const rows = screen === 'home' ? homeRows(call) : runRows(call);
  if (rows === undefined || isTooSmall(out)) return undefined;
  const theme = Theme.of(env);
  return openEarly({
    screen: out,
    words: err.isTTY ? err : undefined,
    stdin,
    rows: (told) =>
      isTooSmall(out) ? tooSmallRows(out.columns, out.rows, theme) : rows(theme, out, told),
  });
}

function homeRows({ words, flags }: TypedCall): Rows | undefined {
  if (words.length > 0) return undefined;
  return (theme, size) => firstHomeRows(flags.rehearse, theme, size);
}

/** Returns undefined if the question is not on the command line, or if no run is started. */
function runRows({ command, words, flags }: TypedCall): Rows | undefined {
  const question = words.join(' ');
  const isElsewhere = (flags.file ?? flags.ask) !== undefined || words.includes('-');
  if (isElsewhere || flags.estimate || sanitiseText(question).trim() === '') return undefined;
  const run = { protocol: command, question, rehearsal: flags.rehearse };
  return (theme, size, told) => firstRunRows({ ...run, told }, theme, size);
}
