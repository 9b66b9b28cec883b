/**
 * Runs a command of the program in this process, which is faster, where a test only prepares something or
 * waits. The commands under test run as the real program.
 */

import { readFlags } from '../../src/app/flags.ts';
import { getCommand } from '../../src/cli/commands.ts';
import { parse } from '../../src/cli/parse.ts';
import { CollectedOutput } from '../../src/io/collected.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';

/**
 * Runs a command and resolves with its standard output.
 * @throws Error with standard error, if its exit code is not 0
 */
export async function runInThisProcess(
  [name = '', ...rest]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const command = getCommand(name);
  const { words, flags } = parse(rest, command.flags);
  const [out, err] = [new CollectedOutput(), new CollectedOutput()];
  const perform = await command.load();
  const code = await perform({
    command: name,
    words,
    flags: readFlags(flags),
    protocols: PROTOCOLS,
    env,
    stdin: process.stdin,
    out,
    err,
  });
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${err.text}`);
  return out.text;
}
