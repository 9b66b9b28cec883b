/**
 * Tests every task that the protocols name: the stand-in knows each form by its name, and fills in forms
 * that it does not know.
 */

import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelRequest, ModelResult, Models } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { agents } from '../../src/protocols/agents/agents.ts';
import { board } from '../../src/protocols/board/board.ts';
import { createRehearsalProvider } from '../../src/protocols/rehearsal/provider.ts';
import { listFactsOfType, stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { makeRehearsalModels, rehearseRun } from '../protocols/rehearse.ts';
import { callModel, makeUserMessage, modelsFor } from './ask.ts';

/** Matches what the stand-in writes into a field of a form that it does not know. */
const FILLER = /to be replaced by what a model finds|a stand-in for the|, number \d+\./;

interface Heard {
  readonly models: Models;
  readonly calls: { readonly request: ModelRequest; readonly result: ModelResult }[];
}

function makeRecorder(): Heard {
  const inner = makeRehearsalModels();
  const calls: Heard['calls'] = [];
  return {
    calls,
    models: {
      price: (model, usage) => inner.price(model, usage),
      call: async (request, context) => {
        const result = await inner.call(request, context);
        calls.push({ request, result });
        return result;
      },
    },
  };
}

/** Returns the tasks that were asked, and expects that each form was filled in at once and by its name. */
function tasksOf({ calls }: Heard): string[] {
  for (const { request, result } of calls) {
    expect(result, request.task).toMatchObject({ status: 'done', attempts: 1 });
    expect(result.text, request.task).not.toMatch(FILLER);
    expect(result.text, request.task).not.toMatch(/[{][\w|-]+[}]|undefined/);
  }
  return [...new Set(calls.map(({ request }) => request.task))].sort();
}

const MODEL = 'rehearsal/panel';

test('the rehearsal answers all calls of a board', async () => {
  const store = temporaryStore();
  const journal = store.create('board');
  const heard = makeRecorder();
  const session = new Session({
    journal,
    models: heard.models,
    protocol: board as Protocol,
    answer: stopAtGate,
  });
  await session.begin({
    question: 'Should we split the monolith?',
    seats: ['advocate', 'critic', 'analyst'].map((id) => makeSeat(id, { model: MODEL })),
    config: {
      synthesizer: MODEL,
      open: false,
      seed: 7,
      attachments: [],
      vote: true,
      baselines: [{ kind: 'single' }, { kind: 'vote', samples: 5 }],
    },
  });
  await session.resume({ kind: 'weigh', base: 1, first: 2 });
  const names = ['agreement', 'answer', 'baseline', 'comparison', 'options', 'synthesis'];
  expect(tasksOf(heard)).toEqual(names.map((task) => `board/${task}`));
  // For each call, the journal has a fact `step.started` with the call's task.
  const started = listFactsOfType(store.facts(journal.run), 'step.started').filter(
    ({ seat }) => seat,
  );
  expect(started.map(({ task }) => task).sort()).toEqual(
    heard.calls.map(({ request }) => request.task).sort(),
  );
});

test('the rehearsal answers all calls of a run in rounds', async () => {
  const heard = makeRecorder();
  await rehearseRun(
    temporaryStore(),
    MODEL,
    3,
    7,
    {
      stress: { 2: 'observer' },
      driftEvery: 2,
      control: true,
      attachments: [{ name: 'plan.md', text: 'Split the ledger first.\nThen the login.\n' }],
    },
    heard.models,
  );
  expect(tasksOf(heard)).toEqual(
    [
      ...['artifact/action', 'artifact/critic', 'artifact/guardian', 'artifact/observer'],
      ...['assessment', 'bearings', 'check', 'drift', 'exam', 'options', 'prediction'],
      ...['proposal', 'reading', 'signature', 'stance', 'stance-alone', 'supplement', 'synthesis'],
    ].map((task) => `rounds/${task}`),
  );
});

test('the rehearsal answers all calls of agents', async () => {
  const heard = makeRecorder();
  const journal = temporaryStore().create('agent');
  const session = new Session({
    journal,
    models: heard.models,
    protocol: agents as Protocol,
    answer: stopAtGate,
  });
  const alone = { description: '' };
  const { status } = await session.begin({
    question: 'Should we split the monolith?',
    seats: ['desk', 'lead', 'one', 'two', 'tip'].map((id) => makeSeat(id, { model: MODEL })),
    config: {
      root: 'desk',
      seed: 7,
      contextTokens: 10_000,
      agents: {
        desk: { ...alone, router: { destinations: ['lead'], mayAnswer: false } },
        lead: {
          ...alone,
          advisors: { agents: ['tip'], required: 'all' },
          team: {
            members: ['one', 'two'],
            supervisor: 'lead',
            maxRounds: 3,
            memberMaxTurns: 3,
            supervisorMaxTurns: 3,
            terminationMode: 'coordinatorDecides',
          },
        },
        one: alone,
        two: alone,
        tip: alone,
      },
    },
  });
  expect(status).toBe('done');
  expect(tasksOf(heard)).toEqual([
    'agent/answer',
    'agent/member',
    'agent/route',
    'agent/supervise',
  ]);
});

test('the rehearsal answers a user’s own protocol with texts and structured answers', async () => {
  const fast = modelsFor({}, { more: [createRehearsalProvider({ speed: 1_000 })] });
  const messages = [makeUserMessage('Break this plan.')];
  const about = { question: 'Should we split the monolith?' };
  const words = await callModel(fast, MODEL, { task: 'red-team/attack', messages, about });
  const bare = await callModel(fast, MODEL, { task: 'red-team/attack', messages });
  expect(bare.result.text).toContain('_Rehearsal: no model wrote this._');
  expect(words.result.text).not.toBe(bare.result.text);
  const schema = z.object({ claims: z.array(z.object({ why: z.string() })).min(1) });
  const form = await callModel(fast, MODEL, { task: 'red-team/claims', messages, about, schema });
  expect(form.result).toMatchObject({ status: 'done', attempts: 1 });
  expect(form.result.text).toMatch(FILLER);
});
