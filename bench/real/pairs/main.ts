/**
 * Implements `npm run real -- pairs`: runs a board of three seats and its synthesis, and a plain program
 * that sends the same requests to the same server, in turn. Both go through one proxy, which makes answers
 * repeatable and measures how long the server had something to answer, because on a busy machine the time
 * of answers varies more than what a program adds to it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { computeMedian, PROGRAM, runMeasured } from '../../measure.ts';
import { SetupError } from '../commands.ts';
import type { RealModel } from '../models.ts';
import { type Protocol, type ServerName, startServer } from '../servers.ts';
import { startRecorder } from './recorder.ts';

const REPLAY = fileURLToPath(new URL('./replay.mjs', import.meta.url));
const QUESTION = 'Should we split the monolith?';
/** How many requests the server answers at once: the seats of the board. */
const SEATS = 3;

/** How a board is compared with a plain program that sends the same requests. A pair is one run of each. */
export interface PairOptions {
  readonly server: ServerName;
  readonly model: RealModel;
  /** How many pairs are run, after one that does not count. */
  readonly count: number;
  /** The most tokens of an answer, for the board and for the plain program. */
  readonly tokens: number;
}

/**
 * Runs a board, and a plain program that sends the same requests to the same model, in pairs. Prints the seconds
 * of each pair, and the median ratio of the board's time to the plain program's.
 * @throws SetupError if no pair could be measured
 */
export async function measurePairs({ server, model, count, tokens }: PairOptions): Promise<void> {
  const real = await startServer(server, { model, parallel: SEATS });
  const isOllama = server === 'ollama';
  const recorder = await startRecorder(real.baseUrl, (body) => fixSampling(body, isOllama, tokens));
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-pairs-'));
  const protocol: Protocol = isOllama ? 'ollama' : 'openai';
  const variables: Record<string, string> = isOllama
    ? { OLLAMA_HOST: recorder.baseUrl }
    : { OPENAI_BASE_URL: `${recorder.baseUrl}/v1`, OPENAI_API_KEY: 'none' };
  const spec = `${protocol}/${model.name}`;
  const seats = ['advocate', 'critic', 'analyst'].flatMap((role) => ['--seat', `${role}=${spec}`]);
  let runs = 0;
  const holdBoard = (): ReturnType<typeof runMeasured> =>
    runMeasured(
      [
        PROGRAM,
        'board',
        '--no-vote',
        '--plain',
        '--yes',
        ...seats,
        '--synthesizer',
        spec,
        QUESTION,
      ],
      { ...variables, HOME: folder, DELIBERATE_DB: join(folder, `${runs++}.db`) },
    );
  const ratios: number[] = [];
  const added: number[] = [];
  const file = join(folder, 'requests.json');
  const measureProgram = async (
    program: () => ReturnType<typeof runMeasured>,
  ): Promise<Measured> => {
    recorder.takeBusyMs();
    const { wallMs } = await program();
    return { wallMs, busyMs: recorder.takeBusyMs() };
  };
  const runReplay = (): ReturnType<typeof runMeasured> =>
    runMeasured([REPLAY, recorder.baseUrl, file]);
  let hasRequests = false;
  try {
    for (let index = 0; index <= count; index += 1) {
      // In every second pair, run the plain program, which only sends the recorded requests of a board, before the
      // board, so that neither always goes first.
      const before = index % 2 === 0 || !hasRequests ? undefined : await measureProgram(runReplay);
      recorder.takeRequests();
      // If a small model's answer is cut off, its board may end without a synthesis. Leave out this board's pair.
      const board = await measureProgram(holdBoard).catch((error: Error) => error);
      const requests = recorder.takeRequests();
      if (board instanceof Error) {
        console.log(`pair ${index} is left out: the board did not end with a synthesis`);
        continue;
      }
      if (requests.length !== SEATS + 1)
        throw new SetupError(`the board sent ${requests.length} requests instead of ${SEATS + 1}`);
      writeFileSync(file, JSON.stringify(requests));
      hasRequests = true;
      const plain = before ?? (await measureProgram(runReplay));
      const ratio = board.wallMs / plain.wallMs;
      const answering = (board.busyMs + plain.busyMs) / 2;
      const own = (answering + ownMs(board)) / (answering + ownMs(plain));
      console.log(
        `${index === 0 ? 'not counted' : `pair ${index}`}: board ${formatMeasured(board)}, plain program ${formatMeasured(plain)}: ${ratio.toFixed(4)}; with the same time to answer ${own.toFixed(4)}`,
      );
      if (index === 0) continue;
      ratios.push(ratio);
      added.push(own);
    }
    if (ratios.length === 0)
      throw new SetupError(
        `${server}, ${model.name}: no pair was measured; allow longer answers with --tokens`,
      );
    console.log(
      `${server}, ${model.name}: medians of ${ratios.length} pairs ${computeMedian(ratios).toFixed(4)}; with the same time to answer ${computeMedian(added).toFixed(4)}`,
    );
  } finally {
    recorder.stop();
    await real.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long a program took, in milliseconds, and how much of it the server was answering. */
interface Measured {
  readonly wallMs: number;
  readonly busyMs: number;
}

function ownMs({ wallMs, busyMs }: Measured): number {
  return wallMs - busyMs;
}

function formatMeasured(measured: Measured): string {
  return `${(measured.wallMs / 1_000).toFixed(2)} s, of which ${(ownMs(measured) / 1_000).toFixed(2)} s its own`;
}

/** Returns a request whose answer is the same each time, and of whose prompt nothing comes from a cache. */
function fixSampling(
  body: Record<string, unknown>,
  isOllama: boolean,
  tokens: number,
): Record<string, unknown> {
  const sampled = { temperature: 0.7, seed: 1, repeat_penalty: 1.2 };
  if (!isOllama) return { ...body, ...sampled, cache_prompt: false, max_tokens: tokens };
  const options = { ...(body.options as object), ...sampled, num_predict: tokens };
  return { ...body, options };
}
