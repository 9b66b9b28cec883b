/**
 * The entry of this folder, which asks seats for answers on behalf of every protocol:
 *
 * - `askWithTools` (below) lets a seat use tools before it answers, turn by turn, until it answers or
 *   its share is used up;
 * - `askForm` (`ask-form.ts`) asks for an answer of a given form, and asks again if a call fails or the
 *   answer has another form;
 * - `readCited` (`cited-files.ts`) reads again what a coding agent cites, so that it is on record;
 * - `makeEffortSetting` (`thinking.ts`) says how long a seat outside the panel thinks.
 *
 * Main types: `Share` (how much a seat may look up), `ToolPlace` (where tools can change something),
 * `LookOptions`, `FormAnswer` and `SeatAsker`.
 *
 * What holds: each turn is a call of the run and each tool call a step below the question's key, so a
 * resumed run repeats neither. A run without tools asks once, under the key itself, in unchanged words.
 * A prompt only grows at its end, so that providers can cache what stands before. A failed call is a
 * value; only `RunStopped` is thrown. What tools return is untrusted, and fenced with a nonce.
 *
 * It may import the kernel, `text` and the other folders of `common`; it knows no protocol.
 */
import type { Reply } from '../../../kernel/call.ts';
import { makeNonce } from '../../../kernel/chance.ts';
import type { AskOptions, Run } from '../../../kernel/handle.ts';
import { addUsage, type Message, type ModelRequest } from '../../../kernel/model.ts';
import { isAgent } from '../../../kernel/providers/names.ts';
import { splitSpec } from '../../../kernel/providers/spec.ts';
import { estimateTokens } from '../../../kernel/tokens.ts';
import {
  type ToolAnswer,
  type ToolCall,
  type ToolInfo,
  type ToolResult,
  turnKey,
} from '../../../kernel/tools/tools.ts';
import { parseJson } from '../../../text/json.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { readCited } from './cited-files.ts';
import {
  formatResult,
  formatShareLeft,
  formatToolsTask,
  isOfServer,
  LATER,
  READ_ON,
  REFUSED,
  readOn,
  type Share,
} from './tool-texts.ts';

/**
 * The default limits on looking things up, which suffice for a question about a few files. The
 * limits exist because every result is repeated in all later prompts of the seat.
 */
export const SHARE: Share = { turns: 8, calls: 12, tokens: 24_000 };

/** How often the same refused call is carried out. With the next one, the seat's tools end. */
const MAX_EQUAL_REFUSALS = 2;
/** What a seat is told once, with the last refusal of a call before its tools end. */
const LAST_REFUSAL =
  'You have made this very call before, and it was refused. Do not make it again: your tools would end.';
/** Recorded in place of the call with which a seat's tools end. */
const TOOLS_END =
  'the seat made this very call again after it was refused twice: its tools end here';

/**
 * A place where a seat's tools are carried out, such as a copy of a repository. If the tools change the place, the
 * result of a call depends on earlier calls.
 */
export interface ToolPlace {
  /**
   * Runs a tool call.
   * @param key the key of the step
   * @param seat the seat's id
   */
  use(key: string, seat: string, call: Omit<ToolCall, 'id'>): Promise<ToolResult>;
  /**
   * Returns a text that identifies the present state of the place. If the text is the same, the same tool call gives
   * the same result, so the call is not repeated.
   */
  state(): string;
  /**
   * Returns the instructions for the tools, which are added to the seat's prompt in place of the usual instructions.
   * @param fence the random part of the tag that encloses each result
   */
  task(tools: readonly ToolInfo[], share: Share, fence: string): string;
  /**
   * Returns what the seat is told after each turn about its remaining limits. Absent in a place whose tools change
   * nothing: there the seat is told how much it may still look up.
   * @param left the remaining limits
   * @param isOver whether the seat must answer now
   */
  left?(left: Share, isOver: boolean): string;
  /** The tools of this place, which are offered in addition to the run's tools. */
  readonly tools: readonly ToolInfo[];
}

