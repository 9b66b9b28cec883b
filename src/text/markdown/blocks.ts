/** Builds Markdown from parts, for reports and pages. */
import { sanitise } from '../sanitise.ts';

/** Formats texts as a Markdown list. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Joins the texts that are not empty, with blank lines between them. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * Formats a text as a Markdown code block, with a fence that is longer than any backticks in the
 * text.
 */
export function fenced(text: string, language = ''): string {
  const clean = sanitise(text);
  const longest = Math.max(2, ...(clean.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${clean}\n${fence}`;
}
