/**
 * A coding agent that speaks the Agent Client Protocol and misbehaves. It obeys the orders in its arguments,
 * one each, and then those in the prompt, which are the lines that begin with `! `.
 */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  agent,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionResponse,
  type SessionUpdate,
  type StopReason,
  type ToolKind,
} from '@agentclientprotocol/sdk/unstable';

import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import { makeSchemaValue } from '../../src/protocols/rehearsal/json.ts';
import { deriveTopic } from '../../src/protocols/rehearsal/topic.ts';

const ORDERS = process.argv.slice(2).map(orderOf);
const findOrder = (word: string): string | undefined =>
  ORDERS.find((order) => order.word === word)?.text;

/** The folder, the number of prompts so far, the model and the mode of each session, by session id. */
const sessions = new Map<string, { cwd: string; prompts: number; model: string; mode: string }>();
let isSignedIn = findOrder('auth') === undefined;

const noise = findOrder('noise');
if (noise !== undefined) process.stdout.write(`${noise}\n`);
const chatter = findOrder('stderr');
if (chatter !== undefined) process.stderr.write(`${'e'.repeat(1000)}\n`.repeat(Number(chatter)));
if (findOrder('mute') !== undefined) setInterval(() => undefined, 1000);
if (findOrder('refuse-sigterm') !== undefined) process.on('SIGTERM', () => undefined);

const optionsOf = (id: string) => {
  const models = findOrder('models');
  if (models === undefined) return {};
  return {
    configOptions: [
      {
        id: 'model',
        name: 'Model',
        category: 'model',
        type: 'select' as const,
        currentValue: sessions.get(id)?.model ?? '',
        options: models.split(' ').map((value) => ({ value, name: value })),
      },
    ],
  };
};

