/**
 * Tests that the person may say that the options of a question go together, which is shown as the person's
 * own choice.
 */
import { describe, expect, it } from 'vitest';
import type { GateQuestion } from '../../src/kernel/handle.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import { derivePlanned } from '../../src/protocols/plan/view/display-state.ts';
import { getEnding } from '../../src/protocols/plan/view/wording.ts';
import {
  type FinishedPlan,
  findControl,
  makeAnswersTo,
  makeClash,
  makeConflictReader,
  readSection,
  type Script,
  STATEMENTS_BY_ROLE,
  World,
} from './harness.ts';

const HOW = 'The session ends on shared machines, and nobody is asked on their own.';
const TOGETHER = `together: ${HOW}`;

/** Answers questions to the person in turn; further ones stay open. */
function makeAnswerer(...said: readonly string[]) {
  const gates: (GateQuestion & { readonly step: string })[] = [];
  const answer = async (step: string, question: GateQuestion) => {
    gates.push({ step, ...question });
    return { answer: said[gates.length - 1] ?? 'open', by: 'person' as const };
  };
  return { answer, gates };
}

const formatStandings = ({ view }: FinishedPlan) =>
  deriveStandings(view).map(({ conflict, state, why }) => `${conflict} ${state}: ${why}`);
const liveIn = ({ view }: FinishedPlan) =>
  view.statements.flatMap(({ id, state }) => (state === 'live' ? [id] : []));
const byPerson = { person: true };
const oneQuestion: Script = {
  conflicts: makeConflictReader([makeClash('How long may it be?', ['security-1', 'ux-1'])]),
};
const twoQuestions: Script = {
  conflicts: makeConflictReader([
    makeClash('How long may it be?', ['security-1', 'ux-1']),
    makeClash('Where does it lie?', ['ux-1', 'data-1']),
  ]),
};

