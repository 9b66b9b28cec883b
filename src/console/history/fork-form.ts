/** Where a run is to go another way, and what changes there. */
import { questionTitle } from '../../text/answers/first-sentence.ts';
import { line } from '../../text/line.ts';
import type { RunLine } from '../model/runs.ts';
import type { RunDrafts } from '../run/ports.ts';
import type { Dialog } from '../ui/component.ts';
import { TextForm } from '../ui/forms/text.ts';
import type { Preview } from './state.ts';

const BOX = 'fork';

/** `send` gets the step and the changes as they were written. */
export function forkForm(
  run: RunLine,
  preview: Preview | undefined,
  drafts: RunDrafts,
  send: (change: string) => void,
): Dialog {
  const examples = preview === undefined ? '' : ` For example: ${preview.changes}.`;
  return new TextForm({
    title: `Fork ${line(questionTitle(run.question))}`,
    does: ['fork', 'starts'],
    about: `Name a step on the first line, then one change per line.${examples} Everything else is reused at no cost.`,
    rows: 2,
    draft: {
      text: drafts.draft(BOX) || (preview?.change ?? ''),
      keep: (text) => drafts.keepDraft(BOX, text),
    },
    send,
  });
}
