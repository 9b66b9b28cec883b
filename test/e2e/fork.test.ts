/** Tests forks and diffs with the real program, and a server that counts who is asked what. */
import { describe, expect, it } from 'vitest';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { type OllamaServer, startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest, factsIn, PANEL_FLAGS, promptOf, recordsIn } from './deliberators.ts';
import { Program } from './program.ts';
import {
  closeAfterTest,
  makeDatabaseCopier,
  makeDatabasePath,
  makeFolder,
  viewIn,
} from './scene.ts';

const QUESTION = 'Should we split the monolith?';

const models = { models: ['a', 'b', 'c', 'new'], answer: answerRequest };

interface Parent {
  readonly env: Record<string, string>;
  readonly db: string;
  readonly id: string;
  /** A server that has had no request yet, because the parent run used another one. */
  readonly server: OllamaServer;
}

function parentOf(args: readonly string[]): () => Promise<Parent> {
  const copy = makeDatabaseCopier(async (db) => {
    const server = closeAfterTest(await startOllama(models));
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    expect((await runDeliberate([...args, '--plain', '--seed', '7', QUESTION], { env })).code).toBe(
      0,
    );
  });
  return async () => {
    const db = await copy();
    const server = closeAfterTest(await startOllama(models));
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    return { env, db, server, id: viewIn(db).id };
  };
}

const threeRounds = parentOf([
  ...['rounds', ...PANEL_FLAGS, '--rounds', '3', '--stress', 'none', '--stop-at', 'never'],
]);

const board = parentOf([
  'board',
  '--no-vote',
  ...['advocate=ollama/a', 'critic=ollama/b', 'analyst=ollama/c'].flatMap((seat) => [
    '--seat',
    seat,
  ]),
  '--synthesizer',
  'ollama/a',
]);

function inStore<T>(db: string, look: (store: Store) => T): T {
  const store = Store.open(db, FACTS);
  try {
    return look(store);
  } finally {
    store.close();
  }
}

const summaryIn = (db: string, id: string) => inStore(db, (store) => store.summary(id));

