/**
 * Names come from models, files and other people's exports. One that every object inherits, or that
 * nobody can read, is a name like any other: nothing is found under it unless it was put there.
 */
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../src/kernel/entry.ts';
import type { ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import { viewOf } from '../../src/kernel/view.ts';
import {
  agentsOf,
  findAgentOfStep,
  foldAgents,
  listAgents,
} from '../../src/protocols/agents/fold.ts';
import { findAgentsBelow, findCycles, findTerminals } from '../../src/protocols/agents/graph.ts';
import { foldRounds, roundsOf } from '../../src/protocols/rounds/fold.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import { kindOf, makeHealthyAnswer, makePanel, runRounds } from './panel.ts';

const NAMES = [
  'constructor',
  'toString',
  '__proto__',
  'hasOwnProperty',
  'valueOf',
  'isPrototypeOf',
  '__defineGetter__',
  '',
  ' ',
  '\u200b\u2060',
  'C-9-9\u200b',
  'x'.repeat(10_000),
];

const makeLog = (...bodies: FactBody[]): Fact[] =>
  bodies.map((body, index) => ({ run: 'r', seq: index + 1, at: '2026-01-01T00:00:00Z', ...body }));

/** The healthy answer with every text that names something replaced. */
function replaceNames(asked: ModelRequest, name: string): ModelResult | undefined {
  const kind = kindOf(asked);
  const answer = makeHealthyAnswer(asked);
  if (answer.status !== 'done') return undefined;
  const value = answer.value as Record<string, Record<string, unknown>[]>;
  if (kind === 'artifact')
    return {
      ...answer,
      value: {
        ...value,
        claims: value.claims?.map((claim) => ({ ...claim, replaces: name })),
        concedes: [name],
        disputes: [{ claim: name, quotation: name }],
      },
    };
  if (kind === 'bearings')
    return {
      ...answer,
      value: { bearings: value.bearings?.map((bearing) => ({ ...bearing, claim: name })) },
    };
  if (kind === 'assessment')
    return {
      ...answer,
      value: {
        ...value,
        decisions: value.decisions?.map((decision) => ({
          ...decision,
          cites: [{ id: name, relation: 'based-on', takes_as: 'true' }],
          conditions: [name],
        })),
      },
    };
  if (kind === 'stance') return { ...answer, value: { ...value, cites: [name] } };
  if (kind.startsWith('check'))
    return { ...answer, value: { ...value, evidence_refs: [name, name] } };
  return undefined;
}

describe.each(NAMES.map((name) => [JSON.stringify(name).slice(0, 24), name] as const))(
  'the unusual name %s',
  (_shown, name) => {
    it('is found in an object only if the name was stored there', () => {
      expect(entryOf({ other: 1 } as Record<string, number>, name)).toBeUndefined();
      expect(entryOf(Object.fromEntries([[name, 1]]), name)).toBe(1);
    });

    it('matches no claim, agent or call in a log except one of exactly this name', () => {
      const rounds = roundsOf(
        makeLog(
          fact('round.started', { round: 1, lead: 'action' }),
          fact('claim.moved', {
            claim: name,
            round: 1,
            from: 'pending',
            to: 'tested_confirmed',
            why: '',
          }),
        ),
      );
      expect(rounds.claims).toEqual({});
      const raised = foldRounds(rounds, {
        run: 'r',
        seq: 3,
        at: '',
        ...fact('claim.raised', {
          id: name,
          round: 1,
          raised_by: 'critic',
          text: 't',
          testable_as: 'x',
          step: 's',
        }),
      } as Fact);
      expect(entryOf(raised.claims, name)?.text).toBe('t');
      const makeStart = (path: string, parent?: string): FactBody =>
        fact('agent.started', {
          path,
          agent: path,
          pattern: 'session',
          why: 'root',
          advisors: [],
          ...withoutUndefined({ parent }),
        });
      const alone = agentsOf(makeLog(makeStart('lead', name)));
      expect(Object.keys(alone.agents)).toEqual(['lead']);
      expect(findAgentOfStep(alone, `${name}/call`)).toBeUndefined();
      const own = agentsOf(makeLog(makeStart(name)));
      expect(listAgents(own).map(({ agent }) => agent.children)).toEqual([[]]);
      const ended = foldAgents(alone, {
        ...makeLog(
          fact('agent.completed', {
            path: name,
            agent: name,
            status: 'failed',
            text: '',
            failedSteps: [],
            calls: 0,
            usage: { input: 0, output: 0, cached: 0, cacheWritten: 0, thinking: 0 },
            costUsd: 0,
            unpriced: 0,
          }),
        )[0],
      } as Fact);
      expect(Object.keys(ended.agents)).toEqual(['lead']);
      const steps = viewOf(
        makeLog(fact('deadline.moved', { step: name, attempt: '1', deadline: '' })),
      );
      expect(steps.calls).toEqual({});
    });

    it('as the target of a handoff, leads to no agent of another name and makes no cycle', () => {
      const linked = { lead: { handoff: name } };
      expect(findAgentsBelow(linked, 'lead')).toEqual(['lead']);
      expect(findTerminals(linked, 'lead')).toEqual([name]);
      expect(findCycles(linked)).toEqual([]);
    });
  },
);

describe("an unusual name in a model's answer", () => {
  it.each(['constructor', '__proto__', 'C-9-9\u200b'])(
    'refers to no claim, verdict or cited place: %j',
    async (name) => {
      const { status, view } = await runRounds(
        makePanel((asked) => replaceNames(asked, name)),
        { rounds: 2, driftEvery: 2 },
      );
      expect(status).toBe('done');
      for (const claim of Object.values(view.claims))
        expect(claim).toMatchObject({ status: 'pending', moves: [] });
      for (const { supersedes, challenges } of Object.values(view.claims))
        expect([supersedes, challenges]).toEqual([undefined, undefined]);
      // Code refuses concessions and supersessions, because no claim has the id that they name. Each refusal is
      // recorded with its kind.
      const refused = view.rounds.flatMap(({ refusals }) => refusals.map(({ kind }) => kind));
      expect(refused).toContain('concession');
      expect(refused).toContain('supersession');
      expect(view.rounds.flatMap(({ decisions }) => decisions)).toEqual([]);
      expect(view.rounds.flatMap(({ stances }) => stances.flatMap(({ cites }) => cites))).toEqual(
        [],
      );
      expect(convertToRecords(view).verifications.some(({ result }) => result === 'BROKEN')).toBe(
        false,
      );
    },
  );
});
