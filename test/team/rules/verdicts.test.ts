/** Tests verifiers' verdicts: their quotations, and the joint verdict of code. */
import { describe, expect, it } from 'vitest';
import { type FactOf, fact } from '../../../src/protocols/team/facts.ts';
import type { Verdict } from '../../../src/protocols/team/forms/work.ts';
import {
  findDisputed,
  type JointInput,
  joinVerdicts,
  lookUpQuotations,
} from '../../../src/protocols/team/rules/verdicts.ts';

type Given = FactOf<'verdict.given'>;
type Item = Given['items'][number];

const makeItem = (met: Item['met'], change: Partial<Item> = {}): Item => ({
  requirement: 'R1',
  met,
  path: 'src/list.js',
  quote: 'return JSON.stringify(rows)',
  why: `it is ${met}`,
  found: true,
  ...change,
});
const makeVerdict = (seat: string, items: readonly Item[], change: Partial<Given> = {}): Given =>
  fact('verdict.given', {
    workstream: 'list',
    round: 1,
    commit: 'c1',
    seat,
    verdict: items.some(({ met }) => met === 'no') ? 'fail' : 'pass',
    items: [...items],
    defects: [],
    cause: 'none',
    ...change,
  });
const SHOWN = { requirement: 'R1', tests: ['test/r1.test.js'], by: 'verifier' as const };
const joinAll = (verdicts: readonly Given[], change: Partial<JointInput> = {}) =>
  joinVerdicts({
    requirements: [{ id: 'R1', proof: 'read' }],
    verdicts,
    shown: [],
    edition: 5,
    ...change,
  });
const getState = (verdicts: readonly Given[], change: Partial<JointInput> = {}) =>
  joinAll(verdicts, change).requirements[0]?.state;

describe('A verifier’s quotation', () => {
  const TEXT =
    'export function list(rows) {\n  if (rows.length < 2)\n    return JSON.stringify(rows);\n}\n';
  const lookUp = (quote: string, path = 'src/list.js') =>
    lookUpQuotations(
      {
        verdict: 'pass',
        items: [{ requirement: 'R1', met: 'yes', path, quote, why: '' }],
        defects: [{ task: 'a', path, quote, why: '' }],
        cause: 'work',
        probe: null,
      } satisfies Verdict,
      (name) => (name === 'src/list.js' ? TEXT : undefined),
    );

  it.each([
    ['return JSON.stringify(rows);', true],
    ['if (rows.length < 2)   return JSON', true],
    ['2:   if (rows.length < 2)\n3:     return JSON', true],
    // In a quotation of code, punctuation counts: the file has `<` and not `>`.
    ['if (rows.length > 2)', false],
    ['return JSON.parse(rows)', false],
    ['rows', false],
    ['', false],
  ])('“%s” counts as found in the file: %s', (quote, expected) => {
    const looked = lookUp(quote);
    expect(looked.items[0]?.found).toBe(expected);
    expect(looked.defects[0]?.found).toBe(expected);
    expect(looked).toMatchObject({ verdict: 'pass', cause: 'work' });
  });

  it('is not found in a file that does not exist', () => {
    for (const path of ['src/other.js', '__proto__', 'constructor'])
      expect(lookUp('return JSON.stringify(rows);', path).items[0]?.found).toBe(false);
  });
});

