/** Tests the commit messages that come home. */
import { describe, expect, it } from 'vitest';
import { EMPTY_TEAM, type TeamView } from '../../../src/protocols/team/fold.ts';
import { historyOf, subjectOf } from '../../../src/protocols/team/history.ts';

describe('subjectOf, which makes the subject of a commit from a title,', () => {
  it.each([
    ['Adds the --json flag.', 'Add the --json flag'],
    ['handled an empty list', 'Handle an empty list'],
    ['R1: Parsing dates', 'Parse dates'],
    ['Add: a colon stays', 'Add: a colon stays'],
    ['Task list-json: write rows', 'Write rows'],
    ['', 'Do list-json'],
    ['addsomething else', 'Addsomething else'],
    [`Add ${'x'.repeat(80)}`, `Add ${'x'.repeat(67)}…`],
  ])('turns %s into the subject %s', (title, subject) => {
    expect(subjectOf(title, 'list-json')).toBe(subject);
  });
});

function viewOf(...titles: readonly string[]): TeamView {
  return {
    ...EMPTY_TEAM,
    requirements: [
      { id: 'R1', text: `It prints ${'rows and '.repeat(10)}columns`, proof: 'test' },
    ] as unknown as TeamView['requirements'],
    tests: [{ workstream: 'list', commit: 'tests' }] as unknown as TeamView['tests'],
    tasks: titles.map((title, index) => ({
      task: { id: `t${index}`, title, workstream: 'list', covers: ['R1'] },
      commit: `c${index}`,
      attempts: [{ commits: [{ commit: `c${index}` }, {}] }],
    })) as unknown as TeamView['tasks'],
  };
}

describe('planning the commits of a finished run', () => {
  it('names requirement and task in each message', () => {
    const [, entry] = historyOf(viewOf('Adds rows'), 'Co-authored-by: deliberate <d@localhost>');
    expect(entry).toMatchObject({ commit: 'c0', part: 't0' });
    const [subject = '', ...rows] = entry?.message.split('\n') ?? [];
    expect(subject).toBe('Add rows');
    expect(rows[1]).toMatch(/^R1: It prints rows/);
    expect(rows.slice(-2)).toEqual(['Task: t0', 'Co-authored-by: deliberate <d@localhost>']);
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(72);
  });

  it('gives tasks with equal titles different subjects', () => {
    const history = historyOf(viewOf('Add rows', 'Add rows'), undefined);
    expect(
      history.map(({ commit, part, message }) => [commit, part, message.split('\n')[0]]),
    ).toEqual([
      ['tests', 't1', 'Add rows (t1)'],
      ['c0', 't0', 'Add rows'],
      ['c1', 't1', 'Add rows (t1)'],
    ]);
  });

  it('puts verifiers’ tests into the last commit of their workstream', () => {
    const more = [
      { workstream: 'list', commit: 'locked' },
      { workstream: 'list', commit: 'set' },
      { workstream: 'another', commit: 'nobodys' },
    ];
    const history = historyOf(viewOf('Add rows', 'Add columns'), undefined, more);
    expect(history.map(({ commit, part }) => [commit, part])).toEqual([
      ['tests', 't1'],
      ['locked', 't1'],
      ['set', 't1'],
      ['c0', 't0'],
      ['c1', 't1'],
    ]);
  });
});
