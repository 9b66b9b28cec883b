/** The number of a planted statement must not tell a reader which statement was planted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FoundConflict } from '../../src/protocols/plan/rules/conflicts.ts';
import { makePlant, swapIds, swapPlanted } from '../../src/protocols/plan/rules/control.ts';
import { numberStatements, type Statement } from '../../src/protocols/plan/rules/statements.ts';
import { makeConflictReader, World } from './harness.ts';

const TEXTS = [
  'A session ends after 15 minutes.',
  'The form keeps 40 drafts.',
  'Notes are kept for 90 days.',
  'A search answers within 200 milliseconds.',
];

function statementsMade(): Statement[] {
  return ['ux', 'data'].reduce<Statement[]>(
    (known, role) =>
      numberStatements(
        known,
        role,
        1,
        TEXTS.map((text) => ({ kind: 'constraint' as const, text: `${text} (${role})` })),
      ),
    [],
  );
}

describe('the number under which a planted statement is shown', () => {
  const statements = statementsMade();
  const planted = makePlant(statements, 1, 'examine') ?? expect.fail();
  const { id, role } = planted.statement;

  it('is any of its seat’s numbers with equal probability', () => {
    const counts = new Map<string, number>();
    for (let seed = 1; seed <= 500; seed += 1) {
      const shown = swapPlanted(statements, planted, new Set(), seed, 'examine')(id);
      counts.set(shown, (counts.get(shown) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5].map((nth) => `${role}-${nth}`));
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(60);
      expect(count).toBeLessThan(140);
    }
  });

  it('is exchanged with at most one number of the same seat, and never with one shown elsewhere in the prompt', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.subarray(statements.map((statement) => statement.id)),
        (seed, kept) => {
          const swap = swapPlanted(statements, planted, new Set(kept), seed, 'examine');
          const ids = [...statements.map((statement) => statement.id), id];
          expect(ids.map(swap).sort()).toEqual([...ids].sort());
          expect(ids.map(swap).map(swap)).toEqual(ids);
          const moved = ids.filter((candidate) => swap(candidate) !== candidate);
          expect([0, 2]).toContain(moved.length);
          for (const movedId of moved) {
            expect(movedId.startsWith(`${role}-`)).toBe(true);
            expect(kept).not.toContain(movedId);
          }
        },
      ),
    );
  });
});

describe('swapIds, which swaps two ids in a conflict that a reader found,', () => {
  const swap = (id: string): string => ({ 'ux-1': 'ux-5', 'ux-5': 'ux-1' })[id] ?? id;
  const found: FoundConflict = {
    question: 'Which holds, ux-1 or data-2?',
    statements: ['ux-1', 'data-2'],
    given: ['ux-5'],
    why: 'ux-1 and ux-12 differ; my-ux-1, ux-1a and UX-1 are other words (ux-5).',
    kind: 'contradiction',
  };

  it('replaces the ids in the lists and in the text, but not parts of longer words', () => {
    expect(swapIds(found, swap)).toEqual({
      ...found,
      question: 'Which holds, ux-5 or data-2?',
      statements: ['ux-5', 'data-2'],
      given: ['ux-1'],
      why: 'ux-5 and ux-12 differ; my-ux-1, ux-1a and UX-1 are other words (ux-1).',
    });
  });

  it('returns the original conflict when applied twice', () => {
    expect(swapIds(swapIds(found, swap), swap)).toEqual(found);
  });
});

describe('a plan whose reader was shown swapped ids', () => {
  it('records the reader’s findings with the ids from before the swap', async () => {
    const kinds = new Set<boolean>();
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const held = await new World().makePlan({
        config: { seed, rounds: 1 },
        script: { conflicts: makeConflictReader([]) },
      });
      const [looked] = held.view.examined;
      const { control } = looked ?? {};
      expect(control?.seen).toBe(true);
      const heard = held.requests('conflicts')[0]?.about?.heard ?? [];
      const shown = heard.find(({ text }) => text === control?.text)?.from;
      expect(shown).toBe(control?.shownAs ?? control?.planted);
      expect(looked?.found.flatMap(({ statements }) => statements)).toContain(control?.planted);
      kinds.add(control?.shownAs !== undefined);
    }
    expect([...kinds].sort()).toEqual([false, true]);
  });
});
