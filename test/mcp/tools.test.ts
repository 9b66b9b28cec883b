/**
 * Promise: a coding agent of either era can convene, wait, answer, stop, read, ask and list. That a run is
 * found again is tried in one era, and in both in the long form.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { factsIn } from '../e2e/deliberators.ts';
import { runProgram as program } from '../e2e/program.ts';
import { viewIn } from '../e2e/scene.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { MCP_PROGRAM } from '../servers/tool-servers.ts';
import { temporaryFolder } from '../store/folder.ts';
import { Agent, ERAS, tokensOf } from './agent.ts';

const NAMES = ['convene', 'wait', 'answer', 'stop', 'inspect', 'ask', 'list'];
const BOARD = { question: 'Should we split the monolith?' };
const ROUNDS = {
  question: 'Should we split it?',
  kind: 'rounds',
  preset: 'software-review',
  rounds: 10,
  gates: true,
};
/** Flags for a rehearsal that is slow enough to be running for as long as the tests look at it. */
const SLOW = ['--rehearse', '--rehearse-speed', '0.05'];

describe.each(ERAS)(
  'an MCP client of `deliberate mcp` with the %s version of the protocol',
  (era) => {
    const shared = Agent.shared(() => ({ era }));

    it('gets seven tools in a fixed order, each with a description', async () => {
      const { client } = shared();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(NAMES);
      for (const { name, description = '', outputSchema, annotations } of tools) {
        expect(description, name).not.toBe('');
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

    it('gets the recommendation of a board first, in an answer of at most 3,000 tokens', async () => {
      const agent = shared();
      const told: string[] = [];
      const done = await agent.call('convene', BOARD, { onprogress: (said) => told.push(said) });
      expect(done.standing).toMatchObject({
        status: 'done',
        kind: 'board',
        seats: { answered: 3, of: 3 },
      });
      expect(done.text.split('\n').slice(0, 2)).toEqual([
        expect.stringMatching(/^Recommendation: \S/),
        '3 of 3 seats.',
      ]);
      expect(done.text).toContain('REHEARSAL');
      expect(tokensOf(done)).toBeLessThan(3_000);
      expect(told.join('\n')).toMatch(/Critic has answered[\s\S]*Synthesizer is asked/);
      const { run } = done.standing;
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

    it.runIf(era === 'modern')(
      'can give seats the tool servers that the person configured, and no others',
      async () => {
        const home = temporaryFolder();
        const command = [process.execPath, MCP_PROGRAM];
        mkdirSync(join(home, '.config/deliberate'), { recursive: true });
        writeFileSync(
          join(home, '.config/deliberate/config.yaml'),
          `tools:\n  search:\n    command: ${JSON.stringify(command)}\n`,
        );
        const tracker = { command: process.execPath, args: [MCP_PROGRAM] };
        writeFileSync(join(home, '.mcp.json'), JSON.stringify({ mcpServers: { tracker } }));
        const agent = await Agent.start({ era, env: { HOME: home }, cwd: home });
        const done = await agent.call('convene', { ...BOARD, tools: ['search'] });
        expect(done.standing).toMatchObject({ status: 'done' });
        const seat = { run: done.standing.run, part: 'seat', seat: 'Critic' };
        expect((await agent.call('inspect', seat)).text).toMatch(/Looked at S-\d#L1\./);
        for (const tools of [['.mcp.json#tracker'], ['tracker']]) {
          const refused = await agent.call('convene', { ...BOARD, tools });
          expect([refused.isError, refused.text]).toEqual([
            true,
            expect.stringMatching(/no such server|expected the name of a tool server/),
          ]);
        }
      },
    );

    it.runIf(LONG || era === 'modern')(
      'gets the existing run if it asks for the same run again, so that nothing is paid for twice',
      async () => {
        const agent = shared();
        const first = await agent.call('convene', BOARD);
        const again = await agent.call('convene', BOARD);
        expect(again.standing.run).toBe(first.standing.run);
        expect(again.text).toContain('this is that run');
        const further = { run: first.standing.run, question: 'And if it fails?' };
        const asked = await agent.call('ask', further);
        expect(asked.standing.spent.calls).toBeGreaterThan(first.standing.spent.calls);
        const askedAgain = await agent.call('ask', further);
        expect(askedAgain.standing.spent.calls).toBe(asked.standing.spent.calls);
        const other = await agent.call('convene', { ...BOARD, again: true, wait_seconds: 0 });
        expect(other.standing.run).not.toBe(first.standing.run);
      },
    );

    it('can ask its person the question that a run waits for, or answer the question itself', async () => {
      const agent = shared();
      const silent = await agent.waitForEnd(
        await agent.call('convene', { ...ROUNDS, wait_seconds: 0 }),
      );
      expect(silent.standing).toMatchObject({
        status: 'waiting',
        gate: { answerable: true, choices: [{ choice: 'stop' }, { choice: 'continue' }] },
      });
      const { run } = silent.standing;

      // The client `asking` can show questions to the person. If the person declines to answer, the same call
      // of the tool does not ask again.
      const { db } = agent;
      const asking = await Agent.start({ era, db, elicit: () => ({ action: 'decline' }) });
      const declined = await asking.waitForEnd(silent);
      expect(declined.standing.status).toBe('waiting');
      expect(declined.text).toContain('The person gave no answer.');
      expect(asking.elicited).toEqual([
        expect.stringMatching(/^After round \d+: .* Stop with a synthesis\?$/),
      ]);

      // While the client `asking` shows the person a question of the run, answer this question at a terminal.
      // The client must then show the person the run's next question.
      asking.elicit = async (): Promise<ElicitResult> => {
        if (asking.elicited.length > 2) return { action: 'decline' };
        const { gate: first } = viewIn(db);
        const answered = await program(['answer', run, 'continue'], { env: { DELIBERATE_DB: db } });
        expect(answered.code).toBe(0);
        const isOther = () => ![undefined, first?.step].includes(viewIn(db).gate?.step);
        await expect.poll(isOther).toBe(true);
        return { action: 'accept', content: { choice: 'stop' } };
      };
      const other = await asking.waitForEnd(declined);
      expect(other.standing.status).toBe('waiting');
      expect(asking.elicited).toHaveLength(3);

      const answers = ['continue'];
      asking.elicit = () => {
        const choice = answers.pop();
        return choice === undefined
          ? { action: 'decline' }
          : { action: 'accept', content: { choice } };
      };
      const third = await asking.waitForEnd(other);
      expect(third.standing.status).toBe('waiting');
      expect(third.standing.gate?.id).not.toBe(other.standing.gate?.id);

      const id = third.standing.gate?.id;
      expect((await agent.call('answer', { run, gate: id, choice: 'maybe' })).text).toContain(
        '"maybe" is not one of the choices',
      );
      const old = { run, gate: other.standing.gate?.id, choice: 'stop' };
      expect((await agent.call('answer', old)).isError).toBe(true);
      const answered = await agent.call('answer', { run, gate: id, choice: 'stop' });
      expect(answered.standing.gate).toBeUndefined();
      const done = await agent.waitForEnd(answered);
      expect(done.standing.status).toBe('done');
      const given = listFactsOfType(factsIn(db), 'gate.answered');
      expect(given.map(({ by, answer }) => [by, answer])).toEqual([
        ['person', 'continue'],
        ['person', 'continue'],
        ['program', 'stop'],
      ]);
      const page = await agent.client.readResource({ uri: `deliberate://run/${run}/report.md` });
      expect(JSON.stringify(page)).toContain('Stopped by the program that asked');
      const claims = await agent.call('inspect', { run, part: 'claims' });
      expect(claims.text).toMatch(/## Claims/);
      const signals = await agent.call('inspect', { run, part: 'signals' });
      expect(signals.text).toContain('of 6');
      const { contents } = await agent.client.readResource({
        uri: `deliberate://run/${run}/claims.jsonl`,
      });
      expect(JSON.stringify(contents)).toContain('C-1-1');
    });

    it('gets a message of progress while it waits for 12 s, and can stop and resume a run', async () => {
      const agent = await Agent.start({ era, flags: SLOW });
      const begun = await agent.call('convene', { ...BOARD, wait_seconds: 0 });
      expect(begun.standing.status).toBe('running');
      const { run } = begun.standing;
      const cancel = new AbortController();
      const waiting = agent.call('wait', { run }, { signal: cancel.signal });
      setTimeout(() => cancel.abort('enough'), 500);
      await expect(waiting).rejects.toThrow();
      const heard: string[] = [];
      const waited = await agent.call(
        'wait',
        { run, wait_seconds: 12 },
        { onprogress: (said) => heard.push(said) },
      );
      expect(waited.standing.status).toBe('running');
      expect(heard).toContain('still at work');
      const stopped = await agent.call('stop', { run });
      expect(stopped.standing).toMatchObject({
        status: 'stopped',
        next: expect.stringContaining('resume'),
      });
      const resumed = await agent.call('wait', { run, resume: true, wait_seconds: 0 });
      expect(resumed.standing).toMatchObject({ run, status: 'running' });
      expect(viewIn(agent.db).id).toBe(run);
    });
  },
);
