/** The coding agent that stands in for real ones, and obeys the orders of a test. */
import { join } from 'node:path';
import type { CodingAgent } from '../../src/coding-agents/agent.ts';

/** The path of the program that stands in for a coding agent in tests. */
export const STAND_IN_PROGRAM = join(import.meta.dirname, 'stand-in.ts');

/**
 * Returns the definition of a coding agent whose program, `stand-in.ts`, does what the given orders say. The
 * program's file lists the orders. `more` replaces parts of the definition.
 */
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
