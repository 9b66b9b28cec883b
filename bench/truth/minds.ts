/**
 * Minds of known quality. A mind is a share of items that it judges rightly and a way to go wrong; what
 * it says is thrown by dice that the run's seed decides. Every throw is by itself: a real model is wrong
 * about the same sentence twice more often than that, so that second looks are flattered here.
 */
import type { Chance } from '../../src/protocols/rehearsal/chance.ts';
import type { Key } from './document.ts';

export interface Mind {
  readonly name: string;
  /** How many of a hundred items it judges rightly. */
  readonly accuracy: number;
  /**
   * `careless`: invents words and ids, and swaps what is true and false.
   * `flattering`: agrees with whatever is put. `sabotaging`: gets rid of what is wrong with the
   * document. `abstaining`: finds that everything needs a test.
   */
  readonly habit: 'honest' | 'careless' | 'flattering' | 'sabotaging' | 'abstaining';
}

function mind(name: string, accuracy: number, habit: Mind['habit'] = 'honest'): Mind {
  return { name, accuracy, habit };
}

const ABLE = mind('able', 0.95);

export interface Panel {
  readonly name: string;
  /** Of the verifier, and of all seats but the one that is named. */
  readonly mind: Mind;
  /** Who sits in one of the four seats instead. */
  readonly intruder?: Mind;
}

export const PANELS: readonly Panel[] = [
  { name: 'oracle', mind: mind('oracle', 1) },
  { name: 'able', mind: ABLE },
  { name: 'fair', mind: mind('fair', 0.9) },
  { name: 'middling', mind: mind('middling', 0.8) },
  { name: 'bad', mind: mind('bad', 0.35, 'careless') },
  { name: 'flatterer', mind: mind('flatterer', 0.6, 'flattering') },
  { name: 'saboteur', mind: ABLE, intruder: mind('saboteur', 0.35, 'sabotaging') },
  { name: 'tester', mind: mind('tester', 0.95, 'abstaining') },
];

/** What it judges something to be that is `key`; `what` names the throw. */
export function judge({ name, accuracy, habit }: Mind, key: Key, chance: Chance): Key {
  if (name === 'oracle') return key;
  if (habit === 'flattering') return 'true';
  if (habit === 'abstaining') return 'undecided';
  if (chance.next() < accuracy) return key;
  const others = KEYS.filter((one) => one !== key);
  const sooner = others.includes('true') && chance.next() < SOONER_TRUE;
  if (sooner) return 'true';
  const rest = others.filter((one) => one !== 'true');
  return rest[chance.between(0, rest.length - 1)] ?? 'undecided';
}

/**
 * Of errors about what is not true, those that call it true: what is plausible is sooner taken for what is
 * written. At this share the entrance lets through whom it was laid out to let through.
 */
const SOONER_TRUE = 2 / 3;

const KEYS: readonly Key[] = ['true', 'false', 'undecided'];
