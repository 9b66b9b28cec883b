/**
 * Speaks the Agent Client Protocol with a coding agent's program over its standard input and output. It
 * is lent nothing: it reads and writes the tree by itself, in its sandbox, and gets no terminal of ours.
 * When it asks for leave, it gets it for files of the tree, each time anew, and for nothing else.
 */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';
import { realPathOf } from '../../platform/real-path.ts';

export interface Talk {
  /** Why its turn ended, in its words; absent where it went away, or never came. */
  stop?: StopReason;
  /** What went wrong. */
  fault?: string;
  /** What it said and did, as it said it: a stranger's words. */
  said: string;
}

interface Matter {
  readonly brief: string;
  /** The tree's folder, and the path under which the agent sees it. */
  readonly tree: string;
  readonly at: string;
}

/** Kept of what it said. */
const MOST_SAID = 1024 * 1024;

/** Kinds of tools that stay with files. A command may do anything, and so may what has no kind. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...['read', 'edit', 'delete', 'move', 'search', 'think'],
]);
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

/** One session with one turn. Never rejects; `talk` says how it went. */
export async function converse(
  talk: Talk,
  { brief, tree, at }: Matter,
  input: Writable,
  output: Readable,
): Promise<void> {
  const say = (text: string): void => {
    if (talk.said.length < MOST_SAID) talk.said += text;
  };
  const app = client({ name: 'deliberate' })
    .onRequest('session/request_permission', ({ params }) => {
      const allowed = mayDo(params, tree, at);
      const kind = allowed ? 'allow_once' : 'reject_once';
      const option = params.options.find((one) => one.kind === kind);
      if (!allowed || option === undefined)
        say(`\n[refused: ${params.toolCall.title ?? params.toolCall.kind ?? 'a tool'}]\n`);
      return {
        outcome:
          option === undefined
            ? { outcome: 'cancelled' }
            : { outcome: 'selected', optionId: option.optionId },
      };
    })
    .onNotification('session/update', ({ params }) => say(wordsOf(params.update)));
  // The types of streams of Node and of the web differ in what nobody uses here.
  const stream = ndJsonStream(
    Writable.toWeb(input) as WritableStream<Uint8Array>,
    Readable.toWeb(output) as unknown as ReadableStream<Uint8Array>,
  );
  try {
    await app.connectWith(stream, async (agent) => {
      const { protocolVersion } = await agent.request('initialize', {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'deliberate', version: '0' },
      });
      if (protocolVersion !== PROTOCOL_VERSION)
        throw new Error(`it speaks version ${protocolVersion} of the protocol`);
      const { sessionId } = await agent.request('session/new', { cwd: at, mcpServers: [] });
      const { stopReason } = await agent.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: brief }],
      });
      talk.stop = stopReason;
    });
  } catch (error) {
    talk.fault = error instanceof Error ? error.message : JSON.stringify(error);
  }
}

/** Whether a tool may be used: on files of the tree, and by what it says itself. @internal */
export function mayDo(
  { toolCall }: Pick<RequestPermissionRequest, 'toolCall'>,
  tree: string,
  at: string,
): boolean {
  const kind = toolCall.kind ?? 'other';
  if (!ALLOWED.has(kind)) return false;
  const content = toolCall.content ?? [];
  if (content.some(({ type }) => type === 'terminal')) return false;
  const paths = [
    ...(toolCall.locations ?? []).map(({ path }) => path),
    ...content.flatMap((one) => (one.type === 'diff' ? [one.path] : [])),
  ];
  // What is to be changed has to be named.
  if (CHANGING.has(kind) && paths.length === 0) return false;
  return paths.every((path) => isWithin(path, tree, at));
}

/** By its letters as the agent sees it, and by where the links on the way lead. */
function isWithin(path: string, tree: string, at: string): boolean {
  const below = relative(at, isAbsolute(path) ? path : join(at, path));
  const parts = below.split('/');
  if (parts[0] === '..' || isAbsolute(below) || parts.includes('.git')) return false;
  let there = join(tree, below);
  while (!existsSync(there) && there !== tree) there = dirname(there);
  const real = relative(realPathOf(tree), realPathOf(there));
  return real.split('/')[0] !== '..' && !isAbsolute(real);
}

function wordsOf(update: SessionUpdate): string {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return update.content.type === 'text' ? update.content.text : '';
    case 'tool_call':
      return `\n[${update.kind ?? 'tool'}: ${update.title}]\n`;
    default:
      return '';
  }
}
