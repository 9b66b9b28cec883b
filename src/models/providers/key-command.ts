/** Keys that a person's own program prints, such as a password manager. Run once, without a shell. */
import { spawn } from 'node:child_process';
import { endTree, ofItsOwn } from '../../platform/processes.ts';
import { clip, ProviderFailure } from '../failure.ts';
import { learnSecret } from '../secrets.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Milliseconds that a command may take. */
const LIMIT_MS = 10_000;
/** Longer output is no key. In bytes. */
const MOST = 16 * 1024;

/** What each command printed, or why it printed nothing, for as long as this process runs. */
const runs = new Map<string, Promise<string>>();

/**
 * Returns the key that a command prints. A command runs once in a process, whoever asks and however it ended.
 *
 * @throws ProviderFailure where it fails, takes too long, or prints anything but one line
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
  const run = collect(server, command, env, limitMs).then((output) => keyIn(server, output));
  // Whoever asked hears of a failure; a second one hears the same.
  run.catch(() => undefined);
  runs.set(id, run);
  return run;
}

function keyIn(server: string, output: string): string {
  const key = output.replace(/\r?\n$/, '');
  // Whatever it printed may be secret, also where it is no key.
  for (const line of output.split(/\r?\n/)) learnSecret(line);
  if (key.trim() === '') throw refusal(server, 'printed nothing');
  if (/[\r\n]/.test(key)) throw refusal(server, 'printed more than one line');
  return key.trim();
}

function collect(
  server: string,
  [program = '', ...args]: readonly string[],
  env: Env,
  limitMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env },
      // A group of its own: what it starts ends with it.
      ...ofItsOwn(),
    });
    const parts: Buffer[] = [];
    let size = 0;
    let words = '';
    let problem: string | undefined;
    const end = (why: string): void => {
      problem ??= why;
      try {
        endTree(child, 'SIGKILL');
      } catch (error) {
        if (!(error instanceof Error)) throw error;
      }
      // A program that it left behind may hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const clock = setTimeout(() => end(`did not end within ${limitMs / 1000} s`), limitMs);
    child.stdout.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MOST) end('printed more than a key');
      else parts.push(part);
    });
    child.stderr.on('data', (part: Buffer) => {
      if (words.length < MOST) words += part.toString('utf8');
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(clock);
      const why = error.code === 'ENOENT' ? `is not installed: ${program}` : 'cannot be started';
      reject(refusal(server, why));
    });
    child.on('close', (code, signal) => {
      clearTimeout(clock);
      if (problem !== undefined) return reject(refusal(server, problem));
      if (code === 0) return resolve(Buffer.concat(parts).toString('utf8'));
      const said = clip(words, 120);
      const how = code === null ? `was ended by ${signal}` : `failed with code ${code}`;
      reject(refusal(server, `${how}${said === '' ? '' : `: ${said}`}`));
    });
  });
}

function refusal(server: string, why: string): ProviderFailure {
  return new ProviderFailure({
    code: 'auth',
    message: `${server}: its key_command ${why}`,
    next: 'Run the command yourself: it has to print the key on one line. Then start again',
    retry: false,
  });
}
