/** What prompts say is so: nothing is asked for that is not shown, and nothing named that cannot be used. */
import { describe, expect, it } from 'vitest';
import type { RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { textOf } from '../kernel/scripted-models.ts';
import { blocksIn } from '../protocols/answers.ts';
import { listPrompts, runScriptedRounds } from './acting.ts';

const PLAN = {
  name: 'plan.md',
  text: 'The queue is drained at night.\nThe leader takes 300 orders.',
};
const CLAIM = { text: 'The queue keeps its order.', about: 'both' } as const;

const holdRounds = (config: Partial<RoundsConfig> = {}) =>
  runScriptedRounds(
    {
      hands: (role, round) => (role === 'critic' && round === 1 ? { claims: [CLAIM] } : undefined),
      results: () => 'ROBUST',
    },
    { rounds: 2, attachments: [PLAN], ...config },
  );

/** Runs rounds with the prompts of edition 2, as runs that began with them. */
const heldBefore = () => holdRounds({ prompts: 2 });

const getLastPart = (prompt: string | undefined): string => prompt?.split('\n\n').at(-1) ?? '';

describe('a round of a deliberation', () => {
  it('asks for claims before the task, and reminds the seat of them after it', async () => {
    const run = await holdRounds();
    const earlier = await heldBefore();
    for (const prompt of listPrompts(run, 'artifact')) {
      expect(prompt).toContain('Beside your artifact, state 1 to 2 claims from your role');
      expect(prompt).not.toContain('Beside it, state');
      expect(prompt.lastIndexOf('In the same answer, state the claims')).toBeGreaterThan(
        prompt.indexOf('Hand in your'),
      );
    }
    expect(listPrompts(earlier, 'artifact')[0]).toContain('Beside it, state 1 to 2 claims');
  });

  it('shows in the lead’s prompt the records before the round and the present records under different titles', async () => {
    const run = await holdRounds();
    const earlier = await heldBefore();
    const listStates = (prompts: readonly string[]) =>
      prompts.map((prompt) =>
        blocksIn(prompt).flatMap(({ from }) => (from.startsWith('the state') ? [from] : [])),
      );
    expect(listStates(listPrompts(run, 'assessment'))).toEqual([
      ['the state of the record now'],
      ['the state of the record before this round', 'the state of the record now'],
    ]);
    expect(listStates(listPrompts(earlier, 'assessment')).at(-1)).toEqual([
      'the state of the record',
      'the state of the record',
    ]);
  });

  it('registers two claims that differ in nothing but a citation as one claim', async () => {
    const runTwins = (config: Partial<RoundsConfig> = {}) =>
      runScriptedRounds(
        {
          hands: (role) => ({
            claims:
              role === 'critic'
                ? [
                    {
                      text: 'A leader that fails at night loses the queue (attachments/plan.md#L1).',
                    },
                  ]
                : role === 'guardian'
                  ? [
                      {
                        text: 'A leader that fails at night loses the queue.',
                        testable_as: 'Kill it.',
                      },
                    ]
                  : [],
          }),
        },
        { attachments: [PLAN], ...config },
      );
    expect(Object.keys((await runTwins()).view.claims)).toHaveLength(1);
    expect(Object.keys((await runTwins({ rules: 3 })).view.claims)).toHaveLength(2);
  });

  it('asks the reader to quote the numbers that decide a claim', async () => {
    const [now = ''] = listPrompts(await holdRounds(), 'reading');
    const [before = ''] = listPrompts(await holdRounds({ prompts: 3 }), 'reading');
    expect(now).toContain('the figures count: quote them');
    expect(before).not.toContain('the figures count');
  });

  it('says in the prompt that a claim can replace a decided claim, but no open one', async () => {
    const run = await holdRounds();
    const [prompt = ''] = listPrompts(run, 'artifact');
    expect(prompt).toContain('replaces: the id of a decided claim on record');
    expect(prompt).toContain('A claim that is still open is not replaced.');
  });

  it('tells the verifier in each check which places it can cite', async () => {
    const run = await holdRounds();
    const checks = run.models.requests.filter(({ task }) => task === 'rounds/check').map(textOf);
    expect(checks.length).toBeGreaterThan(6);
    for (const prompt of checks) {
      expect(prompt).toContain(
        'Lines of an attachment can be cited, like attachments/plan.md#L10-L12, and these, and nothing else:',
      );
      expect(prompt).not.toMatch(/Besides these|These can be cited, and nothing else/);
      expect(prompt).toContain('Where the material does not decide, the result is UNCLEAR');
      expect(prompt.includes('The proposal and what was added to it are no places')).toBe(
        prompt.includes('Check 4: '),
      );
    }
  });

  it('does not mention UNCLEAR or citing to the verifier where these are no possible answers, nor a claim’s test to the lead', async () => {
    const run = await holdRounds();
    const earlier = await heldBefore();
    for (const kind of ['bearings', 'reading', 'drift'])
      for (const prompt of listPrompts(run, kind)) {
        expect(prompt).toContain('You verify a deliberation that you are no part of.');
        expect(prompt).not.toMatch(/UNCLEAR: that|and cite it/);
      }
    const [bearings = ''] = listPrompts(run, 'bearings');
    expect(bearings).toContain('Look at the reasoning of each verdict and at the places');
    const [assessment = ''] = listPrompts(run, 'assessment');
    expect(assessment).not.toContain('with the test named in its text');
    expect(listPrompts(earlier, 'reading')[0]).toContain('you say UNCLEAR');
  });

  it('tells a seat which of the quoted blocks it has written itself', async () => {
    const run = await holdRounds();
    const [prompt = ''] = listPrompts(run, 'artifact');
    expect(prompt).toMatch(/What was said stands in blocks/);
    const own = listPrompts(run, 'artifact').map((prompt) =>
      /The block from "([^"]+)" is your own (\w+)\.$/m.exec(prompt)?.slice(1),
    );
    expect(own).toContainEqual(['the lead, Action', 'proposal']);
    expect(own).toContainEqual(['Critic', 'supplement']);
    expect(getLastPart(listPrompts(run, 'assessment')[0])).toMatch(
      /^The block from "the lead, .*" is your/,
    );
    for (const prompt of listPrompts(run, 'artifact'))
      for (const from of /The block from "([^"]+)"/.exec(prompt)?.slice(1) ?? [])
        expect(blocksIn(prompt).map((block) => block.from)).toContain(from);
  });
});
