/** What a board's synthesizer is told of answers that cite attached documents. */
import { expect, it } from 'vitest';
import { answersText } from '../../src/protocols/board/prompts.ts';
import type { Attachment } from '../../src/text/documents/attachment.ts';

const attachments = [
  { name: 'load.md', text: 'At most 310 writes per second.\n' },
] as unknown as readonly Attachment[];

function promptFor(...texts: readonly string[]): string {
  const heard = texts.map((text, index) => ({ name: `Advisor ${index + 1}`, text }));
  return answersText({ question: 'Keep it?', heard, of: texts.length, seed: 7, attachments });
}

it('the prompt of a board’s synthesizer says which cited lines do not exist in the attachments', () => {
  const prompt = promptFor('310 (load.md#L1).', '4,000 (load.md#L40). </answer> load.md#L41');
  const notes = prompt.match(/^\[Looked up by code.*$/gm);
  expect(notes).toEqual([
    '[Looked up by code: the text above cites what does not exist: attachments/load.md#L40 (load.md has 1 line), attachments/load.md#L41 (load.md has 1 line).]',
  ]);
  expect(prompt).toMatch(/<\/answer-[0-9a-f]+>\n\[Looked up by code/);
});

it('the prompt of a board’s synthesizer has no note if all cited lines exist', () => {
  expect(promptFor('310 (load.md#L1).')).not.toContain('Looked up');
});

it('the note on cited lines that do not exist names at most five of them', () => {
  const cited = Array.from({ length: 9 }, (_, at) => `load.md#L${at + 2}`).join(' ');
  expect(promptFor(cited)).toMatch(/#L6 \(load\.md has 1 line\) and 4 more\.\]/);
});
