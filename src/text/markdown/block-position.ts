/**
 * The position of a line of Markdown: the quotes and list items that contain it, and so the prefix of its
 * rows. Values are immutable, so a tentative layout can share them.
 */
import { type Prefix, prefixOf } from '../rows/prefix.ts';

/** The deepest list nesting that is tracked. */
const MAX_LEVELS = 24;
/** The columns by which a nested item is indented at least. */
const NESTING = 2;

/** One level of a list: the source column of its marker, and the cells before its text. */
interface Level {
  readonly column: number;
  readonly hang: number;
}

/** The quotes and lists that a line of Markdown is nested in. */
export class BlockPosition {
  /** The position of a line outside of any quote or list. */
  static readonly start = new BlockPosition(0, 0, [], []);

  /** The number of quotes (`>`) that contain the line, one inside the other. */
  readonly depth: number;
  /** Cells before the quote bars, as a quote may be inside a list. */
  readonly #outer: number;
  /** The lists around the quote, for when it ends. */
  readonly #around: readonly Level[];
  readonly #levels: readonly Level[];

  private constructor(
    depth: number,
    outer: number,
    around: readonly Level[],
    levels: readonly Level[],
  ) {
    this.depth = depth;
    this.#outer = outer;
    this.#around = around;
    this.#levels = levels;
  }

  /** Whether the line is inside a list. */
  get isInList(): boolean {
    return this.#levels.length > 0;
  }

  /**
   * Returns the position of the next line if it begins with `depth` quote marks (`>`), the first of
   * them after `indent` spaces.
   */
  quoted(depth: number, indent: number): BlockPosition {
    if (depth === this.depth) return this;
    if (depth === 0) return new BlockPosition(0, 0, [], this.#around);
    if (this.depth > 0) return new BlockPosition(depth, this.#outer, this.#around, []);
    const within = this.#levels.findLast((level) => level.column < indent);
    return new BlockPosition(depth, within?.hang ?? 0, this.#levels, []);
  }

  /**
   * Returns the position inside a list item whose marker begins in `column` and is `cells` wide with
   * its space. The column decides in which of the lists the item is.
   */
  item(column: number, cells: number): BlockPosition {
    let outer = this.#levels.length;
    while (outer > 0 && column < (this.#levels[outer - 1] as Level).column + NESTING) outer -= 1;
    const levels = this.#levels.slice(0, Math.min(outer, MAX_LEVELS));
    levels.push({ column, hang: (levels[levels.length - 1]?.hang ?? 0) + cells });
    return new BlockPosition(this.depth, this.#outer, this.#around, levels);
  }

  /**
   * Returns the position of the next line if it has no marker and is indented by `columns` columns.
   * Lists whose marker is not left of that column have ended.
   */
  continued(columns: number): BlockPosition {
    let outer = this.#levels.length;
    while (outer > 0 && columns <= (this.#levels[outer - 1] as Level).column) outer -= 1;
    if (outer === this.#levels.length) return this;
    return new BlockPosition(this.depth, this.#outer, this.#around, this.#levels.slice(0, outer));
  }

  /**
   * Returns the prefix (indentation and quote bars) of the rows of a line at this position, with
   * `more` further cells of indentation. `width` is the width of a whole row in cells.
   */
  prefix(width: number, more = 0): Prefix {
    const hang = this.#levels[this.#levels.length - 1]?.hang ?? 0;
    return prefixOf(this.#outer, this.depth, hang + more, width);
  }

  /** Returns the prefix of the row that begins the innermost list item, up to the item's marker. */
  prefixOfItem(width: number): Prefix {
    const hang = this.#levels[this.#levels.length - 2]?.hang ?? 0;
    return prefixOf(this.#outer, this.depth, hang, width);
  }

  /**
   * Returns the prefix of a blank row next to a line at this position: bars for the quotes that
   * contain both the line and the blank row, which is in `depth` quotes.
   */
  prefixOfBlank(width: number, depth: number): Prefix {
    const bars = Math.min(depth, this.depth);
    return prefixOf(bars === 0 ? 0 : this.#outer, bars, 0, width);
  }
}
