/**
 * Tests writers that are killed with -9: every step that they have acknowledged is there, and the file is
 * sound.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { computeDigest } from '../../src/kernel/digest.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { fact } from '../every-fact.ts';
import { listFactsOfType, temporaryStore } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { startScript } from './child.ts';

const LANES = 4;
const KILLS = LONG ? 10 : 2;
/** Every second writer is killed only after it has acknowledged this number of steps. */
const STEPS_BEFORE_KILL = 21;

describe(`Killing four parallel writers with kill -9, ${LANES * KILLS} times in all`, () => {
  it('loses no acknowledged step and stores no partial step', async () => {
    const store = temporaryStore();
    let unacknowledged = 0;
    let acknowledged = 0;

    async function runLane(index: number): Promise<string> {
      let run: string | undefined;
      let number = 0;
      for (let life = 0; life < KILLS; life++) {
        const args = run === undefined ? [store.file] : [store.file, run];
        const child = startScript(import.meta.url, './crash-writer.ts', args);
        ({ run } = await child.readLine<{ run: string }>());
        const awaited = life % 2 === 0 ? STEPS_BEFORE_KILL : 0;
        for (let said = 0; said < awaited; said++) await child.readLine();
        await sleep(
          (Number.parseInt(computeDigest({ index, life }).slice(0, 4), 16) / 0xffff) * 60,
        );
        await child.kill();
        for (const line of child.lines as { number?: number }[]) number = line.number ?? number;
        acknowledged = Math.max(acknowledged, number);

        const log = store.facts(run);
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, at) => at + 1));
        const steps = listFactsOfType(log, 'step.completed').map(({ step }) => step);
        expect(steps).toEqual(steps.map((_, at) => `step-${at + 1}`));
        expect(
          listFactsOfType(log, 'synthesis.completed').map(({ version }) => `step-${version}`),
          'a fact came in without its completion, or the other way round',
        ).toEqual(steps);
        const db = new Database(store.file, { readonly: true });
        const recorded = db.prepare('SELECT count(*) FROM step WHERE run_id = ?').pluck().get(run);
        db.close();
        expect(recorded).toBe(steps.length);
        expect(steps.length).toBeGreaterThanOrEqual(number);
        // A writer reports each step to this test after recording it. So when it is killed, at most one recorded
        // step is still unreported.
        expect(steps.length).toBeLessThanOrEqual(number + 1);
        if (steps.length > number) unacknowledged += 1;
        number = steps.length;
      }
      return run ?? '';
    }

    const runs = await Promise.all(Array.from({ length: LANES }, (_, index) => runLane(index)));
    expect(new Set(runs).size).toBe(LANES);
    const db = new Database(store.file);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    db.close();
    expect(acknowledged).toBeGreaterThanOrEqual(STEPS_BEFORE_KILL);
    expect(unacknowledged).toBeLessThan(LANES * KILLS);
  });
});

describe('Reading a run while it is written', () => {
  it('finds every fact that another process writes, in order', async () => {
    const store = temporaryStore();
    const child = startScript(import.meta.url, './crash-writer.ts', [store.file]);
    const { run } = await child.readLine<{ run: string }>();
    const seen: AnyFact[] = [];
    let looks = 0;
    // Read until this test has found 300 facts, in at least two reads. A fast writer may have written 300
    // facts before the first read.
    while (seen.length < 300 || looks < 2) {
      const news = store.facts(run, seen.at(-1)?.seq ?? 0);
      if (news.length > 0) looks += 1;
      seen.push(...news);
      await sleep(2);
    }
    await child.kill();
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
    expect(store.facts(run).slice(0, seen.length)).toEqual(seen);
  });

  it('finds each piece of a running call’s text once, in order', () => {
    const store = temporaryStore();
    const journal = store.create('test');
    const other = store.create('test');
    let last = 0;
    const heard: string[] = [];
    const readChunks = (): void => {
      for (const { id, text } of store.chunks(journal.run, last)) {
        heard.push(text);
        last = id;
      }
    };
    for (const step of ['first', 'second', 'third']) {
      const chunk = { step, attempt: `${step}#1`, thinking: '' };
      journal.keep([{ ...chunk, text: `${step} a` }]);
      other.keep([{ ...chunk, text: 'of another run' }]);
      readChunks();
      journal.keep([{ ...chunk, text: `${step} b` }]);
      readChunks();
      for (const writer of [journal, other])
        writer.note([
          fact('call.stopped', {
            step,
            attempt: '1',
            seat: 's',
            role: 's',
            model: 't/m',
            text: '',
            thinking: '',
            usage: { input: 0, output: 0, cached: 0, cacheWritten: 0, thinking: 0 },
            latencyMs: 0,
            attempts: 1,
            notes: [],
            rehearsal: false,
          }),
        ]);
      expect(store.chunks(journal.run)).toEqual([]);
    }
    expect(heard).toEqual(['first a', 'first b', 'second a', 'second b', 'third a', 'third b']);
  });
});