const app = agent({ name: 'stand-in' })
  .onRequest('initialize', () => ({
    protocolVersion: Number(findOrder('version') ?? PROTOCOL_VERSION),
    agentCapabilities: {},
    authMethods: [{ id: 'key', name: 'Key' }],
  }))
  .onRequest('authenticate', async ({ params }) => {
    if (findOrder('linger') !== undefined) await new Promise(() => undefined);
    isSignedIn = params.methodId === findOrder('auth');
    return {};
  })
  .onRequest('session/new', ({ params }) => {
    if (!isSignedIn) throw RequestError.authRequired();
    const sessionId = `s${sessions.size + 1}`;
    const model = findOrder('models')?.split(' ')[0] ?? '';
    sessions.set(sessionId, { cwd: params.cwd, prompts: 0, model, mode: 'work' });
    const modes = {
      currentModeId: 'work',
      availableModes: ['work', 'ask'].map((id) => ({ id, name: id })),
    };
    return { sessionId, modes, ...optionsOf(sessionId) };
  })
  .onRequest('session/set_mode', ({ params }) => {
    const session = sessions.get(params.sessionId);
    if (session !== undefined) session.mode = params.modeId;
    return {};
  })
  .onRequest('session/set_config_option', ({ params }) => {
    const session = sessions.get(params.sessionId);
    if (session !== undefined && typeof params.value === 'string') session.model = params.value;
    return { configOptions: optionsOf(params.sessionId).configOptions ?? [] };
  })
  .onNotification('session/cancel', ({ params }) => {
    if (findOrder('ignore-cancel') === undefined) cancelled.get(params.sessionId)?.();
  })
  .onRequest('session/prompt', async ({ params, client }) => {
    const { sessionId } = params;
    const session = sessions.get(sessionId);
    if (session === undefined) throw new Error('no such session');
    session.prompts += 1;
    const { cwd, prompts } = session;
    const sendUpdate = (update: SessionUpdate): Promise<void> =>
      client.notify('session/update', { sessionId, update });
    const say = (text: string): Promise<void> =>
      sendUpdate({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    const stopped = new Promise<'stopped'>((done) =>
      cancelled.set(sessionId, () => done('stopped')),
    );
    let stopReason: StopReason = 'end_turn';
    let usage: object | undefined;
    const [only] = params.prompt;
    const told =
      only?.type === 'text' ? only.text.split('\n').filter((line) => line.startsWith('! ')) : [];
    for (const { word, rest, text } of [...ORDERS, ...told.map((line) => orderOf(line.slice(2)))]) {
      const [first = ''] = rest;
      const more = rest.slice(1).join(' ');
      const path = resolve(cwd, first.replace('HOME', process.env.HOME ?? ''));
      if (word === 'say') await say(JSON.parse(text));
      else if (word === 'form') await say(formIn(params.prompt) ?? JSON.parse(text));
      else if (word === 'tell')
        await say(
          JSON.stringify({
            ...session,
            session: sessionId,
            prompt: params.prompt,
            env: process.env,
            home: readdirSync(process.env.HOME ?? ''),
          }),
        );
      else if (word === 'deliberate') {
        const { answerAnyRequest: deliberateAnywhere } = await import('../e2e/any-deliberator.ts');
        const answer = deliberateAnywhere({ model: 'helper', body: { messages: params.prompt } });
        await say(addCitation(answer, text));
      } else if (word === 'then' && prompts > 1) await say(JSON.parse(text));
      else if (word === 'first' && prompts === 1) await say(JSON.parse(text));
      else if (word === 'think')
        await sendUpdate({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });
      else if (word === 'tool')
        await sendUpdate({
          sessionUpdate: 'tool_call',
          toolCallId: text,
          title: text,
          kind: first as ToolKind,
          locations: more === '' ? [] : [{ path: resolve(cwd, more) }],
        });
      else if (word === 'write') await say(`${tryToWrite(() => put(path, more))}\n`);
      else if (word === 'relogin')
        // Write the login file as careful programs do: first under another name, then renamed to
        // its place.
        await tryToWrite(() => {
          writeFileSync(`${process.env.HOME}/.stand-in/half`, text);
          renameSync(
            `${process.env.HOME}/.stand-in/half`,
            `${process.env.HOME}/.stand-in/auth.json`,
          );
        });
      else if (word === 'link') await say(`${tryToWrite(() => symlinkSync(more, path))}\n`);
      else if (word === 'meta')
        await sendUpdate({ sessionUpdate: 'session_info_update', _meta: JSON.parse(text) });
      else if (word === 'count')
        await sendUpdate({
          sessionUpdate: 'agent_message_chunk',
          _meta: { usage: JSON.parse(text) },
          content: { type: 'text', text: '' },
        });
      else if (word === 'stop') stopReason = text as StopReason;
      else if (word === 'usage') usage = JSON.parse(text);
      else if (word === 'fail') throw new RequestError(-32_603, text);
      else if (word === 'leave') {
        process.stderr.write(`${text}\n`);
        process.exit(3);
      } else if (word === 'wait') {
        if ((await stopped) === 'stopped') return { stopReason: 'cancelled' as const };
      } else if (word === 'flood') for (;;) await say('0123456789'.repeat(10_000));
      else if (word === 'flood-tools')
        for (let number = 0; ; number += 1)
          await sendUpdate({
            sessionUpdate: 'tool_call',
            toolCallId: `t${number}`,
            kind: 'read',
            title: '0123456789'.repeat(20_000),
          });
      else if (word === 'child')
        spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', text], {
          detached: true,
          stdio: 'ignore',
          cwd: '/',
        }).unref();
      else if (word === 'ask') {
        const { outcome } = await client.request<RequestPermissionResponse>(
          'session/request_permission',
          {
            sessionId,
            toolCall: {
              toolCallId: text,
              kind: first as ToolKind,
              title: text,
              ...(more.endsWith('diff')
                ? { content: [{ type: 'diff' as const, path: cwd, newText: 'x' }] }
                : {}),
            },
            options: [
              { optionId: 'always', kind: 'allow_always', name: 'Always' },
              { optionId: 'once', kind: 'allow_once', name: 'Once' },
              { optionId: 'no', kind: 'reject_once', name: 'No' },
            ],
          },
        );
        const answer = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
        if (answer === 'once' && first !== 'read') put(resolve(cwd, 'allowed'), 'x');
        await say(`${text}: ${answer}\n`);
      }
    }
    return { stopReason, ...(usage === undefined ? {} : { usage: usage as never }) };
  });

const cancelled = new Map<string, () => void>();

if (findOrder('mute') === undefined)
  app.connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array>,
    ),
  );

function orderOf(order: string): { word: string; rest: string[]; text: string } {
  const [word = '', ...rest] = order.split(' ');
  return { word, rest, text: rest.join(' ') };
}

/** Returns a value that fits the schema in a prompt, or undefined if the prompt asks for prose. */
function formIn(prompt: readonly { readonly type: string }[]): string | undefined {
  const text = JSON.stringify(prompt);
  const said = prompt.map((part) => ('text' in part ? String(part.text) : '')).join('\n');
  const schema = /fits this JSON Schema, and with nothing else:\n(\{.*\})$/m.exec(said)?.[1];
  if (schema === undefined) return undefined;
  return JSON.stringify(
    makeSchemaValue(JSON.parse(schema), deriveTopic('Split it?'), new Chance(text)),
  );
}

/** Adds a citation, such as `src/a.ts#L1`, to the evidence of a verdict. Leaves all other answers unchanged. */
function addCitation(answer: string, citation: string): string {
  if (citation === '' || !answer.includes('"evidence_refs"')) return answer;
  const verdict = JSON.parse(answer);
  return JSON.stringify({ ...verdict, evidence_refs: [...verdict.evidence_refs, citation] });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, text);
  writeFileSync(`${path}.more`, text);
}

function tryToWrite(work: () => void): string {
  try {
    work();
    return 'written';
  } catch (error) {
    return `not written: ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`;
  }
}
