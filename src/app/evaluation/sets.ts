/** Opens the set of items that a person names: a generated set, the memos, or a file of their own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unitOf } from '../../evaluation/order.ts';
import { GENERATED, generateSet, MOST_LEVEL } from '../../evaluation/sets/generated.ts';
import type { ItemSet } from '../../evaluation/sets/item.ts';
import { memoSchema, memoSet } from '../../evaluation/sets/memos.ts';
import { readSet } from '../../evaluation/sets/read-set.ts';
import { decodeText } from '../../io/decoding/decode.ts';
import { BUILT_IN, readText } from '../../io/files.ts';
import { readFileBytes } from '../../io/input.ts';
import { shuffleItems } from '../../kernel/chance.ts';
import { UsageError } from '../../kernel/errors.ts';
import { toLine } from '../../text/line.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { Invocation } from '../invocation.ts';

/** A set with a description of how it was chosen. */
interface ChosenSet extends ItemSet {
  /** How to get the same set again. */
  readonly about: string;
  /** Whether the set comes with the program. */
  readonly isOurs: boolean;
}

/**
 * Units of a rehearsal, which gives no verdict; units of a study; and how many units of a study are asked three
 * times.
 */
const REHEARSAL_UNITS = 40;
const STUDY_UNITS = 800;
const STUDY_AGAIN = 60;

const MEMOS = 'flaws';
const NAMES = [MEMOS, ...GENERATED];
/** The largest set of a person's own, in bytes: 100,000 items of a few hundred bytes fit. */
const MOST_BYTES = 64 * 1024 * 1024;

interface Size {
  readonly units: number;
  /** How many units are asked a second and a third time. */
  readonly again: number;
}

/**
 * Parses the size of an evaluation: `rehearsal`, `study` or a number of units.
 *
 * @throws UsageError if it is none of these
 */
export function parseSize(given = 'rehearsal'): Size {
  if (given === 'rehearsal') return { units: REHEARSAL_UNITS, again: 0 };
  if (given === 'study') return { units: STUDY_UNITS, again: STUDY_AGAIN };
  const units = Number(given);
  if (!/^\d+$/.test(given) || units < 1 || units > 100_000)
    throw new UsageError(
      `--size ${given}: expected rehearsal (${REHEARSAL_UNITS}), study (${STUDY_UNITS}, and ${STUDY_AGAIN} of them three times) or a number of items`,
    );
  return { units, again: 0 };
}

/**
 * Opens a set of questions and chooses units from it at random, by the seed, as many as the size
 * says. A unit is an item, or a group of items that belong together.
 *
 * @param named the set's name or file
 * @throws UsageError if no set is named, the named one does not exist, or it has too few units for the
 *   size. The size `rehearsal` fits every set.
 */
export async function openSet(
  call: Invocation,
  named: string | undefined,
  { units }: Size,
  seed: number,
): Promise<ChosenSet> {
  if (named === undefined)
    throw new UsageError(
      'name a set',
      `Use ${NAMES.join(', ')}, or a file with one item per line.`,
    );
  const set =
    makeGeneratedSet(named, units, seed) ?? readMemoSet(named) ?? (await ownSet(call, named));
  const known = [...new Set(set.items.map(unitOf))];
  const size = call.flags.size ?? 'rehearsal';
  if (known.length < units && size !== 'rehearsal')
    throw new UsageError(
      `--size ${size} takes ${units} items, and ${toLine(named)} has ${known.length}`,
      'Use a generated set, such as puzzles, or a smaller size.',
    );
  const chosen = new Set(shuffleItems(known, seed, 'sample').slice(0, units));
  return { ...set, items: set.items.filter((item) => chosen.has(unitOf(item))) };
}

/** Makes a generated set such as `puzzles` or `knights:5`. Returns undefined if the name is not one of them. */
function makeGeneratedSet(named: string, units: number, seed: number): ChosenSet | undefined {
  const [name = '', level, ...rest] = named.split(':');
  if (!GENERATED.includes(name)) return undefined;
  const wanted = level === undefined ? undefined : Number(level);
  if (
    rest.length > 0 ||
    (wanted !== undefined && (!Number.isInteger(wanted) || wanted < 1 || wanted > MOST_LEVEL))
  )
    throw new UsageError(
      `${toLine(named)}: expected a difficulty from 1 to ${MOST_LEVEL}, such as ${name}:${MOST_LEVEL}`,
    );
  const set = generateSet(name, units, {
    seed,
    ...withoutUndefined({ level: wanted }),
  });
  return set && { ...set, about: `generated, seed ${seed}`, isOurs: true };
}

function readMemoSet(named: string): ChosenSet | undefined {
  if (named !== MEMOS) return undefined;
  const text = readText(join(BUILT_IN, 'evaluation', 'memos.jsonl')) ?? '';
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const set = memoSet(rows.map((row) => memoSchema.parse(JSON.parse(row))));
  return { ...set, about: `${rows.length} design memos, each in three variants`, isOurs: true };
}

async function ownSet(call: Invocation, named: string): Promise<ChosenSet> {
  const file = toLine(named);
  if (!existsSync(named))
    throw new UsageError(`no set or file named ${file}`, `The sets are ${NAMES.join(', ')}.`);
  const text = decodeText(file, await readFileBytes(named, MOST_BYTES, call));
  return { ...readSet(file, text), about: `from ${file}`, isOurs: false };
}