describe('a fork of rounds', () => {
  it('copies the phases before a change of model, and asks again what depends on the change', async () => {
    const { env, db, server, id } = await threeRounds();
    const before = factsIn(db);
    const args = ['fork', id, '--at', 'round-2/D', '--set', 'seat.critic.model=ollama/new'];
    const { code, err } = await runDeliberate([...args, '--plain'], { env });
    expect(code).toBe(0);
    const asked = server.chats();
    const facts = factsIn(db);
    const completed = listFactsOfType(facts, 'call.completed');
    const inherited = completed.filter((fact) => fact.inherited);
    // The fork copies all of round 1, the phases A to C of round 2, and the artifacts of round 2 by the three
    // seats other than the critic.
    const early = listFactsOfType(before, 'call.completed').filter(
      ({ step }) => /^round-1\/|^round-2\/[ABC]/.test(step) || /^round-2\/D\/(?!critic)/.test(step),
    );
    for (const { step } of early) expect(inherited.map((fact) => fact.step)).toContain(step);
    expect(asked).toHaveLength(completed.length - inherited.length);
    expect(err).toContain(
      `${inherited.length} calls reused from ${id.slice(0, 13)}, ${asked.length} calls asked`,
    );
    const critic = completed.filter(({ seat }) => seat === 'critic');
    expect(critic.map(({ step, model }) => [step, model])).toEqual(
      critic.map(({ step }) => [
        step,
        /^round-(1\/|2\/[ABC])/.test(step) ? 'ollama/a' : 'ollama/new',
      ]),
    );
    expect(critic.some(({ model }) => model === 'ollama/new')).toBe(true);
    // The check E/2 does not involve the critic, so it is copied although the critic's model was changed.
    expect(inherited.map(({ step }) => step)).toContain('round-2/E/2');
    expect(asked.every((request) => !promptOf(request).includes('Round 1. You lead it'))).toBe(
      true,
    );
    const view = viewIn(db);
    expect(view.parent).toBe(id);
    expect(view.config.changes).toEqual([
      {
        kind: 'model',
        from: 'round-2/D',
        seat: 'critic',
        model: 'ollama/new',
        was: 'ollama/a',
      },
    ]);
    // Calls that the fork copied were paid for by its parent, so the fork's usage does not include them.
    const paid = completed.filter((fact) => !fact.inherited);
    const input = paid.reduce((sum, { usage }) => sum + usage.input, 0);
    expect(view.usage.input).toBe(input);
    expect(summaryIn(db, view.id).tokensIn).toBe(input);
    expect(input).toBeLessThan(summaryIn(db, id).tokensIn);
    expect((await runDeliberate(['validate', 'latest'], { env })).code).toBe(0);
    // Resuming the finished fork asks no model.
    const count = server.chats().length;
    await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect(server.chats()).toHaveLength(count);
  });

  it('uses an edited claim from the chosen phase on', async () => {
    const { env, db, server, id } = await threeRounds();
    const text = 'The edited claim holds at noon.';
    const was = roundsOf(factsIn(db)).claims['C-1-1']?.text;
    const args = ['fork', id, '--at', 'round-2/B', '--set', `claim.C-1-1.text=${text}`];
    expect((await runDeliberate([...args, '--plain'], { env })).code).toBe(0);
    const facts = factsIn(db);
    expect(listFactsOfType(facts, 'claim.edited')).toMatchObject([
      { claim: 'C-1-1', round: 2, text, was },
    ]);
    const inherited = listFactsOfType(facts, 'call.completed').filter((fact) => fact.inherited);
    expect(inherited.every(({ step }) => step.startsWith('round-1/'))).toBe(true);
    expect(inherited.length).toBeGreaterThan(10);
    const asked = server.chats();
    expect(asked.length).toBeGreaterThan(20);
    // Every seat that sees the record of round 1 sees the edited claim.
    const shown = asked.map(promptOf).filter((prompt) => prompt.includes('Round 1, led by'));
    expect(shown.length).toBeGreaterThan(20);
    for (const prompt of shown) expect(prompt).toContain(text);
    const to = makeFolder();
    await runDeliberate(['export', 'latest', '--format', 'records', '--to', to], { env });
    expect((await runDeliberate(['validate', to])).code).toBe(0);
    const records = recordsIn(to);
    expect(records['state/claims.jsonl']).toContain(text);
    expect(records['rounds/round_2.md']).toContain(`C-1-1 was edited: it read "${was}"`);
    const { out, code } = await runDeliberate(['diff', id, 'latest'], { env });
    expect(code).toBe(0);
    expect(out).toMatch(/^Claims: /m);
    expect(out).toContain(text);
    const json = JSON.parse(
      (await runDeliberate(['diff', id, 'latest', '--json'], { env })).out,
    ) as {
      a: string;
      claims: { changed: { id: string; fields: Record<string, unknown> }[] };
    };
    expect(json.a).toBe(id);
    expect(json.claims.changed.find((claim) => claim.id === 'C-1-1')?.fields.text).toEqual({
      from: was,
      to: text,
    });
  });

  it('records no call twice after kill -9, and asks again only for calls of the interrupted phase', async () => {
    const { env, db, server, id } = await threeRounds();
    server.setBehaviour('c', ['ok', 'stall-mid-stream']);
    const before = server.chats('c').length;
    const args = ['fork', id, '--at', 'round-2/D', '--set', 'seat.critic.model=ollama/new'];
    const program = new Program([...args, '--plain'], { env });
    await program.waitForStderr(/Observer is asked[\s\S]*Observer is asked/);
    // Wait until the stalled call has reached the server: its start is printed a moment earlier.
    await expect.poll(() => server.chats('c').length).toBe(before + 2);
    program.child.kill('SIGKILL');
    await program.ended;
    server.setBehaviour('c', 'ok');
    expect((await runDeliberate(['resume', 'latest', '--plain'], { env })).code).toBe(0);
    const completed = listFactsOfType(factsIn(db), 'call.completed');
    const steps = completed.map(({ step }) => step);
    expect(new Set(steps).size).toBe(steps.length);
    const paid = completed.filter((fact) => !fact.inherited).length;
    const lost = server.chats().length - paid;
    // The calls that were running at the kill are made again. They belong to one phase, which has at most four.
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThanOrEqual(4);
  });

  it('can change the verifier, and can itself be forked', async () => {
    const { env, db, id } = await threeRounds();
    const args = ['fork', id, '--at', 'round-3', '--set', 'verifier=ollama/new', '--plain'];
    expect((await runDeliberate(args, { env })).code).toBe(0);
    const listModels = (seat: string): string[] => [
      ...new Set(
        listFactsOfType(factsIn(db), 'call.completed')
          .filter(({ seat: spoke }) => spoke === seat)
          .map(({ step, model }) => `${step.split('/')[0]} ${model}`),
      ),
    ];
    const verifier = ['round-1 ollama/b', 'round-2 ollama/b', 'round-3 ollama/new'];
    expect(listModels('verifier')).toEqual(verifier);
    expect(listModels('synthesizer')).toEqual(['round-4 ollama/new']);
    const two = [
      'fork',
      'latest',
      '--at',
      'round-3/D/action',
      '--set',
      'seat.action.model=ollama/c',
    ];
    expect((await runDeliberate([...two, '--plain'], { env })).code).toBe(0);
    expect(listModels('verifier')).toEqual(verifier);
    expect(viewIn(db).config.changes).toHaveLength(2);
    const inherited = listFactsOfType(factsIn(db), 'call.completed').filter(
      (fact) => fact.inherited,
    );
    expect(inherited.some(({ step }) => step === 'round-3/B/proposal')).toBe(true);
  });
});

