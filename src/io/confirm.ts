/** Asks a person at the terminal for a confirmation or for a line of text. */

import { createInterface } from 'node:readline/promises';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { InterruptedError, UsageError } from '../kernel/errors.ts';
import type { Streams } from './surroundings.ts';

/** Milliseconds to wait for input that is still on its way. */
const SETTLE_MS = 50;

/**
 * Asks the person for a confirmation. Resolves to true for `y` and `yes` in any letter case, and to
 * false otherwise.
 *
 * @param prompt the question
 * @param next what the person can do instead if there is no terminal, for the error's text
 * @throws UsageError, with `next`, if there is no terminal; InterruptedError if Ctrl-C was pressed
 */
export async function askToConfirm(
  streams: Pick<Streams, 'stdin' | 'err'>,
  prompt: string,
  next: string,
): Promise<boolean> {
  return /^y(es)?$/i.test(await askLine(streams, prompt, next));
}

/**
 * Asks the person for one line of text. Input that was typed before the question appeared is
 * discarded. Resolves to the line without surrounding spaces; empty if the person pressed only
 * Enter or Ctrl-D.
 *
 * @param prompt the question
 * @param next what the person can do instead if there is no terminal, for the error's text
 * @param signal aborted when an answer has come from elsewhere; the result is then empty
 * @throws UsageError, with `next`, if there is no terminal; InterruptedError if Ctrl-C was pressed
 */
export async function askLine(
  { stdin, err }: Pick<Streams, 'stdin' | 'err'>,
  prompt: string,
  next: string,
  signal?: AbortSignal,
): Promise<string> {
  if (!stdin.isTTY || !err.isTTY)
    throw new UsageError('cannot ask for confirmation: no terminal', next);
  await err.over?.leave();
  let asked = false;
  const answers = Object.assign(new PassThrough(), {
    setRawMode: (mode: boolean) => stdin.setRawMode(mode),
  });
  const forwardInput = (typed: Buffer | string): void => {
    if (asked) answers.write(typed);
  };
  const endAnswers = (): void => void answers.end();
  // Read in raw mode: in line mode, the terminal would keep an unfinished line that was typed before the
  // question, and add it to the answer.
  stdin.setRawMode(true);
  // An earlier screen may have called `unref` on standard input. Without `ref`, the process would end instead of
  // waiting for the answer.
  stdin.ref();
  stdin.on('data', forwardInput).once('end', endAnswers).once('error', endAnswers);
  // An earlier question may have paused standard input, and a new listener alone does not resume it.
  stdin.resume();
  try {
    await err.drain();
    await sleep(SETTLE_MS);
    await readWaitingInput();
    asked = true;
    const answer = await readAnswer(prompt, answers, err, signal);
    // Wait until the question and the echo of the answer are written, so that later output on another stream
    // appears below them.
    await err.drain();
    return answer.trim();
  } finally {
    stdin.off('data', forwardInput).off('end', endAnswers).off('error', endAnswers);
    stdin.setRawMode(false);
    stdin.pause();
  }
}

/**
 * Resolves when input that has already arrived is read; the callback of a timer may run before that.
 */
function readWaitingInput(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function readAnswer(
  prompt: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (signal?.aborted === true) return '';
  const terminal = createInterface({ input, output, terminal: true });
  const close = (): void => terminal.close();
  signal?.addEventListener('abort', close);
  try {
    const left = new Promise<undefined>((resolve, reject) => {
      terminal.once('SIGINT', () => reject(new InterruptedError()));
      // Ctrl-D, the end of the input or `signal` closes the interface without an answer. That counts as an empty
      // line.
      terminal.once('close', () => resolve(undefined));
    });
    const answer = await Promise.race([terminal.question(prompt), left]);
    if (answer === undefined) output.write('\n');
    return answer ?? '';
  } catch (error) {
    // Begin a new line, so that later output does not stand in the line of the question.
    output.write('\n');
    throw error;
  } finally {
    signal?.removeEventListener('abort', close);
    terminal.close();
  }
}
