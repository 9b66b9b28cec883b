/** The fact types of all built-in protocols, for code that reads logs. */

import { DECISIONS } from '../decisions/facts.ts';
import { NewerRunError } from '../kernel/errors.ts';
import { KERNEL } from '../kernel/facts.ts';
import { type FactReader, readFacts } from '../kernel/vocabulary.ts';
import { SDK } from '../sdk/facts.ts';
import { AGENTS } from './agents/facts.ts';
import { BOARD } from './board/facts.ts';
import { PLAN } from './plan/facts.ts';
import { ROUNDS } from './rounds/facts.ts';
import { TEAM } from './team/facts.ts';

/**
 * The types of facts that this program knows: those of the kernel, those about decisions, which runs of every
 * protocol can have, and those of each protocol. `SDK` is for debates and for users' own protocols. Every
 * protocol's list contains the kernel's facts as well.
 */
export const VOCABULARIES = [KERNEL, DECISIONS, BOARD, ROUNDS, AGENTS, PLAN, TEAM, SDK] as const;

/**
 * The reader for the log of any run, including facts that a person's own protocol has added. It throws
 * `NewerRunError` for a run of a later edition than this program knows.
 */
export const FACTS: FactReader = withoutNewerEditions(readFacts(...VOCABULARIES));

/**
 * The settings that hold an edition, and the word for each in a message. A protocol that gets its first edition
 * records it in one of them, so that older programs recognize it.
 */
const EDITIONS = { prompts: 'edition', rules: 'rules', version: 'version', edition: 'edition' };

/**
 * The latest edition of each protocol's rules and prompts, by the name of the setting that holds the edition. They
 * repeat `LATEST` in the protocols' folders, which most commands must not load. Protocols with a single edition are
 * left out.
 */
export const LATEST_EDITIONS: ReadonlyMap<string, Readonly<Record<string, number>>> = new Map<
  string,
  Readonly<Record<string, number>>
>([
  ['plan', { prompts: 8 }],
  ['rounds', { rules: 7, prompts: 4 }],
  ['team', { version: 8 }],
]);

/**
 * Returns a reader that refuses the beginning of a run of a later edition. Without this check, the run would be
 * read by rules that it was not made with.
 */
function withoutNewerEditions(reader: FactReader): FactReader {
  return {
    ...reader,
    read: (json) => {
      const fact = reader.read(json);
      const start = KERNEL.own(fact);
      if (start?.type === 'run.started') refuseNewerEdition(start);
      return fact;
    },
  };
}

/** Protocol names that are safe to print; the name comes from the database or from a file. */
const NAME = /^[\w-]{1,60}$/;

/** @throws NewerRunError if a run follows an edition that this program does not know */
function refuseNewerEdition({
  run,
  protocol,
  config,
}: {
  readonly run: string;
  readonly protocol: string;
  readonly config: Readonly<Record<string, unknown>>;
}): void {
  for (const [setting, word] of Object.entries(EDITIONS)) {
    const edition = Object.hasOwn(config, setting) ? config[setting] : undefined;
    const latest = LATEST_EDITIONS.get(protocol)?.[setting] ?? 1;
    if (typeof edition === 'number' && edition > latest)
      throw new NewerRunError(
        run,
        `${NAME.test(protocol) ? protocol : 'a protocol of'} ${word} ${edition}; this version reads up to ${latest}`,
        ['config', setting],
      );
  }
}
