/** Tests a run with two domains of one task each, the second of which uses an interface of the first. */
import { expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import {
  GOAL,
  makeOneTaskPlan,
  makePassedVerdict,
  makeTask,
  makeWriter,
  type Script,
  TeamRunner,
  type TeamRunResult,
} from './harness.ts';

const NUMBER = {
  name: 'word',
  file: 'src/word.js',
  signature: 'word(number: number): string',
  change: 'new',
  owner: 'lexicon',
  users: ['speech'],
};

const PLAN = makeOneTaskPlan({
  requirements: [
    { id: 'R1', text: 'word(2) is “two”.', proof: 'test' },
    { id: 'R2', text: 'tell(2) says “It is two.”.', proof: 'test' },
  ],
  tiers: [
    { tier: 'T2', why: 'two domains share an interface' },
    { tier: 'T3', why: 'each has tasks of its own' },
  ],
  workstreams: [
    {
      id: 'lexicon',
      goal: 'Words of numbers',
      path: 'T2-T5',
      depends_on: [],
      covers: ['R1'],
      retry_multiplier: 1,
      task: null,
    },
    {
      id: 'speech',
      goal: 'Sentences',
      path: 'T2-T5',
      depends_on: ['lexicon'],
      covers: ['R2'],
      retry_multiplier: 1,
      task: null,
    },
  ],
});

const WORD = "export function word(number) {\n  return ['zero', 'one', 'two'][number];\n}\n";
const TELL =
  "import { word } from './word.js';\n\nexport function tell(number) {\n  return 'It is ' + word(number) + '.';\n}\n";

function testOf(name: string, says: string): string {
  return `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${name}.js';\n\ntest('blind ${name}', () => assert.equal(${name}(2), '${says}'));\n`;
}

const getItem = (asked: ModelRequest): string => asked.about?.items?.[0] ?? '';

function makeProposal(domain: string, signature = NUMBER.signature) {
  return {
    domain,
    design: `How ${domain} is built.`,
    interfaces: [{ ...NUMBER, signature }],
    needs: [],
    risks: [],
  };
}

const ARCHITECTURE = {
  summary: 'A word for each number.',
  interfaces: [NUMBER],
  decisions: [
    {
      id: 'D1',
      text: 'Words come from one table.',
      covers: ['R1', 'R2'],
      from: [{ domain: 'lexicon', quote: 'How lexicon is built.' }],
    },
  ],
  settled: [{ contradiction: 'X1', how: 'by numbers' }],
  open: [],
};

const SCRIPT: Script = {
  plan: () => PLAN,
  critique: () => ({ found: [], plan: PLAN }),
  boundaries: () => ({
    domains: [
      { id: 'lexicon', workstreams: ['lexicon'], owns: ['src/word.js'] },
      { id: 'speech', workstreams: ['speech'], owns: ['src/tell.js'] },
    ],
    assumptions: [{ id: 'S1', text: 'English only.', basis: 'choice', path: '', quote: '' }],
  }),
  // The two domains declare the function `word` differently: `lexicon`, which owns it, and `speech`, which
  // uses it.
  propose: (asked) =>
    getItem(asked) === 'speech'
      ? makeProposal('speech', 'word(text: string): string')
      : makeProposal('lexicon'),
  contradictions: () => ({ found: [] }),
  answer: (asked) => {
    const domain = asked.messages.some(({ parts }) =>
      parts.some(({ text }) => text.includes('T2 for the domain speech')),
    )
      ? 'speech'
      : 'lexicon';
    return {
      answers: (asked.about?.items ?? []).map((contradiction) => ({
        contradiction,
        stance: 'concede',
        why: 'numbers it is',
      })),
      proposal: makeProposal(domain),
    };
  },
  architecture: () => ARCHITECTURE,
  fit: () => ({ fits: true, uncovered: [], against: [] }),
  graph: (asked) =>
    getItem(asked) === 'lexicon'
      ? { tasks: [makeTask('word', ['src/word.js'], { workstream: 'lexicon' })], not_mine: [] }
      : {
          tasks: [makeTask('tell', ['src/tell.js'], { workstream: 'speech', covers: ['R2'] })],
          not_mine: [],
        },
  tests: (asked) => {
    const [path, text] =
      getItem(asked) === 'R1'
        ? ['test/blind-word.test.js', testOf('word', 'two')]
        : ['test/blind-tell.test.js', testOf('tell', 'It is two.')];
    const tests = [{ requirement: getItem(asked), path, shows: 'two' }];
    return makeWriter({ [path]: text }, { tests, untestable: [] })(asked);
  },
  work: (asked) =>
    makeWriter(getItem(asked) === 'word' ? { 'src/word.js': WORD } : { 'src/tell.js': TELL })(
      asked,
    ),
  verify: (asked) => {
    const [requirement = ''] = asked.about?.items ?? [];
    const [path, quote] =
      requirement === 'R1'
        ? ['src/word.js', "['zero', 'one', 'two'][number]"]
        : ['src/tell.js', "'It is ' + word(number)"];
    return makePassedVerdict({
      items: [{ requirement, met: 'yes', path, quote, why: 'it says so' }],
    });
  },
};

function tasksIn({ view }: TeamRunResult): unknown[] {
  return view.tasks.map(({ task: { id }, state, attempts }) => [id, state, attempts.length]);
}

it('a run with two domains goes through design, tasks, acceptance tests, work, merge and verification', async () => {
  const runner = new TeamRunner();
  const held = await runner.begin({ script: SCRIPT });
  expect(held.ending).toEqual({ status: 'done' });
  expect(tasksIn(held)).toEqual([
    ['word', 'done', 1],
    ['tell', 'done', 1],
  ]);
  const { designed, tests, requirements, delivered } = held.view;
  expect(designed).toMatchObject({
    cycles: 1,
    contradictions: [{ id: 'X1', by: 'code', settled: 'by numbers' }],
  });
  expect(tests.map(({ tests: all }) => all.map(({ state }) => state))).toEqual([['red'], ['red']]);
  expect(requirements.map(({ state }) => state)).toEqual(['met', 'met']);
  const files = runner.person.git('ls-tree', '-r', '--name-only', delivered?.branch ?? '');
  expect(files).toContain('test/blind-word.test.js');
  expect(files).toContain('test/blind-tell.test.js');
  // The task `tell` comes second, so its tree has the work of the task `word`, and its prompt says so.
  const work = held.models.requests.find(
    (request) => request.task === 'team/work' && getItem(request) === 'tell',
  );
  expect(JSON.stringify(work?.messages)).toContain('Done before you, and in your tree: word');
  // The first part of every prompt contains the goal in the person's words.
  for (const { messages, task: name } of held.models.requests)
    expect(messages[0]?.parts[0]?.text, name).toContain(GOAL);
});
