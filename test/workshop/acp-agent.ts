/**
 * A coding agent that speaks the Agent Client Protocol. It obeys the orders in its arguments, or else those
 * in the brief, which has one on each line.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  agent,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionResponse,
  type StopReason,
  type ToolKind,
} from '@agentclientprotocol/sdk';

const OWN = process.argv.slice(2);
let folder = '';

agent({ name: 'stand-in' })
  .onRequest('initialize', ({ params }) => {
    if (params.clientCapabilities?.terminal || params.clientCapabilities?.fs?.writeTextFile)
      throw new Error('more was offered than may be');
    return { protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} };
  })
  .onRequest('session/new', ({ params }) => {
    folder = params.cwd;
    return { sessionId: 'one' };
  })
  .onRequest('session/prompt', async ({ params, client }) => {
    const say = (text: string): Promise<void> =>
      client.notify('session/update', {
        sessionId: 'one',
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      });
    const [first] = params.prompt;
    const told = first?.type === 'text' ? first.text.trim().split('\n') : [];
    const orders = OWN.length > 0 ? OWN : told;
    let stopReason: StopReason = 'end_turn';
    for (const order of orders) {
      const [word = '', ...rest] = order.split(' ');
      const text = rest.join(' ');
      if (word === 'say') await say(JSON.parse(text));
      else if (word === 'write')
        writeFileSync(join(folder, rest[0] ?? ''), `${rest.slice(1).join(' ')}\n`);
      else if (word === 'remove') rmSync(join(folder, text));
      else if (word === 'stop') stopReason = text as StopReason;
      else if (word === 'leave') process.exit(0);
      else if (word === 'wait') await new Promise(() => undefined);
      else if (word === 'flood') for (;;) await say('0123456789'.repeat(10_000));
      else if (word === 'ask') {
        const [kind, ...paths] = rest;
        const { outcome } = await client.request<RequestPermissionResponse>(
          'session/request_permission',
          {
            sessionId: 'one',
            toolCall: {
              toolCallId: order,
              kind: kind as ToolKind,
              title: order,
              locations: paths.map((path) => ({ path: path.replace('CWD', folder) })),
            },
            options: [
              { optionId: 'always', kind: 'allow_always', name: 'Always' },
              { optionId: 'once', kind: 'allow_once', name: 'Once' },
              { optionId: 'no', kind: 'reject_once', name: 'No' },
            ],
          },
        );
        const answer = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
        await say(`${kind} ${paths.join(' ')}: ${answer}\n`);
      }
    }
    return { stopReason };
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array>,
    ),
  );
