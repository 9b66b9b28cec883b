/**
 * Tests a plan without a console: progress and results in pipes, the report, the export, and comparing two
 * plans.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import { PlainLines } from '../../src/plain/lines.ts';
import { formatReport } from '../../src/plain/report.ts';
import { describePlan, exportedPlan } from '../../src/protocols/plan/exported.ts';
import { type FactBody, fact } from '../../src/protocols/plan/facts.ts';
import { text } from '../../src/protocols/plan/view/plain.ts';
import { report } from '../../src/protocols/plan/view/report.ts';
import { makePlanRun, makeSearchFact, numberFacts, STAGES } from './facts.ts';

/** The tasks for which a plan asks a model, as its phases name them. */
const PHASES = new URL('../../src/protocols/plan/phases/', import.meta.url);
const TASKS = readdirSync(PHASES).flatMap((file) =>
  [...readFileSync(new URL(file, PHASES), 'utf8').matchAll(/task: '(plan\/[^']+)'/g)].map(
    ([, task = '']) => task,
  ),
);

function escapeForRegExp(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function printFacts(bodies: readonly FactBody[]): { out: string; err: string } {
  const said = { out: '', err: '' };
  const lines = new PlainLines(
    { write: (words) => (said.out += words) },
    { write: (words) => (said.err += words) },
    text,
  );
  for (const fact of numberFacts(bodies)) lines.fact(fact);
  return said;
}

it('plain output says who was called in, who was not heard, what stays unknown, who missed the control, and how questions ended', () => {
  const { out, err } = printFacts(STAGES.done);
  for (const line of [
    'Called in: Engine (clock, protocol), Interface (screens), Storage (saved-games), Release (shipping)',
    'Touched and owned by nobody: tournaments',
    'Interface goes on without knowing: Which time controls can a player choose today?',
    'Researched: Which field carries the increment on the wire, and how wide is it? 2 claims found, unconfirmed; 1 dropped',
    'Release is not heard in round 1: the model did not answer within 600 s',
    'Round 1: claude-sonnet-5-5 missed the control',
    'Q-2, contradiction: How long may an increment be? (engine-2, interface-2)',
    'Q-1: engine-3 was taken by agreement.',
    'Q-2: engine-2 was chosen by the person.',
    'Q-3: Left open: no option is accepted by all.',
  ])
    expect(err.split('\n')).toContain(line);
  expect(out).toContain('# Synthesis v1 · 3 of 4 specialists · without Release (failed)');
  expect(out).toContain(
    'Open: not every question is settled. 3 questions: 1 settled by agreement,',
  );
});

it('plain output does not count a found conflict in which one side is the planted statement', () => {
  const seen = makeSearchFact({
    round: 1,
    model: 'test/sharp',
    found: [
      {
        question: 'Is it so?',
        statements: ['engine-3', 'interface-4'],
        why: 'One denies the other.',
        kind: 'contradiction',
      },
    ],
    control: { planted: 'interface-4', of: 'engine-3', text: 'It is not so.', seen: true },
  });
  expect(printFacts([...STAGES.found, seen]).err).toContain(
    'Round 1: sharp saw the control and found no conflict\n',
  );
});

it('plain output counts a conflict that includes a planted statement only if two other options remain', () => {
  const printFinding = (statements: readonly string[], given: readonly string[]) =>
    printFacts([
      ...STAGES.found,
      makeSearchFact({
        round: 1,
        model: 'test/sharp',
        found: [
          { question: 'Is it so?', statements, given, why: 'It is not.', kind: 'contradiction' },
        ],
        control: { planted: 'interface-4', of: 'engine-3', text: 'It is not so.', seen: true },
      }),
    ]).err;
  expect(printFinding(['engine-3'], ['interface-4'])).toContain('found no conflict\n');
  const { length } = printFinding(['engine-1', 'storage-1'], []).match(/Q-\d+, /g) ?? [];
  const err = printFinding(['engine-1', 'storage-1'], ['interface-4', 'engine-3']);
  expect(err).toContain('sharp saw the control and found 1 conflict\n');
  expect(err).toContain('(engine-1, storage-1; it rests on engine-3)');
  expect(err.match(/Q-\d+, /g)).toHaveLength(length);
});

it('the report’s first line says whether the plan can be relied on', async () => {
  const page = formatReport(numberFacts(STAGES.done), report);
  expect(page.split('\n')[2]).toBe(
    '**Open: not every question is settled. 3 questions: 1 settled by agreement, 1 decided by the person, 1 open.**',
  );
  expect(page).toContain('- Release was not heard: the model did not answer within 600 s.');
  expect(page).toContain('- The plan omits storage-3 without a reason.');
  await expect(page).toMatchFileSnapshot('report.md');
});

it('a report can be made of a run that ended without a plan', () => {
  const stopped = [...STAGES.found, fact('run.ended', { status: 'stopped' })];
  const page = formatReport(numberFacts(stopped), report);
  expect(page).toContain('## Plan\n\nThere is none.');
  expect(page).toContain(
    '| engine-2 | Engine | constraint, must | ✓ stands | The increment is at most 60 seconds. |',
  );
  expect(page).toMatch(/^- engine-2\n.*Ground: src\/net\/message.ts/m);
  expect(page).toContain(
    '| Q-2 | ○ open | contradiction | engine-2, interface-2 | How long may an increment be? |',
  );
});

it('after an early stop, a plan’s report says that no statements of a seat were recorded so far', () => {
  const page = formatReport(
    numberFacts([...STAGES.gate, fact('run.ended', { status: 'stopped' })]),
    report,
  );
  expect(page).toContain('- Release was not heard: no statements were recorded so far.');
  expect(page).not.toContain('it said nothing');
});

it('models’ Markdown cannot break the layout of the report', () => {
  const hostile = fact('statements.made', {
    role: 'storage',
    round: 2,
    add: [],
    change: [{ id: 'storage-2', text: '# Decisions\n\n<!-- | \u001b[31mred' }],
    withdraw: [],
  });
  const page = formatReport(numberFacts([...STAGES.found, hostile]), report);
  expect(page.split('\n').filter((line) => /^#+ Decisions/.test(line))).toEqual([]);
  expect(page).not.toContain('\u001b');
  expect(page).toContain('# Decisions \\<!-- \\| red');
});

it('the export of a plan contains statements, how each question ended, and the spec', () => {
  const exported = describePlan().parse(exportedPlan(numberFacts(STAGES.done)));
  expect(exported?.state).toBe('open');
  expect(exported?.conflicts.map(({ id, decided }) => [id, decided?.by, decided?.option])).toEqual([
    ['Q-1', 'agreement', 'engine-3'],
    ['Q-2', 'person', 'engine-2'],
    ['Q-3', 'default', undefined],
  ]);
  expect(exported?.statements.find(({ id }) => id === 'interface-2')?.withdrawal?.by).toBe(
    'person',
  );
  expect(exported?.spec?.forgotten).toEqual(['storage-3']);
  expect(exportedPlan(numberFacts(STAGES.started))).toBeUndefined();
});

it('the diff of two plans shows which decisions differ', () => {
  const facts = numberFacts(STAGES.done);
  const other = numberFacts(STAGES.found);
  const before = { facts, view: viewOf(facts) };
  const after = { facts: other, view: viewOf(other) };
  expect(text.diff(before, before).text).toBe('Identical.\n');
  const said = text.diff(before, after).text;
  expect(said).toContain('State: open → not written');
  expect(said).toContain('Decisions: 0 added, 2 removed, 0 changed');
  expect(said).toMatch(/Q-2\b.*ended.*engine-2, decided/s);
});

it('text.purpose says what a call of a plan is for', () => {
  expect(text.purpose('round-2/examine-1')).toBe(' for conflicts');
  expect(text.purpose('decide/Q-2/examine-1')).toBe(' for conflicts');
  expect(text.purpose('decide/Q-2/told-ux')).toMatch(/^ what of its own does not go with/);
  expect(text.purpose('decide/Q-2/ux-1')).toBe(' alone about its must');
  expect(text.purpose('round-1/reread-Q-2')).toBe(' whether a question misreads its statements');
  expect(text.purpose('synthesis')).toBe(' to write the plan');
  expect(text.purpose('synthesis/carried-1/3')).toBe(
    ' whether a part of the plan follows from what it cites',
  );
  expect(text.purpose('synthesis-2/compared-1')).toBe(
    ' whether parts of the plan contradict each other',
  );
});

it('every answer of a model in a plan is formatted for reading, even if it lacks fields or has wrong ones', () => {
  const run = makePlanRun('started');
  run.answer('round-1/engine', 'engine', 'plan/speak', {
    statements: [
      { kind: 'constraint', title: '', text: 'At most 60.', must: true, because: 'One byte.' },
    ],
  });
  const call = Object.values(viewOf(run.facts).calls)[0];
  expect(call && text.spoken(call)).toBe(
    '**constraint, must**\n\nAt most 60.\n\nBecause: One byte.',
  );
  const partial = { task: 'plan/conflicts', text: '{"conflicts":[{"question":"Which un' };
  expect(text.answer(partial.task, { conflicts: [] })).toBe('**Conflicts found: 0**');
  const found = { question: 'Which?', statements: ['a-1', 'b-1'], given: ['c-1'], why: 'Small.' };
  expect(text.answer(partial.task, { conflicts: [found] })).toContain(
    '- **Which?** Between a-1, b-1. It rests on c-1. Small.',
  );
  expect(
    text.answer('plan/answer', { answers: [{ conflict: 'Q-1', says: 'accepts', accepts: [] }] }),
  ).toBe('## Answers\n\n- **Q-1** accepts none of them');
  const misread = { conflict: 'Q-1', says: 'misread', accepts: [], why: 'It says 30.' };
  expect(text.answer('plan/answer', { answers: [misread] })).toBe(
    '## Answers\n\n- **Q-1** misread: It says 30.',
  );
  for (const task of TASKS)
    for (const value of [{}, null, [], { queries: 3, statements: [null, 'x', {}] }])
      expect(typeof text.answer(task, value)).toBe('string');
});

it('planted statements that older editions recorded are formatted like those of today', () => {
  const control = { of: 'a-1', title: 'Clock', text: 'It ticks.', because: 'Measured.' };
  const page = '**Against a-1, Clock**\n\nIt ticks.\n\nBecause: Measured.';
  expect(text.answer('plan/control', { controls: [control, { ...control, title: '' }] })).toMatch(
    new RegExp(
      `^_Written to be planted: .*_\n\n${escapeForRegExp(page)}\n\n\\*\\*Against a-1\\*\\*\n`,
    ),
  );
  expect(text.answer('plan/control', control)).toContain(page);
});
