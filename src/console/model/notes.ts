/**
 * The notes below a call's output: what it waits for, what it thinks, why it failed and what to do. They make
 * sure that a column is never blank without a reason.
 */

import { formatHint } from '../../kernel/hints.ts';
import { formatCount } from '../../text/numbers.ts';
import { wrapPlain } from '../../text/wrap.ts';
import type { CallStream, Phase } from './call-stream.ts';

/** A line below the output of a call, such as the reason of a failure. */
export interface Note {
  readonly text: string;
  /**
   * How the line is drawn: `dim` is pale, `bad` (a failure) is red, and `held` (a stopped call) is
   * yellow.
   */
  readonly look: 'plain' | 'dim' | 'bad' | 'held';
}

/**
 * The most characters of an error that are shown; some providers answer with a whole web page. Exports have all
 * of it.
 */
const LONGEST = 1500;

/**
 * Returns the lines to show below the output of a call.
 *
 * @param width the most cells of a line
 */
export function listNotes(stream: CallStream, width: number, now: number): Note[] {
  const lines: Note[] = [];
  const spoke = stream.text.length > 0;
  const addLines = (look: Note['look'], text: string): void => {
    for (const line of wrapPlain(text.slice(0, LONGEST), width)) lines.push({ text: line, look });
  };
  // A column's heading is often too narrow for the question that the call is about, so show the question
  // here in full.
  if (stream.about !== undefined) addLines('plain', stream.about);
  switch (stream.phase.kind) {
    case 'idle':
      addLines('dim', 'Not asked yet.');
      break;
    case 'queued':
      addLines('dim', `Queued behind ${stream.phase.behind}.`);
      break;
    case 'waiting': {
      const ahead = stream.aheadOf(now);
      if (ahead !== undefined) addLines('dim', `Waiting: the same model is answering ${ahead}.`);
      else
        addLines(
          'dim',
          stream.looked.length === 0 ? 'Asked; no answer yet.' : 'Looking things up.',
        );
      break;
    }
    case 'thinking':
      addLines('dim', `thinking · ${formatCount(stream.thinking.words, 'word')}`);
      // Show the end of the thinking only if it is folded: unfolded thinking is shown above the output.
      if (!stream.thinking.open)
        for (const text of stream.thinking.tail(width)) lines.push({ text, look: 'dim' });
      break;
    case 'speaking':
      // Say that an answer is arriving even if its JSON has no readable text yet.
      if (!spoke) addLines('dim', 'The answer has started; no text yet.');
      break;
    case 'done':
      break;
    case 'retrying':
      if (stream.phase.loading || stream.phase.away) {
        const what = stream.phase.loading ? 'is loading the model' : 'is gone';
        addLines('dim', `The server ${what}: ${stream.phase.reason}`);
        addLines('dim', `Asking again in ${formatCountdown(stream.phase.until - now)}.`);
        break;
      }
      addLines('bad', `✗ Attempt ${stream.phase.attempt} failed: ${stream.phase.reason}`);
      addLines('dim', `Trying again in ${formatCountdown(stream.phase.until - now)}.`);
      break;
    case 'failed':
      addFailure(stream.phase, addLines);
      if (spoke) addLines('dim', 'The text above is partial.');
      break;
    case 'stopped':
      addLines(
        'held',
        spoke ? '■ stopped: the text above is partial' : '■ stopped before the first word',
      );
      break;
    case 'lost':
      addLines('bad', '✗ Lost: the program ended during this call.');
      addLines('dim', 'The call may have been billed.');
      break;
  }
  for (const lookup of stream.looked) addLines('dim', `→ ${lookup}`);
  for (const note of stream.running ? [] : stream.notes) addLines('dim', `note: ${note}`);
  if (spoke && lines.length > 0) lines.unshift({ text: '', look: 'plain' });
  return lines;
}

/** Formats the time since something began, in whole seconds, rounded down. */
export function formatElapsed(ms: number): string {
  return `${Math.max(0, Math.floor(ms / 1000))}s`;
}

/** Formats the time until something, in whole seconds, rounded up. */
export function formatCountdown(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1000))}s`;
}

function addFailure(
  { label, message, next }: Extract<Phase, { kind: 'failed' }>,
  add: (look: Note['look'], text: string) => void,
): void {
  add('bad', `✗ ${label}`);
  if (message !== '' && message !== label) add('plain', message);
  if (next !== undefined && next !== '') add('plain', formatHint(next));
}
