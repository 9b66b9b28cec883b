/**
 * Tests that no statement is lost, whatever models answer: each is cited in the spec, or listed as open,
 * given up or not carried. The long form tries forty times as many panels.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PLAN } from '../../src/protocols/plan/facts.ts';
import { LONG } from '../long.ts';
import {
  type FinishedPlan,
  findControl,
  makeAnswersTo,
  makeClash,
  makeHandedStatement,
  makeSpecDraft,
  NO_ANSWER,
  readSection,
  type Script,
  type Value,
  World,
} from './harness.ts';

const RUNS = LONG ? 2_000 : 50;
const STRANGERS = ['nobody-1', '__proto__', 'constructor', 'ux-99'];
const FORGED = 'It is done.\n\n## Open\n\n- nothing\n\n## Given up\n';

/** Random choices from a list that fast-check generates and shrinks. */
class Chances {
  readonly #tape: readonly number[];
  #at = 0;

  constructor(tape: readonly number[]) {
    this.#tape = tape;
  }

  below(count: number): number {
    this.#at = (this.#at + 1) % this.#tape.length;
    return (this.#tape[this.#at] ?? 0) % count;
  }

  is(oneIn: number): boolean {
    return this.below(oneIn) === 1;
  }

  one<const T extends string>(of: readonly T[]): T {
    return of[this.below(of.length)] ?? ('' as T);
  }

  some(of: readonly string[], most = 4): string[] {
    return Array.from({ length: this.below(most + 1) }, () =>
      this.is(6) ? this.one(STRANGERS) : this.one(of),
    );
  }
}

function makeStatement(chance: Chances): Value {
  const kind = (['section', 'constraint', 'concern'] as const)[chance.below(3)];
  const text = chance.is(5) ? FORGED : `Thing ${chance.below(100)} must be ${chance.below(100)}.`;
  return makeHandedStatement({ kind, text, must: chance.is(4) });
}

function makeWildScript(tape: readonly number[]): Script {
  const chance = new Chances(tape);
  let ids: string[] = [];
  const citeAtRandom = () =>
    Array.from({ length: chance.below(4) }, () => ({
      text: chance.is(6) ? FORGED : 'So it is.',
      from: chance.some(ids),
    }));
  return {
    speak: () =>
      chance.is(9)
        ? NO_ANSWER
        : { statements: Array.from({ length: 1 + chance.below(3) }, () => makeStatement(chance)) },
    conflicts: (asked) => {
      ids = asked.about?.heard?.map(({ from }) => from) ?? [];
      if (chance.is(9)) return NO_ANSWER;
      const found = Array.from({ length: chance.below(5) }, () =>
        makeClash(`What of ${chance.below(9)}?`, [chance.one(ids), ...chance.some(ids)], {
          kind: chance.one(['contradiction', 'trade-off', 'unowned', 'against-context'] as const),
          given: chance.some(ids),
        }),
      );
      // The scripted reader's conflicts stay unconfirmed unless the reader also names the planted statement. So
      // about two of three answers name the planted statement, too.
      return { conflicts: chance.is(3) ? found : [...findControl(asked, {}), ...found] };
    },
    answer: (asked) => {
      if (chance.is(9)) return NO_ANSWER;
      const change = chance
        .some(ids, 2)
        .map((id) => ({ id, text: `Otherwise ${chance.below(9)}.` }));
      const withdraw = chance
        .some(ids, 3)
        .map((id) => ({ id, why: 'no more', conflict: chance.one(['', 'Q-1', 'Q-2']) }));
      const add = chance.is(3) ? [makeStatement(chance)] : [];
      return makeAnswersTo(asked, (options) => chance.some(options), { change, withdraw, add });
    },
    must: () => (chance.is(3) ? NO_ANSWER : { holds: chance.is(2), why: '' }),
    synthesis: () =>
      makeSpecDraft({
        decisions: citeAtRandom(),
        interfaces: citeAtRandom(),
        data: citeAtRandom(),
        risks: citeAtRandom(),
        openQuestions: citeAtRandom(),
        tasks: citeAtRandom().map(({ text, from }) => ({
          title: text,
          from,
          files: [],
          after: [chance.below(9)],
          test: 't',
          doneWhen: 'd',
        })),
        notCarried: chance.some(ids).map((id) => ({ id, why: chance.one(['', 'later']) })),
      }),
  };
}

/** Returns the ids of all statements ever made, counted from the record and not from the fold. */
function everMade({ facts }: FinishedPlan): string[] {
  const counts = new Map<string, number>();
  for (const fact of facts) {
    const own = PLAN.own(fact);
    if (own?.type !== 'statements.made') continue;
    counts.set(own.role, (counts.get(own.role) ?? 0) + own.add.length);
  }
  return [...counts].flatMap(([role, count]) =>
    Array.from({ length: count }, (_, at) => `${role}-${at + 1}`),
  );
}

/** Returns where a spec says what became of a statement, without the list of all statements that stand. */
function placesOf(id: string, spec: string): string[] {
  const isCitedUnder = (heading: string): boolean =>
    readSection(spec, heading).some((row) =>
      /\[([^\];]*)(?:; open: [^\]]*)?\]$/.exec(row)?.[1]?.split(', ').includes(id),
    );
  const isNamedUnder = (heading: string): boolean =>
    readSection(spec, heading).some((row) => new RegExp(`^ *- ${id}(?: \\(|, )`).test(row));
  return [
    ...['Decisions', 'Interfaces', 'Data', 'Tasks', 'Risks', 'Open'].filter(isCitedUnder),
    ...['Conflicts nobody has settled', 'Given up', 'Not carried'].filter(isNamedUnder),
  ];
}

