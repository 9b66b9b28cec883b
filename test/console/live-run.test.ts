/** What the console knows of a run, without a screen: facts and live news in, plain values out. */

import { describe, expect, test } from 'vitest';
import type { CallStream } from '../../src/console/model/call-stream.ts';
import { LiveRun } from '../../src/console/model/live-run.ts';
import { listNotes } from '../../src/console/model/notes.ts';
import { formatState } from '../../src/console/model/states.ts';
import { Steps } from '../../src/console/model/steps.ts';
import { formatSynthesisTitle, listRemarkLines } from '../../src/console/run/sections/remarks.ts';
import { NO_USAGE } from '../../src/kernel/model.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { FakeRun, makeFakeSeat, PANEL } from './fake-run.ts';
import { board, viewOfRun } from './views.ts';

function startLiveRun(run: FakeRun): { runModel: LiveRun; changes: () => number } {
  let changes = 0;
  const runModel = new LiveRun(run.facts, viewOfRun(run.facts), run.now, () => {
    changes += 1;
  });
  run.bus.subscribe(runModel);
  return { runModel, changes: () => changes };
}

function getStream(runModel: LiveRun, id: string): CallStream {
  const column = runModel.columns.find((column) => column.seat.id === id);
  if (column === undefined) throw new Error(`no seat ${id}`);
  return column.stream;
}

function askCritic(): {
  run: FakeRun;
  runModel: LiveRun;
  critic: CallStream;
  changes: () => number;
} {
  const run = new FakeRun().open('Why?');
  const { runModel, changes } = startLiveRun(run);
  run.ask('critic').send('critic');
  return { run, runModel, critic: getStream(runModel, 'critic'), changes };
}

