/**
 * Recognizes runs that follow rules or prompts of a later edition than this program knows. Without this check,
 * such a run would be read by rules that it was not made with.
 */
import { NewerRunError } from '../kernel/errors.ts';
import { KERNEL } from '../kernel/facts.ts';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import { line } from '../text/line.ts';
import { LATEST as PLAN } from './plan/config.ts';
import { LATEST as ROUNDS } from './rounds/config.ts';
import { LATEST as TEAM } from './team/config.ts';

/**
 * The settings that hold an edition, and the word for each in a message. A protocol that gets its first edition
 * records it in one of them, so that older programs recognize it.
 */
const EDITIONS = { prompts: 'edition', rules: 'rules', version: 'version', edition: 'edition' };

/** The latest known editions by protocol; a protocol that is not listed has had one edition only. */
const LATEST: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map<
  string,
  Readonly<Record<string, unknown>>
>([
  ['plan', PLAN],
  ['rounds', ROUNDS],
  ['team', TEAM],
]);

/**
 * Refuses the beginning of a run that follows an edition which this program does not know.
 * @throws NewerRunError
 */
function refuseNewerEdition(fact: AnyFact): void {
  const start = KERNEL.own(fact);
  if (start?.type !== 'run.started') return;
  for (const [setting, word] of Object.entries(EDITIONS)) {
    const edition = Object.hasOwn(start.config, setting) ? start.config[setting] : undefined;
    const known = LATEST.get(start.protocol)?.[setting];
    const latest = typeof known === 'number' ? known : 1;
    if (typeof edition === 'number' && edition > latest)
      throw new NewerRunError(
        start.run,
        `${line(start.protocol)} ${word} ${edition}; this version reads up to ${latest}`,
      );
  }
}

/** Returns a reader that refuses runs of later editions as well. */
export function withoutNewerEditions(reader: FactReader): FactReader {
  return {
    ...reader,
    read: (json) => {
      const fact = reader.read(json);
      refuseNewerEdition(fact);
      return fact;
    },
  };
}
