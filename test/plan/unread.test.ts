/**
 * Tests that a part of a spec which no reader read who had found the planted fault says so itself: in the
 * spec, in its JSON, on the page, in the record, and as a requirement of a team.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { DECISION, firstDecisionWords, TASK } from '../../src/protocols/plan/view/carried.ts';
import { derivePlanned } from '../../src/protocols/plan/view/display-state.ts';
import { report } from '../../src/protocols/plan/view/report.ts';
import {
  doubtRows,
  goalOf,
  specFileSchema,
  specOf,
  type TeamSpec,
} from '../../src/protocols/team/rules/spec.ts';
import { TeamRunner } from '../team/harness.ts';
import {
  assessCarried,
  type FinishedPlan,
  findPlantedContradiction,
  makeSpecDraft,
  NO_ANSWER,
  readSection,
  type Script,
  World,
} from './harness.ts';

const task = {
  ...{ title: 'Sweep', files: [], from: ['data-1'], after: [], test: '' },
  doneWhen: 'the table is swept',
};
const writeSynthesis = ({ about }: ModelRequest) =>
  makeSpecDraft({
    decisions: (about?.heard ?? []).map(({ from, text }) => ({
      text: `Do: ${text}`,
      from: [from],
    })),
    tasks: [task],
  });
/** Calls everything carried, also what was planted, with a true quotation. */
const approveAll = ({ about }: ModelRequest) => ({
  ...{ carried: 'wholly', missing: '' },
  quotation: about?.heard?.[0]?.text ?? '',
});
const seesNothing: Script['compared'] = () => ({ contradictions: [] });
const UNREAD = 'Not read against what it cites: no reader found what was planted';
const UNCOMPARED = 'Not compared with the other parts: no reader found what was planted';
const BOTH =
  'Not read against what it cites, nor compared with the other parts: no reader found what was planted';

const decisionsOf = ({ spec }: FinishedPlan) => readSection(spec, 'Decisions');
const firstLine = ({ spec }: FinishedPlan): string => spec.split('\n')[2] ?? '';
const jsonOf = ({ files }: FinishedPlan) =>
  JSON.parse(files.find(({ path }) => path.endsWith('.spec.json'))?.text ?? '');
const plannedIn = ({ facts, view }: FinishedPlan) => derivePlanned(viewOf(facts), view);

/** Expects that each decision is followed by this mark, and by no other. */
function expectEachMarked(held: FinishedPlan, mark: string): void {
  const rows = decisionsOf(held);
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.filter((_row, at) => at % 2 === 0).every((row) => row.startsWith('- Do: '))).toBe(
    true,
  );
  expect(rows.filter((_row, at) => at % 2 === 1)).toEqual(
    rows.filter((_row, at) => at % 2 === 0).map(() => `  - **${mark}**`),
  );
}

