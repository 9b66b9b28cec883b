/** A page of lines that can be folded: the steps of a run, or its agents. */

import type { SpentTotal } from '../../../kernel/model.ts';
import { isAllOnPlan } from '../../../kernel/providers/spec.ts';
import { formatUsd } from '../../../text/numbers.ts';
import { padEnd, textWidth, truncateLine } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import type { Command } from '../../keys/keymap.ts';
import type { Theme } from '../../terminal/theme.ts';
import { Cursor } from '../../ui/cursor.ts';
import type { Copyable } from '../copyable.ts';
import type { PageScene } from '../page-scene.ts';
import { blankPage } from './blank.ts';
import type { Page, PageAround, ReadText } from './page.ts';

/** The content of an outline, and how its lines are formatted. */
interface Outline<Line> {
  /** The title that a search names: `Steps`. */
  readonly name: string;
  /** The headings of the lines and of their figures. */
  readonly head: readonly [text: string, ...figures: string[]];
  /** Returns sentences above the lines. */
  above?(): readonly string[];
  /** The sentence shown while there are no lines. */
  readonly empty?: string;
  /** Returns a number that changes whenever the lines may have changed. */
  version(): number;
  /** Returns the lines that contain the words (in lower case), without those below a folded line. */
  lines(query: string, folded: ReadonlySet<string>): Line[];
  /** Returns the key under which a line folds; undefined if nothing is below it. Absent for a plain list. */
  branch?(line: Line): string | undefined;
  /** Returns whether work is under way at a line. Absent if that is unknown. */
  runs?(line: Line): boolean;
  row(line: Line, folded: boolean, scene: PageScene): { text: string; figures: readonly string[] };
  tinted?(line: Line, row: string, theme: Theme): string;
  /** Returns what can be copied of a line. */
  copyable(line: Line): Copyable | undefined;
  /** Returns the output at a line, to be read. */
  read(line: Line): ReadText;
}

const READING_WIDTH = 100;

/** A page with nested lines that can be folded and opened. */
export class OutlinePage<Line> implements Page {
  readonly #around: PageAround;
  readonly #matter: Outline<Line>;
  readonly #cursor = new Cursor();
  readonly #folded = new Set<string>();
  /** Whether the cursor stays where work is under way, until the person moves it. */
  #follows = true;
  #query = '';
  #changed = 0;
  /** The present lines, and the index of the last one with work under way; -1: none. */
  #drawn: { key: string; lines: Line[]; running: number } = { key: '', lines: [], running: -1 };

  /**
   * Creates the page.
   * @param matter returns the lines and what can be done with them
   */
  constructor(around: PageAround, matter: Outline<Line>) {
    this.#around = around;
    this.#matter = matter;
  }

  get status(): string | undefined {
    return this.#query === ''
      ? undefined
      : `${this.#matter.name} matching "${this.#query}". Esc shows all.`;
  }

