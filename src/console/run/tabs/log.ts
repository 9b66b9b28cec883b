/** The tab Log: one line for each fact, the newest at the bottom. */
import { padEnd, textWidth, truncateLine } from '../../../text/width.ts';
import type { Command } from '../../keys/keymap.ts';
import type { LogLine } from '../../model/run-model.ts';
import { Cursor } from '../../ui/cursor.ts';
import type { Copyable } from '../copyable.ts';
import type { PageScene } from '../page-scene.ts';
import type { Page, PageAround } from './page.ts';
import { readFact } from './said.ts';

/** The width of the column of steps, in cells. */
const STEP = 23;

/** The page of the tab Log, with a line for each fact. */
export class LogPage implements Page {
  readonly #around: PageAround;
  readonly #cursor = new Cursor();
  /** Whether the newest line stays visible. */
  #follows = true;
  #query = '';
  /** The lines that contain the searched words; new lines are added, none is searched twice. */
  #found: LogLine[] = [];
  #looked = 0;

  constructor(around: PageAround) {
    this.#around = around;
  }

  get status(): string | undefined {
    if (this.#query !== '')
      return `${this.#lines().length} of ${this.#around.runModel.log.length} facts match "${this.#query}". Esc shows all.`;
    return undefined;
  }

  render({ theme, columns }: PageScene): string[] {
    const { rows: height } = this.#around.size();
    const lines = this.#lines();
    if (this.#follows) this.#cursor.at = lines.length - 1;
    const top = this.#cursor.top(lines.length, height);
    const rows = lines.slice(top, top + height).map((line, index) => {
      const chosen = top + index === this.#cursor.at;
      const time = line.at.slice(11, 19);
      const type = padEnd(truncateLine(line.type, 21), 22);
      const wide = columns >= 100;
      const step = wide ? padEnd(endOf(line.step, STEP), STEP + 1) : '';
      const before = `${chosen ? '>' : ' '} ${time}  ${type}${step}`;
      // Without room for a column of steps, show the step only in rows that have no other text.
      const text = wide || line.summary !== '' ? line.summary : line.step;
      const rest = truncateLine(text, columns - textWidth(before) - 1);
      if (chosen) return theme.inverse(padEnd(before + rest, columns));
      return `${theme.dim(`  ${time}`)}  ${type}${theme.dim(step)}${rest}`;
    });
    if (lines.length === 0) rows.push(` ${theme.dim('No fact matches.')}`);
    while (rows.length < height) rows.push('');
    return rows;
  }

  move(command: Command): void {
    const { length } = this.#lines();
    this.#cursor.move(command, length, this.#around.size().rows);
    this.#follows = this.#cursor.at >= length - 1;
  }

  get open(): (() => void) | undefined {
    const line = this.#lines()[this.#cursor.at];
    if (line === undefined) return undefined;
    return () => {
      // Keep the cursor on this line while the person reads its fact, even if more lines arrive.
      this.#follows = false;
      this.#around.go({ kind: 'text', text: () => readFact(this.#around.runModel, line) });
    };
  }

  copyable(): Copyable | undefined {
    const line = this.#lines()[this.#cursor.at];
    if (line === undefined) return undefined;
    const { seq, at, type, step, summary } = line;
    const markdown = [at, type, step, summary].filter((part) => part !== '').join('  ');
    return { name: `fact-${seq}`, title: `Fact ${seq}`, markdown };
  }

  back(): boolean {
    if (this.#query === '') return false;
    this.find('');
    return true;
  }

  find(query: string): boolean {
    this.#query = query.toLowerCase();
    this.#found = [];
    this.#looked = 0;
    this.#follows = true;
    return true;
  }

  #lines(): readonly LogLine[] {
    const { log } = this.#around.runModel;
    if (this.#query === '') return log;
    for (; this.#looked < log.length; this.#looked += 1) {
      const line = log[this.#looked];
      if (line === undefined) continue;
      const text = `${line.type} ${line.step} ${line.summary}`.toLowerCase();
      if (text.includes(this.#query)) this.#found.push(line);
    }
    return this.#found;
  }
}

/** Returns the last parts of a step's key, which distinguish it from its neighbors: `…/risk-assessor/call`. */
function endOf(step: string, cells: number): string {
  if (textWidth(step) <= cells) return step;
  const parts = step.split('/').slice(1);
  while (parts.length > 1 && textWidth(parts.join('/')) > cells - 2) parts.shift();
  return parts.length === 0
    ? truncateLine(step, cells)
    : truncateLine(`…/${parts.join('/')}`, cells);
}
