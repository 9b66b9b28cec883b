/** Tests that displays of a plan match its record, even if a later turn took back an earlier one. */
import { expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import { sectionsText } from '../../src/plain/blocks-text.ts';
import { derivePlanned } from '../../src/protocols/plan/view/display-state.ts';
import { GATE } from '../../src/protocols/plan/view/gate.ts';
import { report } from '../../src/protocols/plan/view/report.ts';
import { describeStateAndQuestions, getEnding } from '../../src/protocols/plan/view/wording.ts';
import { readRecord } from '../../src/record-kinds/tab.ts';
import {
  type FinishedPlan,
  isStatementOf,
  makeAnswersTo,
  makeClash,
  makeConflictReader,
  World,
} from './harness.ts';

function plannedIn({ facts, view }: FinishedPlan) {
  return derivePlanned(viewOf(facts), view);
}

it('under edition 2 of the rules, the first of two questions with contradictory choices of the person is shown as open', async () => {
  const choices = new Map([
    ['decide/Q-1', 'ux-1'],
    ['decide/Q-2', 'data-1'],
  ]);
  const held = await new World().makePlan({
    script: {
      conflicts: makeConflictReader([
        makeClash('How long may it be?', ['security-1', 'ux-1']),
        makeClash('Where does it lie?', ['ux-1', 'data-1']),
      ]),
    },
    config: { person: true, prompts: 2 },
    answer: async (step) => ({ answer: choices.get(step) ?? 'open', by: 'person' }),
  });
  const planned = plannedIn(held);
  const [first, second] = held.view.conflicts.map((conflict) => getEnding(conflict, planned));
  expect(held.spec).toContain('Open because ux-1 was chosen here and given up in Q-2.');
  expect([first?.state, second?.state]).toEqual(['open', 'decided']);
  expect(first?.words).toContain('ux-1 was chosen here and given up in Q-2');
  expect(describeStateAndQuestions(planned)).toContain(
    '2 questions: 1 decided by the person, 1 open.',
  );
});

it('if no reader finds the control after statements have changed, the report says so, even if a reader found it before', async () => {
  const found = makeConflictReader([makeClash('How long may it be?', ['security-1', 'ux-1'])]);
  const held = await new World().makePlan({
    script: {
      conflicts: (asked) => (asked.about?.round === 1 ? found(asked) : { conflicts: [] }),
      answer: (asked) =>
        makeAnswersTo(
          asked,
          (options) => options.filter((id) => isStatementOf(id, asked.seat.id)),
          {
            change: isStatementOf('ux-1', asked.seat.id)
              ? [{ id: 'ux-1', text: 'It lasts 20 days.' }]
              : [],
          },
        ),
    },
  });
  expect(held.view.examined[0]?.control?.seen).toBe(true);
  expect(held.view.written?.state).toBe('unexamined');
  expect(report.build({ facts: held.facts, view: viewOf(held.facts) }).missing).toContain(
    'No search for conflicts in the statements as they stand passed a control.',
  );
  expect(held.spec).toContain('in the statements as they stand showed that they can see one');
});

it('a search for conflicts is not reported as having missed the control if no control could be planted', async () => {
  const held = await new World().makePlan({
    says: {
      security: [{ text: 'A session ends.' }, { text: 'Tokens are opaque.' }],
      ux: [],
      data: [],
    },
  });
  expect(held.view.examined.map(({ control }) => control)).toEqual([undefined, undefined]);
  expect(describeStateAndQuestions(plannedIn(held))).toBe(
    'Unexamined: nobody who looked for conflicts in the statements as they stand showed that they can see one.',
  );
});

it('if no document fits a seat’s share of tokens, the record says this instead of “no documents”', async () => {
  const held = await new World().makePlan({ config: { gateTokens: 1 } });
  const [gated] = held.view.gated;
  if (gated === undefined) throw new Error('nobody was shown anything');
  expect([gated.shown.length, gated.cut.length > 0]).toEqual([0, true]);
  const { markdown } = readRecord(GATE, gated, plannedIn(held), 100);
  expect(markdown).toContain('Nothing of its documents fits its share of tokens.');
  expect(markdown).not.toContain('have no documents');
});

it('files that nobody saw before they were written are not called approved', async () => {
  const held = await new World().makePlan();
  const at = new Date(0).toISOString();
  const written = {
    v: 1,
    type: 'files.written',
    run: 'x',
    seq: held.facts.length + 1,
    at,
    files: [{ path: 'docs/roadmap/a.spec.md', sha256: '0'.repeat(64) }],
  } as const;
  const facts = [...held.facts, written];
  const { sections } = report.build({ facts, view: viewOf(facts) });
  expect(sectionsText(sections).join('\n')).not.toMatch(/approved/i);
  expect(sectionsText(sections)).toContain(
    'Written into the repository, with the SHA-256 of their content.',
  );
});
