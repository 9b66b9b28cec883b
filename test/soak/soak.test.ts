/**
 * Long attempts in fast motion: a deliberation with the console open, then one board after the other in
 * the same process, each with a console of its own. Short in `npm test`, long in `npm run nightly`.
 */

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { openConsole } from '../../src/console/run/start.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { board } from '../../src/protocols/board/board.ts';
import { makeRoundsSeats } from '../../src/protocols/rounds/cast.ts';
import { LATEST, type RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { TestKeyboard, TestScreen } from '../console/terminal.ts';
import { board as boardView, rounds as roundsView } from '../console/views.ts';
import { LONG } from '../long.ts';
import { makeRehearsalModels } from '../protocols/rehearse.ts';

const ROUNDS = LONG ? 26 : 1;
const BOARDS = LONG ? 200 : 6;
/** Boards after which caches are full and code is compiled. */
const WARM = LONG ? 60 : 3;
const MODEL = 'rehearsal/panel';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface Sample {
  readonly heap: number;
  readonly rss: number;
  readonly listeners: number;
  readonly handles: number;
  readonly files: number;
  readonly database: number;
}

async function takeSample(file: string): Promise<Sample> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  collect();
  const { heapUsed: heap, rss } = process.memoryUsage();
  return {
    heap,
    rss,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    handles: process.getActiveResourcesInfo().length,
    files: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    database: statSync(file).size,
  };
}

/** Runs a protocol from its opening to its end, with an open console. */
async function runOne(store: Store, kind: 'board' | 'rounds'): Promise<void> {
  const journal = store.create(kind);
  const session = new Session({
    journal,
    models: makeRehearsalModels(1_000),
    protocol: (kind === 'board' ? board : rounds) as Protocol,
    answer: () => Promise.reject(new Error('nobody is asked')),
  });
  const screen = new TestScreen(100, 30);
  const keyboard = new TestKeyboard();
  const window = openConsole({
    view: kind === 'board' ? boardView : roundsView,
    subject: { facts: [], feed: session.feed },
    outside: {
      copy: () => Promise.resolve(undefined),
      save: () => Promise.reject(new Error('nothing is saved here')),
      draft: () => '',
      keepDraft: () => undefined,
    },
    screen,
    stdin: keyboard as unknown as NodeJS.ReadStream,
    env: { TERM: 'xterm-256color' },
  });
  const cast = { action: MODEL, guardian: MODEL, observer: MODEL, critic: MODEL };
  const config: RoundsConfig = {
    ...LATEST,
    verifier: MODEL,
    rounds: ROUNDS,
    stress: {},
    driftEvery: 3,
    stopAt: 'never',
    respond: 'report',
    seed: 7,
    attachments: [],
  };
  const ending = await session.begin({
    question: 'Should we split the monolith?',
    seats: makeRoundsSeats(cast, cast),
    config:
      kind === 'rounds'
        ? config
        : { vote: true, synthesizer: MODEL, open: false, seed: 7, attachments: [] },
  });
  expect(ending.status).toBe('done');
  await screen.settled();
  expect(screen.text).toContain('done');
  window.close();
  await window.closed;
  await session.close();
  keyboard.destroy();
  screen.destroy();
}

it(
  `no listeners, handles or files stay open, and in the long form memory does not grow, during ${ROUNDS} rounds and ${BOARDS} boards`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deliberate-soak-'));
    const file = join(folder, 'runs.db');
    const store = Store.open(file, FACTS);
    try {
      await runOne(store, 'rounds');
      const samples: Sample[] = [];
      for (let count = 0; count < BOARDS; count += 1) {
        await runOne(store, 'board');
        samples.push(await takeSample(file));
      }
      const warm = samples[WARM - 1];
      const last = samples.at(-1);
      if (warm === undefined || last === undefined) throw new Error('nothing was sampled');
      if (LONG) console.log(JSON.stringify({ warm, last }));
      expect(last.listeners).toBe(warm.listeners);
      expect(last.handles).toBeLessThanOrEqual(warm.handles);
      expect(last.files).toBeLessThanOrEqual(warm.files);
      if (!LONG) return;
      expect(last.heap / warm.heap).toBeLessThan(1.1);
      expect(last.rss / warm.rss).toBeLessThan(1.1);
      // In the database, the second half of the boards may take at most a quarter more space than the first
      // half.
      const middle = samples[BOARDS / 2 - 1] ?? warm;
      const first = samples[0] ?? warm;
      const growth = (last.database - middle.database) / (middle.database - first.database);
      expect(growth).toBeLessThan(1.25);
    } finally {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  LONG ? 1_800_000 : 120_000,
);
