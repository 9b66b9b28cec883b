/**
 * The examples that come with the program, made from golden journals that a person answered. They have the
 * same facts, with the pace of a model that speaks, and name no real model.
 */

import { fileURLToPath } from 'node:url';
import { type Fact, parseFact } from '../every-fact.ts';
import type { PlayedName } from './journal.ts';
import { isSaidByPeople } from './kept.ts';

/** The model that examples name if it does not matter who answered. */
const BY_HAND = 'example/recorded by hand';

/** The name of the golden journal that each example is made from, by the name of its file in `presets/examples`. */
export const EXAMPLES: ReadonlyMap<string, PlayedName> = new Map([
  ['board', 'played-board'],
  ['rounds', 'played'],
  ['stress', 'played-stress'],
  ['agent', 'played-agent'],
  ['team', 'played-team-trap'],
  ['decision', 'played-decision'],
]);

/** Returns the path of an example's file. */
export function fileOfExample(name: string): string {
  return fileURLToPath(new URL(`../../presets/examples/${name}.jsonl.gz`, import.meta.url));
}

const BEGINS = Date.UTC(2026, 0, 15, 9);
/** The characters that a model speaks in a second, about 75 tokens. */
const PACE = 300;
/** The time until the first word of a call. Different seats begin after different times. */
const THOUGHT_MS = [700, 1_300, 1_000, 1_600] as const;
const BETWEEN_MS = 20;

/**
 * Turns the facts of a golden journal into those of an example: replaces the names of models, and sets the
 * times to those of models that write 300 characters in a second. Calls that began together run at the same
 * time. Facts that a person recorded after the run keep their times, if the order of the facts allows that.
 */
export function makeExample(facts: readonly Fact[]): Fact[] {
  const begun = new Map<string, { readonly at: number; readonly first: number }>();
  // Older recordings state the letters of the seats only in the finished synthesis. Add the letters to the
  // beginning of the synthesizer's call, so that names replace them while the text arrives.
  const labels = new Map<string, Readonly<Record<string, string>>>(
    facts.flatMap((fact) =>
      fact.type === 'synthesis.completed'
        ? [[`synthesis/${fact.version}`, fact.labels] as const]
        : [],
    ),
  );
  let now = BEGINS;
  return facts.map((fact) => {
    now += BETWEEN_MS;
    const body: Record<string, unknown> = JSON.parse(
      JSON.stringify(fact)
        .replaceAll(/ollama\/mind-[a-z]/g, BY_HAND)
        .replaceAll(/ollama\/(alder|birch|cedar)/g, 'example/$1, recorded by hand'),
    );
    if (isSaidByPeople(fact)) now = Math.max(now, Date.parse(fact.at));
    if (fact.type === 'step.started') {
      const first = THOUGHT_MS[begun.size % THOUGHT_MS.length] ?? 0;
      begun.set(fact.attempt, { at: now, first });
      const named = labels.get(fact.step);
      if (named !== undefined && Object.keys(named).length > 0) body.labels = named;
    }
    if (fact.type === 'call.completed') {
      const { at, first } = begun.get(fact.attempt) ?? { at: now, first: 0 };
      now = Math.max(now, at + first + Math.round((fact.text.length / PACE) * 1_000));
      Object.assign(body, { latencyMs: now - at, firstTokenMs: first, thinking: '' });
    }
    return parseFact({ ...body, at: new Date(now).toISOString() });
  });
}
