/**
 * Tests the measurement of planted pairs with scripted models of which it is known what they find and how
 * they settle it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HeldPanel, runPanelPlan } from '../../bench/pairs/hold.ts';
import { type JudgedPlan, judgePlanPairs } from '../../bench/pairs/judge.ts';
import { idsOf, type Panel, readPanels } from '../../bench/pairs/panels.ts';
import { faultsOf, rowsOf } from '../../bench/pairs/table.ts';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { planOf } from '../../src/protocols/plan/fold.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { makeAnswer, ScriptedModels } from '../kernel/scripted-models.ts';
import {
  findControl,
  findShownId,
  isStatementOf,
  makeAnswersTo,
  makeClash,
  type Value,
} from './harness.ts';

const PANELS = readPanels();
/** Enough panels for models that are wrong, since these have every kind of pair and ending. */
const SOME = PANELS.slice(0, 2);

const FOLDER = mkdtempSync(join(tmpdir(), 'deliberate-test-'));
const store = Store.open(join(FOLDER, 'test.db'), FACTS);
afterAll(() => {
  store.close();
  rmSync(FOLDER, { recursive: true, force: true });
});

type Mind = (asked: ModelRequest, panel: Panel) => Value | undefined;

async function judgePanel(
  panel: Panel,
  mind: Mind,
): Promise<{ judged: JudgedPlan; held: HeldPanel }> {
  const models = new ScriptedModels((asked) => {
    const value = mind(asked, panel) ?? byTheTruth(asked, panel);
    return makeAnswer(JSON.stringify(value), { value });
  });
  const held = await runPanelPlan(store, panel, 'test/model-1', models, { patience: 1, seed: 7 });
  return { judged: judgePlanPairs(held), held };
}

async function judgeAll(mind: Mind, panels = SOME): Promise<JudgedPlan[]> {
  const found = await Promise.all(panels.map((panel) => judgePanel(panel, mind)));
  return found.map((result) => result.judged);
}

function byTheTruth(asked: ModelRequest, panel: Panel): Value {
  if (asked.task === 'plan/conflicts')
    return {
      conflicts: [...reportControl(asked, panel), ...panel.pairs.map(questionIn(asked, panel))],
    };
  if (asked.task === 'plan/must') return { holds: true, why: 'it would be broken' };
  return makeAnswersTo(asked, (options) => {
    const pair = panel.pairs.find((pair) => pair.clash.every((id) => options.includes(id)));
    // If one statement of a conflicting pair holds, every seat accepts this statement. Every seat then also
    // accepts a third statement that states only a fact.
    const facts = options.filter((id) => id === pair?.third);
    if (pair?.holds !== undefined) return [pair.holds, ...facts];
    return options.filter((id) => isStatementOf(id, asked.seat.id));
  });
}

function questionOf({ clash: ids, third, why }: Panel['pairs'][number]): Value {
  return makeClash(`Which of ${ids.join(' and ')}?`, ids, { why, given: third ? [third] : [] });
}

/** Returns the question of a pair with the ids under which the reader is shown its statements. */
function questionIn(
  asked: ModelRequest,
  { statements }: Panel,
): (pair: Panel['pairs'][number]) => Value {
  const toShownId = (id: string): string => findShownId(asked, statements, id);
  return ({ clash: ids, third, ...pair }) =>
    questionOf({
      ...pair,
      clash: ids.map(toShownId) as never,
      ...(third === undefined ? {} : { third: toShownId(third) }),
    });
}

function reportControl(asked: ModelRequest, { statements }: Panel): Value[] {
  return findControl(asked, statements);
}

function acceptsAll(asked: ModelRequest): Value | undefined {
  return asked.task === 'plan/answer' ? makeAnswersTo(asked, (options) => options) : undefined;
}

function measureShare(judgedOnes: readonly JudgedPlan[], is: 'isFound' | 'isRight'): number {
  const pairs = judgedOnes.flatMap((panel) => panel.pairs);
  return pairs.filter((pair) => pair[is]).length / pairs.length;
}

