/** The form for a fork of a run: the step at which it leaves its parent, and the changes. */
import { questionTitle } from '../../text/answers/first-sentence.ts';
import { toLine } from '../../text/line.ts';
import type { RunLine } from '../model/runs.ts';
import type { RunDrafts } from '../run/ports.ts';
import type { Dialog } from '../ui/component.ts';
import { TextForm } from '../ui/forms/text.ts';
import type { Preview } from './state.ts';

const BOX = 'fork';

/**
 * Creates the form in which a person types the changes of a fork.
 *
 * @param send called with the text as typed: the step, and the changes
 */
export function forkForm(
  run: RunLine,
  preview: Preview | undefined,
  drafts: RunDrafts,
  send: (change: string) => void,
): Dialog {
  const examples = preview === undefined ? '' : ` For example: ${preview.changes}.`;
  return new TextForm({
    title: `Fork ${toLine(questionTitle(run.question))}`,
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
