/** What goes from one machine to the other, one JSON object a line: docs/messages.md. */
import { createInterface } from 'node:readline';
import type { Game, Move } from './rules.ts';

/** Two machines play only if theirs is the same: docs/versions.md. */
export const VERSION = 3;

/** Characters of a line, at most. */
const LONGEST = 4_000;

export type Message =
  | { readonly type: 'hello'; readonly version: number; preset: string; moves: readonly Move[] }
  | ({ readonly type: 'move'; readonly fingerprint: string } & Move)
  | { readonly type: 'bye'; readonly why: string };

export function encode(message: Message): string {
  return `${JSON.stringify(message)}\n`;
}

export function decode(line: string): Message {
  if (line.length > LONGEST) throw new Error('a line is too long');
  const message: Message = JSON.parse(line);
  if (message.type === 'hello' && message.version !== VERSION)
    throw new Error(`the other machine has version ${message.version}, this one has ${VERSION}`);
  if (!['hello', 'move', 'bye'].includes(message.type)) throw new Error('an unknown message');
  return message;
}

type Lines = AsyncIterator<string>;

export function linesOf(input: NodeJS.ReadableStream): Lines {
  return createInterface({ input })[Symbol.asyncIterator]();
}

export async function next(lines: Lines): Promise<string> {
  const { value, done } = await lines.next();
  if (done) throw new Error('nothing more comes');
  return value;
}

export async function hear<T extends Message['type']>(lines: Lines, type: T) {
  const message = decode(await next(lines));
  if (message.type !== type)
    throw new Error(message.type === 'bye' ? message.why : `expected ${type}, not ${message.type}`);
  return message as Extract<Message, { type: T }>;
}

/** Of a game as it is after a move: FNV-1a of whose turn it is and the heaps. */
export function fingerprint({ turn, heaps }: Game): string {
  let hash = 0x811c9dc5;
  for (const letter of `${turn}:${heaps.join(',')}`)
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