describe('a decision of a plan that was not checked by any reader who found the control,', () => {
  it('is marked in the spec, on the page, in the report and in the record', async () => {
    const held = await new World().makePlan({
      script: { synthesis: writeSynthesis, carried: approveAll },
    });
    expectEachMarked(held, UNREAD);
    expect(readSection(held.spec, 'Tasks').join()).not.toContain('Not read');
    const { checks } = held.view.written?.spec ?? {};
    expect(checks?.notRead?.map(({ from }) => from[0]).sort()).toEqual(
      held.view.statements.map(({ id }) => id).sort(),
    );
    const planned = plannedIn(held);
    expect(DECISION.all(planned).map(({ marks }) => marks)).toEqual(
      held.view.statements.map(() => [UNREAD]),
    );
    expect(firstDecisionWords(planned)).toContain(`(${UNREAD})`);
    const recorded = { facts: held.facts, view: viewOf(held.facts) };
    const made = report.build(recorded);
    expect(made.answers[0]?.warnings).toContain(UNREAD);
    const table = JSON.stringify(made.sections.find(({ title }) => title === 'Decisions'));
    expect(table.split(UNREAD)).toHaveLength(held.view.statements.length + 1);
  });

  it('is marked in the requirements of a team that starts from the plan', async () => {
    const held = await new World().makePlan({
      script: { synthesis: writeSynthesis, carried: approveAll },
    });
    const file = specFileSchema.parse(jsonOf(held));
    expect(file.decisions.map(({ marks }) => marks)).toEqual(file.decisions.map(() => [UNREAD]));
    const spec = specOf(file);
    expect(doubtRows(spec)).toEqual(spec.requirements.map(({ id }) => `${id}: ${UNREAD}`));
    expect(goalOf(file, spec).split(`  - doubtful in the plan: ${UNREAD}`)).toHaveLength(
      spec.requirements.length + 1,
    );
  });

  it('is checked again when the chair writes a second draft', async () => {
    let drafts = 0;
    const held = await new World().makePlan({
      script: {
        // The first draft leaves a statement out, so that the chair has to write a second draft.
        synthesis: (asked) => {
          drafts += 1;
          const whole = writeSynthesis(asked);
          const decisions: readonly unknown[] = whole.decisions;
          return drafts === 1 ? { ...whole, decisions: decisions.slice(1) } : whole;
        },
        carried: (asked) => (drafts === 1 ? approveAll(asked) : assessCarried(asked)),
      },
    });
    expect(drafts).toBe(2);
    const second = held.requests('carried').filter(({ about }) => about !== undefined);
    const countReaders = (text: string): number =>
      second.filter(({ about }) => about?.items?.[0] === text).length;
    const { decisions, checks } = held.view.written?.spec ?? {};
    expect(checks).toMatchObject({ carried: 'seen', notRead: [] });
    // Both readers of the first draft missed the planted part, so their readings do not count. A part that is also
    // in the second draft is read again there.
    const readersOfFirstDraft = 2;
    for (const { text } of (decisions ?? []).slice(1))
      expect(countReaders(text)).toBeGreaterThan(readersOfFirstDraft);
  });

  it('is the only decision with a mark if only the call that should check it fails', async () => {
    const held = await new World().makePlan({
      script: {
        synthesis: writeSynthesis,
        carried: (asked) =>
          asked.about?.items?.[0]?.startsWith('Do: Nobody may') &&
          asked.about.heard?.[0]?.from === 'ux-1'
            ? NO_ANSWER
            : assessCarried(asked),
      },
    });
    const rows = decisionsOf(held);
    const at = rows.findIndex((row) => row.startsWith('- Do: Nobody may'));
    expect(rows[at + 1]).toMatch(/^ {2}- \*\*Not read against what it cites: .*gone/);
    expect(rows.filter((row) => row.includes('**'))).toHaveLength(1);
    expect(firstLine(held)).toContain('Open: 1 part that nobody read against what it cites');
    expect(held.view.written?.spec.checks?.notCarried).toEqual([]);
  });

  it('is marked with the objection of a reader who missed the control, if that reader objected', async () => {
    const held = await new World().makePlan({
      script: {
        synthesis: writeSynthesis,
        // The reader rejects one correct part and misses the control, because it accepts the planted part.
        // The rejected part must be marked nevertheless.
        carried: (asked) =>
          asked.about?.items?.[0]?.startsWith('Do: Nobody may')
            ? { carried: 'not', quotation: '', missing: 'all of it' }
            : approveAll(asked),
      },
    });
    const rows = decisionsOf(held);
    const at = rows.findIndex((row) => row.startsWith('- Do: Nobody may'));
    expect(rows[at + 1]).toBe('  - **Not carried by what it cites: all of it**');
    expect(rows.filter((row) => row.includes(UNREAD)).length).toBe(held.view.statements.length - 1);
  });

  it('is listed without the mark “not read” under edition 6 of the rules, which had no such mark', async () => {
    const held = await new World().makePlan({
      script: { synthesis: writeSynthesis, carried: approveAll },
      config: { prompts: 6 },
    });
    expect(held.spec).not.toContain('Not read against');
    expect(held.view.written?.spec.checks).not.toHaveProperty('notRead');
    expect(JSON.stringify(jsonOf(held))).not.toContain('"marks"');
  });
});

