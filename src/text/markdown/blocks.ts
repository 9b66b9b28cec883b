/** Builds Markdown from parts, for reports and pages. */
import { sanitise } from '../sanitise.ts';

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Joins the parts that are not empty by blank lines. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns a text as a block of code, with a fence that is longer than any backticks in the text. */
export function fenced(text: string, language = ''): string {
  const clean = sanitise(text);
  const longest = Math.max(2, ...(clean.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${clean}\n${fence}`;
}
