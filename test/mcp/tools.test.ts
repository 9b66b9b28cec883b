/** Promise: a coding agent of either era can convene, wait, answer, stop, read, ask and list. */
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { run as program } from '../e2e/program.ts';
import { viewIn } from '../e2e/scene.ts';
import { Agent, ERAS, tokensOf } from './agent.ts';

const NAMES = ['convene', 'wait', 'answer', 'stop', 'inspect', 'ask', 'list'];
const BOARD = { question: 'Should we split the monolith?' };
const ROUNDS = {
  ...{ question: 'Should we split it?', kind: 'rounds', preset: 'software-review' },
  ...{ rounds: 10, gates: true },
};
const SLOW = ['--rehearse', '--rehearse-speed', '1'];

describe.each(ERAS)('a client of the %s era', (era) => {
  it('finds seven tools in one order, each of which says what it does and answers with', async () => {
    const { client } = await Agent.start({ era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    for (const { name, description = '', outputSchema, annotations } of tools) {
      expect(description.length, name).toBeLessThan(400);
      expect(outputSchema, name).toMatchObject({ type: 'object' });
      expect(annotations, name).toMatchObject({ destructiveHint: false });
      expect(annotations?.readOnlyHint, name).toBe(name === 'inspect' || name === 'list');
    }
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'convene',
      'second-opinion',
      'review-diff',
    ]);
    const { messages } = await client.getPrompt({ name: 'convene', arguments: BOARD });
    expect(JSON.stringify(messages)).toContain(BOARD.question);
  });

  it('convenes a board, and reads the recommendation and N of M first, in 3,000 tokens', async () => {
    const agent = await Agent.start({ era });
    const told: string[] = [];
    const done = await agent.call('convene', BOARD, { onprogress: (said) => told.push(said) });
    expect(done.is).toMatchObject({ status: 'done', kind: 'board', seats: { answered: 3, of: 3 } });
    expect(done.text.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^Recommendation: \S/),
      '3 of 3 seats.',
    ]);
    expect(done.text).toContain('REHEARSAL');
    expect(tokensOf(done)).toBeLessThan(3_000);
    expect(told.join('\n')).toMatch(/Critic has answered[\s\S]*Synthesizer is asked/);
    const { run } = done.is;
    expect(done.result.content.slice(1)).toMatchObject(
      ['report.md', 'report.html'].map((file) => ({
        type: 'resource_link',
        uri: `deliberate://run/${run}/${file}`,
      })),
    );
    for (const [part, words] of [
      ['synthesis', '## Recommendation'],
      ['seat', '- critic: Critic'],
      ['vote', '## Who holds what'],
      ['dissent', '## Points of Divergence'],
      ['cost', 'tokens'],
    ])
      expect((await agent.call('inspect', { run, part })).text).toContain(words);
    const seat = await agent.call('inspect', { run, part: 'seat', seat: 'Critic' });
    expect(seat.text).toContain('### seat/critic');
    const nobody = await agent.call('inspect', { run, part: 'seat', seat: 'Nobody' });
    expect([nobody.isError, nobody.text]).toEqual([
      true,
      expect.stringContaining('no seat of that name. It has: '),
    ]);
    const none = await agent.call('inspect', { run, part: 'signals' });
    expect([none.isError, none.text]).toEqual([
      true,
      'This run has no signals. It has: synthesis, seat, vote, dissent, cost.',
    ]);
    const { contents } = await agent.client.readResource({
      uri: `deliberate://run/${run}/report.md`,
    });
    expect(contents).toMatchObject([{ text: expect.stringContaining('# Should we split') }]);
    const listed = await agent.call('list', {});
    expect(listed.result.structuredContent).toMatchObject({ runs: [{ run, status: 'done' }] });
  });

  it('is told of a run that has begun before, asks it more, and asks nothing twice', async () => {
    const agent = await Agent.start({ era });
    const first = await agent.call('convene', BOARD);
    const again = await agent.call('convene', BOARD);
    expect(again.is.run).toBe(first.is.run);
    expect(again.text).toContain('this is that run');
    const further = { run: first.is.run, question: 'And if it fails?' };
    const asked = await agent.call('ask', further);
    expect(asked.is.spent.calls).toBeGreaterThan(first.is.spent.calls);
    const askedAgain = await agent.call('ask', further);
    expect(askedAgain.is.spent.calls).toBe(asked.is.spent.calls);
    const other = await agent.call('convene', { ...BOARD, again: true });
    expect(other.is.run).not.toBe(first.is.run);
  });

  it('answers a gate through elicitation', async () => {
    const answers = ['continue', 'stop'];
    const agent = await Agent.start({
      era,
      elicit: () => ({ action: 'accept', content: { choice: answers.shift() ?? 'stop' } }),
    });
    const done = await agent.end(await agent.call('convene', { ...ROUNDS, wait_seconds: 0 }));
    expect(done.is.status).toBe('done');
    expect(agent.elicited.length).toBeGreaterThan(0);
    expect(agent.elicited[0]).toMatch(/^After round \d+: .* Stop with a synthesis\?$/);
    const claims = await agent.call('inspect', { run: done.is.run, part: 'claims' });
    expect(claims.text).toMatch(/## Claims/);
    const signals = await agent.call('inspect', { run: done.is.run, part: 'signals' });
    expect(signals.text).toContain('of 6');
    const { contents } = await agent.client.readResource({
      uri: `deliberate://run/${done.is.run}/claims.jsonl`,
    });
    expect(JSON.stringify(contents)).toContain('C-1-1');
  });

  it('takes no answer for that of another question, which was asked meanwhile', async () => {
    const elicit = async (): Promise<ElicitResult> => {
      if (agent.elicited.length > 1) return { action: 'decline' };
      // While the person looks at the first question, it is answered in a terminal.
      const { gate: first } = viewIn(agent.db);
      const env = { DELIBERATE_DB: agent.db };
      expect((await program(['answer', 'latest', 'continue'], { env })).code).toBe(0);
      const isOther = () => ![undefined, first?.step].includes(viewIn(agent.db).gate?.step);
      await expect.poll(isOther, { timeout: 20_000 }).toBe(true);
      return { action: 'accept', content: { choice: 'stop' } };
    };
    const agent: Agent = await Agent.start({ era, elicit });
    const gate = await agent.end(await agent.call('convene', { ...ROUNDS, wait_seconds: 0 }));
    expect(gate.is.status).toBe('waiting');
    expect(agent.elicited).toHaveLength(2);
  });

  it('answers a gate with the tool where it cannot ask, as a program and not as a person', async () => {
    const agent = await Agent.start({ era });
    const gate = await agent.end(await agent.call('convene', { ...ROUNDS, wait_seconds: 0 }));
    expect(gate.is).toMatchObject({
      status: 'waiting',
      gate: { answerable: true, choices: [{ choice: 'stop' }, { choice: 'continue' }] },
    });
    const { run } = gate.is;
    const id = gate.is.gate?.id;
    expect((await agent.call('answer', { run, gate: id, choice: 'maybe' })).text).toContain(
      '"maybe" is not one of the choices',
    );
    expect((await agent.call('answer', { run, gate: 'other', choice: 'stop' })).isError).toBe(true);
    const answered = await agent.call('answer', { run, gate: id, choice: 'stop' });
    expect(answered.is.gate).toBeUndefined();
    const done = await agent.end(answered);
    expect(done.is.status).toBe('done');
    const page = await agent.client.readResource({ uri: `deliberate://run/${run}/report.md` });
    expect(JSON.stringify(page)).toContain('Stopped by the program that asked');
  });

  it('is not asked again by the person who gave no answer', async () => {
    const agent = await Agent.start({ era, elicit: () => ({ action: 'decline' }) });
    const gate = await agent.end(await agent.call('convene', { ...ROUNDS, wait_seconds: 0 }));
    expect(gate.is.status).toBe('waiting');
    expect(gate.text).toContain('The person gave no answer.');
    expect(agent.elicited).toHaveLength(1);
  });

  it('stops a run, goes on with it, and a cancelled wait ends nothing', async () => {
    const agent = await Agent.start({ era, flags: SLOW });
    const begun = await agent.call('convene', { ...BOARD, wait_seconds: 0 });
    expect(begun.is.status).toBe('running');
    const { run } = begun.is;
    const cancel = new AbortController();
    const waiting = agent.call('wait', { run }, { signal: cancel.signal });
    setTimeout(() => cancel.abort('enough'), 500);
    await expect(waiting).rejects.toThrow();
    expect((await agent.call('wait', { run, wait_seconds: 0 })).is.status).toBe('running');
    const stopped = await agent.call('stop', { run });
    expect(stopped.is).toMatchObject({
      status: 'stopped',
      next: expect.stringContaining('resume'),
    });
    const resumed = await agent.call('wait', { run, resume: true, wait_seconds: 0 });
    expect(resumed.is).toMatchObject({ run, status: 'running' });
    expect(viewIn(agent.db).id).toBe(run);
  });

  it('hears from a run at least every 10 s while it waits', async () => {
    const agent = await Agent.start({ era, flags: ['--rehearse', '--rehearse-speed', '0.05'] });
    const begun = await agent.call('convene', { ...BOARD, wait_seconds: 0 });
    const heard: string[] = [];
    const { run } = begun.is;
    const waited = await agent.call(
      'wait',
      { run, wait_seconds: 12 },
      { onprogress: (said) => heard.push(said) },
    );
    expect(waited.is.status).toBe('running');
    expect(heard).toContain('still at work');
  });
});
