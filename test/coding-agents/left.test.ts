/** Tests that nothing of a coding agent is left when its console is killed with -9. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { waitUntil } from '../until.ts';
import { makeEnvWithoutSandbox } from '../workshop/bench.ts';
import { makeStandInAgent } from './orders.ts';
import { makeAgentPlace, seatOf } from './seat.ts';

it.each([
  ['in a sandbox', true],
  ['without a sandbox', false],
])(
  'a killed console leaves no process, and the next start removes the agent’s folder (%s)',
  async (_where, isConfined) => {
    const place = makeAgentPlace();
    const env = isConfined ? place.env : makeEnvWithoutSandbox(place.env);
    const mark = `left-${process.pid}-${isConfined}`;
    const console = spawn(
      process.execPath,
      [
        join(import.meta.dirname, 'killed.ts'),
        place.folder,
        'refuse-sigterm',
        `child ${mark}`,
        'say "on"',
        'wait',
      ],
      { env, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(console.stdout, 'data');
    expect(processesWith(mark).length).toBeGreaterThan(1);
    console.kill('SIGKILL');
    await once(console, 'exit');
    await waitUntil(() => processesWith(mark).length === 0, 'end of the agent');
    const agents = join(env.XDG_STATE_HOME ?? '', 'deliberate/agents');
    expect(readdirSync(agents)).toHaveLength(1);

    const next = seatOf(
      { ...place, env: env as NodeJS.ProcessEnv },
      makeStandInAgent(['say "I am here."']),
      {
        unsandboxed: true,
      },
    );
    expect((await next.ask()).text).toBe('I am here.');
    await next.provider.endRun?.('run');
    expect(readdirSync(agents)).toEqual([]);
  },
);

/** Returns the ids of processes with a word among their arguments. */
function processesWith(word: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}
