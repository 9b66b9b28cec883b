/**
 * The text a person has before them, as something that can be taken away: copied, or saved as a file.
 * It is the Markdown that was said and not the rows it was laid out in, and it is clean: it was taken
 * behind the door, so nothing in it is an order to a terminal.
 */

import { shownModel } from '../../kernel/providers/spec.ts';
import { joinLines } from '../../text/line.ts';
import type { RunModel, SynthesisWords } from '../model/run-model.ts';
import type { Pane } from './panes.ts';
import { headingOf } from './sections/remarks.ts';

export interface Copyable {
  /** For a file name: a slug, made of ids. */
  readonly name: string;
  /** One line: whose words these are. */
  readonly title: string;
  readonly markdown: string;
}

/** What a seat has said so far, or the synthesis. Its thinking is no part of it. */
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

/** A passage that can stand alone: under its title and the question it answers. */
export function addHead({ title, markdown }: Copyable, runModel: RunModel): string {
  const question = runModel.view.question.trim().split('\n');
  return `# ${title}\n\n${question.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n${markdown.trim()}\n`;
}
