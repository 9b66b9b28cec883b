/**
 * What stands below a voice's own words: what it waits for, what it thinks, why it failed and what to
 * do about it. A column is never blank without saying why.
 */

import { plural } from '../../text/figures.ts';
import { wrapPlain } from '../../text/wrap.ts';
import type { Phase, Voice } from './voice.ts';

export interface Note {
  readonly text: string;
  readonly look: 'plain' | 'dim' | 'bad' | 'held';
}

/** Some providers answer with a whole web page; the export has all of it. */
const LONGEST = 1500;

/** The notes of a voice, in lines of at most `width` cells. */
export function notesOf(voice: Voice, width: number, now: number): Note[] {
  const lines: Note[] = [];
  const spoke = voice.text.length > 0;
  const add = (look: Note['look'], text: string): void => {
    for (const line of wrapPlain(text.slice(0, LONGEST), width)) lines.push({ text: line, look });
  };
  switch (voice.phase.kind) {
    case 'idle':
      add('dim', 'Not asked yet.');
      break;
    case 'queued':
      add('dim', `Waits for its turn behind ${voice.phase.behind}.`);
      break;
    case 'waiting':
      add('dim', 'Asked; no word yet.');
      break;
    case 'thinking':
      add('dim', `thinking · ${plural(voice.thinking.words, 'word')}`);
      // Unfolded it is read above.
      if (!voice.thinking.open)
        for (const text of voice.thinking.tail(width)) lines.push({ text, look: 'dim' });
      break;
    case 'speaking':
    case 'done':
      break;
    case 'retrying':
      if (voice.phase.loading) {
        add('dim', `The server is loading the model: ${voice.phase.reason}`);
        add('dim', `It is asked again in ${countdown(voice.phase.until - now)}.`);
        break;
      }
      add('bad', `✗ Attempt ${voice.phase.attempt} failed: ${voice.phase.reason}`);
      add('dim', `The next one starts in ${countdown(voice.phase.until - now)}.`);
      break;
    case 'failed':
      addFailure(voice.phase, add);
      if (spoke) add('dim', 'The text above is partial.');
      break;
    case 'stopped':
      add(
        'held',
        spoke ? '■ stopped: the text above is partial' : '■ stopped before the first word',
      );
      break;
    case 'lost':
      add('bad', '✗ Lost: the program ended while this was being said.');
      add('dim', 'The call may have been billed.');
      break;
  }
  for (const note of voice.running ? [] : voice.notes) add('dim', `note: ${note}`);
  if (spoke && lines.length > 0) lines.unshift({ text: '', look: 'plain' });
  return lines;
}

/** Whole seconds gone by. */
export function elapsed(ms: number): string {
  return `${Math.max(0, Math.floor(ms / 1000))}s`;
}

/** Whole seconds still to go. */
export function countdown(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1000))}s`;
}

function addFailure(
  { label, message, next }: Extract<Phase, { kind: 'failed' }>,
  add: (look: Note['look'], text: string) => void,
): void {
  add('bad', `✗ ${label}`);
  if (message !== '' && message !== label) add('plain', message);
  if (next !== undefined && next !== '') add('plain', next);
}
