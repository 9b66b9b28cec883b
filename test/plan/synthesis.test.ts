/** Tests that the spec accounts for every statement ever made, whatever the model hands in. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { formatStateSentence } from '../../src/protocols/plan/view/wording.ts';
import {
  type FinishedPlan,
  makeAnswersTo,
  makeClash,
  makeConflictReader,
  makeSpecDraft,
  NO_ANSWER,
  readSection,
  type Script,
  SOURCE_FILE,
  type Value,
  World,
} from './harness.ts';

const citeStatements = (...from: string[]) => ({ text: `About ${from.join(' and ')}.`, from });
const citeAll = ({ about }: ModelRequest) =>
  (about?.heard ?? []).map(({ from }) => citeStatements(from));
const makeTask = (more: Value = {}) => ({
  title: 'Keep it',
  files: [],
  from: ['data-1'],
  after: [],
  test: 'it is kept',
  doneWhen: 'it is seen',
  ...more,
});
const getSpec = ({ view }: FinishedPlan) => view.written?.spec;
/** Security gives in to ux in Q-1, by agreement; everything else stands. */
const AGREED: Script = {
  conflicts: makeConflictReader([makeClash('How long?', ['security-1', 'ux-1'])]),
  answer: (asked) => makeAnswersTo(asked, () => ['ux-1']),
};

describe('a draft of the plan that omits statements', () => {
  it('is requested once more, with the missing statements named', async () => {
    const writeSynthesis: Script['synthesis'] = (asked) => {
      const again = JSON.stringify(asked.messages).includes('It left out');
      return makeSpecDraft({ decisions: citeAll(asked).slice(0, again ? undefined : 3) });
    };
    const held = await new World().makePlan({ script: { synthesis: writeSynthesis } });
    expect(held.prompts('synthesis')).toHaveLength(2);
    expect(held.prompts('synthesis')[1]).toContain('It left out ux-2, data-1: cite each');
    expect(getSpec(held)?.forgotten).toEqual([]);
    expect(readSection(held.spec, 'Not carried')).toEqual([]);
  });

  it('is stored with a list of the omitted statements if a second draft omits them again', async () => {
    const writeSynthesis: Script['synthesis'] = (asked) =>
      makeSpecDraft({ decisions: citeAll(asked).slice(0, 3) });
    const held = await new World().makePlan({ script: { synthesis: writeSynthesis } });
    expect(held.prompts('synthesis')).toHaveLength(2);
    expect(readSection(held.spec, 'Not carried')).toEqual([
      '- ux-2 (section): The form keeps what was typed until it is sent. (no reason was given)',
      '- data-1 (constraint): Sessions live in one table that is swept every 30 days. (no reason was given)',
    ]);
  });

  it('has only those omissions accepted for which it gives a reason', async () => {
    const notCarried = [
      { id: 'security-1', why: 'too strict for a first version' },
      { id: 'security-2', why: '  ' },
      { id: 'nobody-1', why: 'who is that' },
    ];
    const writeSynthesis: Script['synthesis'] = (asked) =>
      makeSpecDraft({ decisions: citeAll(asked).slice(2), notCarried });
    const held = await new World().makePlan({ script: { synthesis: writeSynthesis } });
    expect(getSpec(held)?.notCarried.map(({ id }) => id)).toEqual(['security-1']);
    expect(getSpec(held)?.forgotten).toEqual(['security-2']);
  });

  it('is kept if the second draft omits more', async () => {
    const writeSynthesis: Script['synthesis'] = (asked) => {
      const again = JSON.stringify(asked.messages).includes('It left out');
      return again ? makeSpecDraft() : makeSpecDraft({ decisions: citeAll(asked).slice(0, 4) });
    };
    const held = await new World().makePlan({ script: { synthesis: writeSynthesis } });
    expect(getSpec(held)?.forgotten).toEqual(['data-1']);
  });
});