describe('the output of a call', () => {
  test('is shown while it arrives, with a short text such as "waiting 3s" or "silent 5s"', () => {
    const { run, critic } = askCritic();
    expect(formatState(critic, run.wait(3200).time)).toBe('waiting 3s');
    for (let second = 0; second < 6; second += 1) run.wait(500).say('critic', 'x'.repeat(96));
    expect(formatState(critic, run.time)).toBe('▮ ~48 t/s');
    expect(formatState(critic, run.wait(5000).time)).toBe('▮ silent 5s');
    run.wait(1100).done('critic');
    expect(formatState(critic, run.time)).toBe('✓ 12s');
    expect(critic.text.text).toBe('x'.repeat(96 * 6));
  });

  test('shows that the call waits in a queue or for the next attempt', () => {
    const { run, critic } = askCritic();
    run.news('critic', { type: 'queued', behind: 'ollama/qwen3:8b' });
    expect(formatState(critic, run.time)).toBe('queued behind ollama/qwen3:8b');
    run.news('critic', { type: 'retrying', attempt: 1, delayMs: 4000, reason: 'overloaded' });
    expect(formatState(critic, run.wait(600).time)).toBe('retrying in 4s (attempt 2): overloaded');
    expect(listNotes(critic, 60, run.time).map(({ text }) => text)).toEqual([
      '✗ Attempt 1 failed: overloaded',
      'Trying again in 4s.',
    ]);
  });

  test('names the seat that keeps the model busy if the call has waited long', () => {
    const makeSeat = (id: string, name: string, model: string) => makeFakeSeat(id, name, model);
    const run = new FakeRun().open('Why?', [
      makeSeat('advocate', 'Advocate', 'openai/m'),
      makeSeat('critic', 'Critic', 'openai/m'),
      makeSeat('analyst', 'Analyst', 'openai/other'),
    ]);
    const { runModel } = startLiveRun(run);
    const [advocate, critic, analyst] = ['advocate', 'critic', 'analyst'].map((id) =>
      getStream(runModel, id),
    ) as [CallStream, CallStream, CallStream];
    run.ask('advocate', 'critic', 'analyst');
    for (const seatId of ['advocate', 'critic', 'analyst']) run.send(seatId);
    run.wait(1000).say('advocate', 'So ');
    expect(formatState(critic, run.time)).toBe('waiting 1s');
    run.wait(4000).say('advocate', 'it is.');
    expect(formatState(critic, run.time)).toBe('waiting behind Advocate 5s');
    expect(listNotes(critic, 60, run.time).map(({ text }) => text)).toEqual([
      'Waiting: the same model is answering Advocate.',
    ]);
    expect(formatState(analyst, run.time)).toBe('waiting 5s');
    run.done('advocate');
    expect(formatState(critic, run.time)).toBe('waiting 5s');
    run.say('critic', 'No.');
    expect(formatState(critic, run.time)).toMatch(/^▮/);
    expect(advocate.isWaiting).toBe(false);
  });

  test('says that the model is being loaded instead of reporting a failure', () => {
    const { run, critic } = askCritic();
    const reason = 'openai: Loading model (HTTP 503)';
    run.news('critic', { type: 'retrying', attempt: 7, delayMs: 4000, reason, loading: true });
    expect(formatState(critic, run.wait(600).time)).toBe(`loading, asked again in 4s: ${reason}`);
    expect(listNotes(critic, 90, run.time)).toEqual([
      { text: `The server is loading the model: ${reason}`, look: 'dim' },
      { text: 'Asking again in 4s.', look: 'dim' },
    ]);
  });

  test('is dropped when the call is sent again', () => {
    const { run, critic } = askCritic();
    run.say('critic', 'The first att').send('critic', 2).say('critic', 'The second.');
    expect(critic.text.text).toBe('The second.');
  });

  test('ignores live events of a call that has ended', () => {
    const { run, critic, changes } = askCritic();
    run.say('critic', 'Yes.').done('critic');
    const before = changes();
    run.say('critic', ' Late.');
    expect(critic.text.text).toBe('Yes.');
    expect(changes()).toBe(before);
  });

  test('is complete at the end, even if live events were lost', () => {
    const run = new FakeRun().open('Why?').ask('critic').send('critic');
    run.say('critic', 'Nobody heard this. ');
    const { runModel } = startLiveRun(run);
    run.say('critic', 'And this somebody did.');
    expect(getStream(runModel, 'critic').text.text).toBe('And this somebody did.');
    run.done('critic');
    expect(getStream(runModel, 'critic').text.text).toBe(
      'Nobody heard this. And this somebody did.',
    );
  });

  test('shows the model’s thinking until the answer begins', () => {
    const { run, critic } = askCritic();
    run.think('critic', 'One two three.\nFour fi').think('critic', 've six');
    expect(critic.thinking.words).toBe(6);
    expect(listNotes(critic, 60, run.time).map(({ text }) => text)).toEqual([
      'thinking · 6 words',
      'One two three.',
      'Four five six',
    ]);
    run.say('critic', 'So: yes.');
    expect(listNotes(critic, 60, run.time)).toEqual([]);
  });

  test('stays visible after a failure, with the reason', () => {
    const { run, critic } = askCritic();
    run.say('critic', 'It is bec');
    run.fail('critic', 'timeout', 'nothing arrived for 60 s', 'Raise --idle-timeout.');
    expect(formatState(critic, run.time)).toBe('✗ timed out');
    expect(critic.text.text).toBe('It is bec');
    expect(listNotes(critic, 60, run.time).map(({ text }) => text)).toEqual([
      '',
      '✗ timed out',
      'nothing arrived for 60 s',
      'Raise --idle-timeout.',
      'The text above is partial.',
    ]);
  });

  test('says whether the call was stopped before or after its first words', () => {
    const { run, critic } = askCritic();
    run.say('critic', 'It is bec').stop('critic');
    expect(listNotes(critic, 60, run.time).at(-1)?.text).toBe(
      '■ stopped: the text above is partial',
    );
    run.ask('critic').stop('critic');
    expect(listNotes(critic, 60, run.time)[0]?.text).toBe('■ stopped before the first word');
  });

  test('is marked as lost if the run is resumed while no end of the call is on record', () => {
    const { run, runModel, critic } = askCritic();
    run.tell('run.resumed', { request: { kind: 'convene' } });
    expect(critic.phase.kind).toBe('lost');
    expect(critic.canRetry).toBe(true);
    expect(runModel.isLive).toBe(true);
  });

  test('contains no escape sequence, even if a chunk ends within one', () => {
    const { run, critic } = askCritic();
    for (const piece of ['safe \u001b', ']52;c;aGFjaw==', '\u0007 text', ' \u009b31', 'm!'])
      run.say('critic', piece);
    run.done('critic');
    expect(critic.text.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(critic.text.text).toContain('safe');
    expect(critic.text.text).toContain('text');
  });
});

describe('the state of a run', () => {
  test('tells seats of the same role apart by their titles or ids', () => {
    const namesWith = (title: string): string[] => {
      const twice = [...PANEL, makeFakeSeat('critic-2', title, 'ollama/llama3.2:3b')];
      return startLiveRun(new FakeRun().open('Why?', twice)).runModel.columns.map(
        ({ name }) => name,
      );
    };
    expect(namesWith('Critic 2')).toEqual(['Advocate', 'Critic', 'Analyst', 'Critic 2']);
    const same = ['Advocate', 'Critic (critic)', 'Analyst', 'Critic (critic-2)'];
    expect(namesWith('Critic')).toEqual(same);
  });

  test('counts the answers, and the seats that are being asked', () => {
    const { run, runModel } = askCritic();
    expect([runModel.running, runModel.answers]).toEqual([1, 0]);
    run.say('critic', 'Yes.').done('critic');
    expect([runModel.running, runModel.answers]).toEqual([0, 1]);
  });

  test('marks the token count of running calls as estimated', () => {
    const { run, runModel } = askCritic();
    run.say('critic', 'x'.repeat(400));
    expect(runModel.tokens()).toEqual({ count: 100, estimated: true });
    run.done('critic');
    expect(runModel.tokens()).toEqual({ count: 1310, estimated: false });
  });

  test('marks the token count as estimated if a call ended without a count', () => {
    const { run, runModel, critic } = askCritic();
    run.say('critic', 'x'.repeat(2600));
    expect(runModel.tokens()).toEqual({ count: 650, estimated: true });
    run.stop('critic', { ...NO_USAGE, input: 40, output: 650, estimated: true });
    expect(formatState(critic, run.time)).toMatch(/stopped/);
    expect(runModel.tokens()).toEqual({ count: 690, estimated: true });
    expect(runModel.steps.all.get('seat/critic')).toMatchObject({ tokens: 690, estimated: true });
    expect(runModel.log.at(-1)?.summary).toMatch(/, ~690 tok$/);
  });

  test('keeps the text of every synthesis', () => {
    const { run, runModel } = askCritic();
    run.say('critic', 'Yes.').done('critic');
    run.ask('synthesizer/1').say('synthesizer/1', '## Consensus').synthesize(1);
    run.ask('synthesizer/2').say('synthesizer/2', '## Conse');
    expect(
      runModel.syntheses.map(({ version, stream: { running } }) => [version, running]),
    ).toEqual([
      [1, false],
      [2, true],
    ]);
    run.synthesize(2, {
      text: '## Consensus',
      included: ['advocate', 'analyst'],
      excluded: [{ seat: 'critic', reason: 'timed out' }],
      labels: { A: 'analyst', B: 'advocate' },
      note: 'Shorter.',
      missing: ['Recommendation'],
    });
    const second = runModel.syntheses[1];
    if (second === undefined) throw new Error('no second synthesis');
    expect(second.stream.text.text).toBe('## Consensus');
    expect(runModel.syntheses[0]?.stream.text.text).toBe('## Consensus');
    expect(formatSynthesisTitle(second, runModel, board)).toBe(
      'Synthesis v2 · 2 of 3 advisors · without Critic (timed out)',
    );
    expect(listRemarkLines(second, runModel, board)).toEqual([
      'your instruction: Shorter.',
      'missing headings: Recommendation',
    ]);
  });

  test('contains seats’ names where a model’s text says "Advisor A", even if the text arrives in pieces', () => {
    const text =
      '## Consensus\n\nAdvisor A is right, **Advisor B** is not; Advisors A, B and C agree on\nadvisor C (A, B). `Advisor A` is code, and a letter A alone is a letter.';
    const read =
      '## Consensus\n\nCritic is right, **Analyst** is not; Critic, Analyst and Advocate agree on\nAdvocate (Critic, Analyst). `Advisor A` is code, and a letter A alone is a letter.';
    for (const size of [1, 2, 7, 1000]) {
      const { run, runModel } = askCritic();
      run.labels = { A: 'critic', B: 'analyst', C: 'advocate' };
      run.say('critic', 'Yes.').done('critic').ask('synthesizer/1').send('synthesizer/1');
      const readBuffer = (): string => runModel.syntheses[0]?.stream.text.text ?? '';
      for (let from = 0; from < text.length; from += size) {
        run.say('synthesizer/1', text.slice(from, from + size));
        const shown = readBuffer();
        expect(shown.replaceAll(/`[^`]*`?/g, '')).not.toMatch(/advisor/i);
        // A code span shows a seat's name until its closing backtick arrives, and `Advisor A` from then on.
        const mayChange = shown.includes('`');
        if (!mayChange) expect(read.startsWith(shown), shown).toBe(true);
      }
      run.wait(1200).synthesize(1);
      expect(readBuffer()).toBe(read);
      expect(runModel.said('synthesis/1')).toBe(read);
      expect(runModel.syntheses[0]?.stream.phase).toEqual({ kind: 'done', latencyMs: 1200 });
    }
  });

  test('contains the seat’s name where a text says "Advisor A", even if only a later fact says who A is', () => {
    const { run, runModel } = askCritic();
    run.say('critic', 'Yes.').done('critic').ask('synthesizer/1');
    run.say('synthesizer/1', 'Advisor A is right.').wait(700);
    run.synthesize(1, { labels: { A: 'critic' } });
    expect(runModel.syntheses[0]?.stream.text.text).toBe('Critic is right.');
    expect(runModel.said('synthesis/1')).toBe('Critic is right.');
    expect(runModel.syntheses[0]?.stream.phase).toEqual({ kind: 'done', latencyMs: 700 });
  });

  test('is the same whether the run was watched from its beginning or opened after its end', () => {
    const { run, runModel } = askCritic();
    run.say('critic', 'Yes, *because*.').done('critic');
    run.ask('synthesizer/1').say('synthesizer/1', '## Consensus').synthesize(1).end('done');
    const { runModel: later } = startLiveRun(run);
    expect(later.view).toEqual(runModel.view);
    for (const id of ['advocate', 'critic', 'analyst']) {
      expect(getStream(later, id).phase).toEqual(getStream(runModel, id).phase);
      expect(getStream(later, id).text.slice(0, 99)).toEqual(
        getStream(runModel, id).text.slice(0, 99),
      );
    }
  });
});

describe('the state of a board', () => {
  const formatTime = (run: FakeRun, ms: number): string => new Date(run.time + ms).toISOString();

  test('shows a seat’s remaining time after half of its time limit, or at once when the board’s patience has begun', () => {
    const run = new FakeRun().open('Why?');
    const { runModel } = startLiveRun(run);
    run.tell('step.started', {
      step: 'seat/critic',
      attempt: 'first',
      kind: 'call',
      seat: 'critic',
      model: 'a/b',
      deadline: formatTime(run, 60_000),
    });
    const column = runModel.columns.find(({ seat }) => seat.id === 'critic');
    if (column === undefined) throw new Error('no critic');
    expect(runModel.leftOf(column, 1, run.time + 29_000)).toBeUndefined();
    expect(runModel.leftOf(column, 1, run.time + 30_000)).toBe(30_000);
    run.tell('patience.began', {
      question: 1,
      answered: [],
      waitingFor: ['critic'],
      until: formatTime(run, 20_000),
    });
    expect(runModel.leftOf(column, 1, run.time + 5_000)).toBe(15_000);
    run.end('stopped');
    expect(runModel.leftOf(column, 1, run.time + 40_000)).toBeUndefined();
  });

  test('does not count the synthesizer’s table of positions as a synthesis', () => {
    const run = new FakeRun().open('Why?');
    const { runModel } = startLiveRun(run);
    run.ask('synthesizer/1').say('synthesizer/1', '## Consensus').synthesize(1);
    run.tell('step.started', {
      step: 'agreement/1',
      attempt: 'other',
      kind: 'call',
      seat: 'synthesizer',
      model: 'a/b',
    });
    expect(runModel.syntheses.map(({ version }) => version)).toEqual([1]);
    expect(runModel.syntheses[0]?.stream.text.text).toBe('## Consensus');
    expect(runModel.running).toBe(1);
    expect(runModel.asking).toBe(false);
  });

  test('marks each synthesis that leaves out a seat for an ablation', () => {
    const run = new FakeRun().open('Why?');
    const { runModel } = startLiveRun(run);
    run.ask('synthesizer/1').synthesize(1).tell('question.asked', { number: 2, text: 'And?' });
    run.tell('run.resumed', { request: { kind: 'weigh', base: 1, first: 2 } });
    run.ask('synthesizer/2', 'synthesizer/3');
    expect(runModel.syntheses.map(({ ablates, question }) => [ablates, question])).toEqual([
      [undefined, 1],
      [1, 1],
      [1, 1],
    ]);
    run.synthesize(2, { included: ['advocate', 'analyst'] });
    const synthesis = runModel.syntheses[1];
    expect(synthesis && formatSynthesisTitle(synthesis, runModel, board)).toBe(
      'Synthesis v2 · without Critic · for the ablation of v1',
    );
  });

  test('contains the answers to every question', () => {
    const run = new FakeRun().open('Why?');
    const { runModel } = startLiveRun(run);
    run.ask('critic').say('critic', 'First.').done('critic');
    run.tell('question.asked', { number: 2, text: 'And?' });
    run.ask('critic#2').say('critic#2', 'Second.').done('critic#2');
    const said = [1, 2].map(
      (question) =>
        runModel.columnsOf(question).find(({ seat }) => seat.id === 'critic')?.stream.text.text,
    );
    expect(said).toEqual(['First.', 'Second.']);
    expect(runModel.answers).toBe(1);
  });
});

test('a step that a fork copied has no time and no tokens, and counts as its own once it is asked again', () => {
  const steps = new Steps();
  const run = new FakeRun().open('Why?');
  run.ask('critic').wait(500).done('critic');
  const call = run.facts.findLast(({ type }) => type === 'call.completed') as AnyFact & {
    step: string;
  };
  const copied = { ...call, inherited: true };
  const end = { ...call, type: 'step.completed', inherited: 'parent' };
  for (const fact of [copied, end, { ...end, step: 'notes/1' }]) steps.take(fact as AnyFact);
  expect([...steps.all.values()]).toMatchObject([
    { step: call.step, kind: 'call', state: 'done', inherited: true, tookMs: 0, tokens: 0 },
    { step: 'notes/1', kind: 'work', state: 'done', inherited: true, tookMs: 0 },
  ]);
  for (const fact of run.facts.filter((fact) => 'step' in fact)) steps.take(fact);
  expect(steps.all.get(call.step)).toMatchObject({ state: 'done', inherited: false, attempts: 2 });
  expect(steps.all.get(call.step)?.tookMs).toBeGreaterThan(0);
});
