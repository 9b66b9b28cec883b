/**
 * The text that the person is looking at, in a form to copy or save: the Markdown as it was written, not the
 * rows on the screen. It is clean already and contains no terminal control sequences.
 */

import { shownModel } from '../../kernel/providers/spec.ts';
import { joinLines } from '../../text/line.ts';
import type { RunModel, SynthesisWords } from '../model/run-model.ts';
import type { Pane } from './panes.ts';
import { headingOf } from './sections/remarks.ts';

export interface Copyable {
  /** The name for a file: a slug made of ids. */
  readonly name: string;
  /** One line that says whose text it is. */
  readonly title: string;
  readonly markdown: string;
}

/** Returns the output of a seat or the synthesis, without thinking. */
export function copyableIn(pane: Pane, runModel: RunModel, says: SynthesisWords): Copyable {
  const name = joinLines(shownModel(pane.stream.model));
  const by = name === '' ? '' : ` (${name})`;
  const markdown = pane.stream.text.text;
  return pane.kind === 'seat'
    ? { name: pane.column.seat.id, title: `${joinLines(pane.column.name)}${by}`, markdown }
    : {
        name: `synthesis-${pane.synthesis.version}`,
        title: `${joinLines(headingOf(pane.synthesis, runModel, says))}${by}`,
        markdown,
      };
}

/** Adds the title and the question, so that the text can stand alone. */
export function addHead({ title, markdown }: Copyable, runModel: RunModel): string {
  const question = runModel.view.question.trim().split('\n');
  return `# ${title}\n\n${question.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n${markdown.trim()}\n`;
}
