/**
 * Measures what a person waits for: whole processes, from start to end, compared with a plain program and
 * with the AI SDK, which make the same seven calls to the same server. Each round runs all of them, so that
 * a machine that gets slower affects all alike.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { computeMedian, makeRow, PROGRAM, type Row, runMeasured } from '../measure.ts';

const ROUNDS = 7;
const SEATS = 6;
/** How the server answers every request; see `server.mjs`. */
const FIRST_TOKEN_MS = 100;
const WORDS = 100;
const WORDS_PER_SECOND = 100;

/** Something that the model server of a measurement, `server.mjs`, reports. */
export interface ServerEvent {
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  /**
   * `asked`: a request for an answer arrived. `answered`: an answer ended. `looked up`: a request about models
   * arrived. `listening`: the server is ready.
   */
  readonly type: 'listening' | 'looked up' | 'asked' | 'answered';
  /** The port of the server; only in the event `listening`. */
  readonly port?: number;
}

interface Waited {
  /** Milliseconds from the start of the process to the first request for an answer. */
  readonly first: number;
  /** Milliseconds from the last seat's end to the request for the synthesis. */
  readonly gap: number;
  /** Milliseconds from the last answer's end to the end of the process. */
  readonly exit: number;
  /**
   * The time of the whole process, divided by the least that it takes: two answers, one after the other.
   */
  readonly overPath: number;
  /** How many requests about models were answered before the first request for an answer. */
  readonly lookUps: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/**
 * Measures how long whole processes of a board take, from start to exit, with processor time and memory, compared
 * with two programs that make the same calls. Returns rows for the table of `npm run bench`.
 */
export async function benchWhole(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const latencyMs of [0, 100, 300]) rows.push(...(await compareWithLatency(latencyMs)));
  return rows;
}

/**
 * Runs `work` with a model server in another process, which ends afterwards. The server's events are appended to
 * `events`, the list that `work` gets, as they happen.
 * @param latencyMs milliseconds that the server waits before it reacts to a request, as if it were far away
 */
export async function withWholeServer<T>(
  latencyMs: number,
  work: (url: string, events: ServerEvent[]) => Promise<T>,
): Promise<T> {
  const server = spawn(
    process.execPath,
    [scriptAt('server.mjs'), ...[latencyMs, FIRST_TOKEN_MS, WORDS, WORDS_PER_SECOND].map(String)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const events = await collectEvents(server);
    return await work(`http://127.0.0.1:${events[0]?.port}/v1`, events);
  } finally {
    server.kill();
  }
}

function compareWithLatency(latencyMs: number): Promise<Row[]> {
  return withWholeServer(latencyMs, (url, events) => compareAt(latencyMs, url, events));
}

async function compareAt(latencyMs: number, url: string, events: ServerEvent[]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const models = Array.from({ length: SEATS }, (_, at) => `m${at + 1}`);
    const seats = models.flatMap((model) => ['--seat', `critic=openai/${model}`]);
    const env = { HOME: folder, DELIBERATE_DB: join(folder, 'runs.db'), OPENAI_BASE_URL: url };
    const programs = {
      ours: () =>
        runMeasured(
          [PROGRAM, 'board', '--no-vote', '--plain', '--quiet', ...seats, 'Split it?'],
          env,
        ),
      plain: () => runMeasured([scriptAt('plain.mjs'), url, ...models]),
      'AI SDK': () => runMeasured([scriptAt('ai-sdk.mjs'), url, ...models]),
    };
    const path = 2 * (latencyMs + FIRST_TOKEN_MS + (1_000 * WORDS) / WORDS_PER_SECOND - 1_000 / 20);
    const waited = new Map<string, Waited[]>(Object.keys(programs).map((name) => [name, []]));
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [name, run] of Object.entries(programs)) {
        events.length = 0;
        const started = performance.timeOrigin + performance.now();
        const taken = await run();
        if (round > 0) waited.get(name)?.push(readEvents(events, started, path, taken));
      }
    return makeRows(latencyMs, (name, of) => (waited.get(name) ?? []).map((run) => run[of]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeRows(latencyMs: number, read: (name: string, of: keyof Waited) => number[]): Row[] {
  const getMedian = (name: string, figure: keyof Waited) => computeMedian(read(name, figure));
  const formatOthers = (figure: keyof Waited, digits: number) =>
    ['plain', 'AI SDK']
      .map((name) => `${name} ${getMedian(name, figure).toFixed(digits)}`)
      .concat(`spread ${formatSpread(read('ours', figure), digits)}`)
      .join(', ');
  const describeFigure = (words: string, figure: keyof Waited, digits: number) =>
    `board, whole process, ${latencyMs} ms away: ${words} (${formatOthers(figure, digits)})`;
  return [
    makeRow(
      describeFigure('over its critical path', 'overPath', 3),
      getMedian('ours', 'overPath'),
      1.035,
      '',
      3,
    ),
    makeRow(
      describeFigure('start to first request', 'first', 0),
      getMedian('ours', 'first'),
      Math.max(250, Math.round(1.6 * getMedian('plain', 'first'))),
      ' ms',
      0,
    ),
    makeRow(
      describeFigure('last seat to synthesis request', 'gap', 1),
      getMedian('ours', 'gap'),
      20,
      ' ms',
      1,
    ),
    makeRow(
      describeFigure('last token to exit', 'exit', 0),
      getMedian('ours', 'exit'),
      60,
      ' ms',
      0,
    ),
    makeRow(
      describeFigure('processor time', 'cpuMs', 0),
      getMedian('ours', 'cpuMs'),
      1_200,
      ' ms',
      0,
    ),
    makeRow(describeFigure('peak memory', 'peakMb', 0), getMedian('ours', 'peakMb'), 105, ' MB', 0),
    makeRow(
      describeFigure('look-ups before the first request', 'lookUps', 0),
      getMedian('ours', 'lookUps'),
      0,
      '',
      0,
    ),
  ];
}

function formatSpread(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
}

function readEvents(
  events: readonly ServerEvent[],
  started: number,
  path: number,
  { wallMs, cpuMs, peakMb }: { wallMs: number; cpuMs: number; peakMb: number },
): Waited {
  const asked = events.filter(({ type }) => type === 'asked');
  const answered = events.filter(({ type }) => type === 'answered');
  const [first, last] = [asked[0], answered[SEATS]];
  if (first === undefined || last === undefined || asked.length !== SEATS + 1)
    throw new Error(`expected ${SEATS + 1} requests, saw ${asked.length}`);
  return {
    first: first.at - started,
    gap: (asked[SEATS]?.at ?? 0) - (answered[SEATS - 1]?.at ?? 0),
    exit: started + wallMs - last.at,
    overPath: wallMs / path,
    lookUps: events.filter(({ type, at }) => type === 'looked up' && at < first.at).length,
    cpuMs,
    peakMb,
  };
}

/** Resolves to the server's events once it listens. The list grows with later events. */
async function collectEvents(server: ChildProcess): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  let rest = '';
  server.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) events.push(JSON.parse(line) as ServerEvent);
  });
  while (events.length === 0 && server.stdout !== null) await once(server.stdout, 'data');
  return events;
}

function scriptAt(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
