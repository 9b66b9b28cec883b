/** Returns the parts of artifacts that evidence cites, as text. */

import type { Attack } from './records.ts';
import { makeAnchor, Slugs } from './slug.ts';

/**
 * Returns the text below the heading of an anchor, without the heading, or undefined if there is no such
 * heading. Expects an artifact of this program, in which all headings below the title have two hashes.
 */
function sectionOf(markdown: string, anchor: string): string | undefined {
  const slugs = new Slugs();
  for (const part of markdown.split(/^(?=#{1,2} )/m)) {
    const [heading = '', ...rest] = part.split('\n');
    if (slugs.next(makeAnchor(heading.replace(/^#+ /, ''))) === anchor)
      return rest.join('\n').trim();
  }
  return undefined;
}

/**
 * Returns the target and the hypothesis of the Critic's attack, read from the Markdown of its artifact. A missing
 * section becomes an empty text.
 */
export function parseAttack(round: number, markdown: string): Attack {
  const getSection = (anchor: string): string => sectionOf(markdown, anchor) ?? '';
  return { round, target: getSection('target'), hypothesis: getSection('hypothesis') };
}

/**
 * Returns the text at a cited place of an artifact as one line, cut to `most` characters. Returns undefined if the
 * place does not exist or has no text.
 */
export function getCitedText(
  artifacts: readonly { readonly path: string; readonly markdown: string }[],
  ref: string,
  most: number,
): string | undefined {
  const [path = '', anchor = ''] = ref.split('#');
  const artifact = artifacts.find((artifact) => artifact.path === path);
  const text = artifact === undefined ? undefined : sectionOf(artifact.markdown, anchor);
  if (text === undefined || text === '') return undefined;
  const line = text.replace(/\s+/g, ' ');
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
