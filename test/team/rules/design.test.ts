/** Tests what code finds wrong in designs. */
import { describe, expect, it } from 'vitest';
import type {
  Architecture,
  Boundaries,
  Interface,
  Proposal,
} from '../../../src/protocols/team/forms/design.ts';
import {
  contradictionsIn,
  problemsInArchitecture,
  problemsInBoundaries,
} from '../../../src/protocols/team/rules/design.ts';
import { makeValidPlan, makeValidWorkstream } from './values.ts';

const PLAN = makeValidPlan({
  workstreams: [
    makeValidWorkstream('rows', { path: 'T2-T5' }),
    makeValidWorkstream('page', { path: 'T2-T5' }),
    makeValidWorkstream('docs', { path: 'T4-T5' }),
  ],
});

describe('The division of the work into domains', () => {
  const sound: Boundaries = {
    domains: [
      { id: 'backend', workstreams: ['rows'], owns: ['src/api/**'] },
      { id: 'frontend', workstreams: ['page'], owns: ['src/page/**', 'index.html'] },
    ],
    assumptions: [
      {
        id: 'S1',
        text: 'Rows are lists.',
        basis: 'repo',
        path: 'src/a.js',
        quote: 'const rows = [];',
      },
      { id: 'S2', text: 'JSON.', basis: 'goal', path: '', quote: '' },
    ],
  };
  const findProblems = (change: Partial<Boundaries>) =>
    problemsInBoundaries({ ...sound, ...change }, PLAN, (path) =>
      path === 'src/a.js' ? 'const rows = [];\n' : undefined,
    );
  const [backend, frontend] = sound.domains;
  const [assumption] = sound.assumptions;
  if (backend === undefined || frontend === undefined || assumption === undefined)
    throw new Error('no domain');

  it('is accepted if no file is in two domains and each designed workstream is in one', () => {
    expect(findProblems({})).toEqual([]);
  });

  it('is refused if two domains own the same files', () => {
    expect(
      findProblems({ domains: [{ ...backend, owns: ['src/**', 'lib/**'] }, frontend] }),
    ).toEqual(['Domains backend and frontend both own files: src/** and src/page/**.']);
  });

  it('is refused if a workstream is unknown, in no domain or in two domains', () => {
    expect(
      findProblems({ domains: [{ ...backend, workstreams: ['constructor'] }, frontend] }),
    ).toEqual([
      'Domain backend: there is no workstream constructor.',
      'Workstream rows has no domain.',
    ]);
    expect(
      findProblems({ domains: [backend, { ...frontend, workstreams: ['page', 'rows'] }] }),
    ).toEqual(['Workstream rows has 2 domains: backend, frontend.']);
    expect(
      findProblems({ domains: [backend, { ...frontend, id: 'backend', owns: ['../x'] }] }),
    ).toEqual([
      'There are two domains backend.',
      'Domain backend: "../x" leads out of the repository.',
    ]);
  });

  it('is refused if an assumption quotes words that its file does not contain', () => {
    for (const change of [{ quote: 'let rows = [];' }, { quote: '' }, { path: '__proto__' }])
      expect(findProblems({ assumptions: [{ ...assumption, ...change }] })).toHaveLength(1);
    expect(findProblems({ assumptions: [assumption, assumption] })).toEqual([
      'There are two assumptions S1.',
    ]);
  });
});

const LIST: Interface = {
  name: 'listRows',
  file: 'src/api/rows.js',
  signature: 'listRows(limit: number): Row[]',
  change: 'new',
  owner: 'backend',
  users: ['frontend'],
};
const makeProposal = (domain: string, ...interfaces: readonly Interface[]): Proposal => ({
  domain,
  design: `The ${domain} keeps rows in memory.`,
  interfaces: [...interfaces],
  needs: [],
  risks: [],
});