describe('a draft of the plan that cites statements which were withdrawn or do not exist', () => {
  it('loses each decision that cites a withdrawn statement; the spec lists the decision as refused', async () => {
    const decisions = [
      citeStatements('security-1', 'security-2'),
      citeStatements('ux-1', 'ux-2'),
      citeStatements('data-1'),
    ];
    const held = await new World().makePlan({
      script: { ...AGREED, synthesis: () => makeSpecDraft({ decisions }) },
    });
    expect(readSection(held.spec, 'Refused')).toEqual([
      '- About security-1 and security-2. (security-1 was withdrawn)',
    ]);
    expect(getSpec(held)?.decisions.map(({ from }) => from)).toEqual([
      ['ux-1', 'ux-2'],
      ['data-1'],
    ]);
    expect(getSpec(held)?.forgotten).toEqual(['security-2']);
    expect(readSection(held.spec, 'Given up')[0]).toMatch(
      /^- security-1, security: A session must end/,
    );
  });

  it.each([
    ['was withdrawn', 'security-1'],
    ['does not exist', 'nobody-7'],
    ['has the name of a built-in property, __proto__', '__proto__'],
  ])('keeps a task, but not the task’s citation of a statement that %s', async (_what, id) => {
    const tasks = [makeTask({ from: [id, 'data-1'] })];
    const held = await new World().makePlan({
      script: {
        ...AGREED,
        synthesis: (asked) =>
          makeSpecDraft({
            decisions: citeAll(asked),
            tasks,
            risks: [citeStatements('nobody-9', 'ux-1')],
          }),
      },
    });
    expect(getSpec(held)?.tasks[0]?.from).toEqual(['data-1']);
    expect(getSpec(held)?.risks[0]?.from).toEqual(['ux-1']);
    const refused = readSection(held.spec, 'Refused');
    expect(refused).toContainEqual(
      expect.stringMatching(new RegExp(`^- task 1, Keep it: what it cites as ${id} `)),
    );
    expect(refused).toContainEqual(expect.stringContaining('there is no statement nobody-9'));
  });
});

it('a converged plan says how many of its own open questions are still to be found out', async () => {
  const held = await new World().makePlan({
    script: {
      synthesis: (asked) =>
        makeSpecDraft({
          decisions: citeAll(asked),
          openQuestions: [{ text: 'Who sweeps the table?', from: ['data-1'] }],
        }),
    },
  });
  expect(held.view.written?.state).toBe('converged');
  expect(readSection(held.spec, 'Open')).toEqual(['- Who sweeps the table? [data-1]']);
  expect(held.spec.split('\n')[2]).toContain(
    'Converged: no question between seats is open. To be found out: 1 question. What was planted',
  );
  expect(formatStateSentence(held.view)).toBe(
    'Converged: no question between seats is open, and the last search for conflicts passed its control. To be found out: 1 question.',
  );
});

it('a decision of a plan that adopts two conflicting options of an open question is refused', async () => {
  const held = await new World().makePlan({
    script: {
      conflicts: AGREED.conflicts,
      synthesis: (asked) =>
        makeSpecDraft({ decisions: [...citeAll(asked), citeStatements('security-1', 'ux-1')] }),
    },
  });
  expect(readSection(held.spec, 'Refused')).toEqual([
    '- About security-1. (it and another part take two sides of Q-1, which is open)',
    '- About ux-1. (it and another part take two sides of Q-1, which is open)',
    '- About security-1 and ux-1. (it takes two sides of Q-1, which is open)',
  ]);
  expect(held.view.written?.state).toBe('open');
});

