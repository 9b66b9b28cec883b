/**
 * The question at which a run waits: its text, which may be longer than the screen, and its answers. Some
 * answers take the person's own words; Esc returns from those to the list.
 */
import type { GateView } from '../../../kernel/view.ts';
import { truncateLine } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import { commandIn, keyIn } from '../../keys/key-lookup.ts';
import { KEYMAP } from '../../keys/keymap.ts';
import type { Dialog, DialogArea, Hints } from '../../ui/component.ts';
import { formatHints } from '../../ui/component.ts';
import { chosenItem, type List, listOf, moveCursor } from '../../ui/list.ts';
import { rowAfterMove } from '../../ui/scroll.ts';
import {
  areaOf,
  areaRows,
  continueLine,
  pasteText,
  type TextInput,
  typeKey,
} from '../../ui/text-input.ts';
import { DiffPage } from './diff.ts';

/** From so many lines on, the question is shown as a page. */
const PAGE = 12;
const WIDTHS = { question: 72, page: 100, diff: 160 } as const;
/** The most rows of the person's own words that are shown, and the least rows of the question. */
const MOST_WORDS = 5;
const LEAST_TOLD = 3;
const MARK = '> ';

/**
 * The form in which a person answers a question of the run (a gate). For some answers the person also
 * types words of their own.
 */
export class GateForm implements Dialog {
  readonly #width: number;
  readonly #gate: GateView;
  readonly #lines: readonly string[];
  readonly #chosen: (answer: string) => void;
  #list: List<string>;
  /** The answer whose words are being typed; undefined: an answer is being chosen. */
  #option: GateView['options'][number] | undefined;
  #input: TextInput = areaOf('');
  /** The words that were typed for each answer before Esc, by the answer's value. */
  readonly #typed = new Map<string, TextInput>();
  #cells: number = WIDTHS.question;
  /** The first visible row of the question's text. */
  #top = 0;
  /** The largest value of `#top`, at which the last row is visible. */
  #end = 0;
  /** The height of the visible text in rows. */
  #height = 1;
  /** The diff that the question is about, while it is shown. */
  #diff: DiffPage | undefined;

  /**
   * Creates the form.
   *
   * @param lines text between the question and the options
   * @param chosen called with the answer: the value of an option, or `value: words` if the option asks
   *   for words
   */
  constructor(gate: GateView, lines: readonly string[], chosen: (answer: string) => void) {
    this.#gate = gate;
    this.#lines = lines;
    this.#chosen = chosen;
    const isPage = lines.length + gate.prompt.split('\n').length > PAGE;
    this.#width = isPage ? WIDTHS.page : WIDTHS.question;
    const { options, default: first } = gate;
    const items = options.map(({ value, label }) => ({
      value,
      label: value === first ? `${label} (default)` : label,
    }));
    this.#list = listOf(items, { value: first });
  }

  get title(): string {
    return this.#diff === undefined ? 'The run is waiting for you' : 'What would change';
  }

  get width(): number {
    return this.#diff === undefined ? this.#width : WIDTHS.diff;
  }

