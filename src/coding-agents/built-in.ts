/** The coding agents that come with the program: `presets/coding-agents.json`. */
import { join } from 'node:path';
import { BUILT_IN, readText } from '../io/files.ts';
import type { CodingAgent } from './agent.ts';

/** An entry of the file. */
interface Entry extends Omit<CodingAgent, 'name' | 'promptTokens' | 'signIn'> {
  readonly prompt_tokens: number;
  readonly sign_in: string;
  readonly source: string;
}

let read: readonly CodingAgent[] | undefined;

/** Returns the agents that come with the program. Their file is read at the first call. */
export function builtInAgents(): readonly CodingAgent[] {
  read ??= readAgents();
  return read;
}

function readAgents(): CodingAgent[] {
  const text = readText(join(BUILT_IN, 'coding-agents.json')) ?? '{}';
  const { agents } = JSON.parse(text) as { readonly agents: Readonly<Record<string, Entry>> };
  return Object.entries(agents).map(
    ([name, { prompt_tokens: promptTokens, sign_in: signIn, source: _, ...entry }]) => ({
      ...entry,
      name,
      promptTokens,
      signIn,
    }),
  );
}
