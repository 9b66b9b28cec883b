/**
 * Tests a plan with careless models in each round: readers who name a conflict and miss the control, and
 * seats that answer beside the question.
 */
import { describe, expect, it } from 'vitest';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import {
  findControl,
  isStatementOf,
  makeAnswersTo,
  makeClash,
  readSection,
  type Script,
  STATEMENTS_BY_ROLE,
  type Value,
  World,
} from './harness.ts';

const FIRST = makeClash('How long is nobody asked again?', ['security-1', 'ux-1']);
const LATER = makeClash('May the form outlive the table?', ['ux-2', 'data-1'], {
  why: 'the form asks for a row that was swept',
});
const UNSETTLED = 'Conflicts nobody has settled';
/** Keeps to its own options, and rewords a statement in each round so that all is looked through again. */
const rewordEachRound: Script['answer'] = (asked) =>
  makeAnswersTo(
    asked,
    (options) => options.filter((id) => isStatementOf(id, asked.seat.id)),
    asked.seat.id === 'ux'
      ? {
          change: [
            { id: 'ux-2', text: `The form keeps ${asked.about?.round} drafts of what was typed.` },
          ],
        }
      : {},
  );

describe.each([1, 2, 3])(
  'a conflict found in round %s by a reader who missed the planted conflict',
  (round) => {
    it('is still shown in each later round to the seats whose statements conflict, and stays open in the spec', async () => {
      const held = await new World().makePlan({
        script: {
          answer: rewordEachRound,
          conflicts: (asked) => {
            const found: Value[] = asked.about?.round === round ? [LATER] : [];
            const isFirst = asked.about?.round === 1;
            // In round `round`, both readers miss the planted statement, so the conflicts that they report are kept
            // as unconfirmed.
            if (asked.about?.round === round)
              return { conflicts: isFirst ? [FIRST, LATER] : found };
            const says = {
              ...STATEMENTS_BY_ROLE,
              ux: [
                ...(STATEMENTS_BY_ROLE.ux ?? []),
                ...[2, 3].map((at) => ({ text: `The form keeps ${at} drafts of what was typed.` })),
              ],
            };
            return { conflicts: [...findControl(asked, says), ...(isFirst ? [FIRST] : [])] };
          },
        },
      });
      const examined = held.view.examined.filter((examination) => examination.round === round);
      expect(examined.map(({ control }) => control?.seen)).toEqual([false, false]);
      const kept = held.view.conflicts.find(({ question }) => question === LATER.question);
      expect(kept).toMatchObject({ options: LATER.statements, unconfirmed: true, why: LATER.why });
      const asked = held.prompts('answer').filter((prompt) => prompt.includes(LATER.question));
      expect(asked.length).toBe((3 - round) * 2);
      expect(readSection(held.spec, UNSETTLED).join('\n')).toContain(
        `${kept?.id}, unconfirmed: ${LATER.question}`,
      );
      expect(held.view.written?.state).not.toBe('converged');
    });
  },
);

it('a conflict found in the last search for conflicts is kept, even if that search missed the planted conflict', async () => {
  const words = 'Sessions end after eight hours.';
  let decided = false;
  const held = await new World().makePlan({
    config: { person: true },
    answer: async () => {
      const answer = decided ? 'open' : `own: ${words}`;
      decided = true;
      return { answer, by: 'person' };
    },
    script: {
      conflicts: (asked) => ({ conflicts: decided ? [LATER] : [...findControl(asked), FIRST] }),
    },
  });
  const kept = held.view.conflicts.find(({ question }) => question === LATER.question);
  expect(kept).toMatchObject({ unconfirmed: true });
  expect(readSection(held.spec, UNSETTLED).join('\n')).toContain(LATER.question);
  expect(held.view.written?.state).toBe('unexamined');
});

describe('a question put to several seats', () => {
  it.each<[string, (conflict: string) => Value[]]>([
    ['nothing', () => []],
    [
      'to accept everything',
      (conflict) => [
        { conflict, says: 'accepts', accepts: FIRST.statements, prefers: '', why: '' },
      ],
    ],
    [
      'to accept nothing',
      (conflict) => [{ conflict, says: 'accepts', accepts: [], prefers: '', why: 'hm' }],
    ],
    [
      'that all go together, without saying how',
      (conflict) => [{ conflict, says: 'compatible', accepts: [], prefers: '', why: '' }],
    ],
    [
      'one thing and its opposite',
      (conflict) => [
        { conflict, says: 'accepts', accepts: ['ux-1'], prefers: 'ux-1', why: 'a' },
        { conflict, says: 'accepts', accepts: ['security-1'], prefers: 'security-1', why: 'b' },
      ],
    ],
  ])('is not settled if each seat answers %s', async (_what, given) => {
    const held = await new World().makePlan({
      script: {
        conflicts: (asked) => ({
          conflicts: [...findControl(asked), ...(asked.about?.round === 1 ? [FIRST] : [])],
        }),
        answer: () => ({ answers: given('Q-1'), change: [], withdraw: [], add: [] }),
      },
    });
    const [standing] = deriveStandings(held.view);
    expect([_what, standing?.state]).not.toEqual([_what, 'settled']);
    expect(readSection(held.spec, UNSETTLED).join('\n')).toContain('Q-1');
    expect(held.view.written?.state).toBe('open');
  });
});
