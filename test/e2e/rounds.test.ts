/** Tests structured deliberations with the real program and three models over loopback. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { type OllamaServer, startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import {
  answerRequest,
  factsIn,
  identityOf,
  PANEL_FLAGS,
  promptOf,
  recordsIn,
} from './deliberators.ts';
import { Program, runProgram } from './program.ts';
import { closeAfterTest, makeDatabasePath, makeFolder, viewIn } from './scene.ts';

const QUESTION = 'Should we split the monolith?';
/** Flags for enough rounds that the first ones are summarized, two of them without a role. */
const SIX = [
  ...['rounds', ...PANEL_FLAGS, '--rounds', '6', '--stress', '3=critic', '--stress', '5=guardian'],
  ...['--seed', '7', '--stop-at', 'never', '--plain', QUESTION],
];
const MODELS = ['a', 'b', 'c'];

const kept = mkdtempSync(join(tmpdir(), 'deliberate-rounds-'));
afterAll(() => rmSync(kept, { recursive: true, force: true }));

interface Undisturbed {
  readonly db: string;
  readonly calls: number;
  readonly records: Record<string, string>;
  readonly folder: string;
}
let first: Promise<Undisturbed> | undefined;

/** Returns a run of six rounds that nothing interrupted, made once. */
function getUndisturbed(): Promise<Undisturbed> {
  first ??= (async () => {
    const server = await startOllama({ models: MODELS, answer: answerRequest });
    try {
      const db = join(kept, 'runs.db');
      const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
      const { code, err } = await runDeliberate(SIX, { env });
      expect(err).toContain('done');
      expect(code).toBe(0);
      const to = join(kept, 'records');
      await runDeliberate(['export', 'latest', '--format', 'records', '--to', to], { env });
      return { db, calls: server.chats().length, records: recordsIn(to), folder: to };
    } finally {
      await server.close();
    }
  })();
  return first;
}

describe('six rounds on three models', () => {
  it('are all completed, with one role absent in each stress round and no call repeated', async () => {
    const { db, calls } = await getUndisturbed();
    const facts = factsIn(db);
    const { rounds } = roundsOf(facts);
    expect(rounds.map(({ round, closed }) => [round, closed])).toEqual(
      Array.from({ length: 6 }, (_round, index) => [index + 1, true]),
    );
    expect(rounds.map(({ absent }) => absent)).toEqual([
      undefined,
      undefined,
      'critic',
      undefined,
      'guardian',
      undefined,
    ]);
    const completed = listFactsOfType(facts, 'call.completed');
    expect(completed).toHaveLength(calls);
    expect(new Set(completed.map(({ model }) => model))).toEqual(
      new Set(['ollama/a', 'ollama/b', 'ollama/c']),
    );
    expect(listFactsOfType(facts, 'call.failed')).toEqual([]);
    expect(viewIn(db).syntheses).toHaveLength(1);
  });

  it('export valid records, whose signals a script can read', async () => {
    const { folder: records } = await getUndisturbed();
    const validated = await runDeliberate(['validate', records, '--json']);
    expect(JSON.parse(validated.out)).toEqual({ ok: true, errors: [], warnings: [] });
    expect(validated.code).toBe(0);
    const { out, code } = await runDeliberate(['signals', records, '--json']);
    expect(code).toBe(0);
    const reading = JSON.parse(out) as Record<string, unknown>;
    expect(reading).toMatchObject({
      rounds: 6,
      signals: [
        { id: 1, name: 'refutation-rate' },
        { id: 2 },
        { id: 3 },
        { id: 4 },
        { id: 5 },
        { id: 6 },
      ],
      satisfied: expect.any(Number),
      recommendation: expect.stringMatching(/^(stop|wrap-up|consider|continue)$/),
      failureModes: Array.from({ length: 8 }, (_mode, index) => ({
        id: `FM-${index + 1}`,
        state: expect.stringMatching(/^(suspected|clear|unknown)$/),
        why: expect.any(String),
      })),
    });
    for (const signal of reading.signals as Record<string, unknown>[]) {
      expect(signal.state).toMatch(/^(satisfied|unsatisfied|uninformative)$/);
      expect(signal).toHaveProperty('value');
      expect(signal).toHaveProperty('threshold');
      expect(signal.why).toEqual(expect.any(String));
    }
  });

  it('have records that `deliberate validate` rejects after the id of a cited claim was changed', async () => {
    const { records } = await getUndisturbed();
    const copy = makeFolder();
    for (const [path, text] of Object.entries(records)) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(
        join(copy, path),
        path.endsWith('decisions.jsonl') ? text.replace('"C-1-1"', '"C-99-1"') : text,
      );
    }
    const { code, out } = await runDeliberate(['validate', copy]);
    expect(code).toBe(1);
    expect(out).toContain('C-99-1');
  });
});

