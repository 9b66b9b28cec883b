/**
 * Files that a coding agent cites. Nobody here saw what it read, so the cited lines are read once more, as
 * lookups of its seat: they are on record, checked, and shown to whoever judges what rests on them.
 */
import type { Reply } from '../../kernel/call.ts';
import type { Run } from '../../kernel/handle.ts';
import type { ModelRequest } from '../../kernel/model.ts';
import { CITED, filePlacesIn } from '../../kernel/tools/sources.ts';
import type { ToolInfo, ToolResult } from '../../kernel/tools/tools.ts';
import { isRecord } from '../../text/is-record.ts';

/** Places of one answer that are read; more is no citation but a listing. */
const MOST_PLACES = 12;

/** A lookup for a citation: in which step, and of which file. */
interface CitedFile extends ToolResult {
  readonly step: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** Reads the lines that an answer cites by their files, each place once. Texts of the prompt are no files of the folder. */
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

/** Of several folders the first is the one that an agent works in. */
function firstRoot({ parameters }: ToolInfo): { root?: string } {
  const root = isRecord(parameters.properties) ? parameters.properties.root : undefined;
  const names = isRecord(root) && Array.isArray(root.enum) ? root.enum : [];
  return typeof names[0] === 'string' ? { root: names[0] } : {};
}
