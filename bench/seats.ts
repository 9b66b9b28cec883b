/**
 * Measures what a coding agent's call costs besides the agent, and what configured servers and agents cost a
 * run that uses none of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentProvider } from '../src/coding-agents/provider.ts';
import { makeStandInAgent } from '../test/coding-agents/orders.ts';
import { computeMedian, makeRow, measurePair, PROGRAM, type Row, runMeasured } from './measure.ts';

const CALLS = 20;
const RUNS = 11;

/** A configuration with servers, agents and tools of which the run uses none. */
const UNUSED = `servers:
  lab: { speaks: openai, url: "http://127.0.0.1:9/v1" }
agents:
  mine: { command: no-such-agent }
tools:
  web: { command: [no-such-server] }
`;

/**
 * Measures the time of a coding agent's call, and what configured but unused servers, agents and tools cost a
 * board. Returns rows for the table of `npm run bench`.
 */
export async function benchSeats(): Promise<Row[]> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'deliberate-bench-')));
  try {
    return [await benchCalls(top), ...(await benchUnused(top))];
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/**
 * Measures a whole call of an agent that answers at once, including its session and the look into the folder.
 */
async function benchCalls(top: string): Promise<Row> {
  const [home, folder] = [join(top, 'home'), join(top, 'repo')] as const;
  for (const path of [home, folder]) mkdirSync(path);
  for (let file = 0; file < 500; file++) writeFileSync(join(folder, `${file}.txt`), `${file}\n`);
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(top, 'state') };
  const provider = agentProvider(makeStandInAgent(['say "Yes."']), { env, unsandboxed: true });
  const timeCall = async (): Promise<number> => {
    const began = performance.now();
    const attempt = await provider.stream(
      {
        task: 'board/answer',
        model: 'default',
        seatId: 'critic',
        role: 'critic',
        system: '',
        messages: [{ role: 'user', parts: [{ text: 'Why?' }] }],
      },
      {
        signal: new AbortController().signal,
        attempt: 1,
        idleMs: 60_000,
        run: 'run',
        folders: [{ name: 'repo', path: folder }],
        onBytes: () => undefined,
        onText: () => undefined,
        onThinking: () => undefined,
      },
    );
    if (!attempt.ok) throw new Error(attempt.failure.message);
    return performance.now() - began;
  };
  // Do not measure the first call, which starts the agent's program.
  await timeCall();
  const taken: number[] = [];
  for (let at = 0; at < CALLS; at++) taken.push(await timeCall());
  await provider.endRun?.('run');
  return makeRow(
    'a coding agent’s call that is answered at once',
    computeMedian(taken),
    150,
    ' ms',
    0,
  );
}

async function benchUnused(top: string): Promise<Row[]> {
  const configured = join(top, 'configured');
  mkdirSync(join(configured, '.config/deliberate'), { recursive: true });
  writeFileSync(join(configured, '.config/deliberate/config.yaml'), UNUSED);
  const plain = join(top, 'plain');
  mkdirSync(join(plain, '.config/deliberate'), { recursive: true });
  writeFileSync(join(plain, '.config/deliberate/config.yaml'), 'bell: never\n');
  const board = ['board', '--rehearse', '--rehearse-speed', '1000', '--plain', '--quiet', 'Why?'];
  const makeBoardRun = (home: string) => () =>
    runMeasured([PROGRAM, ...board], { HOME: home, DELIBERATE_DB: join(home, 'runs.db') });
  const { ratio } = await measurePair(RUNS, makeBoardRun(configured), makeBoardRun(plain));
  return [
    makeRow('a board with servers, agents and tools configured, over none', ratio('wallMs'), 1.05),
    makeRow('the same, processor time', ratio('cpuMs'), 1.05),
  ];
}
