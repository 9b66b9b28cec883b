/** A seat that has only asked to look something up has not answered, wherever that is asked. */
import { expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import type { Tools } from '../../src/kernel/tools/tools.ts';
import { formatReport } from '../../src/plain/report.ts';
import { board } from '../../src/protocols/board/board.ts';
import { report } from '../../src/protocols/board/view/report.ts';
import { stopAtGate } from '../kernel/desk.ts';
import { makeAnswer, textOf } from '../kernel/scripted-models.ts';
import { BoardHarness, makePanel, SEATS, taskOf } from './board-desk.ts';

const LOOKS = 'Let me look first.';

it('on a board that was stopped during a seat’s tool call, what the seat wrote beside the call does not count as its answer', async () => {
  const bench = new BoardHarness();
  const models = makePanel((_asked, task) =>
    task === 'critic'
      ? makeAnswer(LOOKS, { calls: [{ id: '1', name: 'read', arguments: { path: 'a' } }] })
      : undefined,
  );
  const tools: Tools = {
    offered: [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }],
    use: async () => {
      await expect.poll(() => Object.keys(bench.view.calls).length).toBe(3);
      session.stop();
      return { about: 'a', text: 'x', from: 1 };
    },
  };
  const session = new Session({
    journal: bench.journal,
    models,
    protocol: board as Protocol,
    answer: stopAtGate,
    tools,
  });
  const ending = await session.begin({
    question: 'Should we?',
    seats: SEATS,
    config: { synthesizer: 'test/chair', open: false, seed: 7, attachments: [] },
  });
  expect(ending.status).toBe('stopped');
  const later = makePanel();
  await bench.open(later).resume({ kind: 'resynthesize', version: 1 });
  expect(bench.view.syntheses[0]?.included.toSorted()).toEqual(['advocate', 'analyst']);
  expect(bench.view.syntheses[0]?.excluded).toEqual([{ seat: 'critic', reason: 'no answer' }]);
  const synthesis = later.requests.find((request) => taskOf(request) === 'synthesis');
  expect(textOf(synthesis ?? expect.fail())).not.toContain(LOOKS);
  expect(formatReport(bench.facts, report)).toContain('No answer: it had only looked things up.');
});
