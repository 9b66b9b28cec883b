/** Statements and conflicts that only repeat the prompt, as Gemma 3 270M and SmolLM2-135M handed them in. */
import { describe, expect, it } from 'vitest';
import {
  conflictsSchema,
  repeatsTask,
  statementsSchema,
} from '../../src/protocols/plan/prompts/rounds.ts';
import { questionsSchema } from '../../src/protocols/plan/prompts/staffing.ts';

const TOLD =
  'one thing, in one to three sentences, that somebody understands who reads no other statement';
/** The reason of a statement that Gemma 3 270M made in a plan. */
const GROUND =
  'not known; do not assume it, in one to three sentences, that somebody understands who read no other statement and not your context.';

function makeStatement(text: string): object {
  return { kind: 'section', title: '', text, must: false, because: '' };
}

describe('the check of a model’s answer in a plan', () => {
  it('refuses a statement that repeats the instructions', () => {
    const { error } = statementsSchema.safeParse({ statements: [makeStatement(TOLD)] });
    expect(error?.issues[0]?.message).toContain('it repeats what you were told');
    const own = 'A heap in which pebbles are left grows by the figure of the preset.';
    expect(statementsSchema.safeParse({ statements: [makeStatement(own)] }).success).toBe(true);
  });

  // The model SmolLM2-135M once wrote these words as statements. They were accepted and became part of a
  // finished plan, whose files were written into the repository.
  it.each(['voirs', 'dance'])('refuses a statement of one word: %s', (text) => {
    expect(statementsSchema.safeParse({ statements: [makeStatement(text)] }).success).toBe(false);
  });

  it('accepts a short statement', () => {
    for (const text of ['Keep saves.', '保存形式を変えない'])
      expect(statementsSchema.safeParse({ statements: [makeStatement(text)] }).success).toBe(true);
  });

  // Code refuses the questions in this table, which name nothing in the project. A search for the words of
  // such questions once found half of the project's documents, all of them useless.
  it.each([
    'Before you say anything about the plan: what do you have to know about how things are today?',
    'One fact about today that a document or the code could tell',
    'fingerprint',
  ])('refuses a specialist’s question that does not ask about the project: %s', (question) => {
    const parseQuestion = (text: string) =>
      questionsSchema.safeParse({ questions: [{ question: text, why: 'The wire changes.' }] });
    expect(parseQuestion(question).success).toBe(false);
    expect(parseQuestion('Which figures of a preset does the hello message carry?').success).toBe(
      true,
    );
    expect(parseQuestion('指纹包含哪些数字？').success).toBe(true);
  });

  it('recognizes a reason that only repeats the instructions', () => {
    expect(repeatsTask(GROUND)).toBe(true);
    expect(repeatsTask('')).toBe(false);
    expect(repeatsTask('The table of presets has one figure for each of them.')).toBe(false);
  });

  it('refuses a conflict whose question is only the name of a kind of conflict', () => {
    const schema = conflictsSchema(['save-keeper-1', 'wire-1'], 4);
    const makeFindings = (question: string): object => ({
      conflicts: [
        { question, statements: ['save-keeper-1'], given: [], why: 'x', kind: 'unowned' },
      ],
    });
    expect(schema.safeParse(makeFindings('trade-off')).success).toBe(false);
    expect(schema.safeParse(makeFindings('"Contradiction".')).success).toBe(false);
    expect(schema.safeParse(makeFindings('Which trade-off is taken?')).success).toBe(true);
  });
});
