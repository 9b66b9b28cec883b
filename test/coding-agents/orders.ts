/** The agent that stands in for real ones, by what it is told to do. */
import { join } from 'node:path';
import type { CodingAgent } from '../../src/coding-agents/agent.ts';

export const STAND_IN_PROGRAM = join(import.meta.dirname, 'stand-in.ts');

/** An agent that does these orders: see `stand-in.ts`. */
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