describe('a fork of a board', () => {
  it('asks only the changed seat and the synthesizer again', async () => {
    const { env, db, server, id } = await board();
    const args = ['fork', id, '--at', 'seat/critic', '--set', 'seat.critic.model=ollama/new'];
    const { code, err } = await runDeliberate([...args, '--plain'], { env });
    expect(code).toBe(0);
    expect(err).toMatch(/2 calls reused/);
    expect(server.chats().map(({ model }) => model)).toEqual(['new', 'a']);
    expect(viewIn(db).calls['seat/advocate']).toMatchObject({ inherited: true, state: 'done' });
    const { out } = await runDeliberate(['diff', id, 'latest'], { env });
    expect(out).toContain('Model of critic: ollama/b → ollama/new');
    const json = JSON.parse((await runDeliberate(['diff', id, 'latest', '--json'], { env })).out);
    expect(json).toMatchObject({
      included: { from: ['advocate', 'analyst', 'critic'], to: ['advocate', 'analyst', 'critic'] },
      models: { critic: { from: 'ollama/b', to: 'ollama/new' } },
    });
  });

  it('asks no seat again if only the synthesizer changes', async () => {
    const { env, server, id } = await board();
    const args = ['fork', id, '--at', 'synthesis', '--set', 'synthesizer=ollama/new', '--plain'];
    expect((await runDeliberate(args, { env })).code).toBe(0);
    expect(server.chats().map(({ model }) => model)).toEqual(['new']);
  });
});

