/**
 * Lists of statements as a run's search for conflicts shows them: all that the seats of a panel said, numbered
 * and mixed as the run does it, with one written control among them or, in a quarter of the lists, with none.
 * A reader gets one list per panel, so that nobody finds a control by comparing two lists.
 */
import { shuffleItems } from '../../src/kernel/chance.ts';
import { type ControlStatement, mixWithPlant } from '../../src/protocols/plan/rules/control.ts';
import { findLiveStatements, type Statement } from '../../src/protocols/plan/rules/statements.ts';
import { toPlant } from '../../src/protocols/plan/rules/written-control.ts';
import { readControls, type WrittenCase } from './controls.ts';
import { readPanels } from './panels.ts';

const SEED = 11;
/** Readers whose lists have a quarter without a control between them. */
const GROUP = 4;

/** The list of one panel's statements that one reader gets, and the pairs that the reader judges afterwards. */
export interface SingleList {
  /** `3-rivers`: the reader and the panel. */
  readonly name: string;
  readonly reader: number;
  readonly panel: string;
  readonly topic: string;
  readonly statements: readonly Statement[];
  /** The control among the statements and what it contradicts; undefined if the list has none. */
  readonly planted: { readonly id: string; readonly of: string } | undefined;
  /** Pairs for the second task, in which a reader says which of them are contrary. */
  readonly pairs: readonly Pair[];
}

interface Pair {
  readonly ids: readonly [string, string];
  /** Whether the second statement is a control that contradicts the first one. */
  readonly isContrary: boolean;
}

/**
 * Makes one list per panel for each of `readers` readers. A list has one control, or none: of the lists of every
 * four readers together, a quarter, chosen at random, has no control.
 *
 * @param isRenumbered whether the statements of a seat are numbered as they are shown, so that the number of a
 * control tells nothing; in a run it is the last of its seat
 * @throws Error if there are fewer controls of a panel than readers
 */
export function singleLists(readers: number, isRenumbered = false): SingleList[] {
  const controls = readControls();
  const panels = readPanels();
  const cells = Array.from({ length: readers }, (_, at) => at + 1).flatMap((reader) =>
    panels.map((panel) => ({ reader, panel, name: `${reader}-${panel.name}` })),
  );
  const empty = new Set<string>();
  for (let first = 1; first <= readers; first += GROUP) {
    const group = cells.filter(({ reader }) => reader >= first && reader < first + GROUP);
    const drawn = shuffleItems(group, SEED, `empty/${first}`).slice(0, group.length / 4);
    for (const { name } of drawn) empty.add(name);
  }
  return cells.map(({ reader, panel, name }): SingleList => {
    const cases = shuffleItems(
      controls.filter((controlCase) => controlCase.panel === panel.name),
      SEED,
      `controls/${panel.name}`,
    );
    const dealt = cases[reader - 1];
    if (dealt === undefined) throw new Error(`${panel.name} has too few controls`);
    const control = empty.has(name) ? undefined : plantOf(dealt);
    const list: SingleList = {
      name,
      reader,
      panel: panel.name,
      topic: panel.topic,
      statements:
        control === undefined
          ? shuffleItems(findLiveStatements(dealt.statements), SEED, `${name}/order`)
          : mixWithPlant(dealt.statements, control, SEED, name),
      planted: control && { id: control.statement.id, of: control.of },
      pairs: shuffleItems(
        [
          ...(control === undefined
            ? []
            : [{ ids: [control.of, control.statement.id] as const, isContrary: true }]),
          ...shuffleItems(panel.decoys, SEED, `${name}/decoys`)
            .slice(0, control === undefined ? 2 : 1)
            .map((ids) => ({ ids, isContrary: false })),
        ],
        SEED,
        `${name}/pairs`,
      ),
    };
    return isRenumbered ? renumberList(list) : list;
  });
}

/** Numbers the statements of each seat in the order in which they are shown. */
function renumberList({ statements, planted, pairs, ...list }: SingleList): SingleList {
  const counts = new Map<string, number>();
  const ids = new Map(
    statements.map(({ id, role }) => {
      const count = (counts.get(role) ?? 0) + 1;
      counts.set(role, count);
      return [id, `${role}-${count}`];
    }),
  );
  const idOf = (id: string): string => ids.get(id) ?? id;
  return {
    ...list,
    statements: statements.map((statement) => ({ ...statement, id: idOf(statement.id) })),
    planted: planted && { id: idOf(planted.id), of: idOf(planted.of) },
    pairs: pairs.map(({ ids: [one, other], isContrary }) => ({
      ids: [idOf(one), idOf(other)],
      isContrary,
    })),
  };
}

function plantOf({ control, asked, statements }: WrittenCase): ControlStatement {
  return toPlant(control, asked, statements);
}
