import { describe, expect, it } from 'vitest';
import { checkDrafts, type Draft } from '../../src/decisions/drafts.ts';
import { EDITION } from '../../src/decisions/predictions.ts';
import { DRAFT_FORM } from '../../src/decisions/prompts.ts';

const around = {
  today: '2026-11-27',
  recommendation:
    'Keep cron this quarter and add two alerts, one on disk space, one on the report.',
  form: DRAFT_FORM,
  edition: EDITION,
};

const GOOD: Draft = {
  sentence: 'The nightly report will be late on at most one working day.',
  date: '2027-03-01',
  look: 'the modification times of the files in /srv/reports',
  if: 'recommended',
  command: '',
};

function findRefusal(
  draft: Partial<Draft>,
  ...others: readonly Partial<Draft>[]
): string | undefined {
  const drafts = [...others, draft].map((partial) => ({ ...GOOD, ...partial }));
  return checkDrafts(drafts, around, [], 10).refused.at(-1)?.why;
}

describe('the check of drafted predictions (checkDrafts)', () => {
  it('accepts a prediction with a figure, a date and something to look up', () => {
    const { good, refused } = checkDrafts([{ ...GOOD, command: ' ls -l  /srv ' }], around, [], 3);
    expect(refused).toEqual([]);
    expect(good).toEqual([{ ...GOOD, command: 'ls -l /srv' }]);
  });

  it.each([
    ['no date', { date: '' }, 'it has no date'],
    ['the date 30 February', { date: '2027-02-30' }, 'no day'],
    ['a date in words', { date: 'next spring' }, 'no day'],
    ['the date of today', { date: '2026-11-27' }, 'not after today'],
    ['the date of yesterday', { date: '2026-11-26' }, 'not after today'],
    ['a date in ten years', { date: '2036-11-27' }, 'more than a year away'],
    ['a date in a year and a day', { date: '2027-11-28' }, 'more than a year away'],
    [
      'another day in its sentence',
      { sentence: 'By 2027-06-01 the report will be late at most once.' },
      'its sentence says 2027-06-01',
    ],
    ['nothing to look at', { look: '' }, 'nothing that could be looked at'],
    [
      'a placeholder as the thing to look at',
      { look: '<where>' },
      'nothing that could be looked at',
    ],
    ['a group of people to look at', { look: 'the team' }, 'nothing that could be looked at'],
    [
      '"it depends" as the thing to look at',
      { look: 'it depends' },
      'nothing that could be looked at',
    ],
    ['a question as its sentence', { sentence: 'Will the report be late?' }, 'a question'],
    [
      'two sentences',
      { sentence: 'The report will be late twice. Nobody will notice.' },
      'more than one sentence',
    ],
    [
      'the decision itself as the thing predicted',
      { sentence: 'The team will have decided to keep cron.' },
      'true by definition',
    ],
    [
      'the prediction that the recommendation is followed',
      { sentence: 'The recommendation of the board will be adopted.' },
      'true by definition',
    ],
    [
      'the prediction of what the recommendation says',
      { sentence: 'We will keep cron and add alerts on disk space and on the report.' },
      'true by definition',
    ],
    [
      'the prediction that something happens or not',
      { sentence: 'The report will be late or not.' },
      'true whatever comes',
    ],
    ['a mere possibility', { sentence: 'The disk could fill up.' }, 'true whatever comes'],
    [
      'a matter of taste',
      { sentence: 'Reliability will be significantly better.' },
      'without a figure',
    ],
    [
      'a limit that excludes nothing',
      { sentence: 'At least 0 jobs will be lost at restarts.' },
      'its limit excludes nothing',
    ],
    [
      'both sides of one limit',
      { sentence: 'The log will be more than 64 MB or less than 64 MB.' },
      'its limit excludes nothing',
    ],
    [
      'a course that was not taken',
      { sentence: 'PostgreSQL would have needed more than 3 hours of care a month.' },
      'would have been',
    ],
    [
      'a private thought as the thing predicted',
      { sentence: 'Sam will privately think 3 points better of cron.' },
      'what somebody thinks',
    ],
    [
      'a mood as the thing to look at',
      { look: 'the mood of the operators' },
      'what somebody thinks',
    ],
    [
      'a later day in words',
      { sentence: 'The disk will be above 80 % on 3 May.' },
      'its sentence says 3 May',
    ],
    [
      'a later day of another year in words',
      { sentence: 'The disk will be above 80 % by January 2nd, 2028.' },
      'its sentence says January 2nd, 2028',
    ],
    [
      'somebody’s thoughts as the thing to look at',
      { look: 'what Sam thinks of the report' },
      'what somebody thinks',
    ],
    [
      'the prediction, with a figure, that people agree to the decision',
      { sentence: 'All 3 owners will agree to go with cron before the spring.' },
      'what people will decide',
    ],
    [
      'the prediction, with a figure, that the recommendation is followed',
      { sentence: 'The recommendation will be followed by all 3 owners.' },
      'the recommendation will be followed',
    ],
    [
      'a sentence copied from the form that a draft fills in',
      { sentence: DRAFT_FORM[0] ?? '' },
      'repeats the form',
    ],
    [
      'a sentence that is too long',
      { sentence: `The report will ${'be late and '.repeat(40)}late.` },
      'longer than',
    ],
  ])('refuses a draft with %s', (_what, draft, reason) => {
    expect(findRefusal(draft)).toContain(reason);
  });

  it.each([
    ['the same words', 'The nightly report will be late on at most one working day.'],
    ['other figures', 'The nightly report will be late on at most 3 working days.'],
    ['a denial', 'The nightly report will not be late on more than one working day.'],
  ])('refuses a draft that repeats another draft with %s', (_what, sentence) => {
    expect(findRefusal({ sentence }, GOOD)).toContain('it repeats');
  });

  it('refuses a draft that predicts the opposite of another draft and would be answered from the same source', () => {
    const look = 'tickets with the label job-queue in the tracker';
    const more =
      "At least two further jobs will be listed as wanting the queue in the team's backlog.";
    const fewer =
      'No more than one further job will be listed as wanting the queue in the backlog of the team.';
    expect(findRefusal({ sentence: fewer, look }, { sentence: more, look })).toContain(
      'it repeats',
    );
  });

  it('accepts a vague word such as "faster" in a prediction that a figure or a command decides', () => {
    const sentence = 'The build will be faster.';
    expect(findRefusal({ sentence, command: 'hyperfine "make"' })).toBeUndefined();
    expect(findRefusal({ sentence: 'The build will be faster by 20 %.' })).toBeUndefined();
  });

  it.each([
    'The regulator will approve the application in one session.',
    'At least 10 jobs will be lost at restarts.',
    'No more than 100 jobs will be waiting at noon.',
    'The queue will hold more than 5 jobs or more than 3 workers will be idle.',
    'The company will have signed 3 contracts.',
    'Fewer than 0.5 % of requests will fail.',
    'At least 0.5 % of requests will fail.',
    'Between 1 January and 28 February 2027 the report will be late twice.',
    'May 5 percent of requests fail, 3 alerts will come.',
  ])('accepts a prediction about the world: %s', (sentence) => {
    expect(findRefusal({ sentence })).toBeUndefined();
  });

  it.each(['true', 'exit 0', ':', 'echo yes'])(
    'removes the command %s from a prediction, because its output shows nothing about the prediction',
    (command) => {
      expect(checkDrafts([{ ...GOOD, command }], around, [], 1).good[0]).not.toHaveProperty(
        'command',
      );
    },
  );

  it('keeps a command that pipes the output of echo into another program', () => {
    const command = 'echo "select count(*) from job" | sqlite3 queue.db';
    expect(checkDrafts([{ ...GOOD, command }], around, [], 1).good[0]?.command).toBe(command);
  });

  it('does not apply newer rules to a run under the first version of the rules', () => {
    const drafts = [
      { ...GOOD, sentence: 'At least 0 jobs will be lost at restarts.', command: 'true' },
    ];
    const { good, refused } = checkDrafts(drafts, { ...around, edition: 1 }, [], 1);
    expect(refused).toEqual([]);
    expect(good[0]?.command).toBe('true');
  });

  it('ignores drafts beyond the requested number', () => {
    const drafts = [GOOD, { ...GOOD, sentence: 'The disk will be filled above 90 %.' }];
    expect(checkDrafts(drafts, around, [], 1).good).toHaveLength(1);
  });

  it('turns a prediction into one line without control characters', () => {
    const sentence = 'The report\nwill be \u001b[31mlate\u001b[0m\u202e at most once.';
    const [good] = checkDrafts([{ ...GOOD, sentence }], around, [], 1).good;
    expect(good?.sentence).toBe('The report will be late at most once.');
  });
});
