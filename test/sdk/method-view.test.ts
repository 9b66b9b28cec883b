/** How the Method tab and the report show the entries of a ledger. */
import { expect, it } from 'vitest';
import { sectionsText } from '../../src/plain/blocks-text.ts';
import type { SdkView } from '../../src/sdk/fold.ts';
import { EMPTY_SDK } from '../../src/sdk/fold.ts';
import { methodSections } from '../../src/sdk/view/method.ts';
import type { Attachment } from '../../src/text/documents/attachment.ts';

const TEXT = 'At most 310 writes per second.\n';
const attachments = [{ name: 'load.md', text: TEXT }] as unknown as readonly Attachment[];

function withArguments(...texts: readonly string[]): SdkView {
  const entries = texts.map((text, index) => ({
    id: `A${index + 1}`,
    by: 'seat-1',
    text,
    isUnquoted: false,
    status: 'open',
    why: '',
  }));
  return { ...EMPTY_SDK, ledgers: [{ name: 'arguments', entries }] };
}

it('the arguments in the tab Method and the report are marked if they cite a line or attachment that does not exist', () => {
  const view = withArguments(
    'It holds (attachments/load.md#L1).',
    'It fails at 4,000 (attachments/load.md#L40).',
    'See attachments/other.md#L1.',
  );
  expect(sectionsText(methodSections(view, 72, attachments))).toEqual([
    '## Arguments',
    [
      '- **A1**: It holds (attachments/load.md#L1).',
      '- **A2**: It fails at 4,000 (attachments/load.md#L40). _It cites what does not exist: attachments/load.md#L40 (load.md has 1 line)._',
      '- **A3**: See attachments/other.md#L1. _It cites what does not exist: attachments/other.md#L1 (there is no attachment other.md)._',
    ].join('\n'),
  ]);
  expect(sectionsText(methodSections(view, 72, [])).join('\n')).not.toContain('does not exist');
});
