/** The coding agent that stands in for real ones, and obeys the orders of a test. */
import { join } from 'node:path';
import type { CodingAgent } from '../../src/coding-agents/agent.ts';

/** The path of the stand-in. */
export const STAND_IN_PROGRAM = join(import.meta.dirname, 'stand-in.ts');

/** Returns a coding agent whose program is the stand-in with the given orders, which `stand-in.ts` lists. */
export function makeStandInAgent(
  orders: readonly string[],
  more: Partial<CodingAgent> = {},
): CodingAgent {
  return {
    name: 'stand-in',
    title: 'Stand-in',
    command: process.execPath,
    args: [STAND_IN_PROGRAM, ...orders],
    env: [],
    home: [],
    login: [],
    promptTokens: 1_000,
    signIn: 'stand-in login',
    install: 'npm install -g stand-in',
    ...more,
  };
}
