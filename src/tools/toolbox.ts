/**
 * Tables of tools: their descriptions for models, and their use. A model's requests are checked here, and
 * every error is a sentence for the model.
 */
import * as z from 'zod';
import type { ToolCall, ToolInfo, ToolOutput } from '../kernel/tools/tools.ts';
import { sanitiseText } from '../text/sanitise.ts';
import { ToolRefusal } from './refusal.ts';

/** The schema of a path in a tool's arguments. */
export const path = z.string().describe('as seen from the root, with "/": src/a.ts');
/** The schema of a line number in a tool's arguments. */
export const lineNumber = z.int().min(1).describe('a line number, from 1');

/**
 * The function that carries out a tool. `place` is what the tool is used on, such as a folder, and `given`
 * its arguments.
 */
export type ToolFunction<P, G> = (place: P, given: G, signal: AbortSignal) => Promise<ToolOutput>;

interface Tool<P, T extends z.ZodRawShape> {
  readonly about: string;
  readonly takes: T;
  readonly use: ToolFunction<P, z.output<z.ZodObject<T>>>;
}

/** Tools by their names, in the order in which they are offered. */
export type Toolbox<P> = ReadonlyMap<string, Tool<P, z.ZodRawShape>>;

/** Returns the given tool. The function's only use is to check the types of the arguments. */
export function defineTool<P, T extends z.ZodRawShape>(
  definition: Tool<P, T>,
): Tool<P, z.ZodRawShape> {
  return definition as unknown as Tool<P, z.ZodRawShape>;
}

/**
 * Returns the descriptions of tools that are sent to models. `more` are the schemas of arguments that every
 * tool takes besides its own.
 */
export function describeTools<P>(tools: Toolbox<P>, more: z.ZodRawShape = {}): ToolInfo[] {
  return [...tools].map(([name, { about, takes }]) => {
    const { $schema: _dialect, ...parameters } = z.toJSONSchema(
      z.strictObject({ ...more, ...takes }),
    );
    return { name, description: about, parameters };
  });
}

/**
 * Checks the arguments of a call and uses the tool. Never rejects: an error becomes a refused
 * result.
 * @param more the schemas of arguments that every tool takes besides its own
 * @param conceal masks API keys in the result
 * @param by a function of the caller that finds what the tool is to be used on, such as a folder, and passes it
 * to `run` as `place`; `given` are the checked arguments, and the result of `run` may be changed
 */
export async function callTool<P>(
  tools: Toolbox<P>,
  call: Omit<ToolCall, 'id'>,
  more: z.ZodRawShape,
  conceal: (text: string) => string,
  by: (
    run: (place: P, signal: AbortSignal) => Promise<ToolOutput>,
    given: Readonly<Record<string, unknown>>,
  ) => Promise<ToolOutput>,
): Promise<ToolOutput> {
  try {
    const tool = tools.get(call.name);
    if (tool === undefined) {
      const names = [...tools.keys()].join(', ');
      throw new ToolRefusal(`there is no tool ${shortenName(call.name)}; there are ${names}`);
    }
    const read = z.object({ ...tool.takes, ...more }).safeParse(call.arguments);
    if (!read.success)
      throw new ToolRefusal(`${call.name}: ${problemOf(read.error, call.arguments)}`);
    const given = read.data as Record<string, unknown>;
    const found = await by((place, signal) => tool.use(place, given, signal), given);
    return { ...found, text: conceal(found.text) };
  } catch (error) {
    // Turn every error into a refusal, so that the seat can continue.
    const why = error instanceof Error ? error.message : String(error);
    const text = error instanceof ToolRefusal ? why : `it failed: ${why}`;
    return { about: shortenName(call.name), text: conceal(text), from: 1, refused: true };
  }
}

function problemOf(error: z.ZodError, given: unknown): string {
  if (typeof given === 'string') return 'the arguments are not a JSON object';
  const [issue] = error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  return `${where === '' ? 'the arguments' : where}: ${issue?.message ?? 'not understood'}`;
}

/** Shortens a model's name for a tool, for a message. */
function shortenName(name: string): string {
  return sanitiseText(name).replace(/\s+/g, ' ').slice(0, 60);
}
