/**
 * Lists for readers who get one list each, as a search of a plan shows it to one reader. A list has the
 * statements of one panel with a number of real conflicts that differs from list to list: some pairs of the
 * panel, and some statements of `disputed.yaml`, which have the shape of a control. Three controls are among
 * them, or none.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readYaml } from '../../src/io/yaml-file.ts';
import { makeNonce, shuffleItems } from '../../src/kernel/chance.ts';
import { stemsOfLongWords } from '../../src/protocols/plan/rules/conspicuous.ts';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import { toPlant } from '../../src/protocols/plan/rules/written-control.ts';
import { dealControls } from './blind.ts';
import { readAcceptedControls, type WrittenCase } from './controls.ts';
import { type Panel, readPanels, saidSchema } from './panels.ts';

const SEED = 31;
/** How many controls a list has that has any. */
const EACH = 3;
/** How many pairs of a panel stay in a list: at least and at most. */
const KEPT_PAIRS = [1, 4] as const;
/** How many statements of `disputed.yaml` a list has: at least and at most. */
const DISPUTED = [2, 4] as const;
/** The most statements without a conflict that a list leaves out. */
const MAX_LEFT_OUT = 2;
/** How many pairs that go together a reader judges. */
const COMPATIBLE = 5;

/** Two ids of a list. */
type Ids = readonly [string, string];

/** A pair of statements of which a reader says whether they are contrary. */
export interface JudgedPair {
  readonly ids: Ids;
  /**
   * Whether the pair is a control and the statement that it contradicts, a real conflict, or two statements that
   * go together.
   */
  readonly kind: 'planted' | 'real' | 'compatible';
}

/** The list of statements that one reader gets, and the pairs that the same reader judges. */
export interface FreshList {
  /** The name of the reader's folder: `01`. */
  readonly name: string;
  readonly panel: string;
  readonly topic: string;
  /** The statements as they are shown. An id tells only the seat and the position in the list. */
  readonly statements: readonly Statement[];
  /** The ids of the controls. */
  readonly planted: readonly string[];
  /** The ids of all statements that are in a conflict, including controls and what they contradict. */
  readonly disputed: readonly string[];
  readonly pairs: readonly JudgedPair[];
}

const disputedSchema = z.record(
  z.string(),
  z.array(z.strictObject({ of: z.string(), role: z.string(), ...saidSchema.shape })),
);
type Disputed = z.infer<typeof disputedSchema>[string][number];

/**
 * Makes a list of statements for each reader, in random order. Each of the sixty accepted controls of edition 7
 * is in one list, and one list of each panel has no control.
 *
 * @param skip changes the random choices, so that a second group of readers can get other lists
 */
export function freshLists(skip = 0): FreshList[] {
  const seed = SEED + skip;
  const controls = readAcceptedControls();
  const disputed = readYaml(
    'disputed.yaml',
    readFileSync(join(import.meta.dirname, 'disputed.yaml'), 'utf8'),
    disputedSchema,
  ).value;
  const lists = readPanels().flatMap((panel) => {
    const cases = controls.filter((controlCase) => controlCase.panel === panel.name);
    const statements = cases[0]?.statements ?? [];
    return [...dealControls(shuffleItems(cases, seed, panel.name), EACH), []].map((dealt, at) =>
      listOf(panel, statements, disputed[panel.name] ?? [], dealt, seed, `${panel.name}/${at}`),
    );
  });
  return shuffleItems(lists, seed, 'lists').map((list, at) => ({
    name: String(at + 1).padStart(2, '0'),
    ...list,
  }));
}