const leftBy = (judgedOnes: readonly JudgedPlan[]) =>
  rowsOf(judgedOnes).find(({ what }) => what.startsWith('… agreed'))?.measured;

const isMet = (judgedOnes: readonly JudgedPlan[]) =>
  rowsOf(judgedOnes).find(({ what }) => what.startsWith('all pairs'))?.met;

describe('a simulated model that knows which pairs of statements conflict', () => {
  let known: JudgedPlan[];
  beforeAll(async () => {
    known = await judgeAll(() => undefined, PANELS);
  });

  it('finds and settles every pair correctly', () => {
    expect(faultsOf(known)).toEqual([]);
    expect(measureShare(known, 'isRight')).toBe(1);
    expect(isMet(known)).toBe(true);
    expect(known.map(({ taken, others }) => [taken.length, others.length])).toEqual(
      PANELS.map(() => [0, 0]),
    );
  });

  it('is reported with exactly the calls and tokens that it used', async () => {
    const [panel] = PANELS;
    if (panel === undefined) throw new Error('there are no panels');
    const asked: string[] = [];
    const { judged: result } = await judgePanel(panel, ({ task }) => void asked.push(task));
    expect(new Set(asked)).toEqual(new Set(['plan/conflicts', 'plan/answer', 'plan/must']));
    expect(result.calls).toBe(asked.length);
    expect([result.input, result.output]).toEqual([asked.length * 10, asked.length * 5]);
  });

  it('settles without the person all 11 conflicts that the seats’ reasons can decide', async () => {
    expect(leftBy(known)).toBe('0 of 11');
    const [panel] = PANELS;
    if (panel === undefined) throw new Error('there are no panels');
    const view = planOf((await judgePanel(panel, () => undefined)).held.facts);
    const asked = view.conflicts.find(({ given }) => given?.includes('operations-3'));
    expect(asked?.options).toEqual(['payments-3', 'compliance-2']);
    expect(view.statements.find(({ id }) => id === 'operations-3')?.state).toBe('live');
  });

  it('leaves 2 of 11 conflicts to the person if it also lists as options the statements on which conflicts only rest (givens)', async () => {
    const found = await judgeAll(
      (asked, panel) =>
        asked.task === 'plan/conflicts'
          ? {
              conflicts: [
                ...reportControl(asked, panel),
                ...panel.pairs.map(({ third, ...pair }) =>
                  questionIn(
                    asked,
                    panel,
                  )({
                    ...pair,
                    clash: [...pair.clash, ...(third ? [third] : [])] as never,
                  }),
                ),
              ],
            }
          : undefined,
      PANELS,
    );
    expect(measureShare(found, 'isFound')).toBe(1);
    expect(leftBy(found)).toBe('2 of 11');
  });
});

describe('a simulated model that does not understand the statements', () => {
  it.each<[string, Mind]>([
    [
      'says that no statements conflict',
      ({ task }) => (task === 'plan/conflicts' ? { conflicts: [] } : undefined),
    ],
    [
      'names all conflicts but misses the planted statement',
      ({ task }, { pairs }) =>
        task === 'plan/conflicts' ? { conflicts: pairs.map(questionOf) } : undefined,
    ],
    [
      'pairs everything with everything',
      ({ task, about }) =>
        task === 'plan/conflicts' ? { conflicts: everyPair(about) } : undefined,
    ],
    [
      'sees the control and lumps the rest together',
      (asked, panel) =>
        asked.task === 'plan/conflicts'
          ? { conflicts: [...reportControl(asked, panel), ...lumpIds(idsOf(panel))] }
          : undefined,
    ],
  ])('is measured as having found no conflict if it %s', async (_, mind) => {
    const found = await judgeAll(mind);
    expect(measureShare(found, 'isFound')).toBe(0);
    expect(measureShare(found, 'isRight')).toBe(0);
    expect(isMet(found)).toBe(false);
  });

  it('is measured as right about less than 30 % of the conflicting pairs if it names every fifth pair of statements', async () => {
    const found = await judgeAll(({ task, about }) =>
      task === 'plan/conflicts' ? { conflicts: everyPair(about, 5) } : undefined,
    );
    expect(measureShare(found, 'isRight')).toBeLessThan(0.3);
    expect(isMet(found)).toBe(false);
  });

  it('is reported with each compatible pair (decoy) that it took for a conflict', async () => {
    const found = await judgeAll((asked, panel) =>
      asked.task === 'plan/conflicts'
        ? {
            conflicts: [
              ...reportControl(asked, panel),
              ...panel.decoys.map((decoy) => {
                const ids = decoy.map((id) => findShownId(asked, panel.statements, id));
                return makeClash(`Which of ${ids.join(' and ')}?`, ids);
              }),
            ],
          }
        : undefined,
    );
    expect(found.map(({ taken }) => taken.length)).toEqual(SOME.map(() => 2));
    expect(measureShare(found, 'isFound')).toBe(0);
  });
});

