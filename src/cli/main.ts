/**
 * The program's entry: finds the command, reads its flags, runs it and reports errors.
 * Order of one call: aliases and old spellings of flags are resolved (`app/synonyms`), the arguments are parsed
 * (`parse.ts`; `command-line.ts` decides if that finds a mistake), the first frame of a screen is drawn
 * (`first.ts`), models without a server are looked up, then the command is loaded and run.
 * Main types: `Command` (a row of `commands.ts` or `run-commands.ts`) and `Invocation` (what a command gets;
 * `src/app/invocation.ts`).
 * Invariants: only this file and the commands' own files know the command line; loading it loads no command and
 * no library, so that the first frame is shown within milliseconds; every error goes through `explain.ts`; the exit
 * code is 1 if standard output could not be written.
 * This folder may import every other one; no other folder imports it.
 */

import { checkFlagValues, refuseRepeats } from '../app/flag-words.ts';
import { readFlags, toDashes } from '../app/flags.ts';
import type { Invocation } from '../app/invocation.ts';
import { hasConsole } from '../app/run/display.ts';
import { modelsWithoutServer } from '../app/settings/model-flags.ts';
import { rewriteCommands } from '../app/suggest.ts';
import { ALIASES, expandLetters, getTypedFlag, VERSION_WORDS } from '../app/synonyms.ts';
import type { TypedCall } from '../app/typed-call.ts';
import { readVersion } from '../app/version.ts';
import { builtInAgents } from '../coding-agents/built-in.ts';
import { Output } from '../io/output.ts';
import { entryOf } from '../kernel/entry.ts';
import { UsageError } from '../kernel/errors.ts';
import { setHintFormat } from '../kernel/hints.ts';
import { addAgentNames } from '../kernel/providers/names.ts';
import { handleCtrlBreak } from '../platform/signals.ts';
import { formatSuggestion } from '../text/nearest.ts';
import { refuseLostBytes } from './argv.ts';
import { COMMANDS, type Command, getCommand, HOME } from './commands.ts';
import { commandHelp, generalHelp } from './help.ts';
import { explainSystemError } from './machine.ts';
import { type ParsedArguments, parse } from './parse.ts';
import { RUN_COMMANDS } from './run-commands.ts';

/**
 * Runs the program. Resolves to the exit code after all output is written.
 *
 * @param argv the words after the program's name
 */
export async function main(argv: readonly string[]): Promise<number> {
  const out = new Output(1, process.stdout.isTTY ? process.stdout : undefined);
  const err = new Output(2, process.stderr.isTTY ? process.stderr : undefined);
  handleCtrlBreak();
  addAgentNames(() => builtInAgents().map(({ name }) => name));
  setHintFormat((text) => rewriteCommands(text, process.env, Object.keys(COMMANDS)));
  // A reader such as `head` may close the pipe. Without these listeners, Node would throw an error then.
  out.on('error', () => undefined);
  err.on('error', () => undefined);
  // Explain an uncaught error like any other, and print it last, after a screen has restored the terminal.
  process.once('uncaughtException', async (error) => {
    const { text } = await describeError(error);
    process.on('exit', () => err.writeNow(text));
    process.exit(1);
  });
  let code: number;
  try {
    code = await runTyped(argv, out, err);
  } catch (error) {
    const { text, code: failed } = await describeError(error);
    code = failed;
    err.write(text);
  }
  await out.drain();
  const lost = out.lost;
  if (lost !== undefined) {
    // If the output was lost, do not end with the exit code of success.
    err.write(`deliberate: cannot write to standard output: ${lost}\n`);
    code = code === 0 ? 1 : code;
  }
  await err.drain();
  return code;
}

/**
 * Turns an error into text and an exit code. `explain.ts` is loaded only on an error, because it loads every
 * provider's list of secrets.
 */
async function describeError(error: unknown): Promise<{ text: string; code: number }> {
  try {
    return (await import('./explain.ts')).explain(error, process.env);
  } catch (lost) {
    const known = explainSystemError(error) ?? explainSystemError(lost);
    if (known === undefined) throw lost;
    return { text: `deliberate: ${known.message}\n${known.next ?? ''}\n`, code: known.exitCode };
  }
}

