/**
 * `killed.ts FOLDER ORDER…`: starts a seat that the stand-in plays with these orders, prints its words, and
 * waits to be killed.
 */
import { agentProvider } from '../../src/coding-agents/provider.ts';
import { makeStandInAgent } from './orders.ts';

const [, , folder = '', ...orders] = process.argv;
const provider = agentProvider(makeStandInAgent(orders), { env: process.env, unsandboxed: true });
await provider.stream(
  {
    task: 'board/answer',
    model: 'default',
    seatId: 'critic',
    role: 'critic',
    system: '',
    messages: [{ role: 'user', parts: [{ text: 'Why?' }] }],
  },
  {
    signal: new AbortController().signal,
    attempt: 1,
    idleMs: 600_000,
    run: 'run',
    folders: [{ name: 'repo', path: folder }],
    onBytes: () => undefined,
    onText: (text) => process.stdout.write(text),
    onThinking: () => undefined,
  },
);