describe('the parts of a plan, which readers compare with each other,', () => {
  it('are each marked as uncompared if no reader notices the control', async () => {
    const held = await new World().makePlan({
      script: { synthesis: writeSynthesis, compared: seesNothing },
    });
    expectEachMarked(held, UNCOMPARED);
    expect(readSection(held.spec, 'Tasks')).toContain(`   - **${UNCOMPARED}**`);
    expect(TASK.all(plannedIn(held)).map(({ marks }) => marks)).toEqual([[UNCOMPARED]]);
    expect(jsonOf(held).tasks[0].marks).toEqual([UNCOMPARED]);
  });

  it('are marked as uncompared, with the reason, if no reader answers', async () => {
    const held = await new World().makePlan({
      script: { synthesis: writeSynthesis, compared: () => NO_ANSWER },
    });
    expect(decisionsOf(held)[1]).toMatch(/Not compared with the other parts: .*gone/);
  });

  it('get a single mark if readers missed the control both when reading and when comparing the parts', async () => {
    const held = await new World().makePlan({
      script: { synthesis: writeSynthesis, carried: approveAll, compared: seesNothing },
    });
    expectEachMarked(held, BOTH);
  });

  it('count as compared if the first reader misses the control and a second reader notices it', async () => {
    let looks = 0;
    const held = await new World().makePlan({
      script: {
        synthesis: writeSynthesis,
        compared: (asked) => {
          looks += 1;
          return { contradictions: looks === 1 ? [] : findPlantedContradiction(asked) };
        },
      },
    });
    expect(held.spec).not.toContain('Not compared');
    expect(held.view.written?.state).toBe('converged');
  });
});

describe('a team that begins from a spec with doubtful decisions', () => {
  const before = {
    ...{ run: 'x', title: 'T', goal: 'G' },
    decisions: [
      { text: 'Keep it.', from: ['a-1'] },
      { text: 'Drop it.', from: ['a-2'] },
    ],
  };
  const listDoubts = (checks: object): string[] =>
    doubtRows(specOf(specFileSchema.parse({ ...before, checks })));

  it('recognizes the doubtful decisions in an older spec without marks', () => {
    const none = { notCarried: [], contradictions: [] };
    expect(listDoubts({ ...none, carried: 'seen', compared: 'seen' })).toEqual([]);
    expect(listDoubts({ ...none, carried: 'missed', compared: 'seen' })).toEqual([
      `R1: ${UNREAD}`,
      `R2: ${UNREAD}`,
    ]);
    expect(
      listDoubts({
        carried: 'seen',
        notCarried: [{ text: 'Drop it.', from: ['a-2'], why: 'it says keep' }],
        compared: 'missed',
        contradictions: [{ parts: ['Keep it.', 'Drop it.'], why: 'both' }],
      }),
    ).toEqual([
      'R1: Contradicts “Drop it.”: both',
      `R1: ${UNCOMPARED}`,
      'R2: Not carried by what it cites: it says keep',
      'R2: Contradicts “Keep it.”: both',
      `R2: ${UNCOMPARED}`,
    ]);
    expect(doubtRows(specOf(specFileSchema.parse(before)))).toEqual([]);
  });

  it('shows the doubtful decisions to the person before the team’s plan is approved', async () => {
    const spec: TeamSpec = {
      ...{ run: 'x', questions: [] },
      requirements: [{ id: 'R1', text: 'tell(2) says “two”.', grounds: [], marks: [UNREAD] }],
    };
    const house = new TeamRunner();
    await house.begin({ config: { spec }, answer: house.makeAnswerer() });
    expect(house.gates.join('\n')).toContain(
      `Doubtful in the spec that they come from\n  R1: ${UNREAD}`,
    );
  });
});