describe('a simulated model that finds all conflicting pairs and then answers for every seat', () => {
  it.each<[string, Mind]>([
    ['accepts every option', acceptsAll],
    [
      'calls all options compatible',
      (asked) => {
        if (asked.task !== 'plan/answer') return undefined;
        const answer = makeAnswersTo(asked, () => []);
        return {
          ...answer,
          answers: answer.answers.map((choice) => ({ ...choice, says: 'compatible' })),
        };
      },
    ],
    [
      'accepts the others’ options and not its own',
      (asked) =>
        asked.task === 'plan/answer'
          ? makeAnswersTo(asked, (options) =>
              options.filter((id) => !isStatementOf(id, asked.seat.id)),
            )
          : undefined,
    ],
  ])('is measured as having settled 0 pairs correctly if each seat %s', async (_, mind) => {
    const found = await judgeAll(mind);
    expect(measureShare(found, 'isFound')).toBe(1);
    expect(measureShare(found, 'isRight')).toBe(0);
    expect(isMet(found)).toBe(false);
  });

  it('is measured as right only about the pairs that a person has to decide if each seat insists on its option', async () => {
    const found = await judgeAll((asked) =>
      asked.task === 'plan/answer'
        ? makeAnswersTo(asked, (options) =>
            options.filter((id) => isStatementOf(id, asked.seat.id)),
          )
        : undefined,
    );
    for (const { isRight, holds } of found.flatMap(({ pairs }) => pairs))
      expect(isRight).toBe(holds === undefined);
  });

  it('is measured as having settled all pairs correctly if seats withdraw the statements that have to lose', async () => {
    const [panel] = PANELS;
    if (panel === undefined) throw new Error('there are no panels');
    const { judged: result, held } = await judgePanel(panel, (asked) => {
      if (asked.task !== 'plan/answer') return undefined;
      const falling = panel.pairs.flatMap(({ clash: ids, holds }) =>
        holds === undefined
          ? []
          : ids.filter((id) => id !== holds && isStatementOf(id, asked.seat.id)),
      );
      const isFirst = asked.about?.round === 2;
      const taken = isFirst
        ? falling.map((id) => ({ id, why: 'theirs has a ground', conflict: '' }))
        : [];
      return { ...byTheTruth(asked, panel), withdraw: taken };
    });
    expect(faultsOf([result])).toEqual([]);
    expect(planOf(held.facts).statements.some(({ withdrawal }) => withdrawal?.by === 'owner')).toBe(
      true,
    );
  });
});

/** Returns as many pairs as the schema allows; with `step`, only every so manieth. */
function everyPair(about: ModelRequest['about'], step = 1): Value[] {
  const ids = (about?.heard ?? []).map(({ from }) => from);
  return ids
    .flatMap((id, at) =>
      ids.slice(at + 1).map((other) => makeClash(`${id} or ${other}?`, [id, other])),
    )
    .filter((_, at) => at % step === 0)
    .slice(0, 21);
}

function lumpIds(ids: readonly string[]): Value[] {
  return [ids.slice(0, 8), ids.slice(6)].map((some) => makeClash('Which of all these?', some));
}
