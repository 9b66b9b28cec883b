/** A seat that a coding agent plays, in a home and with a repository that are made for a test. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CodingAgent } from '../../src/coding-agents/agent.ts';
import { agentProvider } from '../../src/coding-agents/provider.ts';
import type {
  Attempt,
  AttemptContext,
  Provider,
  ProviderRequest,
} from '../../src/models/provider.ts';

/** The folders and the environment of a coding agent. */
export interface AgentPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** A git repository with `a.txt`, which the seat may look into. */
  readonly folder: string;
}

/** Creates a home folder and a repository, which are removed after the test. */
export function makeAgentPlace(): AgentPlace {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'deliberate-agents-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [home, folder] = [join(top, 'home'), join(top, 'repo')] as const;
  for (const path of [home, folder]) mkdirSync(path, { recursive: true });
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(top, 'state') };
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'base'],
  ])
    execFileSync('git', args, { cwd: folder, env: { ...env, GIT_CONFIG_NOSYSTEM: '1' } });
  return { env, home, folder };
}

/** Writes a file, with the folders that are missing. */
export function writeFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The result of a call to an agent: how the call ended (`attempt`), and the answer and thoughts before its end. */
export interface SeatAnswer {
  readonly attempt: Attempt;
  readonly text: string;
  readonly thinking: string;
}

/** A seat that a coding agent plays. */
export interface AgentSeat {
  readonly provider: Provider;
  /** Calls the agent once. `wish` and `context` replace parts of the request and of its context. */
  ask(wish?: Partial<ProviderRequest>, context?: Partial<AttemptContext>): Promise<SeatAnswer>;
}

/**
 * Returns a seat that an agent plays in a run. The agent ends with the test. `look` is whether the seat may
 * look into the place's `folder`; `unsandboxed` is whether the agent may run without a sandbox.
 */
export function seatOf(
  { env, folder }: AgentPlace,
  agent: CodingAgent,
  { look = true, unsandboxed = false }: { look?: boolean; unsandboxed?: boolean } = {},
): AgentSeat {
  const provider = agentProvider(agent, { env, unsandboxed });
  onTestFinished(() => provider.endRun?.('run'));
  return {
    provider,
    ask: async (wish = {}, context = {}) => {
      let [text, thinking] = ['', ''];
      const attempt = await provider.stream(
        {
          task: 'board/answer',
          model: 'default',
          seatId: 'critic',
          role: 'critic',
          system: 'You are a critic.',
          messages: [{ role: 'user', parts: [{ text: 'Why?' }] }],
          ...wish,
        },
        {
          signal: new AbortController().signal,
          attempt: 1,
          idleMs: 60_000,
          run: 'run',
          folders: look ? [{ name: 'repo', path: folder }] : [],
          onBytes: () => undefined,
          onText: (piece) => {
            text += piece;
          },
          onThinking: (piece) => {
            thinking += piece;
          },
          ...context,
        },
      );
      return { attempt, text, thinking };
    },
  };
}
