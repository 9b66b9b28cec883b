/**
 * Converts a tool server's answer to a result: text in lines that can be cited, and other content by name.
 */
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { FetchOrigin, ToolOutput } from '../../kernel/tools/tools.ts';
import { isRecord } from '../../text/json.ts';
import { sanitiseText } from '../../text/sanitise.ts';

/** The most bytes of a result. */
const MOST_RESULT = 200_000;
/**
 * The most characters of a line; a longer one is broken at a space, as a citation of it would be too
 * imprecise.
 */
const LONGEST_LINE = 1_000;
const LONGEST_LABEL = 160;

type Content = CallToolResult['content'][number];

/**
 * Converts the answer of a tool server into a tool result. Text is cut after 200,000 bytes; images
 * and the like are only named.
 * @param about the tool call in one line
 * @param fetched the server, its address and the time, to be recorded with the result
 * @param conceal masks API keys in the text
 */
export function toFound(
  { content, structuredContent, isError }: CallToolResult,
  about: string,
  fetched: FetchOrigin,
  conceal: (text: string) => string,
): ToolOutput {
  const texts = content.map(textOf);
  if (structuredContent !== undefined && !isSaid(structuredContent, content))
    texts.push(JSON.stringify(structuredContent, null, 2));
  const whole = brokenLines(conceal(texts.filter((text) => text !== '').join('\n')));
  const { text, left } = cutBytes(whole, MOST_RESULT);
  return {
    about,
    text,
    from: 1,
    fetched,
    ...(left > 0
      ? { more: `the server sent ${formatBytes(left)} more, which were left out; ask for less` }
      : {}),
    ...(isError === true ? { refused: true as const } : {}),
  };
}

function textOf(part: Content): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type} ${toLabel(part.mimeType)}, ${formatBytes(part.data.length * 0.75)}: not shown]`;
    case 'resource_link':
      return `[link ${toLabel(part.name)}: ${toLabel(part.uri)}]`;
    case 'resource':
      return 'text' in part.resource
        ? `[${toLabel(part.resource.uri)}]\n${part.resource.text}`
        : `[${toLabel(part.resource.uri)}, ${toLabel(part.resource.mimeType ?? 'binary')}: not shown]`;
    default:
      return '[content of an unknown kind: not shown]';
  }
}

/**
 * Returns whether the texts of an answer already contain its structured content, since most servers
 * send both: as the same JSON, or as the text that is the only field of the structured content.
 */
function isSaid(structure: unknown, content: readonly Content[]): boolean {
  const wanted = JSON.stringify(structure);
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const [only, ...more] = isRecord(structure) ? Object.values(structure) : [];
  const wrapped = [only].flat().filter((value) => typeof value === 'string');
  if (texts.length > 0 && more.length === 0 && wrapped.join('\n') === texts.join('\n')) return true;
  return content.some((part) => {
    if (part.type !== 'text') return false;
    try {
      return JSON.stringify(JSON.parse(part.text)) === wanted;
    } catch {
      return false;
    }
  });
}

function toLabel(words: string): string {
  return sanitiseText(words.slice(0, LONGEST_LABEL * 4))
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST_LABEL);
}

function brokenLines(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => (line.length > LONGEST_LINE ? splitLongLine(line) : [line]))
    .join('\n');
}

function splitLongLine(line: string): string[] {
  const lines: string[] = [];
  let at = 0;
  while (line.length - at > LONGEST_LINE) {
    const space = line.lastIndexOf(' ', at + LONGEST_LINE);
    let end = space > at ? space + 1 : at + LONGEST_LINE;
    // Do not cut within a surrogate pair.
    if (/[\ud800-\udbff]/.test(line.charAt(end - 1))) end -= 1;
    lines.push(line.slice(at, end));
    at = end;
  }
  return [...lines, line.slice(at)];
}

function formatBytes(bytes: number): string {
  return bytes < 1_000 ? `${Math.ceil(bytes)} bytes` : `${Math.round(bytes / 1_000)} kB`;
}

/** Returns the first bytes of a text without cutting a character, and the number of bytes left. */
function cutBytes(text: string, most: number): { readonly text: string; readonly left: number } {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return { text, left: 0 };
  let end = most;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { text: bytes.subarray(0, end).toString('utf8'), left: bytes.length - end };
}
