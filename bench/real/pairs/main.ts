/**
 * `npm run real -- pairs`: a board of three seats and its synthesis, and a plain program that sends the same
 * requests to the same server, in turn. Both go through one proxy, which makes answers repeatable.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, PROGRAM, take } from '../../measure.ts';
import { SetupError } from '../commands.ts';
import type { RealModel } from '../models.ts';
import { type Protocol, type ServerName, startServer } from '../servers.ts';
import { type RecordedRequest, startRecorder } from './recorder.ts';

const REPLAY = fileURLToPath(new URL('./replay.mjs', import.meta.url));
const QUESTION = 'Should we split the monolith?';
/** Requests that the server answers at once: the seats of the board. */
const SEATS = 3;

export interface PairOptions {
  readonly server: ServerName;
  readonly model: RealModel;
  /** How many pairs are measured, after one that is not. */
  readonly count: number;
  /** Tokens after which every answer ends, for both programs. */
  readonly tokens: number;
}

/** Measures pairs and prints the seconds of each, and the median of their ratios. */
export async function measurePairs({ server, model, count, tokens }: PairOptions): Promise<void> {
  const real = await startServer(server, { model, parallel: SEATS });
  const isOllama = server === 'ollama';
  const recorder = await startRecorder(real.baseUrl, (body) => fixed(body, isOllama, tokens));
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-pairs-'));
  const protocol: Protocol = isOllama ? 'ollama' : 'openai';
  const variables: Record<string, string> = isOllama
    ? { OLLAMA_HOST: recorder.baseUrl }
    : { OPENAI_BASE_URL: `${recorder.baseUrl}/v1`, OPENAI_API_KEY: 'none' };
  const spec = `${protocol}/${model.name}`;
  const seats = ['advocate', 'critic', 'analyst'].flatMap((role) => ['--seat', `${role}=${spec}`]);
  let runs = 0;
  const holdBoard = (): ReturnType<typeof take> =>
    take(
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
  try {
    let requests: readonly RecordedRequest[] = [];
    const file = join(folder, 'requests.json');
    const replay = (): ReturnType<typeof take> => take([REPLAY, recorder.baseUrl, file]);
    for (let index = 0; index <= count; index += 1) {
      // Each goes first in every other pair.
      const boardFirst = index % 2 === 0;
      const before = boardFirst ? undefined : await replay();
      recorder.takeRequests();
      const board = await holdBoard();
      requests = recorder.takeRequests();
      if (requests.length !== SEATS + 1)
        throw new SetupError(`the board sent ${requests.length} requests instead of ${SEATS + 1}`);
      writeFileSync(file, JSON.stringify(requests));
      const plain = before ?? (await replay());
      const ratio = board.wallMs / plain.wallMs;
      console.log(
        `${index === 0 ? 'not counted' : `pair ${index}`}: board ${(board.wallMs / 1_000).toFixed(2)} s, plain program ${(plain.wallMs / 1_000).toFixed(2)} s, ${ratio.toFixed(4)}`,
      );
      if (index > 0) ratios.push(ratio);
    }
    console.log(
      `${server}, ${model.name}: median of ${ratios.length} pairs ${median(ratios).toFixed(4)}`,
    );
  } finally {
    recorder.stop();
    await real.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a request whose answer is the same each time, and none of whose prompt is taken from a cache. */
function fixed(
  body: Record<string, unknown>,
  isOllama: boolean,
  tokens: number,
): Record<string, unknown> {
  if (!isOllama)
    return { ...body, temperature: 0, seed: 1, cache_prompt: false, max_tokens: tokens };
  const options = { ...(body.options as object), temperature: 0, seed: 1, num_predict: tokens };
  return { ...body, options };
}