describe('A requirement judged by two verifiers', () => {
  it('is met if one verifier proved it and none proved the opposite', () => {
    expect(
      getState([
        makeVerdict('t5-1', [makeItem('yes')]),
        makeVerdict('t5-2', [makeItem('unclear')]),
      ]),
    ).toBe('met');
    expect(
      joinAll([makeVerdict('t5-1', [makeItem('yes')]), makeVerdict('t5-2', [makeItem('yes')])]),
    ).toMatchObject({
      verdict: 'pass',
      failing: [],
      cause: 'none',
      requirements: [
        {
          id: 'R1',
          state: 'met',
          evidence: ['t5-1: yes, t5-2: yes, src/list.js: return JSON.stringify(rows) (it is yes)'],
        },
      ],
    });
  });

  it('is unmet if one verifier proved the opposite and none proved the requirement', () => {
    const verdict = joinAll([
      makeVerdict('t5-1', [makeItem('no')], { cause: 'brief' }),
      makeVerdict('t5-2', [makeItem('yes', { found: false })]),
    ]);
    expect(verdict.requirements[0]?.state).toBe('unmet');
    expect(verdict).toMatchObject({
      verdict: 'fail',
      cause: 'brief',
      failing: [{ task: '', why: 'R1 is not met: it is no' }],
    });
  });

  it('is not affected by a verifier who gives no quotation that code finds', () => {
    expect(getState([makeVerdict('t5-1', [makeItem('yes', { found: false })])])).toBe('unproved');
    expect(
      getState([
        makeVerdict('t5-1', [makeItem('no', { found: false })]),
        makeVerdict('t5-2', [makeItem('yes')]),
      ]),
    ).toBe('met');
    expect(
      joinAll([
        makeVerdict('t5-1', [makeItem('no', { found: false })], { cause: 'design' }),
        makeVerdict('t5-2', [makeItem('yes')]),
      ]),
    ).toMatchObject({
      verdict: 'pass',
      cause: 'none',
    });
    expect(getState([makeVerdict('t5-1', [])])).toBe('unproved');
    expect(getState([])).toBe('unproved');
    expect(joinAll([])).toMatchObject({ verdict: 'fail', failing: [], cause: 'none' });
  });

  it('is disputed if two verifiers prove opposites at the first look, and unproved if they still do after the second', () => {
    const two = [makeVerdict('t5-1', [makeItem('yes')]), makeVerdict('t5-2', [makeItem('no')])];
    expect(findDisputed(two, 5)).toEqual(['R1']);
    expect(getState(two)).toBe('disputed');
    const still = [...two, makeVerdict('t5-1', [makeItem('yes')], { again: true })];
    expect(getState(still)).toBe('unproved');
    expect(
      findDisputed(
        [
          makeVerdict('t5-1', [makeItem('yes')]),
          makeVerdict('t5-2', [makeItem('no', { found: false })]),
        ],
        5,
      ),
    ).toEqual([]);
  });

  it('is met if the verifier who said “no” says “yes” with a quotation at the second look', () => {
    const verdicts = [
      makeVerdict('t5-1', [makeItem('yes'), makeItem('yes', { requirement: 'R2' })]),
      makeVerdict('t5-2', [makeItem('no')]),
      makeVerdict('t5-2', [makeItem('yes')], { again: true }),
    ];
    expect(findDisputed(verdicts, 5)).toEqual([]);
    const { requirements } = joinAll(verdicts, {
      requirements: [
        { id: 'R1', proof: 'read' },
        { id: 'R2', proof: 'read' },
        { id: 'R3', proof: 'read' },
      ],
    });
    expect(requirements.map((requirement) => requirement.state)).toEqual([
      'met',
      'met',
      'unproved',
    ]);
  });

  it.each([
    ['“unclear”', [makeItem('unclear')]],
    ['a “no” whose quotation is not found', [makeItem('no', { found: false })]],
    ['a “yes” whose quotation is not found', [makeItem('yes', { found: false })]],
  ])(
    'is unproved if one verifier says “yes”, and the other gives %s after a “no” with a quotation',
    (_what, items) => {
      const verdicts = [
        makeVerdict('t5-1', [makeItem('yes')]),
        makeVerdict('t5-2', [makeItem('no')]),
        makeVerdict('t5-1', [makeItem('yes')], { again: true }),
        makeVerdict('t5-2', items, { again: true }),
      ];
      expect(getState(verdicts)).toBe('unproved');
      // Before version 5 of the rules, a second answer that was “unclear”, or whose quotation was not found,
      // withdrew the verifier's “no”.
      expect(getState(verdicts, { edition: 4 })).toBe('met');
      const taken = [...verdicts, makeVerdict('t5-2', [makeItem('yes')], { again: true })];
      expect(getState(taken)).toBe('met');
    },
  );

  it('is unproved if a verifier answers “yes” with a quotation and later “unclear”, and the other one shows nothing', () => {
    const verdicts = [
      makeVerdict('t5-1', [makeItem('yes')]),
      makeVerdict('t5-1', [makeItem('unclear')]),
    ];
    expect(getState(verdicts)).toBe('unproved');
  });

  it('is unproved if checks have to prove it and one of them never ran', () => {
    const proof = { requirements: [{ id: 'R1', proof: 'check' as const }] };
    const checks = { green: ['unit'], red: [], left: ['lint'] };
    const verdicts = [makeVerdict('t5-1', [makeItem('yes')])];
    expect(getState(verdicts, { ...proof, checks })).toBe('unproved');
    expect(getState(verdicts, { ...proof, checks: { ...checks, left: [] } })).toBe('met');
  });

  it('is unmet if a verifier answers both “yes” and “no” in one verdict, and the other one shows nothing', () => {
    expect(getState([makeVerdict('t5-1', [makeItem('yes'), makeItem('no')])])).toBe('unmet');
  });

  it('needs a test that was red before the work if its proof is “test”, unless a person accepts it, or old rules call it untestable', () => {
    const requirements = [{ id: 'R1', proof: 'test' as const }];
    const yes = [makeVerdict('t5-1', [makeItem('yes')])];
    expect(getState(yes, { requirements })).toBe('unproved');
    expect(getState(yes, { requirements, shown: [SHOWN] })).toBe('met');
    expect(getState(yes, { requirements, untestable: ['R1'] })).toBe('met');
    // From version 3 of the rules on, the author of tests cannot say that a requirement needs no test.
    const locked = { red: [], dropped: [] };
    expect(getState(yes, { requirements, untestable: ['R1'], locked })).toBe('unproved');
    expect(getState(yes, { requirements, untestable: ['R1'], locked, taken: ['R1'] })).toBe('met');
    expect(
      getState([makeVerdict('t5-1', [makeItem('no')])], { requirements, shown: [SHOWN] }),
    ).toBe('unmet');
    expect(joinAll(yes, { requirements, shown: [SHOWN] }).requirements[0]?.evidence).toContain(
      'test/r1.test.js, written before the work: red on the base, green now',
    );
  });

  it('is proved by a check only if all checks are green', () => {
    const requirements = [{ id: 'R1', proof: 'check' as const }];
    const yes = [makeVerdict('t5-1', [makeItem('yes')])];
    const green = { green: ['unit', 'lint'], red: [] };
    expect(getState(yes, { requirements, checks: green })).toBe('met');
    const red = { green: ['unit'], red: ['lint'] };
    expect(getState(yes, { requirements, checks: red })).toBe('unproved');
    expect(getState(yes, { requirements, checks: { green: [], red: [] } })).toBe('unproved');
  });
});