function listOf(
  panel: Panel,
  all: readonly Statement[],
  disputed: readonly Disputed[],
  dealt: readonly WrittenCase[],
  seed: number,
  purpose: string,
): Omit<FreshList, 'name'> {
  const plants = dealt.map(({ control, asked, statements }) => toPlant(control, asked, statements));
  const targets = new Set(plants.map(({ of }) => of));
  const kept = shuffleItems(panel.pairs, seed, `${purpose}/pairs`).slice(
    0,
    numberIn(KEPT_PAIRS, seed, `${purpose}/kept`),
  );
  const inKept = new Set(kept.flatMap(({ clash, third }) => [...clash, third ?? '']));
  const isNeeded = (id: string): boolean => inKept.has(id) || targets.has(id);
  const removedPairs = panel.pairs.filter((pair) => !kept.includes(pair));
  const leftOut = removedPairs.map(({ clash }) =>
    shuffleItems(clash, seed, `${purpose}/${clash.join()}`).find((id) => !isNeeded(id)),
  );
  const against = shuffleItems(
    disputed.filter(({ of }) => !targets.has(of)),
    seed,
    `${purpose}/disputed`,
  ).slice(0, numberIn(DISPUTED, seed, `${purpose}/against`));
  const added = against.map(({ of, ...said }, at): { of: string; statement: Statement } => ({
    of,
    statement: { ...said, id: `added-${at}`, round: 1, state: 'live', earlier: [] },
  }));
  const conflicts = new Set([...inKept, ...targets, ...against.map(({ of }) => of)]);
  const quiet = all.filter(({ id }) => !conflicts.has(id) && !leftOut.includes(id));
  const dropped = shuffleItems(quiet, seed, `${purpose}/quiet`).slice(
    0,
    numberIn([0, MAX_LEFT_OUT], seed, `${purpose}/dropped`),
  );
  const real = all.filter(
    (statement) => !leftOut.includes(statement.id) && !dropped.includes(statement),
  );
  const mixed = shuffleItems(
    [
      ...real,
      ...added.map(({ statement }) => statement),
      ...plants.map(({ statement }, at) => ({ ...statement, id: `planted-${at}` })),
    ],
    seed,
    purpose,
  );
  const { statements, idOf } = renumberStatements(mixed);
  const planted = plants.map(({ of }, at): Ids => [idOf(of), idOf(`planted-${at}`)]);
  const realPairs = [
    ...kept.map(({ clash: [one, other] }): Ids => [idOf(one), idOf(other)]),
    ...added.map(({ of, statement }): Ids => [idOf(of), idOf(statement.id)]),
  ];
  const thirds = kept.flatMap(({ third }) => (third === undefined ? [] : [idOf(third)]));
  return {
    ...{ panel: panel.name, topic: panel.topic, statements },
    planted: planted.map(([, id]) => id),
    disputed: [...new Set([...planted.flat(), ...realPairs.flat(), ...thirds])],
    pairs: pairsOf(statements, planted, realPairs, thirds, seed, purpose),
  };
}

/**
 * Chooses the pairs that a reader judges: all conflicts, since a conflict that is left out would be known to be
 * real, and some pairs that go together.
 */
function pairsOf(
  statements: readonly Statement[],
  planted: readonly Ids[],
  real: readonly Ids[],
  thirds: readonly string[],
  seed: number,
  purpose: string,
): JudgedPair[] {
  const known = new Set([...planted, ...real].map((ids) => [...ids].sort().join()));
  const alike = statements
    .flatMap((one, at) =>
      statements.slice(at + 1).flatMap((other): { ids: Ids; shared: number }[] => {
        const ids: Ids = [one.id, other.id];
        const isOpen = one.role === other.role || known.has([...ids].sort().join());
        if (isOpen || ids.some((id) => thirds.includes(id))) return [];
        const words = new Set(stemsOfLongWords(one.text));
        const otherWords = new Set(stemsOfLongWords(other.text));
        return [{ ids, shared: [...words].filter((word) => otherWords.has(word)).length }];
      }),
    )
    .filter(({ shared }) => shared > 0);
  const judged = [
    ...planted.map((ids): JudgedPair => ({ ids, kind: 'planted' })),
    ...real.map((ids): JudgedPair => ({ ids, kind: 'real' })),
    ...shuffleItems(alike, seed, `${purpose}/alike`)
      .slice(0, COMPATIBLE)
      .map(({ ids }): JudgedPair => ({ ids, kind: 'compatible' })),
  ];
  return shuffleItems(judged, seed, `${purpose}/judged`).map(({ ids, kind }) => {
    const [one, other] = shuffleItems(ids, seed, `${purpose}/${ids.join()}`);
    return { ids: [one ?? '', other ?? ''], kind };
  });
}

/** Numbers the statements of each seat in the order in which they are shown. */
function renumberStatements(all: readonly Statement[]): {
  statements: Statement[];
  idOf: (id: string) => string;
} {
  const counts = new Map<string, number>();
  const ids = new Map<string, string>();
  const statements = all.map((statement) => {
    const count = (counts.get(statement.role) ?? 0) + 1;
    counts.set(statement.role, count);
    ids.set(statement.id, `${statement.role}-${count}`);
    return { ...statement, id: `${statement.role}-${count}` };
  });
  return {
    statements,
    idOf: (id) => {
      const shown = ids.get(id);
      if (shown === undefined) throw new Error(`${id} is not in the list`);
      return shown;
    },
  };
}

/** Returns a number from the first to the last of a range, each as likely. */
function numberIn([least, most]: readonly [number, number], seed: number, purpose: string): number {
  const drawn = Number.parseInt(makeNonce(seed, purpose).slice(0, 6), 16);
  return least + (drawn % (most - least + 1));
}
