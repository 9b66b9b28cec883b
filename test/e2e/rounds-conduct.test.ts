/**
 * Tests deliberations in which something goes wrong, with the real program: a verifier that only agrees, a
 * seat that never answers. The results say so and are not used. The short form tries every stand-in and
 * plan of the signals' matrix once; the long form tries more seeds.
 */
import { describe, expect, it } from 'vitest';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { readFolder } from '../../src/protocols/rounds/records/read.ts';
import { readSignals } from '../../src/protocols/rounds/records/signals.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { listFactsOfType, temporaryStore } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { rehearseRun } from '../protocols/rehearse.ts';
import { startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest, factsIn, promptOf } from './deliberators.ts';
import { closeAfterTest, makeDatabasePath, viewIn } from './scene.ts';

const QUESTION = 'Should we split the monolith?';
const MODELS = ['a', 'b', 'c', 'd', 'v'];
const SEATS = ['action=ollama/a', 'guardian=ollama/b', 'observer=ollama/c', 'critic=ollama/d'];
const ROUNDS = [
  ...['rounds', '--verifier', 'ollama/v', '--seed', '7', '--plain', '--stop-at', 'never'],
  ...SEATS.flatMap((seat) => ['--seat', seat]),
];

const SEEDS = LONG ? 30 : 6;

describe('a verifier that gives no reasons after its entrance test', () => {
  it('changes no claim, has no usable verdict, and makes the failure mode FM-6 suspected', async () => {
    const server = closeAfterTest(
      await startOllama({
        models: MODELS,
        answer: (request) =>
          /^Check \d: /m.test(promptOf(request))
            ? 'I find all of it very convincing, on the whole.'
            : answerRequest(request),
      }),
    );
    const db = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const plan = ['--rounds', '3', '--stress', 'none', QUESTION];
    expect((await runDeliberate([...ROUNDS, ...plan], { env })).code).toBe(0);
    const facts = factsIn(db);
    const { rounds, claims, exams } = roundsOf(facts);
    expect(exams).toMatchObject([{ model: 'ollama/v', passed: true }]);
    const verdicts = rounds.flatMap(({ verifications }) => verifications);
    expect(verdicts.length).toBeGreaterThanOrEqual(10);
    // For some checks of decisions no model was asked, because there was no decision yet. Leave them out, since
    // their verdicts have no field `degraded`.
    const asked = verdicts.filter(({ step }) => step !== undefined);
    expect(asked.length).toBeGreaterThanOrEqual(9);
    for (const verification of asked)
      expect(verification).toMatchObject({
        result: 'NOT_APPLICABLE',
        evidence_refs: [],
        degraded: 'there is no usable verdict',
      });
    for (const claim of Object.values(claims))
      expect(claim).toMatchObject({ status: 'pending', moves: [] });
    const refusals = rounds.flatMap((round) =>
      round.refusals.filter(({ kind }) => kind === 'verdict'),
    );
    expect(refusals).toHaveLength(asked.length);
    // Compute the signals from the records; another test compares them with the command `signals`.
    const { signals, failureModes } = readSignals(readFolder(getRecordsFolder(facts)).records);
    expect(signals.find(({ id }) => id === 2)?.state).not.toBe('satisfied');
    expect(signals.find(({ id }) => id === 6)?.state).not.toBe('satisfied');
    expect(failureModes).toContainEqual(
      expect.objectContaining({ id: 'FM-6', state: 'suspected' }),
    );
    expect(validateFolder(getRecordsFolder(facts)).errors).toEqual([]);
  });
});

describe('a seat whose calls all fail', () => {
  it('is not listed among the sources of the synthesis', async () => {
    const server = closeAfterTest(
      await startOllama({
        models: MODELS,
        answer: answerRequest,
        behaviours: { d: { status: 400, message: 'this model is broken' } },
      }),
    );
    const db = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const plan = ['--rounds', '1', '--stress', 'none', QUESTION];
    expect((await runDeliberate([...ROUNDS, ...plan], { env })).code).toBe(0);
    const facts = factsIn(db);
    expect(listFactsOfType(facts, 'call.failed').every(({ seat }) => seat === 'critic')).toBe(true);
    const [synthesis] = viewIn(db).syntheses;
    expect(synthesis?.included).toEqual(['action', 'guardian', 'observer']);
    expect(synthesis?.excluded).toMatchObject([{ seat: 'critic' }]);
    const shown = (await runDeliberate(['show', 'latest'], { env })).out;
    expect(shown).toMatch(/3 of 4/);
    // No stress round was planned, so the critic has no artifact only because its call failed. Each round
    // records the failed call as a refusal.
    const { rounds } = roundsOf(facts);
    for (const round of rounds) {
      expect(round.artifacts.map(({ role }) => role)).toEqual(['action', 'guardian', 'observer']);
      expect(round.refusals).toContainEqual(
        expect.objectContaining({
          kind: 'call',
          by: 'critic',
          text: `round-${round.round}/D/critic`,
        }),
      );
    }
  });
});

describe('the stopping signals of a finished run', () => {
  it('are the same as during the run, whatever the seed', async () => {
    const store = temporaryStore();
    for (let seed = 1; seed <= SEEDS; seed++) {
      const model = ['healthy', 'sycophantic', 'overrunning', 'panel'][seed % 4];
      const stress = seed % 3 === 0 ? { 2: 'critic' as const } : {};
      const { facts, series } = await rehearseRun(store, `rehearsal/${model}`, 3, seed, {
        stress,
        driftEvery: 1 + (seed % 2),
      });
      const last = listFactsOfType(facts, 'signals.read').at(-1);
      const live = { satisfied: last?.satisfied, why: last?.why, signals: last?.signals };
      const { satisfied, why, signals } = series.at(-1) ?? expect.fail('there are no signals');
      expect({ satisfied, why, signals }, `seed ${seed}`).toEqual(live);
      // The signals that are computed from the exported folder equal the last recorded ones.
      const exported = readSignals(readFolder(getRecordsFolder(facts)).records);
      expect(exported.signals, `seed ${seed}, exported`).toEqual(last?.signals);
    }
  });

  it('are printed by deliberate signals just as they were recorded', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const rehearsed = ['rounds', '--rehearse', '--rehearse-speed', '1000', '--plain', '--quiet'];
    const plan = ['--rounds', '3', '--seed', '3', '--stop-at', 'never', QUESTION];
    expect((await runDeliberate([...rehearsed, ...plan], { env })).code).toBe(0);
    const last = listFactsOfType(factsIn(env.DELIBERATE_DB), 'signals.read').at(-1);
    const read = JSON.parse(
      (await runDeliberate(['signals', 'latest', '--json'], { env })).out,
    ) as object;
    expect(read).toMatchObject({
      satisfied: last?.satisfied,
      recommendation: last?.recommendation,
      signals: last?.signals.map(({ id, state, value }) => ({ id, state, value })),
    });
  });
});
