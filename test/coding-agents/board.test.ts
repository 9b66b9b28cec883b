/**
 * Tests a board whose seats a coding agent plays: one process, a session for each call, and no call made
 * twice.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { agentProvider } from '../../src/coding-agents/provider.ts';
import { isCall } from '../../src/kernel/call.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { addAgentNames } from '../../src/kernel/providers/names.ts';
import { Session } from '../../src/kernel/session.ts';
import { sourcesOf } from '../../src/kernel/tools/sources.ts';
import { createModels } from '../../src/models/gateway.ts';
import { formatReport } from '../../src/plain/report.ts';
import { board } from '../../src/protocols/board/board.ts';
import { report } from '../../src/protocols/board/view/report.ts';
import { openTools } from '../../src/tools/tools.ts';
import { stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { NO_BWRAP, needAll } from '../setup/needs.ts';
import { hasBwrap } from '../workshop/bench.ts';
import { makeStandInAgent } from './orders.ts';
import { makeAgentPlace } from './seat.ts';

const isHidden = /^\/(?:tmp|var\/tmp|run|dev)\//.test(import.meta.dirname);
needAll(hasBwrap && !isHidden, NO_BWRAP);
afterAll(() => addAgentNames(() => []));

it('two seats with the same agent both answer, and a resumed run asks neither of them again', async () => {
  addAgentNames(() => ['stand-in']);
  const place = makeAgentPlace();
  const store = temporaryStore();
  const journal = store.create('board');
  const openSession = (orders: readonly string[]): Session =>
    new Session({
      journal,
      models: createModels({
        env: {},
        more: [agentProvider(makeStandInAgent(orders), { env: place.env, unsandboxed: false })],
      }),
      protocol: board as Protocol,
      // The agent has its own tools for the folder, so this program's tools must not be described
      // in the prompt.
      tools: openTools([{ name: 'repo', path: place.folder }], { env: place.env }),
      answer: stopAtGate,
    });
  const makeSeat = (id: string) => ({
    id,
    role: id,
    title: id,
    model: 'stand-in/default',
    brief: `You are ${id}.`,
  });
  const first = openSession([
    'tool read a.txt',
    'say "Keep it (a.txt#L1, gone.txt#L3)."',
    'write new.txt x',
  ]);
  const ending = await first.begin({
    question: 'Split it?',
    seats: [makeSeat('critic'), makeSeat('analyst')],
    config: {
      synthesizer: 'stand-in/default',
      open: false,
      vote: false,
      seed: 1,
      attachments: [],
      look: [{ name: 'repo', path: place.folder }],
    },
  });
  expect(ending).toEqual({ status: 'done' });
  const calls = journal.facts().filter(isCall);
  expect(calls.map(({ step }) => step).sort()).toEqual([
    'seat/analyst',
    'seat/critic',
    'synthesis/1',
  ]);
  for (const call of calls)
    expect(call).toMatchObject({ type: 'call.completed', costUsd: 0, notes: ['read a.txt'] });
  expect(readdirSync(place.folder).sort()).toEqual(['.git', 'a.txt']);
  // The folder of the agent's process was removed at the end of the run.
  expect(readdirSync(join(place.env.XDG_STATE_HOME ?? '', 'deliberate/agents'))).toEqual([]);

  // Code has looked up what the agent cited: line 1 of a.txt, which exists, and gone.txt, which does not.
  const sources = sourcesOf(journal.facts());
  expect(sources.map(({ tool, about, text }) => [tool, about, text])).toContainEqual([
    'read',
    expect.stringContaining('a.txt'),
    'a',
  ]);
  const shown = formatReport(journal.facts(), report);
  expect(shown).toMatch(/Critic: S-\d#L1|critic: S-\d#L1/);
  expect(shown).toMatch(/ritic cites what is not there: gone.txt \(/);
  const looked = journal.facts().length;

  await openSession(['fail asked again']).resume({ kind: 'convene' });
  expect(journal.facts().filter(isCall)).toHaveLength(calls.length);
  const later = journal.facts().slice(looked);
  expect(later.filter(({ type }) => type === 'tool.called')).toEqual([]);
});
