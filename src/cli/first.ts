/**
 * The first frames of the commands that lead to a screen, from the command line alone. Nothing here
 * reads a file or loads a library; where the command line leaves anything open there is no such frame,
 * and the screen comes when it comes.
 */
import type { Invocation } from '../app/invocation.ts';
import { firstHomeRows } from '../console/home/head.ts';
import { firstRunRows } from '../console/run/first.ts';
import { type Early, openEarly } from '../console/terminal/early.ts';
import type { Size } from '../console/terminal/layout.ts';
import { Theme } from '../console/terminal/theme.ts';
import { isTooSmall, tooSmallRows } from '../console/terminal/too-small.ts';
import { sanitise } from '../text/sanitise.ts';
import type { Command } from './commands.ts';

/** `told`: the last line for standard error. */
type Rows = (theme: Theme, size: Size, told: string | undefined) => string[];

/** Undefined where there is nothing to show yet. The call is one with a console. */
export function openFirst(
  screen: NonNullable<Command['screen']>,
  call: Invocation,
): Early | undefined {
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

function homeRows({ words, flags }: Invocation): Rows | undefined {
  if (words.length > 0) return undefined;
  return (theme, size) => firstHomeRows(flags.rehearse, theme, size);
}

/** Undefined where there is no question yet, or where no run is wanted. */
function runRows({ command, words, flags }: Invocation): Rows | undefined {
  const question = words.join(' ');
  const isElsewhere = (flags.file ?? flags.ask) !== undefined || words.includes('-');
  if (isElsewhere || flags.estimate || sanitise(question).trim() === '') return undefined;
  const run = { protocol: command, question, rehearsal: flags.rehearse };
  return (theme, size, told) => firstRunRows({ ...run, told }, theme, size);
}