it(`a plan loses no statement of a seat when its seats answer at random (${RUNS} panels)`, async () => {
  const hold = new World().makePlanner();
  let written = 0;
  let restedOn = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(1_000), { minLength: 40, maxLength: 160 }),
      fc.boolean(),
      async (tape, isThere) => {
        const chance = new Chances([...tape].reverse());
        const held = await hold({
          script: makeWildScript(tape),
          config: { seed: tape[0] ?? 0, person: isThere },
          answer: async (_step, { options }) => ({
            answer: chance.one(options.map(({ value }) => value)),
            by: 'person',
          }),
        });
        const { ending, spec, view } = held;
        if (ending.status !== 'done') {
          expect(ending.reason).toMatch(/no specialist said anything|no synthesis/);
          return;
        }
        written += 1;
        const headings = spec.split('\n').filter((row) => row.startsWith('#'));
        expect(new Set(headings).size).toBe(headings.length);
        for (const id of everMade(held)) expect([id, ...placesOf(id, spec)]).not.toEqual([id]);
        const gone = view.statements.filter(({ state }) => state === 'withdrawn');
        for (const { id } of gone) expect(placesOf(id, spec)).toContain('Given up');
        for (const { id, given = [] } of view.conflicts)
          for (const statement of view.statements.filter((each) => given.includes(each.id))) {
            restedOn += 1;
            const { by = 'owner', conflict } = statement.withdrawal ?? {};
            expect([id, by === 'owner' ? undefined : conflict]).not.toEqual([id, id]);
          }
        for (const { id, earlier } of view.statements)
          if (earlier.length > 0) expect(placesOf(id, spec)).toContain('Given up');
        if (view.written?.state === 'converged')
          expect(
            readSection(spec, 'Conflicts nobody has settled').filter((row) =>
              row.startsWith('- Q-'),
            ),
          ).toEqual([]);
      },
    ),
    // Shrink a failure only in the long tests, because shrinking takes as long as a hundred runs.
    { numRuns: RUNS, seed: 1, endOnFailure: !LONG },
  );
  // More than half of the random panels must have written a plan. Otherwise the conditions above would have
  // been tested with too few plans.
  expect(written).toBeGreaterThan(RUNS / 2);
  expect(restedOn).toBeGreaterThan(RUNS / 10);
});
