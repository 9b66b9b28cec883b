/** How hard models are to think reaches who sits on no panel, in every call of theirs, and is on record. */
import { expect, it } from 'vitest';
import type { ModelRequest, Models } from '../../src/kernel/model.ts';
import { listFactsOfType, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer } from '../kernel/scripted-models.ts';
import { BoardHarness, makePanel } from './board-desk.ts';
import { makeRehearsalModels, rehearseRun } from './rehearse.ts';

/**
 * Returns the efforts with which each seat was asked: its own, and the one that applies only if its model
 * knows it.
 */
function levelsIn(requests: readonly ModelRequest[]): Record<string, string[]> {
  const levels = new Map<string, Set<string>>();
  for (const { seat } of requests) {
    const own = levels.get(seat.id) ?? new Set();
    levels.set(seat.id, own.add(`${seat.effort ?? '-'} ${seat.effortIfKnown ?? '-'}`));
  }
  return Object.fromEntries([...levels].map(([id, all]) => [id, [...all]]));
}

function recordRequests(models: Models): { models: Models; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    asked,
    models: {
      price: (model, usage) => models.price(model, usage),
      call: (request, context) => {
        asked.push(request);
        return models.call(request, context);
      },
    },
  };
}

it('the thinking effort applies to the verifier, the reading test and the synthesizer of rounds', async () => {
  const { models, asked } = recordRequests(makeRehearsalModels());
  const { facts } = await rehearseRun(
    temporaryStore(),
    'rehearsal/panel',
    1,
    3,
    { effort: 'high' },
    models,
  );
  expect(levelsIn(asked)).toMatchObject({
    verifier: ['- high'],
    synthesizer: ['- high'],
    critic: ['- -'],
  });
  const exams = asked.filter(({ task }) => task === 'rounds/exam');
  expect(levelsIn(exams)).toEqual({ verifier: ['- high'] });
  expect(listFactsOfType(facts, 'run.started')[0]?.config).toMatchObject({ effort: 'high' });
});

it('the thinking effort applies to the synthesizer, table of positions and baseline of a board', async () => {
  const spoken = makePanel((_asked, task) =>
    task === 'agreement' ? makeAnswer('', { value: { points: [], same: [] } }) : undefined,
  );
  const { models, asked } = recordRequests(spoken);
  const bench = new BoardHarness();
  const ending = await bench.begin(models, {
    effort: 'low',
    vote: true,
    baselines: [{ kind: 'single' }],
  });
  expect(ending.status).toBe('done');
  const levels = levelsIn(asked);
  expect(levels).toMatchObject({ synthesizer: ['- low'], baseline: ['- low'], critic: ['- -'] });
  const tasks = new Set(asked.map(({ task }) => task));
  expect(tasks.has('board/agreement')).toBe(true);
});