describe('the person’s answer that all options of a question are compatible', () => {
  it('is offered as a choice whose text asks how all of them can be followed', async () => {
    const { answer, gates } = makeAnswerer();
    await new World().makePlan({ script: oneQuestion, config: byPerson, answer });
    expect(gates[0]?.options.map(({ value }) => value)).toEqual([
      ...['security-1', 'ux-1', 'together', 'own', 'open'],
    ]);
    const [offered] = gates[0]?.options.filter(({ value }) => value === 'together') ?? [];
    expect(offered?.words).toBe('How can all of them be followed?');
    expect(gates[0]?.default).toBe('open');
  });

  it('settles the question without giving up a statement', async () => {
    const { answer } = makeAnswerer(TOGETHER);
    const held = await new World().makePlan({ script: oneQuestion, config: byPerson, answer });
    expect(held.view.decided).toMatchObject([
      {
        conflict: 'Q-1',
        by: 'person',
        together: { how: HOW, options: ['security-1', 'ux-1'] },
      },
    ]);
    expect(liveIn(held)).toEqual(['security-1', 'security-2', 'ux-1', 'ux-2', 'data-1']);
    expect(formatStandings(held)).toEqual(['Q-1 settled: the person says that they go together']);
    expect(readSection(held.spec, 'Settled')).toEqual([
      `- Q-1: How long may it be? All of it, decided by the person, who says how it goes together: ${HOW}`,
    ]);
    expect(held.prompts('synthesis')[0]).toContain(
      `Settled: the person says that they go together: ${HOW}`,
    );
    const planned = derivePlanned(viewOf(held.facts), held.view);
    expect(held.view.conflicts.map((conflict) => getEnding(conflict, planned))).toEqual([
      {
        state: 'decided',
        tone: 'good',
        brief: 'they go together, decided',
        words: `It is decided: the person says that they go together. ${HOW}`,
      },
    ]);
    const decisions = readSection(held.spec, 'Decisions').join('\n');
    for (const id of ['security-1', 'ux-1']) expect(decisions).toContain(`[${id}]`);
  });

  it('is not offered for a question with a single option, nor under edition 4 of the rules', async () => {
    const unowned = makeClash('Whose is it?', ['ux-1'], { kind: 'unowned' });
    const lone = makeAnswerer();
    await new World().makePlan({
      script: { conflicts: makeConflictReader([unowned]) },
      config: byPerson,
      answer: lone.answer,
    });
    expect(lone.gates[0]?.options.map(({ value }) => value)).toEqual(['ux-1', 'own', 'open']);
    const before = makeAnswerer(TOGETHER);
    const held = await new World().makePlan({
      script: oneQuestion,
      config: { ...byPerson, prompts: 4 as const },
      answer: before.answer,
    });
    expect(before.gates[0]?.options.map(({ value }) => value)).not.toContain('together');
    expect(formatStandings(held)[0]).toContain('Q-1 open');
  });

  it('excludes a later choice that gives up an option, and the person is told why', async () => {
    const { answer, gates } = makeAnswerer(TOGETHER, 'data-1', 'ux-1');
    const held = await new World().makePlan({ script: twoQuestions, config: byPerson, answer });
    expect(gates.map(({ step }) => step)).toEqual([
      ...['decide/Q-1', 'decide/Q-2', 'decide/Q-2/again-2'],
    ]);
    expect(gates[2]?.prompt).toContain(
      'Not taken: data-1 would give up ux-1, which is what Q-1 comes to (the person says that they go together). Both cannot stand.',
    );
    expect(liveIn(held)).toEqual(['security-1', 'security-2', 'ux-1', 'ux-2']);
  });

  it('lapses, and the spec says why, if another option joins the question later', async () => {
    const own = 'Sessions lie on the machine for 8 hours.';
    const script: Script = {
      conflicts: (asked) => {
        const person = asked.about?.heard?.find(({ text }) => text === own);
        const [first, second] = [
          makeClash('How long may it be?', [
            'security-1',
            'ux-1',
            ...(person ? [person.from] : []),
          ]),
          makeClash('Where does it lie?', ['data-1', 'ux-2']),
        ];
        return {
          conflicts: [
            ...findControl(asked, { ...STATEMENTS_BY_ROLE, person: [{ text: own }] }),
            first,
            second,
          ],
        };
      },
    };
    const { answer } = makeAnswerer(TOGETHER, `own: ${own}`);
    const held = await new World().makePlan({ script, config: byPerson, answer });
    const why = 'person-1 came to it after the person had said that the others go together';
    expect(formatStandings(held)).toEqual([
      `Q-1 person: ${why}`,
      'Q-2 settled: decided by the person',
    ]);
    expect(readSection(held.spec, 'Conflicts nobody has settled').join('\n')).toContain(why);
    expect(held.spec.split('\n')[2]).toContain('1 conflict nobody has settled (Q-1)');
  });

  it('puts another question to the person if the seats’ answers there would give up one of the compatible options', async () => {
    const says = {
      security: [{ text: 'A session must end after 15 minutes without a click.', must: true }],
      ux: [{ text: 'Nobody may be asked for a password twice in 24 hours.' }],
      data: [{ text: 'Sessions live in one table that is swept every 30 days.' }],
    };
    const script: Script = {
      conflicts: makeConflictReader(
        [
          makeClash('How long may it be?', ['security-1', 'ux-1']),
          makeClash('Where does it lie?', ['ux-1', 'data-1']),
        ],
        says,
      ),
      answer: (asked) =>
        makeAnswersTo(asked, (options) =>
          options.filter((id) => id === 'data-1' || id.startsWith(asked.seat.id)),
        ),
    };
    const { answer, gates } = makeAnswerer(TOGETHER);
    const held = await new World().makePlan({ says, script, config: byPerson, answer });
    expect(gates.map(({ step }) => step)).toEqual(['decide/Q-1', 'decide/Q-2']);
    const why = 'ux-1 would fall for data-1, and Q-1 keeps it, where all go together';
    expect(gates[1]?.prompt).toContain(`You are asked because ${why}.`);
    expect(formatStandings(held)).toEqual([
      'Q-1 settled: the person says that they go together',
      'Q-2 person: the person left it open',
    ]);
    expect(liveIn(held)).toEqual(['security-1', 'ux-1', 'data-1']);
  });
});

it('a decision in the person’s own words becomes a statement once the person has changed a contradicting earlier decision', async () => {
  const { answer } = makeAnswerer('ux-1', 'own: It lies on the machine.', 'Q-1', 'security-1');
  const held = await new World().makePlan({ script: twoQuestions, config: byPerson, answer });
  const said = held.view.statements.find(({ id }) => id === 'person-1');
  expect(said).toMatchObject({ text: 'It lies on the machine.', state: 'live' });
  expect(liveIn(held)).toEqual(expect.arrayContaining(['security-1', 'person-1']));
});
