/** The reader's entrance: who can read passes, who guesses or has learnt a key does not. */
import { describe, expect, it } from 'vitest';
import {
  EARLIER_EXAM,
  EXAM,
  type Exam,
  isPass,
  isPassAsSubstitute,
  makeExam,
  markExam,
  SHORTER_EXAM,
} from '../../src/protocols/entrance/entrance.ts';
import type { Finding } from '../../src/protocols/entrance/findings.ts';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';

const SEEDS = Array.from({ length: 300 }, (_, seed) => seed * 7919);
const EXAMS = SEEDS.map((seed) => makeExam(seed));
const SAYS = { true: 'true_in_text', false: 'false_in_text', undecided: 'absent' } as const;

function makeAnswers({ items }: Exam, say: (at: number) => Finding) {
  return items.map((_, at) => ({ item: at + 1, finding: say(at) }));
}

/** Answers rightly but for the items that are given. */
function answerByKey(exam: Exam, wrong: ReadonlyMap<number, Finding> = new Map()) {
  return makeAnswers(exam, (at) => wrong.get(at) ?? SAYS[exam.items[at]?.key ?? 'undecided']);
}

describe('the reading test (entrance) of a model', () => {
  it('has for every seed 7 statements that its text confirms, 7 that it contradicts, 14 that it leaves open', () => {
    for (const { items, text } of EXAMS) {
      const countItems = (key: string) => items.filter((item) => item.key === key).length;
      expect([countItems('true'), countItems('false'), countItems('undecided')]).toEqual([
        7, 7, 14,
      ]);
      expect(new Set(items.map((item) => item.text)).size).toBe(28);
      expect(text).not.toMatch(/undefined|NaN/);
      for (const item of items) expect(item.text).not.toMatch(/undefined|NaN/);
      // No statement is copied from the text, so the model has to understand the text.
      for (const item of items) expect(text).not.toContain(item.text);
    }
    expect(EXAM).toMatchObject({ true: 7, false: 7, undecided: 14 });
  });

  it('is the same for the same seed, and has other numbers in its text for another seed', () => {
    expect(makeExam(7)).toEqual(makeExam(7));
    const texts = new Set(EXAMS.map(({ text }) => text));
    expect(texts.size).toBe(SEEDS.length);
    const boats = new Set(EXAMS.map(({ text }) => /keeps (\d+) dinghies/.exec(text)?.[1]));
    expect(boats.size).toBeGreaterThan(8);
  });

  it('cannot be passed with the right answers for another seed', () => {
    const passed = EXAMS.slice(0, 40).flatMap((learnt) => {
      const key = answerByKey(learnt);
      return EXAMS.filter((exam) => exam !== learnt && markExam(exam, key).passed);
    });
    expect(passed).toEqual([]);
  });

  it.each(['true_in_text', 'false_in_text', 'absent', 'partly', 'needs_a_test'] as const)(
    'is failed by a model that answers %s about every statement',
    (finding) => {
      for (const exam of EXAMS)
        expect(
          markExam(
            exam,
            makeAnswers(exam, () => finding),
          ).passed,
        ).toBe(false);
    },
  );

  it('is failed with five wrong answers, or with four statements wrongly called true', () => {
    const exam = makeExam(7);
    const findPlaces = (key: string) =>
      exam.items.flatMap((item, index) => (item.key === key ? [index] : []));
    const open = findPlaces('undecided');
    const markWithErrors = (places: readonly number[], finding: Finding) =>
      markExam(exam, answerByKey(exam, new Map(places.map((place) => [place, finding]))));
    expect(markWithErrors([], 'absent')).toEqual({
      passed: true,
      items: 28,
      errors: 0,
      calledTrue: 0,
    });
    expect(markWithErrors(findPlaces('true').slice(0, 4), 'partly')).toMatchObject({
      passed: true,
      errors: 4,
    });
    expect(markWithErrors(findPlaces('true').slice(0, 5), 'partly')).toMatchObject({
      passed: false,
      errors: 5,
    });
    expect(markWithErrors(open.slice(0, 3), 'true_in_text')).toMatchObject({
      passed: true,
      calledTrue: 3,
    });
    expect(markWithErrors(open.slice(0, 4), 'true_in_text')).toMatchObject({
      passed: false,
      errors: 4,
    });
    // For a statement that the text leaves undecided, every finding except true and false is right.
    for (const finding of ['partly', 'needs_a_test', 'absent'] as const)
      expect(markWithErrors(open, finding)).toMatchObject({ errors: 0 });
  });

  it('has replaced or made clear four ambiguous statements of its earlier version', () => {
    const DOUBTFUL = [
      'At most one order of paint is placed in a year.',
      'Members of the school pay less for hire than guests.',
    ];
    const exams = SEEDS.map((seed, at) => ({
      now: EXAMS[at] ?? makeExam(seed),
      before: makeExam(seed, EARLIER_EXAM),
    }));
    const collectTexts = (which: 'now' | 'before') =>
      new Set(exams.flatMap((exam) => exam[which].items.map(({ text }) => text)));
    for (const text of DOUBTFUL) {
      expect(collectTexts('before')).toContain(text);
      expect(collectTexts('now')).not.toContain(text);
    }
    expect(collectTexts('now')).toContain(
      'Paint that has not arrived by June is not ordered again in that year.',
    );
    for (const { now, before } of exams) {
      // Two statements were ambiguous in the earlier version: that a course with three bookings is called
      // off, and that sails are washed on another day. The words that the text now has make both statements
      // clearly false.
      expect(now.text).toMatch(/have booked it, and for no other reason\./);
      expect(now.text).toMatch(/Sails are washed on \w+ and on no other day,/);
      expect(before.text).not.toMatch(/no other reason|no other day/);
      expect(now.items.map(({ key }) => key)).toEqual(before.items.map(({ key }) => key));
    }
  });

  it('with 24 statements, is passed if two are wrongly called true, but not if three are', () => {
    const exam = makeExam(7, SHORTER_EXAM);
    expect(exam.items).toHaveLength(24);
    const open = exam.items.flatMap((item, index) => (item.key === 'undecided' ? [index] : []));
    const calledTrue = (count: number) =>
      markExam(
        exam,
        answerByKey(exam, new Map(open.slice(0, count).map((place) => [place, 'true_in_text']))),
      ).passed;
    expect([calledTrue(2), calledTrue(3)]).toEqual([true, false]);
    const other = { items: 26, errors: 0, calledTrue: 0 };
    expect([isPass(other), isPassAsSubstitute(other)]).toEqual([false, false]);
  });

  it('is stricter for a model that replaces a failed one: at most one error, no statement wrongly called true', () => {
    const count = { items: 28, errors: 1, calledTrue: 0 };
    expect(isPassAsSubstitute(count)).toBe(true);
    expect(isPassAsSubstitute({ ...count, errors: 2 })).toBe(false);
    expect(isPassAsSubstitute({ ...count, calledTrue: 1 })).toBe(false);
  });

  it('counts a missing answer, or two contradictory ones, as an error', () => {
    const exam = makeExam(7);
    const all = answerByKey(exam);
    expect(markExam(exam, all.slice(5))).toMatchObject({ errors: 5, passed: false });
    expect(markExam(exam, [])).toMatchObject({ errors: 28, passed: false });
    const first = all[0] ?? expect.fail('nothing is asked');
    const other = first.finding === 'true_in_text' ? 'absent' : 'true_in_text';
    expect(markExam(exam, [...all, first])).toMatchObject({ errors: 0 });
    expect(markExam(exam, [...all, { item: 1, finding: other }])).toMatchObject({ errors: 1 });
    expect(markExam(exam, [...all, { item: 99, finding: other }])).toMatchObject({ errors: 0 });
  });

  it.each([
    [0.95, 0.988],
    [0.9, 0.855],
    [0.8, 0.312],
    [0.6, 0.003],
  ])(
    'if each answer is right with probability %s, is passed with a probability of about %s',
    (accuracy, expectedShare) => {
      const chance = new Chance('readers', accuracy);
      const exams = EXAMS.slice(0, 25);
      const runs = 4_000;
      let passed = 0;
      for (let run = 0; run < runs; run++) {
        const exam = exams[run % exams.length] ?? makeExam(0);
        const said = makeAnswers(exam, (at) => {
          const key = exam.items[at]?.key ?? 'undecided';
          if (chance.next() < accuracy) return SAYS[key];
          // A wrong answer is one of the two other findings, chosen at random.
          const others = (['true', 'false', 'undecided'] as const).filter(
            (otherKey) => otherKey !== key,
          );
          return SAYS[others[chance.between(0, 1)] ?? 'true'];
        });
        if (markExam(exam, said).passed) passed += 1;
      }
      expect(passed / runs).toBeGreaterThan(expectedShare - 0.03);
      expect(passed / runs).toBeLessThan(expectedShare + 0.03);
    },
  );
});