describe('rounds that are killed twice in one round', () => {
  /** Matches a prompt of the sixth round: it contains the record of rounds 1 to 5, but no record of round 6. */
  const SIXTH = /^(?![\s\S]*Round 6, led by)[\s\S]*Record of rounds 1 to 5,/;

  it('are resumed without repeating a recorded call', async () => {
    const whole = await getUndisturbed();
    let server: OllamaServer | undefined;
    let silent: (() => void) | undefined;
    let place = { model: '', stallsAt: /^/ };
    server = closeAfterTest(
      await startOllama({
        models: MODELS,
        answer: (request) => {
          const text = promptOf(request);
          if (request.model === place.model && SIXTH.test(text) && place.stallsAt.test(text)) {
            server?.setBehaviour(place.model, 'stall-mid-stream');
            silent?.();
          }
          return answerRequest(request);
        },
      }),
    );
    const { setBehaviour, chats } = server;
    const db = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const listSteps = (type: 'call.completed' | 'step.started'): string[] =>
      listFactsOfType(factsIn(db), type).map((fact) => fact.step);

    /**
     * Runs the program until the steps in `completed` are done and `step` has begun, and kills it. `step` cannot end,
     * because `model` stalls at the first prompt of round 6 that matches `stallsAt`. Returns the identities of all
     * requests so far.
     */
    async function killedIn(
      args: readonly string[],
      model: string,
      stallsAt: RegExp,
      step: string,
      completed: readonly string[],
    ): Promise<string[]> {
      place = { model, stallsAt };
      const isSilent = new Promise<void>((resolve) => {
        silent = resolve;
      });
      const program = new Program(args, { env });
      await isSilent;
      const isThere = (): boolean =>
        listSteps('step.started').includes(step) &&
        completed.every((key) => listSteps('call.completed').includes(key));
      await expect.poll(isThere).toBe(true);
      await expect.poll(() => chats(model).at(-1)?.answered).toBeDefined();
      program.child.kill('SIGKILL');
      await program.ended;
      expect(listSteps('call.completed')).not.toContain(step);
      setBehaviour(model, 'ok');
      place = { model: '', stallsAt };
      return chats().map(identityOf);
    }

    const first = await killedIn(
      SIX,
      'c',
      /You lead it|Add what your role sees/,
      'round-6/D/observer',
      ['action', 'guardian', 'critic'].map((role) => `round-6/D/${role}`),
    );
    // The server got one request more than there are recorded answers: the request of the interrupted call.
    expect(first).toHaveLength(listSteps('call.completed').length + 1);

    const resume = ['resume', 'latest', '--plain'];
    const second = await killedIn(resume, 'b', /^Check 4: /m, 'round-6/F/bearings', [
      'round-6/E/4',
    ]);
    expect(second).toHaveLength(listSteps('call.completed').length + 2);

    const resumed = await runProgram(resume, { env });
    expect(resumed.code).toBe(0);
    for (const [asked, until] of [
      [first, second],
      [second, chats().map(identityOf)],
    ] as const) {
      const again = until.slice(asked.length);
      expect(again.filter((request) => asked.includes(request))).toHaveLength(1);
      expect(new Set(again).size).toBe(again.length);
    }
    expect(chats()).toHaveLength(whole.calls + 2);
    const to = makeFolder();
    await runDeliberate(['export', 'latest', '--format', 'records', '--to', to], { env });
    expect(recordsIn(to)).toEqual(whole.records);
  });
});

describe('rounds with --rounds audit and --stop-at 4', () => {
  it('end before round 13, once at least four of the six stopping signals are satisfied', async () => {
    const server = closeAfterTest(await startOllama({ models: MODELS, answer: answerRequest }));
    const db = makeDatabasePath();
    const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db };
    const audit = ['rounds', ...PANEL_FLAGS, '--rounds', 'audit', '--seed', '7', '--stop-at', '4'];
    expect((await runDeliberate([...audit, '--plain', QUESTION], { env })).code).toBe(0);
    const facts = factsIn(db);
    const { rounds } = roundsOf(facts);
    expect(viewIn(db).config).toMatchObject({ rounds: 13, driftEvery: 5 });
    expect(rounds.length).toBeGreaterThan(4);
    expect(rounds.length).toBeLessThan(13);
    const readings = listFactsOfType(facts, 'signals.read');
    expect(readings.at(-1)?.satisfied).toBeGreaterThanOrEqual(4);
    expect(readings.at(-1)?.recommendation).not.toBe('continue');
    // The conditions for stopping were not met after any earlier round.
    for (const reading of readings.slice(0, -1))
      expect(reading.satisfied < 4 || reading.recommendation === 'continue').toBe(true);
    expect(viewIn(db).syntheses).toHaveLength(1);
    expect((await runDeliberate(['validate', 'latest'], { env })).code).toBe(0);
  });
});

