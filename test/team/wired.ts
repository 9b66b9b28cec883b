/**
 * Puts scripted models behind an HTTP server. The server knows only what it is sent: the seat from the
 * system prompt, and the task from the answer's schema.
 */
import { onTestFinished } from 'vitest';
import type { ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import { createModels } from '../../src/models/gateway.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import type { ToolCallingAnswer } from '../servers/behaviour.ts';
import type { RecordedRequest } from '../servers/http.ts';
import { startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import { makeSoundAnswer, type RecordingModels, type Script } from './harness.ts';

/** The models of the three levels, at the scripted server. */
export const LEVEL_MODELS = {
  'fast-cheap': 'openai/fast',
  capable: 'openai/capable',
  'reasoning-heavy': 'openai/heavy',
} as const;

/** The first field of each task's answer; if two tasks share it, their second field decides. */
const FORMS: readonly (readonly [task: string, ...fields: readonly string[]])[] = [
  ['critique', 'found', 'plan'],
  ['plan', 'no_team'],
  ['boundaries', 'domains'],
  ['propose', 'design'],
  ['contradictions', 'found'],
  ['answer', 'answers'],
  ['architecture', 'summary'],
  ['fit', 'fits'],
  ['graph', 'not_mine'],
  ['place', 'placed'],
  ['tests', 'untestable'],
  ['work', 'status'],
  ['correct', 'brief'],
  ['verify', 'verdict'],
  ['accept', 'decision'],
];

/** Patterns that find in a prompt what a request is about. */
const ABOUT: readonly RegExp[] = [
  /^Your task, ([a-z][a-z0-9-]*):$/m,
  /^The task ([a-z][a-z0-9-]*), which has failed:$/m,
  /^You are T3 for the workstream ([a-z][a-z0-9-]*),/m,
];

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly response_format?: { readonly json_schema?: { readonly schema?: object } };
  /** The JSON schema in Ollama's protocol. */
  readonly format?: object;
}

/** Models that call a scripted server, and the server. */
export interface WiredTeam {
  readonly server: TestServer;
  readonly models: RecordingModels;
}

/**
 * Starts an OpenAI server that answers by a script, and returns models that call it. The server is closed
 * after the test.
 */
export async function makeWiredTeam(script: Script = {}): Promise<WiredTeam> {
  const server = await startScriptedServer(script);
  onTestFinished(() => server.close());
  return { server, models: makeModelsOf(server) };
}

/**
 * Returns the program's own models, configured to call the server. Their `requests` are reconstructed from
 * what the server was sent.
 */
export function makeModelsOf(server: Pick<TestServer, 'url' | 'chats'>): RecordingModels {
  const gateway = createModels({ env: envOf(server), concurrency: 32 });
  return {
    call: (asked, context) => gateway.call(asked, context),
    price: (model, usage) => gateway.price(model, usage),
    get requests() {
      return server.chats().map(requestOf);
    },
  };
}

/** Returns environment variables that point the provider `openai` to the server, with a made-up key. */
export function envOf({ url }: Pick<TestServer, 'url'>): Record<string, string> {
  return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'sk-test-never-to-be-seen' };
}

/** Starts an OpenAI server that answers by a script. The caller closes the server. */
export function startScriptedServer(script: Script): Promise<TestServer> {
  return startOpenAI({
    models: Object.values(LEVEL_MODELS).map((model) => model.slice('openai/'.length)),
    ...makeAnswering(script),
  });
}

/**
 * Starts an Ollama server that answers by a script, and returns models that call it. The server is closed
 * after the test. `contextLength` is the window of its models in tokens.
 */
export async function makeOllamaTeam(script: Script, contextLength: number): Promise<WiredTeam> {
  const server = await startOllama({ contextLength, takesTools: true, ...makeAnswering(script) });
  onTestFinished(() => server.close());
  const gateway = createModels({ env: { OLLAMA_HOST: server.url }, concurrency: 32 });
  return {
    server,
    models: {
      call: (asked, context) => gateway.call(asked, context),
      price: (model, usage) => gateway.price(model, usage),
      get requests() {
        return server.chats().map(requestOf);
      },
    },
  };
}

function makeAnswering(script: Script) {
  const said = new WeakMap<RecordedRequest, ToolCallingAnswer>();
  const answerTo = (request: RecordedRequest): ToolCallingAnswer => {
    const known = said.get(request) ?? answerRequest(script, requestOf(request));
    said.set(request, known);
    return known;
  };
  return {
    calls: (request: RecordedRequest) => {
      const wanted = answerTo(request);
      return wanted.calls.length === 0 ? undefined : wanted;
    },
    answer: (request: RecordedRequest) => answerTo(request).text ?? '',
  };
}

function answerRequest(script: Script, asked: ModelRequest): ToolCallingAnswer {
  const name = asked.task.replace('team/', '');
  const given = script[name]?.(asked) ?? makeSoundAnswer(name, asked);
  if (!('status' in given && 'usage' in given)) return { calls: [], text: JSON.stringify(given) };
  const { calls = [], text } = given as Extract<ModelResult, { status: 'done' }>;
  return { calls, text };
}

/** Reconstructs a model request from what the server was sent. */
function requestOf({ body }: RecordedRequest): ModelRequest {
  const { model, messages, response_format: form, format } = body as unknown as Body;
  const text = messages.map(({ content }) => textOf(content)).join('\n');
  const id = /You are (t\d(?:-\w+)?)\./.exec(text)?.[1] ?? '';
  const task = taskOf(form?.json_schema?.schema ?? format ?? formIn(text), text);
  const named = ABOUT.flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
  const held = [...text.matchAll(/^(R\d+) is (?:met|unmet|disputed|unproved)\b/gm)];
  const [, listed] =
    /\n(?:Requirements to verify: |You are T5\. Of )(R\d.*)/.exec(getSecondLook(text)) ?? [];
  const own =
    listed?.split(/, in the words| it is not shown/)[0] ??
    text.slice(text.lastIndexOf('\nRequirements to '));
  const wanted =
    listed === undefined
      ? [...own.matchAll(/^(R\d+)(?: \(to be shown by |: )/gm)]
      : [...own.matchAll(/(R\d+)/g)];
  const ids = (task === 'accept' ? held : wanted).map(([, id = '']) => id);
  return {
    task: `team/${task}`,
    seat: makeSeat(id, { model: `openai/${model}` }),
    about: { question: '', items: named.length > 0 ? named : ids },
    messages: messages
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => ({
        role: role === 'user' ? 'user' : 'assistant',
        parts: [{ text: textOf(content) }],
      })),
  };
}

/** Returns the part of a second look's prompt that says what it is about. */
function getSecondLook(text: string): string {
  return text.slice(Math.max(0, text.lastIndexOf('\nYou are T5. Of R')));
}

function taskOf(form: object, text: string): string {
  const fields = new Set(Object.keys((form as { properties?: object }).properties ?? {}));
  const found = FORMS.find(([, ...wanted]) => wanted.every((field) => fields.has(field)));
  if (found === undefined) throw new Error(`no form is known in: ${text.slice(-400)}`);
  const isAgain = found[0] === 'verify' && text.includes('\nYou have said:');
  return isAgain ? 'look-again' : found[0];
}

/** Finds the answer's schema in the prompt, where it stands in calls with tools. */
function formIn(text: string): object {
  const from = text.lastIndexOf('which fits this schema:\n');
  const [, line = '{}'] = text.slice(from).split('\n');
  return JSON.parse(line) as object;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(({ text }: { text?: string }) => text ?? '').join('\n');
}
