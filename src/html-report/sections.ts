/** Paragraphs of the Markdown report as sections of a page: each heading of the second level begins one. */
import type { Block, Section } from './parts.ts';

const HEADING = /^## (.*)$/;

/** What stands before the first heading is in none. `anchorOf`: a paragraph, if something leads to it. */
export function sectionsOf(
  paragraphs: readonly string[],
  anchorOf: (paragraph: string) => string | undefined = () => undefined,
): Section[] {
  const sections: { title: string; blocks: Block[] }[] = [];
  for (const text of paragraphs) {
    const [, title] = HEADING.exec(text) ?? [];
    if (title !== undefined) sections.push({ title: unmarked(title), blocks: [] });
    else sections.at(-1)?.blocks.push({ kind: 'markdown', text, anchor: anchorOf(text) });
  }
  return sections;
}

/** A heading of ours as text: `words` has put these marks before what other people wrote. */
function unmarked(title: string): string {
  return title.replace(/\\([\\`*[\]<|])/g, '$1');
}
