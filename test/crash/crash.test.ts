/**
 * kill -9 at boundaries and at random moments: the file is sound, nothing recorded is asked again, what was
 * on its way is visible as such, and a run that was killed ends with the same records as one that was not.
 * Every kind of boundary is tried once, on a board or a round; in the long form every boundary of a board, and
 * every twelfth of three rounds.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { computeDigest } from '../../src/kernel/digest.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { formatReport } from '../../src/plain/report.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import { loadProtocolReport } from '../../src/protocols/table.ts';
import { answerRequest, identityOf } from '../e2e/deliberators.ts';
import type { Fact } from '../every-fact.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { startOllama, type TestServer } from '../servers/index.ts';
import { expectSoundDatabase, factsIn, findUnfinishedCalls, runOnce } from './lives.ts';

const RANDOM_CRASHES = LONG ? 200 : 2;
/** The kills of one run: few, because a run that never ends would show nothing. */
const KILLS_A_RUN = LONG ? 4 : 2;
/**
 * The distance of the kills in the long form, in notes and commits, by protocol. The first kills are before
 * and after the first note and the first commit.
 */
const EVERY = { board: 1, rounds: 12 };
/** Tokens per second. At this pace a random moment is mostly in the middle of an answer. */
const PACE = 400;

const folder = mkdtempSync(join(tmpdir(), 'deliberate-crash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

async function startServer(tokensPerSecond: number): Promise<TestServer> {
  const server = await startOllama({
    models: ['a', 'b', 'c'],
    answer: answerRequest,
    tokensPerSecond,
  });
  onTestFinished(() => server.close());
  return server;
}

/** Checks what must hold of a run that has ended, however often its process was killed. */
function checkWhole(file: string, server: TestServer, whole: unknown): void {
  expectSoundDatabase(file);
  const facts = factsIn(file);
  expect(viewOf(facts).status).toBe('done');
  const recorded = listFactsOfType(facts, 'call.completed').length;
  expect(listFactsOfType(facts, 'call.failed')).toEqual([]);
  const asked = server.chats().map(identityOf);
  const unfinished = findUnfinishedCalls(facts).length;
  // The server got one request or none for each unfinished call.
  expect(asked.length).toBeGreaterThanOrEqual(recorded);
  expect(asked.length).toBeLessThanOrEqual(recorded + unfinished);
  expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(unfinished);
  expect(outcomeOf(facts)).toEqual(whole);
}

/** Returns the outcome of a run, without times and attempts. */
function outcomeOf(facts: readonly Fact[]): unknown {
  const view = viewOf(facts);
  if (view.protocol === 'rounds') {
    const records = convertToRecords(roundsOf(facts));
    expect(records.claims.length).toBeGreaterThan(3);
    return records;
  }
  const answers = view.seats.map(({ id }) => view.calls[`seat/${id}`]?.text);
  return { answers, syntheses: view.syntheses };
}

function newFile(): string {
  return join(folder, `${++files}.db`);
}

describe.each(['board', 'rounds'] as const)('a run of the protocol %s that is killed', (name) => {
  let known: { whole: unknown; notes: number; commits: number } | undefined;

  /**
   * Returns the outcome of a run that nobody kills, and how often the run writes to its journal: outside of steps
   * (`notes`) and at the ends of steps (`commits`). The first call of this function makes the run; later calls
   * return the stored result.
   */
  async function runUndisturbed(): Promise<NonNullable<typeof known>> {
    if (known !== undefined) return known;
    const file = newFile();
    expect(await runOnce(file, name, await startServer(0))).toBe(false);
    const facts = factsIn(file);
    const calls = listFactsOfType(facts, 'step.started').filter(({ kind }) => kind === 'call');
    known = {
      whole: outcomeOf(facts),
      // Three kinds of facts are recorded outside of steps: the run's beginning and end, and each call's
      // start.
      notes: calls.length + 2,
      commits: listFactsOfType(facts, 'step.completed').length,
    };
    return known;
  }

  function listBoundaries({ notes, commits }: { notes: number; commits: number }): string[] {
    const toBothSides = (at: string): string[] => [`${at}:before`, `${at}:after`];
    if (LONG) {
      const listPlaces = (count: number, kind: string): string[] =>
        Array.from({ length: count }, (_, at) => at + 1)
          .filter((at) => (at - 1) % EVERY[name] === 0)
          .flatMap((at) => toBothSides(`${kind}:${at}`));
      return [...listPlaces(notes, 'note'), ...listPlaces(commits, 'commit')];
    }
    const [start, commit] = [`note:${Math.ceil(notes / 2)}`, `commit:${Math.ceil(commits / 2)}`];
    return name === 'rounds'
      ? [`${start}:before`, `${commit}:after`]
      : ['note:1:before', `${start}:after`, `${commit}:before`, ...toBothSides(`note:${notes}`)];
  }

  it('finishes with the same result if it is killed right before or right after a write to its journal', async () => {
    const { whole, ...counts } = await runUndisturbed();
    for (const at of listBoundaries(counts)) {
      const server = await startServer(0);
      const file = newFile();
      expect(await runOnce(file, name, server, { at }), at).toBe(true);
      expectSoundDatabase(file);
      const before = server.chats().length;
      const facts = factsIn(file);
      const lost = findUnfinishedCalls(facts);
      if (lost.length > 0)
        expect(formatReport(facts, await loadProtocolReport(name), 'interrupted')).toContain(
          'may have billed',
        );
      const recorded = listFactsOfType(facts, 'call.completed').length;
      expect(before).toBeLessThanOrEqual(recorded + lost.length);
      expect(await runOnce(file, name, server)).toBe(false);
      checkWhole(file, server, whole);
      await server.close();
    }
  }, 3_600_000);

  it(`finishes with the same result if it is killed ${RANDOM_CRASHES} times at random moments`, async () => {
    const { whole } = await runUndisturbed();
    let killed = 0;
    for (let night = 0; killed < RANDOM_CRASHES; night++) {
      const server = await startServer(PACE);
      const file = newFile();
      for (let life = 0; life < KILLS_A_RUN; life++) {
        const chance =
          Number.parseInt(computeDigest({ name, night, life }).slice(0, 4), 16) / 0xffff;
        const afterMs = 250 + chance * (name === 'board' ? 900 : 2_500);
        if (!(await runOnce(file, name, server, { afterMs }))) break;
        killed += 1;
        expectSoundDatabase(file);
      }
      await runOnce(file, name, server);
      checkWhole(file, server, whole);
      await server.close();
    }
  }, 3_600_000);
});