describe('the commands fork and diff', () => {
  const REHEARSED = ['--rehearse', '--rehearse-speed', '1000'];
  const rehearsedRounds = makeDatabaseCopier(async (db) => {
    const args = ['rounds', ...REHEARSED, '--rounds', '1', '--seed', '1', '--plain', QUESTION];
    expect((await runDeliberate(args, { env: { DELIBERATE_DB: db } })).code).toBe(0);
  });
  const rehearsedBoard = makeDatabaseCopier(async (db) => {
    await runDeliberate(['board', ...REHEARSED, QUESTION], { env: { DELIBERATE_DB: db } });
  });

  const model = ['--set', 'seat.critic.model=rehearsal/panel'];

  it.each([
    [[...model], '--at is required'],
    [['--at', 'round-9', ...model], 'Use one of round-1/{A,B,C,D,E,F,G'],
    [['--at', 'round-1/D'], 'nothing to change'],
    [['--at', 'round-1/D', '--set', 'critic=rehearsal/x'], 'seat.critic.model=ollama/qwen3:8b'],
    [
      ['--at', 'round-1/D', '--set', 'seat.critic.model=gpt'],
      'no server that was reached has a model "gpt"',
    ],
    [['--at', 'round-1/D', '--set', 'seat.jester.model=rehearsal/x'], 'The seats are action,'],
    [['--at', 'round-1/D', '--set', 'synthesizer=rehearsal/x'], 'Use --set verifier='],
    [['--at', 'round-1/D', '--set', 'claim.C-1-1.text=x'], 'Its claims: none yet.'],
    [['--at', 'round-1/D/critic', '--set', 'claim.C-1-1.text=x'], 'where a phase begins'],
    [['--at', 'round-1/G', '--set', 'claim.C-9-1.text=x'], 'there is no claim C-9-1'],
    [['--at', 'round-1/G', '--set', 'claim.constructor.text=x'], 'there is no claim constructor'],
  ])(
    'refuse the arguments %j of fork with exit code 2, and make no run',
    async (args, sentence) => {
      const db = await rehearsedRounds();
      const env = { DELIBERATE_DB: db };
      const { code, err } = await runDeliberate(['fork', 'latest', ...args], { env });
      expect(err).toContain(sentence);
      expect(code).toBe(2);
      expect(inStore(db, (store) => store.list())).toHaveLength(1);
    },
  );

  it('offer only steps that asked a model as places where a fork can begin', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const args = [
      '--rehearse',
      '--rehearse-speed',
      '1000',
      '--rounds',
      '2',
      '--seed',
      '1',
      '--plain',
      QUESTION,
    ];
    expect((await runDeliberate(['rounds', ...args], { env })).code).toBe(0);
    const { err } = await runDeliberate(['fork', 'latest', ...model], { env });
    const offered = /Use one of (.*), or a step below one of them\./.exec(err)?.[1];
    expect(offered).toMatch(/^round-1\/\{A,B,C,D,E,F,G\} round-2\/\{B,C,D,E,F,G,synthesis\} /);
    expect(offered).not.toMatch(/heed|signals|stop|budget/);
  });

  it.each([
    [
      'a seat that answered before the fork',
      ['--at', 'synthesis', '--set', 'seat.critic.model=rehearsal/x'],
    ],
    ['a claim', ['--at', 'seat', '--set', 'claim.C-1-1.text=x']],
    ['a verifier', ['--at', 'seat', '--set', 'verifier=rehearsal/x']],
  ])('refuse, in a fork of a board, to change %s', async (_what, args) => {
    const env = { DELIBERATE_DB: await rehearsedBoard() };
    expect((await runDeliberate(['fork', 'latest', ...args], { env })).code).toBe(2);
  });

  it('require two runs of the same protocol for diff', async () => {
    const env = { DELIBERATE_DB: await rehearsedRounds() };
    expect((await runDeliberate(['diff', 'latest'], { env })).err).toContain('name two runs');
    const rounds = viewIn(env.DELIBERATE_DB).id;
    await runDeliberate(['board', ...REHEARSED, QUESTION], { env });
    const { code, err } = await runDeliberate(['diff', rounds, 'latest'], { env });
    expect(code).toBe(2);
    expect(err).toContain('rounds and board runs cannot be compared');
    expect((await runDeliberate(['diff', rounds, 'no-such'], { env })).code).toBe(1);
    expect((await runDeliberate(['diff', rounds, rounds], { env })).out).toBe('Identical.\n');
  });
});
