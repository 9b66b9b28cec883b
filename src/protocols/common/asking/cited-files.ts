/**
 * Reads the file lines that a coding agent cites. What the agent read is unknown, so the lines are read again
 * as lookups of its seat, which puts them on record, checks them, and shows them to whoever judges the answer.
 */
import type { Reply } from '../../../kernel/call.ts';
import type { Run } from '../../../kernel/handle.ts';
import type { ModelRequest } from '../../../kernel/model.ts';
import { CITED, filePlacesIn } from '../../../kernel/tools/sources.ts';
import type { ToolInfo, ToolResult } from '../../../kernel/tools/tools.ts';
import { isRecord } from '../../../text/json.ts';

/** The most citations of one answer whose lines are read. */
const MOST_PLACES = 12;

/** A lookup for a citation, with its step and file. */
interface CitedFile extends ToolResult {
  readonly step: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/**
 * Reads the lines of files that an answer cites, for the first twelve citations. A place that is cited several times is
 * read once. Citations of texts that the prompt already contains, such as attachments, are skipped.
 * @param key the key of the answer's step
 * @param tools the run's tools; nothing is read if the tool `read` is not among them
 */
export async function readCited(
  run: Run,
  key: string,
  { seat, messages }: ModelRequest,
  reply: Reply,
  tools: readonly ToolInfo[],
): Promise<CitedFile[]> {
  const read = tools.find(({ name, server }) => name === 'read' && server === undefined);
  if (read === undefined || reply.status !== 'done') return [];
  const prompt = messages.flatMap(({ parts }) => parts.map(({ text }) => text)).join('\n');
  const places = filePlacesIn(reply.text).filter(({ path }) => !prompt.includes(`"${path}"`));
  return Promise.all(
    places.slice(0, MOST_PLACES).map(async ({ path, lines: [from, to] }, at) => {
      const step = `${key}/${CITED}${at + 1}`;
      const given = { ...firstRoot(read), path, from, to };
      const call = { name: read.name, arguments: given };
      const found = await run.callTool(step, seat.id, call, [read.name]);
      return { ...found, step, tool: read.name, arguments: given };
    }),
  );
}

/** Returns the first of several folders, in which an agent works. */
function firstRoot({ parameters }: ToolInfo): { root?: string } {
  const root = isRecord(parameters.properties) ? parameters.properties.root : undefined;
  const names = isRecord(root) && Array.isArray(root.enum) ? root.enum : [];
  return typeof names[0] === 'string' ? { root: names[0] } : {};
}