/** Options for asking a seat that may use tools. */
export interface LookOptions extends Omit<AskOptions, 'again'> {
  /** The names of the allowed tools. Absent if all tools of the run are allowed. */
  readonly tools?: readonly string[] | undefined;
  /** How much the seat may look up; default: `SHARE`. */
  readonly share?: Share | undefined;
  /** The place where tool calls are carried out. Absent if `run.callTool` carries them out. */
  readonly place?: ToolPlace | undefined;
  /**
   * Whether the seat may answer early: an answer without tool calls is accepted as the final one if
   * it fits the schema. The prompt must then describe the expected fields, because the schema is
   * only sent with requests in which the seat may use no tools.
   */
  readonly handsIn?: boolean | undefined;
  /**
   * Whether the prompt says that the answer will be requested separately, after the seat has used
   * the tools. Models that are not told this tend to give the answer twice.
   */
  readonly announces?: boolean | undefined;
  /** Returns whether a recorded step must be asked again. */
  readonly again?: ((step: string) => boolean) | undefined;
  /** Called with the result of every tool call that goes on record, in order. */
  readonly found?: ((one: Looked) => void) | undefined;
}

/** The result of a tool call, with its step and tool. */
interface Looked extends ToolResult {
  readonly step: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/**
 * Asks a seat a question and lets it use tools before it answers. Returns the reply of the last
 * turn; its usage is the sum of all turns. The option `conclude` (which returns facts to be
 * recorded with a reply) is called for the last turn only.
 * @param key the key of the step
 * @throws RunStopped if the run was stopped between two turns
 */
export async function askWithTools(
  run: Run,
  key: string,
  request: ModelRequest,
  {
    tools: wanted,
    share = SHARE,
    again,
    conclude,
    place,
    handsIn = false,
    announces = false,
    found: note,
    ...options
  }: LookOptions = {},
): Promise<Reply> {
  const usable = [
    ...run.tools.filter(({ name }) => wanted?.includes(name) ?? true),
    ...(place?.tools ?? []),
  ];
  const tools = usable.some(isOfServer) ? [...usable, READ_ON] : usable;
  // Outside of a `place`, a coding agent gets no tools of this program, because it works in the folders with tools of
  // its own.
  const looksItself = place === undefined && isAgent(splitSpec(request.seat.model).provider);
  if (tools.length === 0 || looksItself) {
    const reply = await run.ask(key, request, {
      ...options,
      again: again?.(key) ?? false,
      ...withoutUndefined({ conclude }),
    });
    if (looksItself)
      for (const found of await readCited(run, key, request, reply, usable)) note?.(found);
    return reply;
  }
  const offered = usable.map(({ name }) => name);
  const { schema, limits, ...plain } = request;
  const fence = makeNonce(request.seed ?? 0, 'tools');
  const seen = new Map<string, ToolResult>();
  // Counts how often each tool call was refused. Equal calls count together until the files of the `place` change.
  const refusals = new Map<string, number>();
  const isLater = schema !== undefined && !handsIn;
  const lookTask = (place?.task ?? formatToolsTask)(tools, share, fence);
  const task = announces && isLater ? `${lookTask}\n${LATER}` : lookTask;
  let messages = addTask(request.messages, task);
  let { calls, tokens } = share;
  let usage: Reply['usage'] | undefined;
  let hasSeenEnough = false;
  for (let turn = 1; ; turn += 1) {
    const closed = hasSeenEnough || turn >= share.turns || calls <= 0 || tokens <= 0;
    const asked: ModelRequest = closed
      ? { ...request, messages, tools, toolsClosed: true }
      : { ...plain, messages, tools, ...(isLater ? { formLater: true as const } : {}) };
    const step = turnKey(key, turn);
    // Returns the answer of a seat that ends its lookups before it has to. A reply that also calls tools is not
    // the answer yet, because the results may change it.
    const findEarlyAnswer = (reply: Reply): object | undefined =>
      handsIn && !closed && callsIn(reply).length === 0 ? formIn(reply.text, schema) : undefined;
    const isLast = (reply: Reply): boolean =>
      closed ||
      reply.status !== 'done' ||
      (callsIn(reply).length === 0 &&
        (schema === undefined || findEarlyAnswer(reply) !== undefined));
    const reply = await run.ask(step, asked, {
      ...options,
      again: again?.(step) ?? false,
      conclude: (result) => (isLast(result) ? (conclude?.(result) ?? []) : []),
    });
    usage = usage === undefined ? reply.usage : addUsage(usage, reply.usage);
    if (isLast(reply)) {
      const value = findEarlyAnswer(reply);
      return value === undefined ? { ...reply, usage } : ({ ...reply, value, usage } as Reply);
    }
    hasSeenEnough = callsIn(reply).length === 0;
    const results: ToolAnswer[] = [];
    for (const [at, call] of callsIn(reply).entries()) {
      const { id, name } = call;
      if (calls <= 0 || tokens <= 0) {
        results.push({
          id,
          name,
          text: `Not ${place?.left === undefined ? 'looked up' : 'done'}: your share is used up.`,
        });
        continue;
      }
      calls -= 1;
      const { arguments: given } = call;
      const wish = { name, arguments: given };
      const useKey = `${step}/tool-${at + 1}`;
      const same = `${name} ${JSON.stringify(given)} ${place?.state() ?? ''}`;
      const earlier = refusals.get(same) ?? 0;
      const withWarning = (text: string, refused: boolean): string => {
        if (!refused) return text;
        refusals.set(same, earlier + 1);
        return earlier + 1 < MAX_EQUAL_REFUSALS ? text : `${text}\n${LAST_REFUSAL}`;
      };
      if (earlier >= MAX_EQUAL_REFUSALS) {
        calls = 0;
        const use = { ...wish, refusal: TOOLS_END };
        const found = await run.callTool(useKey, request.seat.id, use);
        note?.({ ...found, step: useKey, tool: name, arguments: given });
        results.push({ id, name, text: 'Not done: your tools have ended. Answer now.' });
        continue;
      }
      if (name === READ_ON.name && tools.includes(READ_ON)) {
        const read = readOn([...seen.values()], given, fence);
        const text = withWarning(read, read.startsWith(REFUSED));
        tokens -= estimateTokens(text);
        results.push({ id, name, text });
        continue;
      }
      const known = seen.get(same);
      if (known?.id !== undefined) {
        results.push({ id, name, text: `You have that already: it is ${known.id}.` });
        continue;
      }
      const found = await (place === undefined
        ? run.callTool(useKey, request.seat.id, wish, offered)
        : place.use(useKey, request.seat.id, wish));
      note?.({ ...found, step: useKey, tool: name, arguments: given });
      seen.set(same, found);
      const text = withWarning(formatResult(found, name, fence), found.refused === true);
      tokens -= estimateTokens(text);
      results.push({ id, name, text });
    }
    messages = [
      ...messages,
      toMessage(reply),
      resultsMessage(results, { calls, tokens, turns: share.turns - turn }, place?.left),
    ];
  }
}

function callsIn(reply: Reply): readonly ToolCall[] {
  return reply.status === 'done' ? (reply.calls ?? []) : [];
}

/**
 * Parses the JSON object in a text, from the first brace to the last. Returns undefined if there is
 * no object of the requested form.
 */
function formIn(text: string, schema: ModelRequest['schema']): object | undefined {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (schema === undefined || from < 0 || to < from) return undefined;
  const read = schema.safeParse(parseJson(text.slice(from, to + 1)));
  return read.success && typeof read.data === 'object' && read.data !== null
    ? read.data
    : undefined;
}

function toMessage(reply: Reply): Message {
  const { calls, turn } = reply.status === 'done' ? reply : {};
  return {
    role: 'assistant',
    parts: reply.text.trim() === '' ? [] : [{ text: reply.text }],
    ...(calls === undefined || calls.length === 0 ? {} : { calls }),
    ...withoutUndefined({ turn }),
  };
}

/** Returns the message after tool calls: the results, and what is left of the share. */
function resultsMessage(
  results: readonly ToolAnswer[],
  left: Share,
  say: ToolPlace['left'] = formatShareLeft,
): Message {
  const isOver = left.turns <= 1 || left.calls <= 0 || left.tokens <= 0;
  const text = say(left, results.length === 0 || isOver);
  // All later prompts contain this message with its results, so it is marked for the provider's
  // cache.
  return {
    role: 'user',
    parts: [{ text, stable: true }],
    ...(results.length === 0 ? {} : { results }),
  };
}

/**
 * Adds instructions at the end of the last message, so that providers can still cache everything
 * before the instructions.
 */
function addTask(messages: readonly Message[], text: string): Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', parts: [{ text }] }];
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts, { text, stable: true }] }];
}
