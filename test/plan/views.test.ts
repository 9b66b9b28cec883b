/**
 * Tests that the SQL views of a plan agree with its fold: for the test plan, and for generated logs of
 * debates.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FactBody, fact } from '../../src/protocols/plan/facts.ts';
import { planOf } from '../../src/protocols/plan/fold.ts';
import { CONFLICT_KINDS } from '../../src/protocols/plan/rules/conflicts.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { expectSameInSql } from '../protocols/in-sql.ts';
import { makeSearchFact as examinedOf, numberFacts, STAGES, withConflicts } from './facts.ts';

it.each(Object.keys(STAGES) as (keyof typeof STAGES)[])(
  'the SQL views of a plan agree with the program’s own state, for a plan that got to the stage %s',
  (stage) => {
    const store = temporaryStore();
    const journal = store.create('plan');
    journal.note([...STAGES[stage]]);
    journal.release();
    expectSameInSql(store, journal.run);
  },
);

const ROLES = ['engine', 'interface', 'storage'] as const;
const role = fc.constantFrom(...ROLES);
const id = fc
  .tuple(role, fc.integer({ min: 1, max: 4 }))
  .map(([seat, number]) => `${seat}-${number}`);
const round = fc.integer({ min: 1, max: 3 });
const question = fc.constantFrom('Which unit?', 'How long?', 'Who writes it?');

const made = fc
  .record({
    role,
    round,
    add: fc.array(
      fc.record({
        kind: fc.constantFrom('section', 'constraint', 'concern'),
        text: fc.constantFrom('One.', 'Two.'),
        conflict: fc.constantFrom('Q-1', 'Q-2', 'Q-9'),
      }),
      { maxLength: 3 },
    ),
    change: fc.array(
      fc.record(
        { id, text: fc.constantFrom('Now one.', 'Now two.'), because: fc.constant('It is.') },
        { requiredKeys: ['id', 'text'] },
      ),
      { maxLength: 3 },
    ),
    withdraw: fc.array(fc.record({ id, why: fc.constantFrom('It was wrong.', 'It is said.') }), {
      maxLength: 2,
    }),
  })
  .map((body): FactBody => fact('statements.made', body));

const examined = fc
  .record({
    round,
    model: fc.constant('test/m'),
    found: fc.array(
      fc.record({
        question,
        statements: fc.array(id, { maxLength: 4 }),
        given: fc.array(id, { maxLength: 2 }),
        why: fc.constant('Both cannot be.'),
        kind: fc.constantFrom(...CONFLICT_KINDS),
      }),
      { maxLength: 4 },
    ),
    control: fc.option(
      fc.record({ planted: id, of: id, text: fc.constant('Not so.'), seen: fc.boolean() }),
      { nil: undefined },
    ),
  })
  .map(
    ({ control, ...body }): FactBody =>
      examinedOf(control === undefined ? body : { ...body, control }),
  );

const decided = fc
  .record({
    round,
    conflict: fc.integer({ min: 1, max: 4 }).map((number) => `Q-${number}`),
    option: fc.option(id, { nil: undefined }),
    by: fc.constantFrom('person', 'agreement', 'default'),
  })
  .map(
    ({ option, ...body }): FactBody =>
      fact('conflict.decided', option === undefined ? body : { ...body, option }),
  );

/** Replaces options of a decision with existing ones, if its question exists. */
function replaceOptions(debate: readonly FactBody[]) {
  const { conflicts } = planOf(numberFacts(debate));
  return (body: FactBody): FactBody => {
    if (body.type !== 'conflict.decided' || body.option === undefined) return body;
    const options = conflicts.find((conflict) => conflict.id === body.conflict)?.options ?? [];
    return { ...body, option: options[body.round % 2] ?? body.option };
  };
}

it('the SQL views of a plan agree with the program’s own state, for any log', () => {
  const store = temporaryStore();
  let conflicts = 0;
  let fallen = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 3, arbitrary: made }, { weight: 2, arbitrary: examined }), {
        minLength: 4,
        maxLength: 14,
      }),
      // A plan decides its questions after the debate, so each random journal has its decisions at the end.
      fc.array(decided, { maxLength: 5 }),
      (debate, decisions) => {
        const bodies = withConflicts([
          ...STAGES.started,
          ...debate,
          ...decisions.map(replaceOptions(debate)),
        ]);
        const journal = store.create('plan');
        journal.note(bodies);
        journal.release();
        expectSameInSql(store, journal.run);
        const plan = planOf(numberFacts(bodies));
        conflicts += plan.conflicts.length;
        fallen += plan.statements.filter(({ withdrawal }) => withdrawal?.by === 'person').length;
      },
    ),
    { seed: 11, numRuns: LONG ? 5_000 : 60 },
  );
  expect(conflicts).toBeGreaterThan(20);
  expect(fallen).toBeGreaterThan(3);
}, 600_000);