  get hints(): Hints {
    if (this.#diff !== undefined)
      return { 'page-down': 'a page down', diff: 'to the question', cancel: 'back' };
    return this.writes
      ? { accept: 'answer', 'new-line': 'new line', cancel: 'back' }
      : {
          'previous next': 'choose',
          accept: 'answer',
          ...(this.#gate.diff === undefined ? {} : { diff: 'the change' }),
          cancel: 'later',
        };
  }

  /** Whether the person is typing words. */
  get writes(): boolean {
    return this.#option !== undefined;
  }

  key(key: string): boolean {
    const page = commandIn(KEYMAP, 'dialogs', key, 'list');
    if (page === 'diff' && !this.writes && this.#gate.diff !== undefined)
      this.#diff = this.#diff === undefined ? new DiffPage(this.#gate.diff) : undefined;
    else if (this.#diff !== undefined) this.#diff.key(key);
    else if (page === 'page-down' || page === 'page-up')
      // While no diff is shown, page keys scroll the question. They never move the cursor in the list of answers,
      // even if the question needs no scrolling.
      this.#top = rowAfterMove(Math.min(this.#top, this.#end), page, this.#end, this.#height);
    else if (this.#option !== undefined) this.#write(key, this.#option.value);
    else if (key === 'enter') return this.#choose();
    else this.#list = moveCursor(this.#list, key);
    return true;
  }

  get paste(): ((text: string) => void) | undefined {
    if (!this.writes) return undefined;
    return (text) => {
      this.#input = pasteText(this.#input, text);
    };
  }

  /**
   * Closes the diff, or returns from the typed words to the list of options and keeps the words.
   * Returns false if the list of options is shown already.
   */
  back(): boolean {
    if (this.#diff !== undefined) {
      this.#diff = undefined;
      return true;
    }
    const option = this.#option;
    if (option === undefined) return false;
    this.#typed.set(option.value, this.#input);
    this.#option = undefined;
    return true;
  }

  render({ theme, keymap, cells, height }: DialogArea): string[] {
    if (this.#diff !== undefined) return this.#diff.render({ theme, keymap, cells, height });
    const words = this.#wordRows({ theme, keymap, cells, height });
    const below = this.#option === undefined ? this.#gate.options.length : words.length;
    const told = wrapPlain(this.#gate.prompt, cells);
    if (this.#lines.length > 0) told.push('');
    told.push(...this.#lines.flatMap((line) => (line === '' ? [''] : wrapPlain(line, cells))));
    const room = Math.max(1, height - below - 2);
    const isWhole = told.length <= room;
    this.#height = isWhole ? room : Math.max(1, room - 1);
    this.#end = Math.max(0, told.length - this.#height);
    const top = Math.min(this.#top, this.#end);
    const shown = told.slice(top, top + this.#height);
    const rest = told.length - top - shown.length;
    const key = keyIn(keymap, 'dialogs', rest > 0 ? 'page-down' : 'page-up');
    const more = rest > 0 ? `${rest} more below (${key})` : `${top} above (${key})`;
    return [
      '',
      ...shown,
      ...(isWhole ? [] : [theme.inverse(` ${truncateLine(more, cells - 2)} `)]),
      '',
      ...words,
    ];
  }

  list(height: number): { list: List; height: number } | undefined {
    if (this.writes || this.#diff !== undefined) return undefined;
    return { list: this.#list, height: Math.min(height, this.#list.items.length) };
  }

  #choose(): boolean {
    const value = chosenItem(this.#list)?.value;
    const option = this.#gate.options.find((option) => option.value === value);
    if (option?.words !== undefined) {
      // Begin the text box with what the person typed for this option before leaving it with Esc, or else with the
      // text that the option proposes.
      this.#input = this.#typed.get(option.value) ?? areaOf(option.draft ?? '');
      this.#option = option;
    } else if (option !== undefined) this.#chosen(option.value);
    return option?.words !== undefined;
  }

  #write(key: string, value: string): void {
    const line =
      key === 'enter' ? continueLine(this.#input) : typeKey(this.#input, key, this.#cells);
    if (line !== undefined) {
      this.#input = line;
      return;
    }
    const text = this.#input.text.trim();
    if (text !== '') this.#chosen(`${value}: ${text}`);
  }

  /** Returns the rows of the text box: what to type, the text, and the keys. */
  #wordRows({ theme, keymap, cells, height }: DialogArea): string[] {
    const words = this.#option?.words;
    if (words === undefined) return [];
    this.#cells = cells - MARK.length;
    const asked = wrapPlain(words, cells);
    const most = Math.max(1, Math.min(MOST_WORDS, height - asked.length - LEAST_TOLD - 4));
    const look = { cells: this.#cells, height: most, theme, focus: true };
    const { rows } = areaRows(this.#input, look);
    const keys = formatHints(keymap, { accept: 'answers', cancel: 'goes back' }).join(' · ');
    return [
      ...asked.map((row) => theme.bold(row)),
      ...rows.map((row, index) => (index === 0 ? MARK : '  ') + row),
      '',
      theme.dim(truncateLine(keys, cells)),
    ];
  }
}
