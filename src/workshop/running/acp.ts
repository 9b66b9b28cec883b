/**
 * Communicates with a coding agent's program by the Agent Client Protocol over standard input and output.
 * This program offers it no files and no terminal: it reads and writes the tree itself in its sandbox. Its
 * requests for permission are granted for files of the tree, each time anew, and for nothing else.
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

/** A conversation with a coding agent, filled in while it runs. */
export interface AgentConversation {
  /**
   * The reason that the agent gave for the end of its turn; absent if the agent disconnected or
   * never answered.
   */
  stop?: StopReason;
  /** What went wrong; absent if nothing did. */
  fault?: string;
  /** The text and the actions that the agent reported; untrusted. */
  said: string;
}

/** The task of a coding agent. */
interface AgentTask {
  /** The text of the task. */
  readonly brief: string;
  /** The tree's folder, and its path as the agent sees it. */
  readonly tree: string;
  readonly at: string;
}

/** The most characters that are kept of what the agent reports. */
const MOST_SAID = 1024 * 1024;

/** Kinds of tools that only affect files. Commands, and tools without a kind, may do anything. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...['read', 'edit', 'delete', 'move', 'search', 'think'],
]);
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

/**
 * Gives a coding agent its task over the Agent Client Protocol, in a session with a single turn. Writes
 * the result into `talk` and never rejects.
 */
export async function runAgentSession(
  talk: AgentConversation,
  { brief, tree, at }: AgentTask,
  input: Writable,
  output: Readable,
): Promise<void> {
  const collectText = (text: string): void => {
    if (talk.said.length < MOST_SAID) talk.said += text;
  };
  const app = client({ name: 'deliberate' })
    .onRequest('session/request_permission', ({ params }) => {
      const allowed = mayDo(params, tree, at);
      const kind = allowed ? 'allow_once' : 'reject_once';
      const option = params.options.find((candidate) => candidate.kind === kind);
      if (!allowed || option === undefined)
        collectText(`\n[refused: ${params.toolCall.title ?? params.toolCall.kind ?? 'a tool'}]\n`);
      return {
        outcome:
          option === undefined
            ? { outcome: 'cancelled' }
            : { outcome: 'selected', optionId: option.optionId },
      };
    })
    .onNotification('session/update', ({ params }) => collectText(wordsOf(params.update)));
  // The types of streams in Node and in the web standard differ only in parts that are not used
  // here.
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

/**
 * Returns whether a coding agent may make a tool call. The call must be of an allowed kind, use no
 * terminal, and name only paths in the tree and not in a folder `.git`. A call that changes files
 * must name at least one path.
 * @param at the path of the tree as the agent sees it
 * @internal
 */
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
    ...content.flatMap((part) => (part.type === 'diff' ? [part.path] : [])),
  ];
  // Refuse a coding agent's tool that changes files and does not say which ones, so that it can change none outside
  // of its tree.
  if (CHANGING.has(kind) && paths.length === 0) return false;
  return paths.every((path) => isWithin(path, tree, at));
}

/** Returns whether a path is in the tree, both as written and by its real path. */
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
