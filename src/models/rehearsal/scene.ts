/** What a task of a rehearsed deliberation is answered from, and what can be read from its prompt. */
import type { JsonSchema } from '../provider.ts';
import type { Chance } from './chance.ts';
import type { Temper } from './temper.ts';
import type { Answer, Topic } from './topic.ts';

/** What a task of the deliberation is answered from. */
export interface Scene {
  readonly model: string;
  readonly role: string;
  readonly seed: number;
  /** All of the prompt, and its last part: what is asked. */
  readonly prompt: string;
  readonly task: string;
  readonly topic: Topic;
  readonly chance: Chance;
}

export interface Acting extends Scene {
  readonly schema: JsonSchema;
  readonly temper: Temper;
  /** What others said. */
  readonly blocks: readonly Answer[];
}

/** The items of a text's lists. */
export function listedIn(text: string): string[] {
  return [...text.matchAll(/^- (.+)$/gm)].map(([, item]) => item?.trim() ?? '');
}

/** The role of which it is said that it is absent, the last one where there are several. */
export function absentIn(text: string): string | undefined {
  return [...text.matchAll(/round: the (\w+) (?:is|was) absent/gi)].at(-1)?.[1]?.toLowerCase();
}

/** Ids of claims, verdicts and decisions in blocks, in the order in which they stand. */
export function idsIn(blocks: readonly Answer[]): string[] {
  const found = blocks.flatMap(
    ({ from, text }) => `${from} ${text}`.match(/\b[CVD]-\d+-\d+\b/g) ?? [],
  );
  return [...new Set(found)];
}

/** The latest round among ids; 1 where there are none. */
export function roundOf(ids: readonly string[]): number {
  return Math.max(1, ...ids.map((id) => Number(id.split('-')[1])));
}

/** Sentences that others said and that can be quoted as they stand. */
export function quotable(blocks: readonly Answer[]): Answer[] {
  return blocks
    .filter(({ from }) => from !== 'the log')
    .flatMap(({ from, text }) =>
      text
        .split(/\n|(?<=[.?!])\s+/)
        .filter((one) => /^\p{Lu}[^*#"“”_]{30,160}\.$/u.test(one))
        .map((one) => ({ from, text: one })),
    );
}
