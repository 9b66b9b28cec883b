/** The program: finds the command, reads its flags, runs it, and says plainly what went wrong. */

import { checkFlagValues, refuseRepeats } from '../app/flag-words.ts';
import { readFlags, toDashes } from '../app/flags.ts';
import type { Invocation } from '../app/invocation.ts';
import { hasConsole } from '../app/run/display.ts';
import { modelsWithoutServer } from '../app/settings/model-flags.ts';
import { asStarted } from '../app/suggest.ts';
import { ALIASES, asTyped, spellOut, VERSION_WORDS } from '../app/synonyms.ts';
import { version } from '../app/version.ts';
import { builtInAgents } from '../coding-agents/built-in.ts';
import { Output } from '../io/output.ts';
import { UsageError } from '../kernel/errors.ts';
import { setHintFormat } from '../kernel/hints.ts';
import { addAgentNames } from '../kernel/providers/names.ts';
import { heedBreak } from '../platform/signals.ts';
import { didYouMean } from '../text/nearest.ts';
import { refuseLostBytes } from './argv.ts';
import { COMMANDS, type Command, commandNamed, HOME } from './commands.ts';
import { commandHelp, generalHelp } from './help.ts';
import { ofTheMachine } from './machine.ts';
import { type Parsed, parse } from './parse.ts';

/** Runs the program with the words after its name. Resolves to the exit code when all is written. */
export async function main(argv: readonly string[]): Promise<number> {
  const out = new Output(1, process.stdout.isTTY ? process.stdout : undefined);
  const err = new Output(2, process.stderr.isTTY ? process.stderr : undefined);
  heedBreak();
  addAgentNames(() => builtInAgents().map(({ name }) => name));
  setHintFormat((text) => asStarted(text, process.env, Object.keys(COMMANDS)));
  // A reader that went away is no reason to fail; commands that write a lot look at `destroyed`.
  out.on('error', () => undefined);
  err.on('error', () => undefined);
  // What nobody caught is told as clean as the rest, when the screen has been given back.
  process.once('uncaughtException', async (error) => {
    const { text } = await explainError(error);
    process.on('exit', () => err.writeNow(text));
    process.exit(1);
  });
  let code: number;
  try {
    code = await dispatch(argv, out, err);
  } catch (error) {
    const { text, code: failed } = await explainError(error);
    code = failed;
    err.write(text);
  }
  await out.drain();
  const lost = out.lost;
  if (lost !== undefined) {
    // What was to be the result is nowhere: whoever reads the exit code has to know.
    err.write(`deliberate: cannot write to standard output: ${lost}\n`);
    code = code === 0 ? 1 : code;
  }
  await err.drain();
  return code;
}

/** What a person is told who has to be told: loaded only then, as it knows every provider's secrets. */
async function explainError(error: unknown): Promise<{ text: string; code: number }> {
  try {
    return (await import('./explain.ts')).explain(error, process.env);
  } catch (lost) {
    const known = ofTheMachine(error) ?? ofTheMachine(lost);
    if (known === undefined) throw lost;
    return { text: `deliberate: ${known.message}\n${known.next ?? ''}\n`, code: known.exitCode };
  }
}

async function dispatch(argv: readonly string[], out: Output, err: Output): Promise<number> {
  const [typed, ...rest] = argv;
  const name = typed === undefined ? undefined : (ALIASES.get(typed) ?? typed);
  if (name === undefined ? isInteractive(out) : isFlag(name))
    return perform('deliberate', HOME, argv, out, err);
  if (name === undefined || name === 'help' || isHelp(name)) {
    const [topic] = rest;
    const { env } = process;
    out.write(topic === undefined ? generalHelp(env) : commandHelp(commandNamed(topic), env));
    return 0;
  }
  if (VERSION_WORDS.has(name)) {
    out.write(`${version()}\n`);
    return 0;
  }
  // `deliberate "Should we split?"` holds a board on it.
  if (isQuestion(name)) return perform('board', commandNamed('board'), argv, out, err);
  const command = commandNamed(name);
  if (rest.some(isHelp)) {
    out.write(commandHelp(command, process.env));
    return 0;
  }
  return perform(name, command, rest, out, err);
}

async function perform(
  name: string,
  command: Command,
  typed: readonly string[],
  out: Output,
  err: Output,
): Promise<number> {
  refuseLostBytes(typed);
  const rest = spellOut(typed, command.flags);
  refuseRepeats(rest, command.flags);
  const { screen } = command;
  const call = (parsed: Parsed): Invocation => ({
    command: command === HOME ? '' : name,
    words: parsed.words,
    flags: readFlags(parsed.flags),
    env: process.env,
    out,
    err,
    // Opened when it is asked for: most commands read nothing there.
    get stdin() {
      return process.stdin;
    },
  });
  const readBy = (read: typeof parse): Invocation => {
    const parsed = read(rest, command.flags);
    refuseUnknown(name, command, parsed, rest);
    checkFlagValues(rest, command.flags);
    return call(parsed);
  };
  // Nothing waits for meow but what a reading of our own finds wrong: that meow decides.
  const sound = soundly(() => readBy(parse));
  const first =
    screen === undefined || sound === undefined || !hasConsole(sound)
      ? undefined
      : (await import('./first.ts')).openFirst(screen, sound);
  try {
    const read = sound ?? readBy((await import('./command-line.ts')).readCommandLine);
    const invocation = await withServers(read);
    const run = await command.load();
    return await run(invocation);
  } finally {
    await first?.leave();
  }
}

/** Looks models up that the person named without a server. Where each has one, nothing is loaded for it. */
async function withServers(call: Invocation): Promise<Invocation> {
  if (call.flags.rehearse || modelsWithoutServer(call.flags, call.command).length === 0)
    return call;
  return (await import('../app/settings/model-names.ts')).completeFlags(call);
}

/** What is read, where nothing is wrong with it. */
function soundly<T>(read: () => T): T | undefined {
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
  { unknown }: Parsed,
  argv: readonly string[],
): void {
  if (unknown === undefined) return;
  const typed = asTyped(argv, unknown);
  throw new UsageError(
    `${name} has no flag ${typed}`,
    command === HOME
      ? 'deliberate --help lists the commands; flags go after the command.'
      : `${didYouMean(
          `--${toDashes(unknown)}`,
          command.flags.map((flag) => `--${toDashes(flag)}`),
        )}deliberate ${name} --help lists its flags.`,
  );
}

/** No command has a blank or a question mark in its name. */
function isQuestion(word: string): boolean {
  return /[\s?]/.test(word.trim());
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** A flag of the home screen: the words that ask what there is are none. */
function isFlag(word: string): boolean {
  return word.startsWith('-') && !isHelp(word) && !VERSION_WORDS.has(word);
}

/** A person is here, at a terminal that can be drawn on. */
function isInteractive(out: Output): boolean {
  return out.isTTY && process.stdin.isTTY && process.env.TERM !== 'dumb';
}
