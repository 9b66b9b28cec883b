/**
 * Converts paragraphs of the Markdown report to sections of a page: each heading of the second level begins
 * one.
 */
import { type Block, type Section, section } from './blocks.ts';

const HEADING = /^## (.*)$/;

/**
 * Converts paragraphs of Markdown to sections, a new one at each heading of the second level.
 * Paragraphs before the first heading are dropped.
 */
export function toSections(paragraphs: readonly string[]): Section[] {
  const sections: { title: string; blocks: Block[] }[] = [];
  for (const text of paragraphs) {
    const [, title] = HEADING.exec(text) ?? [];
    if (title !== undefined) sections.push({ title: unescapeHeading(title), blocks: [] });
    else sections.at(-1)?.blocks.push(text);
  }
  return sections.map(({ title, blocks }) => section(title, ...blocks));
}

/** Removes the backslashes that `words` has put before Markdown's characters in a heading. */
function unescapeHeading(title: string): string {
  return title.replace(/\\([\\`*[\]<|])/g, '$1');
}
