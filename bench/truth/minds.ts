/**
 * Simulated models of known quality: the share of items that each judges correctly, and a way in which it errs.
 * All draws depend on the run's seed and are independent of each other. A real model errs about the same
 * sentence again more often, so second looks appear better here than they are.
 */
import type { Chance } from '../../src/protocols/rehearsal/chance.ts';
import type { Key } from './document.ts';

/** A simulated model. */
export interface Mind {
  readonly name: string;
  /** The probability, from 0 to 1, that the model judges a statement correctly. */
  readonly accuracy: number;
  /**
   * How the model errs. `honest`: only in its judgments, as often as its accuracy says. `careless`: also invents
   * words and ids, and swaps true and false. `flattering`: agrees with
   * everything. `sabotaging`: hides the flaws of the document. `abstaining`: finds that everything needs a
   * test.
   */
  readonly habit: 'honest' | 'careless' | 'flattering' | 'sabotaging' | 'abstaining';
}

function makeMind(name: string, accuracy: number, habit: Mind['habit'] = 'honest'): Mind {
  return { name, accuracy, habit };
}

const ABLE = makeMind('able', 0.95);

/** A panel of simulated models. */
export interface Panel {
  readonly name: string;
  /** The model of the verifier, and of all seats but the intruder's. */
  readonly mind: Mind;
  /** The model of one of the four seats. */
  readonly intruder?: Mind;
}

/** The panels of simulated models that `bench/truth` compares, from one that knows every truth to saboteurs. */
export const PANELS: readonly Panel[] = [
  { name: 'oracle', mind: makeMind('oracle', 1) },
  { name: 'able', mind: ABLE },
  { name: 'fair', mind: makeMind('fair', 0.9) },
  { name: 'middling', mind: makeMind('middling', 0.8) },
  { name: 'bad', mind: makeMind('bad', 0.35, 'careless') },
  { name: 'flatterer', mind: makeMind('flatterer', 0.6, 'flattering') },
  { name: 'saboteur', mind: ABLE, intruder: makeMind('saboteur', 0.35, 'sabotaging') },
  { name: 'tester', mind: makeMind('tester', 0.95, 'abstaining') },
];

/**
 * Returns what a simulated model judges about a statement. With the probability of its accuracy the judgment is
 * right. The oracle is always right, a flattering model always says `true`, an abstaining one always `undecided`.
 * @param key the right judgment
 * @param chance the random numbers that decide whether and how the model errs
 */
export function drawJudgment({ name, accuracy, habit }: Mind, key: Key, chance: Chance): Key {
  if (name === 'oracle') return key;
  if (habit === 'flattering') return 'true';
  if (habit === 'abstaining') return 'undecided';
  if (chance.next() < accuracy) return key;
  const others = KEYS.filter((other) => other !== key);
  const sooner = others.includes('true') && chance.next() < SOONER_TRUE;
  if (sooner) return 'true';
  const rest = others.filter((other) => other !== 'true');
  return rest[chance.between(0, rest.length - 1)] ?? 'undecided';
}

/**
 * The share of errors about untrue items that call them true, because plausible things are easily taken for
 * written ones. With this share, the entrance test passes the models that it should pass.
 */
const SOONER_TRUE = 2 / 3;

const KEYS: readonly Key[] = ['true', 'false', 'undecided'];