describe('deliberate rounds', () => {
  const rehearsed = ['rounds', '--rehearse', '--rehearse-speed', '1000', '--plain', '--quiet'];

  it('takes the absent roles from --stress, and who plays a role from --cast', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const cast = ['--cast', 'guardian=SRE lead', '--cast', 'critic=a rival'];
    const stress = ['--rounds', '3', '--stress', 'R2=observer', '--stress', '3=action'];
    const { code } = await runDeliberate(
      [...rehearsed, ...cast, ...stress, '--stop-at', 'never', QUESTION],
      {
        env,
      },
    );
    expect(code).toBe(0);
    const view = viewIn(env.DELIBERATE_DB);
    const getBrief = (id: string): string => view.seats.find((seat) => seat.id === id)?.brief ?? '';
    expect(getBrief('guardian')).toContain('SRE lead');
    expect(getBrief('critic')).toContain('a rival');
    expect(getBrief('action')).toMatch(/you are: \S/);
    const to = makeFolder();
    await runDeliberate(['export', 'latest', '--format', 'records', '--to', to], { env });
    const leads = readFileSync(join(to, 'state/lead_history.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(leads.map(({ absent_agent }) => absent_agent)).toEqual([null, 'observer', 'action']);
    expect(Object.keys(recordsIn(to))).not.toContain('artifacts/round_2/observer.md');
    expect(Object.keys(recordsIn(to))).toContain('artifacts/round_3/observer.md');
  });

  it('with --stress none plans seven rounds without a stress round', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const none = ['--rounds', '7', '--stress', 'none', QUESTION];
    expect((await runDeliberate([...rehearsed, ...none], { env })).code).toBe(0);
    expect(viewIn(env.DELIBERATE_DB).config).toMatchObject({ rounds: 7 });
    expect(viewIn(env.DELIBERATE_DB).config.stress).toEqual({});
  });

  it('with --control asks each seat once more, without the other answers', async () => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const { code, out } = await runDeliberate(
      [...rehearsed, '--rounds', '1', '--stress', 'none', '--control', QUESTION],
      { env },
    );
    expect(code).toBe(0);
    // The JSON of the roles' ballots is not printed.
    expect(out).not.toContain('"confidence": 0.');
    const shown = (await runDeliberate(['signals', 'latest'], { env })).out;
    // One model plays all four roles, so their four ballots count as one vote.
    expect(shown).toMatch(/^Round 1, blind: ".+": \d of 4, worth 1\.0 independent votes/m);
    expect(shown).toMatch(/^Critic: (unchanged|unstable|persuaded|conformed|unexplained), /m);
    const { votes } = JSON.parse(
      (await runDeliberate(['signals', 'latest', '--json'], { env })).out,
    ) as {
      votes: unknown;
    };
    expect(votes).toMatchObject([
      { round: 1, peers: false, cast: 4, shifts: [] },
      { round: 1, peers: true, cast: 4, shifts: [{}, {}, {}, {}] },
    ]);
    const to = makeFolder();
    await runDeliberate(['export', 'latest', '--format', 'records', '--to', to], { env });
    expect(JSON.parse((await runDeliberate(['signals', to, '--json'])).out)).toMatchObject({
      votes: null,
    });
    const board = await runDeliberate(['board', '--rehearse', '--control', QUESTION], { env });
    expect(board).toMatchObject({ code: 2, err: expect.stringContaining('no flag --control') });
  });

  it.each([
    [['--stress', 'R9=critic'], 'such as R4=observer, within 8 rounds'],
    [['--stress', 'R2=jester'], '--stress R2=jester'],
    [['--stress', 'soon'], '--stress soon'],
    [['--cast', 'guardian'], 'expected ROLE=WHO, such as guardian="SRE lead"'],
    [['--cast', 'jester=me'], 'The roles are action, guardian, observer, critic'],
    [['--cast', 'critic= '], 'expected ROLE=WHO'],
    [['--rounds', '0'], 'a number from 1 to 100, or brief, standard, audit'],
    [['--rounds', 'endless'], '--rounds endless'],
    [['--rounds', '2.5'], '--rounds 2.5'],
    [['--stop-at', '3'], '--stop-at'],
    [['--respond', 'maybe'], '--respond'],
    [['--drift-every', '0'], '--drift-every'],
    [['--seat', 'jester=ollama/x'], 'there is no role "jester"'],
    [['--preset', 'no-such'], 'product-architecture'],
  ])(
    'rejects wrong values of flags with exit code 2 and an error message: %j',
    async (args, sentence) => {
      // A rehearsal ignores `--seat`, so leave out `--rehearse` for the case with a wrong seat.
      const base = args.includes('--seat') ? ['rounds'] : ['rounds', '--rehearse'];
      const { code, err, out } = await runDeliberate([...base, ...args, QUESTION], {
        env: { DELIBERATE_DB: makeDatabasePath() },
      });
      expect(err).toContain(sentence);
      expect(code).toBe(2);
      expect(out).toBe('');
    },
  );
});
