/**
 * A table of tools, as models are told of them and as they are used. What a model asks for is checked
 * here; what goes wrong is a sentence for the model, never an error.
 */
import * as z from 'zod';
import type { Found, ToolCall, ToolInfo } from '../kernel/tools/tools.ts';
import { sanitise } from '../text/sanitise.ts';
import { Refusal } from './refusal.ts';

export const path = z.string().describe('as seen from the root, with "/": src/a.ts');
export const lineNumber = z.int().min(1).describe('a line number, from 1');

/** `P`: what it is used on; `G`: what it is given. */
export type Use<P, G> = (place: P, given: G, signal: AbortSignal) => Promise<Found>;

interface Tool<P, T extends z.ZodRawShape> {
  readonly about: string;
  readonly takes: T;
  readonly use: Use<P, z.output<z.ZodObject<T>>>;
}

/** By name, in the order in which they are offered. */
export type Toolbox<P> = ReadonlyMap<string, Tool<P, z.ZodRawShape>>;

export function tool<P, T extends z.ZodRawShape>(one: Tool<P, T>): Tool<P, z.ZodRawShape> {
  return one as unknown as Tool<P, z.ZodRawShape>;
}

/** As models are told of them. `more`: arguments that each takes beside its own. */
export function offer<P>(tools: Toolbox<P>, more: z.ZodRawShape = {}): ToolInfo[] {
  return [...tools].map(([name, { about, takes }]) => {
    const { $schema: _dialect, ...parameters } = z.toJSONSchema(
      z.strictObject({ ...more, ...takes }),
    );
    return { name, description: about, parameters };
  });
}

/**
 * Uses one as `by` says, which finds the place by the arguments in `more`. Never rejects.
 * `conceal`: takes keys that are known here out of what is found.
 */
export async function useTool<P>(
  tools: Toolbox<P>,
  call: Omit<ToolCall, 'id'>,
  more: z.ZodRawShape,
  conceal: (text: string) => string,
  by: (
    run: (place: P, signal: AbortSignal) => Promise<Found>,
    given: Readonly<Record<string, unknown>>,
  ) => Promise<Found>,
): Promise<Found> {
  try {
    const one = tools.get(call.name);
    if (one === undefined) {
      const names = [...tools.keys()].join(', ');
      throw new Refusal(`there is no tool ${short(call.name)}; there are ${names}`);
    }
    const read = z.object({ ...one.takes, ...more }).safeParse(call.arguments);
    if (!read.success) throw new Refusal(`${call.name}: ${problemOf(read.error, call.arguments)}`);
    const given = read.data as Record<string, unknown>;
    const found = await by((place, signal) => one.use(place, given, signal), given);
    return { ...found, text: conceal(found.text) };
  } catch (error) {
    // Whatever a file system comes up with, the seat goes on without it.
    const why = error instanceof Error ? error.message : String(error);
    const text = error instanceof Refusal ? why : `it failed: ${why}`;
    return { about: short(call.name), text: conceal(text), from: 1, refused: true };
  }
}

function problemOf(error: z.ZodError, given: unknown): string {
  if (typeof given === 'string') return 'the arguments are not a JSON object';
  const [issue] = error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  return `${where === '' ? 'the arguments' : where}: ${issue?.message ?? 'not understood'}`;
}

/** A model's word for a tool, in a sentence of ours. */
function short(name: string): string {
  return sanitise(name).replace(/\s+/g, ' ').slice(0, 60);
}