  render(scene: PageScene): string[] {
    const { theme, columns } = scene;
    const { head, row, tinted = (_line, drawn) => drawn, empty = '' } = this.#matter;
    const above = this.#above(columns).map((text) => (text === '' ? '' : ` ${theme.dim(text)}`));
    const height = this.#height(above.length);
    const lines = this.#lines();
    if (lines.length === 0 && this.#query === '' && empty !== '') {
      const { rows } = this.#around.size();
      // Both the last row of `above` and the first row of the page are blank, and one blank row is enough.
      const said = above.slice(0, -1);
      return [...said, ...blankPage(empty, columns, rows - said.length, scene)].slice(0, rows);
    }
    const at = this.#at(lines);
    const top = this.#cursor.top(lines.length, height);
    const rows = lines.slice(top, top + height).map((line, index) => {
      const chosen = top + index === at;
      const { text, figures } = row(line, this.#isFolded(line), scene);
      const drawn = figuresRow(chosen ? '>' : ' ', text, figures, columns);
      return chosen ? theme.inverse(drawn) : tinted(line, drawn, theme);
    });
    while (rows.length < height) rows.push('');
    const [title, ...figures] = head;
    return [...above, theme.bold(figuresRow(' ', title, figures, columns)), ...rows];
  }

  move(command: Command): void {
    this.#follows = false;
    const above = this.#above(this.#around.size().columns).length;
    this.#cursor.move(command, this.#lines().length, this.#height(above));
  }

  get open(): (() => void) | undefined {
    const line = this.#line;
    if (line === undefined) return undefined;
    return () => {
      this.#follows = false;
      this.#around.go({ kind: 'text', text: () => this.#matter.read(line) });
    };
  }

  get fold(): (() => void) | undefined {
    const line = this.#line;
    const branch = line && this.#matter.branch?.(line);
    if (branch === undefined) return undefined;
    return () => {
      if (!this.#folded.delete(branch)) this.#folded.add(branch);
      this.#changed += 1;
    };
  }

  copyable(): Copyable | undefined {
    const line = this.#line;
    return line && this.#matter.copyable(line);
  }

  back(): boolean {
    if (this.#query === '') return false;
    this.find('');
    return true;
  }

  find(query: string): boolean {
    this.#query = query.toLowerCase();
    // Unfold everything during a search, so that no match is hidden.
    if (query !== '') this.#folded.clear();
    this.#changed += 1;
    this.#cursor.at = 0;
    return true;
  }

  /** Returns the sentences, wrapped, with a blank row below; at most half of the page. */
  #above(columns: number): string[] {
    const said = this.#matter.above?.() ?? [];
    const rows = said.flatMap((text) => wrapPlain(text, Math.min(READING_WIDTH, columns - 2)));
    const most = Math.floor(this.#around.size().rows / 2);
    return rows.length === 0 ? [] : [...rows.slice(0, most - 1), ''];
  }

  /** Returns the cursor's line: where work is under way, until the person moves it. */
  #at(lines: readonly Line[]): number {
    if (this.#follows && this.#drawn.running >= 0) this.#cursor.at = this.#drawn.running;
    return Math.min(this.#cursor.at, lines.length - 1);
  }

  get #line(): Line | undefined {
    const lines = this.#lines();
    return lines[this.#at(lines)];
  }

  /** Returns the height of the list: what is left below the sentences and the headings. */
  #height(above: number): number {
    return this.#around.size().rows - above - 1;
  }

  #isFolded(line: Line): boolean {
    return this.#folded.has(this.#matter.branch?.(line) ?? '');
  }

  /** Returns the lines; computed again only when they may have changed. */
  #lines(): Line[] {
    const key = `${this.#matter.version()} ${this.#changed}`;
    if (this.#drawn.key !== key) {
      const lines = this.#matter.lines(this.#query, this.#folded);
      const running = lines.findLastIndex((line) => this.#matter.runs?.(line) === true);
      this.#drawn = { key, lines, running };
    }
    return this.#drawn.lines;
  }
}

/**
 * Formats the cost of calls: `$0.012`, `≥$0.004` if some have no price, `unknown` if none has, and
 * `on plan` if a subscription pays for all.
 *
 * @param estimated whether a part of the cost is estimated
 */
export function formatCallCost(
  { costUsd, unpriced, onPlan = 0 }: Pick<SpentTotal, 'costUsd' | 'unpriced' | 'onPlan'>,
  estimated: boolean | undefined,
): string {
  if (isAllOnPlan({ costUsd, unpriced, onPlan })) return 'on plan';
  const cost = formatUsd(costUsd, estimated);
  if (unpriced === 0) return cost;
  return costUsd > 0 ? `≥${cost}` : 'unknown';
}

/** Formats a line with its figures: `> ✓ critic  qwen3:8b           6.1s    1.2k   $0.004     2`. */
function figuresRow(
  mark: string,
  text: string,
  figures: readonly string[],
  columns: number,
): string {
  const right = figures
    .map((figure) => ' '.repeat(Math.max(1, 9 - textWidth(figure))) + figure)
    .join('');
  const room = columns - textWidth(right) - 3;
  return `${mark} ${padEnd(truncateLine(text, room), room)}${right} `;
}