describe('Declarations of one interface in several proposals', () => {
  it('are the same if they differ only in spaces', () => {
    const same = { ...LIST, signature: 'listRows(limit:  number):\n Row[]', users: [] };
    expect(
      contradictionsIn([makeProposal('backend', LIST), makeProposal('frontend', same)]),
    ).toEqual([]);
  });

  it.each([
    ['signature', 'listRows(): Row[]'],
    ['file', 'src/rows.js'],
    ['owner', 'frontend'],
    ['change', 'breaking'],
  ] as const)('contradict one another if they differ in the %s', (aspect, value) => {
    const other = { ...LIST, [aspect]: value };
    const found = contradictionsIn([
      makeProposal('frontend', other),
      makeProposal('backend', LIST),
    ]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      id: 'X1',
      a: 'backend',
      b: 'frontend',
      quoteA: 'listRows: listRows(limit: number): Row[] (src/api/rows.js, owned by backend, new)',
      why: `listRows is declared with another ${aspect}`,
    });
    expect(found[0]?.quoteB).toContain(value);
  });

  it('are compared with the declaration of the domain that owns the interface', () => {
    const makeBreakingProposal = (domain: string) =>
      makeProposal(domain, { ...LIST, change: 'breaking' });
    const other = { ...LIST, name: 'constructor', owner: 'gone' };
    const all = [
      makeBreakingProposal('api'),
      {
        ...makeBreakingProposal('cli'),
        interfaces: [...makeBreakingProposal('cli').interfaces, { ...other, file: 'y.js' }],
      },
      makeProposal('backend', LIST, other),
    ];
    const found = contradictionsIn(all);
    expect(found.map(({ id, a, b }) => [id, a, b])).toEqual([
      ['X1', 'backend', 'cli'],
      ['X2', 'backend', 'api'],
      ['X3', 'backend', 'cli'],
    ]);
    expect(contradictionsIn([...all].reverse())).toEqual(found);
  });
});

describe('An architecture made of several proposals', () => {
  const proposals = [makeProposal('backend', LIST), makeProposal('frontend')];
  const sound: Architecture = {
    summary: 'Rows.',
    interfaces: [LIST],
    decisions: [
      {
        id: 'D1',
        text: 'Memory.',
        covers: ['R1'],
        from: [{ domain: 'backend', quote: 'keeps rows in memory' }],
      },
    ],
    settled: [],
    open: [],
  };
  const findProblems = (change: Partial<Architecture>) =>
    problemsInArchitecture({ ...sound, ...change }, proposals, PLAN);
  const [decision] = sound.decisions;
  if (decision === undefined) throw new Error('no decision');

  it('is accepted if it keeps the interfaces of all proposals and covers all requirements', () => {
    expect(findProblems({})).toEqual([]);
  });

  it('is refused if it loses an interface without saying why', () => {
    expect(findProblems({ interfaces: [] })).toEqual([
      'The interface listRows of a proposal is lost: keep it, or say in settled what became of it.',
    ]);
    const settled = [{ contradiction: 'X1', how: 'listRows is part of rows now.' }];
    expect(findProblems({ interfaces: [], settled })).toEqual([]);
  });

  it('is refused if a quotation is not in the proposal of the domain that it names', () => {
    const from = [
      { domain: 'backend', quote: 'keeps rows on disk' },
      { domain: 'frontend', quote: 'The backend keeps rows' },
      { domain: 'constructor', quote: 'keeps rows in memory' },
    ];
    expect(findProblems({ decisions: [{ ...decision, from }] })).toEqual([
      'Decision D1: backend does not say "keeps rows on disk".',
      'Decision D1: frontend does not say "The backend keeps rows".',
      'Decision D1: there is no domain constructor.',
    ]);
  });

  it('is refused if it leaves out a requirement or covers an unknown one', () => {
    expect(findProblems({ decisions: [] })).toEqual(['No decision covers R1.']);
    expect(findProblems({ decisions: [{ ...decision, covers: ['R1', 'R9'] }, decision] })).toEqual([
      'There are two decisions D1.',
      'Decision D1 covers R9, and there is no such requirement.',
    ]);
  });

  it('is refused if an interface has an unknown domain', () => {
    expect(
      findProblems({ interfaces: [LIST, { ...LIST, owner: 'toString', file: '/x' }] }),
    ).toEqual([
      'There are two interfaces listRows.',
      'Interface listRows: "/x" is not relative to the repository.',
      'Interface listRows: there is no domain toString.',
    ]);
  });
});
