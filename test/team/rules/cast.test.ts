/**
 * Tests who plays which tier: how it is shown and changed at the plan's question, and where it comes from.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Catalog } from '../../../src/protocols/agents/files/catalog.ts';
import { loadStaff } from '../../../src/protocols/team/desk/staff.ts';
import type { TeamPlan } from '../../../src/protocols/team/forms/plan.ts';
import { castRows, changeCast } from '../../../src/protocols/team/rules/cast.ts';

const SPECIALISTS = ['backend', 'code-reviewer'].map((slug) => ({
  slug,
  name: slug,
  brief: 'x',
  about: `${slug} works.`,
}));
const PLAN = {
  workstreams: [{ id: 'list' }],
  cast: [
    { tier: 'T5', workstream: '', domain: '', specialist: 'code-reviewer' },
    { tier: 'T4', workstream: 'list', domain: '', specialist: '' },
  ],
} as unknown as TeamPlan;

describe('the specialists of a plan', () => {
  it('are shown in a line for each tier that has one', () => {
    expect(castRows(PLAN, SPECIALISTS)).toEqual(['T5: code-reviewer. code-reviewer works.']);
  });

  it('can be changed for one tier of one workstream, and taken from a tier with “nobody”', () => {
    const cast = changeCast('t4 list = backend, T5=nobody', PLAN, SPECIALISTS);
    expect('why' in cast ? [] : castRows({ cast }, SPECIALISTS)).toEqual([
      'T4 for list: backend. backend works.',
    ]);
  });

  it.each([
    ['backend', /^write it as T5=code-reviewer; the tiers are/],
    ['T9=backend', /^write it as/],
    ['T4 other=backend', /^there is no workstream other$/],
    ['T4=toString', /^there is no specialist toString; there are backend, code-reviewer$/],
  ])('are not changed if the person’s words are wrong: %s', (words, why) => {
    expect(changeCast(words, PLAN, SPECIALISTS)).toEqual({ why: expect.stringMatching(why) });
  });
});

describe('the agents that a team’s default settings name for its tiers', () => {
  const env = { HOME: '/nonexistent' };

  it('all come with the program', () => {
    const agents = new Map(
      Catalog.open({ flags: {}, env }).agents.map((agent) => [agent.id, agent]),
    );
    const { tiersOf } = loadStaff(env);
    const missing = [...tiersOf.keys()].filter((slug) => !agents.has(slug));
    expect(missing).toEqual([]);
    const pool = [...agents.values()].filter(({ qualified }) => qualified.startsWith('software/'));
    expect(pool.length).toBeGreaterThanOrEqual(20);
    for (const { id, brief, description } of pool) {
      expect(`${id}: ${brief}`).toMatch(/First .*You refuse .*You show that /s);
      expect(tiersOf.has(id) || ['sdk-designer'].includes(id)).toBe(true);
      expect(description?.length).toBeLessThan(200);
    }
  });

  it('can be replaced in a person’s own settings', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deliberate-staff-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'deliberate'));
    const file = join(folder, 'deliberate/team.yaml');
    writeFileSync(file, 't4: { level: capable }\nt5: { specialists: [mine] }\n');
    const staff = loadStaff({ ...env, XDG_CONFIG_HOME: folder });
    expect(staff.levels).toMatchObject({ t4: 'capable', 't5-1': 'capable', t1: 'reasoning-heavy' });
    expect(staff.tiersOf.get('mine')).toEqual(['T5']);
    expect(staff.tiersOf.get('backend')).toEqual(['T4']);
    writeFileSync(file, 't4: { level: cheap }\n');
    expect(() => loadStaff({ ...env, XDG_CONFIG_HOME: folder })).toThrow(/team\.yaml:1: /);
  });
});
