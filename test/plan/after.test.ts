/** Tests what happens to a plan after its run: answers from other terminals, a resume, a team. */
import { describe, expect, it } from 'vitest';
import { leaveAnswer } from '../../src/app/run/intervene.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { findUnsoundSetting } from '../../src/protocols/plan/past.ts';
import { plan } from '../../src/protocols/plan/plan.ts';
import { questionOf } from '../../src/protocols/plan/view/lines.ts';
import {
  goalOf,
  problemsWithSpec,
  specFileSchema,
  specOf,
} from '../../src/protocols/team/rules/spec.ts';
import { makeOneTaskPlan, TeamRunner } from '../team/harness.ts';
import { makeClash, makeConflictReader, makePlanModels, seatsOf, World } from './harness.ts';
import { House, makeSpecialistFile, REHEARSE, SPEC, TOPIC_FILE } from './house.ts';

const TWO = { conflicts: makeConflictReader([makeClash('How long?', ['security-1', 'ux-1'])]) };

describe('the command "deliberate answer", which answers a question of a waiting run,', () => {
  it('accepts a decision in the person’s own words', async () => {
    const world = new World();
    world.index().close();
    const store = world.store();
    const journal = store.create('plan');
    const config = world.config(['security', 'ux', 'data'], { person: true });
    const session = new Session({
      journal,
      protocol: plan as Protocol,
      models: makePlanModels({ script: TWO }),
      tools: world.tools(),
      answer: async () => {
        await expect(
          leaveAnswer(store, journal.run, { choice: 'own', by: 'person' }),
        ).rejects.toThrow('needs words of yours: What is to hold?');
        await expect(
          leaveAnswer(store, journal.run, { choice: 'together', by: 'person' }),
        ).rejects.toThrow('needs words of yours: How can all of them be followed?');
        await expect(
          leaveAnswer(store, journal.run, { choice: 'ux-1: but not so', by: 'person' }),
        ).rejects.toThrow('is not one of the choices');
        await leaveAnswer(store, journal.run, { choice: 'own: An hour: no more', by: 'person' });
        return { answer: 'own: An hour: no more', by: 'person' };
      },
    });
    await session.begin({ question: 'Stay signed in', seats: seatsOf(config), config });
    await session.close();
    const said = store.facts(journal.run).filter(({ type }) => type === 'statements.made');
    expect(JSON.stringify(said.at(-1))).toContain('"text":"An hour: no more"');
  });
});

it('no specialist can be named "person", because that name stands for the person', async () => {
  const house = new House({ '.deliberate/specialists/person.md': makeSpecialistFile('ux') });
  const refused = await house.runHere(['plan', TOPIC_FILE, ...REHEARSE]);
  expect(refused.err).toContain('a specialist cannot be called person');
  const config = new World().config(['person']);
  expect(findUnsoundSetting(seatsOf(config), config)?.message).toContain('cannot be called person');
});

it('the console shows the question that a research call is to answer', async () => {
  const held = await new World().makePlan({
    script: {
      questions: ({ seat }) => ({
        questions: seat.id === 'ux' ? [{ question: 'Who asks twice?', why: 'so' }] : [],
      }),
    },
  });
  const calls = Object.values(viewOf(held.facts).calls);
  const step = calls.find(({ task }) => task === 'plan/research')?.step;
  expect(questionOf(step?.replace(/\/turn-\d+$/, '') ?? '', held.view)).toBe('Who asks twice?');
});

describe('a plan that was begun with --yes', () => {
  it('has its files written by "deliberate resume" if its process ended after the plan was recorded and before its files were written', async () => {
    const house = new House();
    const store = house.store();
    const journal = store.create('plan');
    const config = house.config(['security', 'ux'], { accept: true });
    const session = new Session({
      journal,
      protocol: plan as Protocol,
      models: makePlanModels({}),
      tools: house.tools(),
      answer: async () => {
        throw new Error('nobody is asked');
      },
    });
    house.index().close();
    await session.begin({ question: 'Stay signed in', seats: seatsOf(config), config });
    await session.close();
    store.setLookRoot(journal.run, 'repo', house.folder);
    store.close();
    const resumed = await house.runHere(['resume', journal.run, '--plain']);
    expect(resumed).toMatchObject({ code: 0, out: expect.stringContaining('.spec.md') });
    expect(house.has(SPEC.replace('clock', 'stay-signed-in'))).toBe(true);
  });
});

describe('a team run that starts from a finished plan', () => {
  const makeSpec = async () => {
    const held = await new World().makePlan({ script: TWO });
    const text = held.files.find(({ path }) => path.endsWith('.spec.json'))?.text ?? '';
    return specFileSchema.parse(JSON.parse(text));
  };

  it('turns the plan’s decisions into requirements', async () => {
    const file = await makeSpec();
    const spec = specOf(file);
    expect(spec.requirements.map(({ id }) => id)).toEqual(
      file.decisions.map((_, at) => `R${at + 1}`),
    );
    expect(goalOf(file, spec)).toMatch(/R1: Do: [^\n]+\n {2}- rests on \w+-\d: /);
    expect(spec.questions).toMatchObject([
      { id: 'Q-1', options: [{ id: 'security-1' }, { id: 'ux-1' }] },
    ]);
    const kept = spec.requirements.map(({ id, text }) => ({ id, text, proof: 'read' as const }));
    expect(problemsWithSpec(makeOneTaskPlan({ requirements: kept }), spec)).toEqual([]);
    const other = kept.map((requirement, at) =>
      at === 0 ? { ...requirement, text: 'Something else.' } : requirement,
    );
    expect(
      problemsWithSpec(makeOneTaskPlan({ requirements: other.slice(0, -1) }), spec),
    ).toHaveLength(2);
  });

  it('does not start before the person has settled the open conflicts', async () => {
    const spec = { ...specOf(await makeSpec()), requirements: [] };
    const open = new TeamRunner();
    const stopped = await open.begin({
      config: { spec, planOnly: true },
      answer: open.makeAnswerer(),
    });
    expect(stopped.ending).toMatchObject({ status: 'failed' });
    expect(stopped.askedTasks).toEqual([]);
    const house = new TeamRunner();
    const answer = house.makeAnswerer({ 'spec/Q-1': 'own: Half an hour.' });
    const held = await house.begin({ config: { spec, planOnly: true }, answer });
    expect(house.gates[0]).toContain('Nobody begins before you do.');
    expect(JSON.stringify(held.models)).toContain('Decided by the person: Half an hour.');
  });
});