describe('The joint verdict of two verifiers', () => {
  it('is a failure if a verifier’s own test failed', () => {
    const probe = { path: 'test/p.js', text: 'x', shows: 'a left-over lock blocks it' };
    const joinWithProbe = (state: 'passed' | 'failed' | 'not-run') =>
      joinAll([makeVerdict('t5-1', [makeItem('yes')], { probe: { ...probe, state } })]);
    expect(joinWithProbe('failed')).toMatchObject({
      verdict: 'fail',
      failing: [{ task: '', why: "t5-1's probe fails: a left-over lock blocks it" }],
    });
    expect(joinWithProbe('passed').verdict).toBe('pass');
    expect(joinWithProbe('not-run').verdict).toBe('pass');
  });

  it('is a failure if a “fail” names a defect whose quotation is found, and a pass if not', () => {
    const defect = {
      task: 'add',
      path: 'src/list.js',
      quote: 'x',
      why: 'it drops the last row',
      found: true,
    };
    const with_ = (change: Partial<Given>) =>
      joinAll([makeVerdict('t5-1', [makeItem('yes')], change)]);
    expect(with_({ verdict: 'fail', defects: [defect], cause: 'design' })).toMatchObject({
      verdict: 'fail',
      cause: 'design',
      failing: [{ task: 'add', why: 'src/list.js: it drops the last row' }],
    });
    expect(with_({ verdict: 'fail', defects: [{ ...defect, found: false }] }).verdict).toBe('pass');
    expect(with_({ verdict: 'pass', defects: [defect] }).verdict).toBe('pass');
  });

  it('names the brief as the cause if one verifier blames the brief and the other the design', () => {
    const verdicts = [
      makeVerdict('t5-1', [makeItem('no')], { cause: 'design' }),
      makeVerdict('t5-2', [makeItem('no')], { cause: 'brief' }),
    ];
    expect(joinAll(verdicts).cause).toBe('brief');
    expect(joinAll([makeVerdict('t5-1', [makeItem('no')], { cause: 'none' })]).cause).toBe('work');
  });
});
