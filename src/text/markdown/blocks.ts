/** Builds Markdown from parts, for reports and pages. */
import { sanitiseText } from '../sanitise.ts';

/** Formats texts as a Markdown list. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Joins the texts that are not empty, with blank lines between them. */
export function joinParagraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * Sanitises a text and formats it as a Markdown code block. The code fence is longer than any row of
 * backticks in the text.
 */
export function formatCodeBlock(text: string, language = ''): string {
  const clean = sanitiseText(text);
  const longest = Math.max(2, ...(clean.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${clean}\n${fence}`;
}
