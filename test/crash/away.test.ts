/**
 * kill -9 during rounds while their server goes away and comes back: every run finishes once the server
 * stays, its records are sound, and nothing that was answered is asked again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { computeDigest } from '../../src/kernel/digest.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { answerRequest, identityOf } from '../e2e/deliberators.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { startOllama, type TestServer } from '../servers/index.ts';
import { expectSoundDatabase, factsIn, findUnfinishedCalls, runOnce } from './lives.ts';

const KILLS = LONG ? 200 : 2;
/** The kills of one run. With more, most would hit a program that has just begun to read its log. */
const KILLS_A_RUN = LONG ? 8 : 2;
/**
 * Tokens per second. At this pace a run takes some seconds, so that most kills come in the middle of
 * an answer.
 */
const PACE = 600;

const folder = mkdtempSync(join(tmpdir(), 'deliberate-away-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a number from 0 to below 1, the same for the same argument. */
function drawChance(of: unknown): number {
  return Number.parseInt(computeDigest(of).slice(0, 4), 16) / 0xffff;
}

/**
 * Stops the server and starts it again, over and over. Returns a function that ends this with the
 * server running.
 */
function restartRepeatedly(server: TestServer, night: number): () => Promise<number> {
  const over = new AbortController();
  const going = (async () => {
    for (let times = 0; ; times++) {
      const here = 150 + drawChance({ night, times, here: true }) * 2_000;
      await sleep(here, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return times;
      await server.shutDown();
      const gone = 50 + drawChance({ night, times, here: false }) * 900;
      await sleep(gone, undefined, { signal: over.signal }).catch(() => undefined);
      await server.restart();
    }
  })();
  return () => {
    over.abort();
    return going;
  };
}

it(`runs of rounds finish although they are killed ${KILLS} times in all while their server stops and starts again`, async () => {
  let killed = 0;
  let [runs, outages, failures, undone, lost] = [0, 0, 0, 0, 0];
  for (let night = 0; killed < KILLS; night++) {
    const server = await startOllama({
      models: ['a', 'b', 'c'],
      answer: answerRequest,
      tokensPerSecond: PACE,
    });
    const file = join(folder, `${night}.db`);
    try {
      const settle = restartRepeatedly(server, night);
      for (let life = 0, kills = 0; kills < KILLS_A_RUN && killed < KILLS; life++) {
        const afterMs = 500 + drawChance({ night, life }) * 3_000;
        const wasKilled = await runOnce(file, 'rounds', server, { afterMs });
        expectSoundDatabase(file);
        if (wasKilled) {
          kills += 1;
          killed += 1;
        } else if (viewOf(factsIn(file)).status === 'done') break;
        else undone += 1;
      }
      outages += await settle();
      // Whatever has happened to the run, one process with a running server is enough to finish it.
      expect(await runOnce(file, 'rounds', server)).toBe(false);
      expectSoundDatabase(file);
      const facts = factsIn(file);
      expect(viewOf(facts)).toMatchObject({ status: 'done' });
      expect(validateFolder(getRecordsFolder(facts)).errors).toEqual([]);
      const completed = listFactsOfType(facts, 'call.completed').length;
      const failed = listFactsOfType(facts, 'call.failed').length;
      const asked = server.chats().map(identityOf);
      // Calls that were running at a kill have a start and no end in the log.
      const open = findUnfinishedCalls(facts).length;
      expect(asked.length).toBeGreaterThanOrEqual(completed);
      expect(asked.length).toBeLessThanOrEqual(completed + failed + open);
      expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(failed + open);
      runs += 1;
      failures += failed;
      lost += open;
    } finally {
      await server.close();
    }
  }
  if (LONG)
    console.info(
      `${killed} kills in ${runs} runs, ${outages} outages, ${failures} failed calls, ${lost} cut off, ${undone} attempts that failed: every run finished`,
    );
}, 7_200_000);
