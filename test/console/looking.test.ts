/** A seat that looks things up, as the console knows it: in its column, in the tree and in the log. */
import { expect, it } from 'vitest';
import { LiveRun } from '../../src/console/model/live-run.ts';
import { listNotes } from '../../src/console/model/notes.ts';
import { fact } from '../../src/kernel/facts.ts';
import { askWithTools } from '../../src/protocols/common/asking/asking.ts';
import { openAttempt, temporaryStore } from '../kernel/desk.ts';
import {
  makeAnswer,
  makeModelRequest,
  makeSeat,
  ScriptedModels,
} from '../kernel/scripted-models.ts';
import { makeRepository, toolsOver } from '../tools/repository.ts';
import { viewOfRun } from './views.ts';

it('a column shows which files its seat reads with tools, and then the seat’s answer', async () => {
  const journal = temporaryStore().create('board');
  journal.note([
    fact('run.started', {
      protocol: 'board',
      question: 'How long?',
      seats: [makeSeat('critic')],
      config: {},
      request: { kind: 'convene' },
    }),
  ]);
  const read = { id: 'c', name: 'read', arguments: { path: 'src/clock.ts' } };
  const models = new ScriptedModels(({ messages }) =>
    messages.length === 1
      ? makeAnswer('', { calls: [read] })
      : makeAnswer('Three seconds (S-1#L1).'),
  );
  const { run } = openAttempt(journal, models, { tools: toolsOver(makeRepository()) });
  await askWithTools(run, 'seat/critic', makeModelRequest('critic'));
  const facts = journal.facts();

  const found = 'S-1 read src/clock.ts, lines 1-2 of 2';
  const asFar = (type: string): LiveRun => {
    const end = facts.findIndex((fact) => fact.type === type) + 1;
    const some = facts.slice(0, end);
    return new LiveRun(some, viewOfRun(some), Date.now, () => undefined);
  };
  const readNotes = (runModel: LiveRun): string[] => {
    const stream = runModel.columns[0]?.stream;
    return stream === undefined ? [] : listNotes(stream, 80, Date.now()).map(({ text }) => text);
  };
  // Use only the facts up to the tool call. At that time the seat has not answered yet.
  const meanwhile = asFar('tool.called');
  expect(readNotes(meanwhile)).toEqual(['Looking things up.', `→ ${found}`]);
  expect([meanwhile.answers, meanwhile.asking]).toEqual([0, true]);

  const whole = new LiveRun(facts, viewOfRun(facts), Date.now, () => undefined);
  expect(whole.columns[0]?.stream.text.text).toBe('Three seconds (S-1#L1).');
  expect(readNotes(whole)).toContain(`→ ${found}`);
  expect(whole.answers).toBe(1);
  expect(whole.steps.all.get('seat/critic/turn-1/tool-1')?.found).toBe(found);
  expect(whole.log.find(({ type }) => type === 'tool.called')?.summary).toBe(`critic: ${found}`);
});