describe('a plan', () => {
  it('lists files that its tasks name but that do not exist', async () => {
    const files = [SOURCE_FILE, 'src/gone.ts', '../outside.ts', '.git/config', 'src'].map(
      (path) => ({
        path,
        isNew: false,
      }),
    );
    const tasks = [makeTask({ files: [...files, { path: 'src/made.ts', isNew: true }] })];
    const held = await new World().makePlan({
      script: { synthesis: (asked) => makeSpecDraft({ decisions: citeAll(asked), tasks }) },
    });
    expect(readSection(held.spec, 'Files that do not exist')).toEqual([
      '- task 1: src/gone.ts',
      '- task 1: ../outside.ts',
      '- task 1: .git/config',
      '- task 1: src',
    ]);
  });

  it('keeps a fix that it suggests only if the file is in the repository, may be read and contains the quoted text', async () => {
    const makeFix = (path: string, quotation: string, title: string) => ({
      path,
      quotation,
      title,
      problem: 'It does nothing.',
      change: 'Let it sweep.',
      replacement: '',
    });
    const sweep = 'export function sweep(now: number): void {}';
    const fixes = [
      makeFix(SOURCE_FILE, sweep, 'Stands'),
      makeFix(SOURCE_FILE, 'export function sweep(now: string): void {}', 'Other words'),
      makeFix('src/gone.ts', sweep, 'No file'),
      makeFix('../outside.ts', sweep, 'Outside'),
      makeFix('.env', 'SECRET of the house is', 'A secret'),
    ];
    const world = new World();
    world.write('.env', 'SECRET of the house is\n');
    const held = await world.makePlan({
      script: { synthesis: (asked) => makeSpecDraft({ decisions: citeAll(asked), fixes }) },
    });
    expect(getSpec(held)?.fixes).toMatchObject([
      { title: 'Stands', path: SOURCE_FILE, from: 3, to: 3 },
    ]);
    expect(readSection(held.spec, 'Refused').map((line) => line.slice(2).split(' (')[0])).toEqual([
      'Other words',
      'No file',
      'Outside',
      'A secret',
    ]);
    expect(held.files.map(({ path }) => path)).toEqual([
      'docs/roadmap/stay-signed-in.spec.md',
      'docs/roadmap/stay-signed-in.spec.json',
      'docs/fixes/stay-signed-in-1.fix.json',
    ]);
  });
});

it('a model’s text cannot imitate a part of the plan’s layout', async () => {
  const forged = 'Fine.\n\n## Open\n\n- nothing\n\n# All is well';
  const says = {
    security: [{ text: `A session ends. ${forged}` }],
    ux: [{ kind: 'section' as const, title: forged, text: forged, because: forged }],
  };
  const held = await new World().makePlan({
    says,
    script: {
      conflicts: makeConflictReader([makeClash(`Which? ${forged}`, ['security-1', 'ux-1'])], says),
      synthesis: (asked) =>
        makeSpecDraft({
          goal: `## Open\n\n- ${forged}`,
          outOfScope: [forged],
          decisions: (asked.about?.heard ?? []).map(({ from }) => ({ text: forged, from: [from] })),
          tasks: [makeTask({ title: forged, from: ['ux-1'], test: forged, doneWhen: forged })],
          risks: [{ text: forged, from: [] }],
          fixes: [],
          notCarried: [],
        }),
    },
  });
  const headings = held.spec.split('\n').filter((line) => line.startsWith('#'));
  expect(headings).toEqual([
    '# Let people stay signed in on their own machines.',
    ...[
      'Out of scope',
      'Tasks',
      'Risks',
      'Conflicts nobody has settled',
      'Statements',
      'Refused',
    ].map((heading) => `## ${heading}`),
  ]);
  expect(readSection(held.spec, 'Conflicts nobody has settled')[0]).toMatch(/^- Q-1: Which\?/);
});

it('no plan is stored if the chairing model does not write it', async () => {
  const held = await new World().makePlan({ script: { synthesis: () => NO_ANSWER } });
  expect(held.ending).toEqual({
    status: 'failed',
    reason: 'there is no synthesis: the server is gone',
  });
  expect(held.files).toEqual([]);
});
