/**
 * Measures the milliseconds from Enter on the home screen to the first request to a model, with default
 * seats.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { waitUntil } from '../../test/until.ts';
import { computeMedian, makeRow, PROGRAM, type Row } from '../measure.ts';
import { type ServerEvent, withWholeServer } from './whole.ts';

const RUNS = 9;

/**
 * Measures the time from Enter on the home screen to the first request to a model. Returns rows for the table of
 * `npm run bench`.
 */
export function benchEnter(): Promise<Row[]> {
  return withWholeServer(0, async (url, events) => {
    const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
    try {
      const taken: number[] = [];
      for (let run = 0; run <= RUNS; run++) {
        const ms = await fromEnter(folder, url, events);
        if (run > 0) taken.push(ms);
      }
      return [makeRow('home: Enter to the first request', computeMedian(taken), 60, ' ms', 0)];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function fromEnter(folder: string, url: string, events: ServerEvent[]): Promise<number> {
  events.length = 0;
  const terminal = spawn(process.execPath, [PROGRAM], {
    cols: 120,
    rows: 40,
    env: {
      PATH: process.env.PATH ?? '',
      TERM: 'xterm-256color',
      HOME: folder,
      OPENAI_BASE_URL: url,
      OLLAMA_HOST: 'http://127.0.0.1:9',
    },
  });
  let seen = '';
  terminal.onData((data) => {
    seen += data;
  });
  try {
    await waitUntil(() => seen.includes('6 found'), 'models on the home screen');
    terminal.write('Split it?');
    // Wait for the estimate before Enter is pressed, like a person who reads the question again.
    await waitUntil(() => seen.includes('calls,'), 'estimate of the question');
    const pressed = performance.timeOrigin + performance.now();
    terminal.write('\r');
    await waitUntil(() => events.some(({ type }) => type === 'asked'), 'first request');
    return (events.find(({ type }) => type === 'asked')?.at ?? 0) - pressed;
  } finally {
    terminal.kill('SIGKILL');
  }
}
