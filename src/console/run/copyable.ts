/**
 * The text that the person is looking at, in a form to copy or save: the Markdown as it was written, not the
 * rows on the screen. It is clean already and contains no terminal control sequences.
 */

import { shownModel } from '../../kernel/providers/spec.ts';
import { joinLines } from '../../text/line.ts';
import type { RunModel, SynthesisWords } from '../model/run-model.ts';
import type { Pane } from './panes.ts';
import { formatSynthesisTitle } from './sections/remarks.ts';

/** A text that can be copied or saved. */
export interface Copyable {
  /** A name for the file: letters, digits and dashes. */
  readonly name: string;
  /** A line that says whose text it is. */
  readonly title: string;
  readonly markdown: string;
}

/** Returns the text of a pane, which is the output of a seat or a synthesis, so that it can be copied. */
export function getCopyableText(pane: Pane, runModel: RunModel, says: SynthesisWords): Copyable {
  const name = joinLines(shownModel(pane.stream.model));
  const by = name === '' ? '' : ` (${name})`;
  const markdown = pane.stream.text.text;
  return pane.kind === 'seat'
    ? {
        name: pane.column.seat.id,
        title: `${joinLines(pane.stream.about ?? pane.column.name)}${by}`,
        markdown,
      }
    : {
        name: `synthesis-${pane.synthesis.version}`,
        title: `${joinLines(formatSynthesisTitle(pane.synthesis, runModel, says))}${by}`,
        markdown,
      };
}

/** Returns a text as Markdown with its title and the run's question above it, so that it can be read alone. */
export function addHead({ title, markdown }: Copyable, runModel: RunModel): string {
  const question = runModel.view.question.trim().split('\n');
  return `# ${title}\n\n${question.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n${markdown.trim()}\n`;
}
