/** Gets keys from a person's own program, such as a password manager. It is run once, without a shell. */
import { spawn } from 'node:child_process';
import { endTree, ownGroupOptions } from '../../platform/processes.ts';
import { clipLine, ProviderFailure } from '../failure.ts';
import { KEY, learnSecret } from '../secrets.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Milliseconds that a command may take. */
const LIMIT_MS = 10_000;
/** The longest output in bytes; longer output is no key. */
const MOST = 16 * 1024;

/** The result of each command, kept for the life of the process. */
const runs = new Map<string, Promise<string>>();

/**
 * Runs the command that prints the key of a server, and returns the key. Each command runs once per
 * process, even if it failed. `limitMs` is the time limit in milliseconds.
 *
 * @throws ProviderFailure if the command fails, takes too long, or prints anything but one line
 */
export function runKeyCommand(
  server: string,
  command: readonly string[],
  env: Env,
  limitMs = LIMIT_MS,
): Promise<string> {
  const id = JSON.stringify(command);
  const known = runs.get(id);
  if (known !== undefined) return known;
  const run = collectOutput(server, command, env, limitMs).then((output) => keyIn(server, output));
  // Keep a failure of the command from becoming an unhandled rejection if no caller waits. Callers
  // that wait still get it from the promise.
  run.catch(() => undefined);
  runs.set(id, run);
  return run;
}

function keyIn(server: string, output: string): string {
  const key = output.replace(/\r?\n$/, '');
  // Treat every line on the key command's standard output as a secret, even if the line is no valid key.
  for (const line of output.split(/\r?\n/)) learnSecret(line);
  if (key.trim() === '') throw makeRefusal(server, 'printed nothing');
  if (/[\r\n]/.test(key)) throw makeRefusal(server, 'printed more than one line');
  return key.trim();
}

function collectOutput(
  server: string,
  [program = '', ...args]: readonly string[],
  env: Env,
  limitMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env },
      // Give the command a process group of its own, so that the processes it starts can be ended together with
      // it.
      ...ownGroupOptions(),
    });
    const parts: Buffer[] = [];
    let size = 0;
    let words = '';
    let problem: string | undefined;
    const endCommand = (why: string): void => {
      problem ??= why;
      try {
        endTree(child, 'SIGKILL');
      } catch (error) {
        if (!(error instanceof Error)) throw error;
      }
      // Close the pipes: a process that the command started may still run and would keep them open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const clock = setTimeout(() => endCommand(`did not end within ${limitMs / 1000} s`), limitMs);
    child.stdout.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MOST) endCommand('printed more than a key');
      else parts.push(part);
    });
    child.stderr.on('data', (part: Buffer) => {
      if (words.length < MOST) words += part.toString('utf8');
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(clock);
      const why = error.code === 'ENOENT' ? `is not installed: ${program}` : 'cannot be started';
      reject(makeRefusal(server, why));
    });
    child.on('close', (code, signal) => {
      clearTimeout(clock);
      if (problem !== undefined) return reject(makeRefusal(server, problem));
      if (code === 0) return resolve(Buffer.concat(parts).toString('utf8'));
      const said = clipLine(hideKeys(words), 120);
      const how = code === null ? `was ended by ${signal}` : `failed with code ${code}`;
      reject(makeRefusal(server, `${how}${said === '' ? '' : `: ${said}`}`));
    });
  });
}

/** Replaces words that may be keys, because a failed command may print its key: long, with a letter and a digit. */
function hideKeys(text: string): string {
  return text.replace(/[\w+=.-]{16,}/g, (word) =>
    /\d/.test(word) && /[a-z]/i.test(word) ? KEY : word,
  );
}

function makeRefusal(server: string, why: string): ProviderFailure {
  return new ProviderFailure({
    code: 'auth',
    message: `${server}: its key_command ${why}`,
    next: 'Run the command yourself: it has to print the key on one line. Then start again',
    retry: false,
  });
}
