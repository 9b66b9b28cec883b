/** The program: finds the command, reads its flags, runs it, and says plainly what went wrong. */
import meow from 'meow';
import { dashed, FLAGS, readFlags, refuseMissingValues, refuseRepeats } from '../app/flags.ts';
import { version } from '../app/version.ts';
import { Output } from '../io/output.ts';
import { UsageError } from '../kernel/errors.ts';
import { refuseLostBytes } from './argv.ts';
import { type Command, commandNamed, HOME } from './commands.ts';
import { explain } from './explain.ts';
import { commandHelp, generalHelp } from './help.ts';

/** Runs the program with the words after its name. Resolves to the exit code when all is written. */
export async function main(argv: readonly string[]): Promise<number> {
  const out = new Output(1, process.stdout.isTTY ? process.stdout : undefined);
  const err = new Output(2, process.stderr.isTTY ? process.stderr : undefined);
  // A reader that went away is no reason to fail; commands that write a lot look at `destroyed`.
  out.on('error', () => undefined);
  err.on('error', () => undefined);
  // What nobody caught is told as clean as the rest, when the screen has been given back.
  process.once('uncaughtException', (error) => {
    process.on('exit', () => err.writeNow(explain(error, process.env).text));
    process.exit(1);
  });
  let code: number;
  try {
    code = await dispatch(argv, out, err);
  } catch (error) {
    const told = explain(error, process.env);
    code = told.code;
    err.write(told.text);
  }
  await out.drained();
  const lost = out.lost;
  if (lost !== undefined) {
    // What was to be the result is nowhere: whoever reads the exit code has to know.
    err.write(`deliberate: standard output cannot be written: ${lost}\n`);
    code = code === 0 ? 1 : code;
  }
  await err.drained();
  return code;
}

async function dispatch(argv: readonly string[], out: Output, err: Output): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined ? isInteractive(out) : isFlag(name))
    return perform('deliberate', HOME, argv, out, err);
  if (name === undefined || name === 'help' || isHelp(name)) {
    const [topic] = rest;
    out.write(topic === undefined ? generalHelp() : commandHelp(commandNamed(topic)));
    return 0;
  }
  if (name === '--version') {
    out.write(`${version()}\n`);
    return 0;
  }
  const command = commandNamed(name);
  if (rest.some(isHelp)) {
    out.write(commandHelp(command));
    return 0;
  }
  return perform(name, command, rest, out, err);
}

async function perform(
  name: string,
  command: Command,
  rest: readonly string[],
  out: Output,
  err: Output,
): Promise<number> {
  refuseLostBytes(rest);
  const known = Object.fromEntries(command.flags.map((flag) => [flag, flagOf(flag)]));
  const words = joined(rest);
  refuseRepeats(words, command.flags);
  const parsed = meow({
    importMeta: import.meta,
    pkg: { name: 'deliberate' },
    argv: words,
    flags: known,
    autoHelp: false,
    autoVersion: false,
    booleanDefault: undefined,
  });
  const unknown = Object.keys(parsed.flags).find((flag) => !Object.hasOwn(known, flag));
  if (unknown !== undefined)
    throw new UsageError(
      `${name} has no flag --${dashed(unknown)}`,
      command === HOME
        ? 'deliberate --help lists the commands; flags stand after them.'
        : `deliberate ${name} --help lists what it takes.`,
    );
  refuseMissingValues(words, command.flags);
  const run = await command.load();
  return run({
    command: command === HOME ? '' : name,
    words: parsed.input.map(String),
    flags: readFlags(parsed.flags),
    env: process.env,
    out,
    err,
    stdin: process.stdin,
  });
}

/** `--attach -` as `--attach=-`: the parser takes a dash by itself for a word. */
function joined(argv: readonly string[]): string[] {
  return argv.flatMap((word, index) => {
    if (word === '-' && argv[index - 1] === '--attach') return [];
    return word === '--attach' && argv[index + 1] === '-' ? ['--attach=-'] : [word];
  });
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** A flag of the home screen: the words that ask what there is are none. */
function isFlag(word: string): boolean {
  return word.startsWith('-') && !isHelp(word) && word !== '--version';
}

/** A person is here, at a terminal that can be drawn on. */
function isInteractive(out: Output): boolean {
  return out.isTTY && process.stdin.isTTY && process.env.TERM !== 'dumb';
}

/**
 * meow's idea of a flag: without our own words about it. Numbers come as they were written: it would
 * read `0x10`, `1e3` and a blank as some number.
 */
function flagOf(name: keyof typeof FLAGS): { type: 'string' | 'boolean'; isMultiple?: boolean } {
  const info = FLAGS[name];
  const type = info.type === 'boolean' ? 'boolean' : 'string';
  return 'isMultiple' in info ? { type, isMultiple: true } : { type };
}
