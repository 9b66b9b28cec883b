/** Collects the answer to one prompt: the agent's text and its uses of tools. */
import { relative } from 'node:path';
import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
} from '@agentclientprotocol/sdk/unstable';
import type { AttemptContext } from '../models/provider.ts';
import { isRecord } from '../text/json.ts';
import { toLine } from '../text/line.ts';

type Update = SessionNotification['update'];
/** The callbacks for updates. */
type Told = Pick<AttemptContext, 'onBytes' | 'onText' | 'onThinking'>;

/** Kinds of tools that only read. Any other kind may change something. */
const LOOKING: ReadonlySet<string> = new Set(['read', 'search', 'fetch', 'think']);
/** Kinds of tools that may change a file. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move', 'execute']);
/** The most uses of tools that are noted by name. */
const MAX_NOTED = 40;
const MAX_LABEL = 160;
/** A warning that an agent sends before its answer, in a separate message. */
const WARNING = /^Warning: ([^\n]+)\n\n$/;

/** One prompt to a coding agent and its answer, which is collected as it arrives. */
export class Turn {
  /** The answer so far. */
  text = '';
  /**
   * The error of the agent's service, if the agent reports one together with a text that is no
   * answer.
   */
  fault: string | undefined;
  /** The token counts, if the agent reports them together with the answer. Untrusted. */
  usage: unknown;
  #problem = '';
  /**
   * Whether the agent used a tool that may change a file, or asked for permission to do more than
   * read.
   */
  hasTriedToWrite = false;
  readonly #context: Told;
  readonly #cwd: string;
  readonly #noted = new Map<string, string>();
  #more = 0;
  readonly #refused = new Set<string>();
  readonly #warnings = new Set<string>();
  #isInterrupted = false;
  #message: string | undefined;
  readonly #onUpdate: () => void;

  /** `onUpdate` is called for every update. `cwd` is the working folder. */
  constructor(context: Told, cwd: string, onUpdate: () => void) {
    this.#context = context;
    this.#cwd = cwd;
    this.#onUpdate = onUpdate;
  }

  /** Adds an update of the agent, such as a piece of the answer. */
  take(update: Update): void {
    this.#onUpdate();
    this.#context.onBytes();
    this.#takeMeta(update._meta);
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type === 'text') this.#speak(update.content.text, update.messageId);
        return;
      case 'agent_thought_chunk':
        if (update.content.type === 'text') this.#context.onThinking(update.content.text);
        return;
      case 'tool_call':
      case 'tool_call_update':
        this.#noteTool(update);
        return;
      default:
        return;
    }
  }

  /**
   * Reads agents' own fields. Codex: `{codex: {error: {message, additionalDetails}}}` for each failed
   * request, then `{codex: {threadStatus: {type: 'systemError'}}}`, although the turn ends normally. Qwen
   * Code: `{usage}` with the last piece.
   */
  #takeMeta(meta: unknown): void {
    if (!isRecord(meta)) return;
    this.usage = meta.usage ?? this.usage;
    for (const own of Object.values(meta).filter(isRecord)) {
      const { error, threadStatus } = own;
      if (isRecord(error))
        this.#problem = [error.message, error.additionalDetails]
          .filter((words) => typeof words === 'string')
          .join(': ');
      if (isRecord(threadStatus) && threadStatus.type === 'systemError') this.fault = this.#problem;
    }
  }

  /** Adds text; a use of a tool between two texts separates paragraphs. */
  #speak(text: string, message: string | null | undefined): void {
    if (text === '') return;
    const warning = this.text === '' ? WARNING.exec(text)?.[1] : undefined;
    if (warning !== undefined) {
      this.#warnings.add(toLine(warning).slice(0, MAX_LABEL));
      return;
    }
    const isNew = this.#isInterrupted || (message ?? this.#message) !== this.#message;
    const gap = isNew && this.text.trim() !== '' && !this.text.endsWith('\n') ? '\n\n' : '';
    this.#isInterrupted = false;
    this.#message = message ?? this.#message;
    this.text += gap + text;
    this.#context.onText(gap + text);
  }

  #noteTool(call: Extract<Update, { sessionUpdate: 'tool_call' | 'tool_call_update' }>): void {
    this.#isInterrupted = true;
    this.hasTriedToWrite ||= CHANGING.has(call.kind ?? '');
    const known = this.#noted.get(call.toolCallId);
    const label = this.#labelOf(call);
    if (label === '' || known !== undefined) return;
    if (this.#noted.size >= MAX_NOTED) {
      if (call.sessionUpdate === 'tool_call') this.#more += 1;
      return;
    }
    this.#noted.set(call.toolCallId, label);
    this.#context.onThinking(`[${label}]\n`);
  }

  /** Returns a label such as `read src/a.ts`; the agent's own title if it says more than the path. */
  #labelOf({
    kind,
    title,
    locations,
  }: Pick<RequestPermissionRequest['toolCall'], 'kind' | 'title' | 'locations'>): string {
    const verb = kind ?? 'tool';
    const path = locations?.[0]?.path;
    const where = path === undefined ? toLine(title ?? '') : this.#pathOf(path);
    return where === '' ? '' : `${verb} ${where}`.slice(0, MAX_LABEL);
  }

  #pathOf(path: string): string {
    const below = relative(this.#cwd, path);
    return toLine(below.startsWith('..') || below === '' ? path : below);
  }

  /**
   * Answers the agent's request for permission: allows an action once if it only reads, and denies any
   * other action.
   */
  permit({ toolCall, options }: RequestPermissionRequest): RequestPermissionResponse {
    this.#onUpdate();
    const changes = (toolCall.content ?? []).some(
      ({ type }) => type === 'diff' || type === 'terminal',
    );
    const mayLook = LOOKING.has(toolCall.kind ?? 'other') && !changes;
    const option = options.find(({ kind }) => kind === (mayLook ? 'allow_once' : 'reject_once'));
    this.hasTriedToWrite ||= !mayLook;
    if (!mayLook) this.#refused.add(this.#labelOf(toolCall) || (toolCall.kind ?? 'tool'));
    return {
      outcome:
        option === undefined
          ? { outcome: 'cancelled' }
          : { outcome: 'selected', optionId: option.optionId },
    };
  }

  /**
   * Returns notes on the agent's warnings, the tools that it used and the actions that were denied. The
   * results of tools are not recorded.
   */
  notes(): string[] {
    const refused = [...this.#refused].slice(0, MAX_NOTED);
    return [
      ...[...this.#warnings].map((warning) => `warned: ${warning}`),
      ...this.#noted.values(),
      ...(this.#more > 0 ? [`and ${this.#more} more uses of tools`] : []),
      ...refused.map((label) => `not allowed: ${label}`),
    ];
  }
}