async function runTyped(argv: readonly string[], out: Output, err: Output): Promise<number> {
  const [typed, ...rest] = argv;
  const name = typed === undefined ? undefined : (ALIASES.get(typed) ?? typed);
  if (name === undefined ? isInteractive(out) : isFlag(name))
    return performCommand('deliberate', HOME, argv, out, err);
  if (name === undefined || name === 'help' || isHelp(name)) {
    const [topic] = rest;
    const { env } = process;
    out.write(topic === undefined ? generalHelp(env) : commandHelp(getCommand(topic), env));
    return 0;
  }
  if (VERSION_WORDS.has(name)) {
    out.write(`${readVersion()}\n`);
    return 0;
  }
  // `deliberate "Should we split?"` starts a board on that question.
  if (isQuestion(name)) return performCommand('board', getCommand('board'), argv, out, err);
  const command = getCommand(name);
  if (rest.some(isHelp)) {
    out.write(commandHelp(command, process.env));
    return 0;
  }
  return performCommand(name, command, rest, out, err);
}

async function performCommand(
  name: string,
  command: Command,
  typed: readonly string[],
  out: Output,
  err: Output,
): Promise<number> {
  refuseLostBytes(typed);
  const rest = expandLetters(typed, command.flags);
  refuseRepeats(rest, command.flags);
  const { screen } = command;
  const makeCall = (parsed: ParsedArguments): TypedCall => ({
    command: command === HOME ? '' : name,
    words: parsed.words,
    flags: readFlags(parsed.flags),
    env: process.env,
    out,
    err,
    // Use a getter: most commands never open standard input.
    get stdin() {
      return process.stdin;
    },
  });
  const readBy = (read: typeof parse): TypedCall => {
    const parsed = read(rest, command.flags);
    refuseUnknown(name, command, parsed, rest);
    checkFlagValues(rest, command.flags);
    return makeCall(parsed);
  };
  // Loading meow is slow, so use meow only if `parse` finds a mistake. What meow returns is then used.
  const sound = unlessUsageError(() => readBy(parse));
  const first =
    screen === undefined || sound === undefined || !hasConsole(sound)
      ? undefined
      : (await import('./first.ts')).openFirst(screen, sound);
  try {
    const read = sound ?? readBy((await import('./command-line.ts')).readCommandLine);
    const completeCall = async (): Promise<Invocation> => {
      const { PROTOCOLS } = await import('../protocols/registry/registry.ts');
      return withServers(Object.assign(read, { protocols: PROTOCOLS }));
    };
    if (command.loadQuick !== undefined)
      return await (await command.loadQuick())(read, completeCall);
    const [run, invocation] = await Promise.all([command.load(), completeCall()]);
    return await run(invocation);
  } finally {
    await first?.leave();
  }
}

/**
 * Adds the server's name to models that were typed without one. Loads nothing if every model has
 * its server.
 */
async function withServers(call: Invocation): Promise<Invocation> {
  if (call.flags.rehearse || modelsWithoutServer(call.flags, call.command).length === 0)
    return call;
  return (await import('../app/settings/model-names.ts')).completeFlags(call);
}

/** Returns what `read` returns, or undefined if it throws a UsageError. */
function unlessUsageError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function refuseUnknown(
  name: string,
  command: Command,
  { unknown }: ParsedArguments,
  argv: readonly string[],
): void {
  if (unknown === undefined) return;
  const typed = getTypedFlag(argv, unknown);
  throw new UsageError(
    `${name} has no flag ${typed}`,
    command === HOME
      ? 'deliberate --help lists the commands; flags go after the command.'
      : `${
          unknown === 'attach'
            ? whereAttached(name)
            : formatSuggestion(
                `--${toDashes(unknown)}`,
                command.flags.map((flag) => `--${toDashes(flag)}`),
              )
        }deliberate ${name} --help lists its flags.`,
  );
}

/** Says where documents are attached, and what to use in place of that with another command. */
function whereAttached(name: string): string {
  if (entryOf(RUN_COMMANDS, name) !== undefined)
    return 'A run keeps the documents that it was started with: for another one, start a new run. ';
  if (name === 'eval')
    return 'In an evaluation, the text that a question is about is a part of the question. ';
  return 'Documents are attached when a run is started: board, rounds, debate, plan, team, agent, run. ';
}

/**
 * Returns whether a first word is a question: it contains a blank or a question mark, which no command does.
 */
function isQuestion(word: string): boolean {
  return /[\s?]/.test(word.trim());
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** Returns whether a first word is a flag of the home screen, which `--help` and `--version` are not. */
function isFlag(word: string): boolean {
  return word.startsWith('-') && !isHelp(word) && !VERSION_WORDS.has(word);
}

/** Returns whether a person sits at a terminal that can be drawn on. */
function isInteractive(out: Output): boolean {
  return out.isTTY && process.stdin.isTTY && process.env.TERM !== 'dumb';
}
