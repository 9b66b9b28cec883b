/** The form for another synthesis: its model, an instruction, and seats to leave out. Enter starts it. */
import { joinLines, toLine } from '../../../text/line.ts';
import { padEnd, truncateLine } from '../../../text/width.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import type { Theme } from '../../terminal/theme.ts';
import { type Dialog, type DialogArea, formatHints, type Hints } from '../../ui/component.ts';
import type { ModelChoice } from '../../ui/forms/models.ts';
import { listRows, windowRows } from '../../ui/list.ts';
import {
  areaOf,
  areaRows,
  atEdge,
  continueLine,
  fieldRow,
  pasteText,
  type TextInput,
  typeKey,
} from '../../ui/text-input.ts';
import type { Actions } from '../ports.ts';

type Wanted = Parameters<Actions['resynthesize']>[0];

interface Parts {
  /** The model that is used if no other is chosen. */
  readonly model: string | undefined;
  /** The seats with answers; empty if none can be left out. */
  readonly seats: readonly { readonly id: string; readonly name: string }[];
  readonly choice: ModelChoice;
  readonly start: (wanted: Wanted) => void;
}

/** Rows of models below their field, and of the instruction while it is typed. */
const MODELS = 4;
const LINES = 3;
/** The width of the fields' names, in cells. */
const LABEL = 12;
const MARK = '> ';

/** The form that requests another synthesis from the same answers. */
export class ResynthesisForm implements Dialog {
  readonly title = 'Another synthesis from the same answers';
  readonly hints: Hints;
  readonly width = 72;
  readonly #parts: Parts;
  readonly #without = new Set<string>();
  #note: TextInput = areaOf('');
  /** The field with the cursor: 0 the instruction, 1 the model, from 2 on the seats. */
  #at = 0;
  /** The width of the instruction's box, in cells. */
  #cells = this.width - LABEL - MARK.length;
  /** Whether the last key would have left out all seats. */
  #nobody = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const leave = parts.seats.length > 0 ? { Space: 'leave out' } : {};
    this.hints = { accept: 'start', Tab: 'next field', ...leave, cancel: 'cancel' };
  }

  key(key: string): boolean {
    const { seats, choice } = this.#parts;
    const fields = 2 + seats.length;
    this.#nobody = false;
    if (key === 'enter') return this.#entered();
    const vertical = key === 'up' || key === 'down';
    if (this.#at === 0 && vertical && !atEdge(this.#note, key, this.#cells))
      this.#note = typeKey(this.#note, key, this.#cells);
    else if (key === 'tab' || key === 'down') this.#at = (this.#at + 1) % fields;
    else if (key === 'shift+tab' || key === 'up') this.#at = (this.#at - 1 + fields) % fields;
    else if (this.#at === 0) this.#note = typeKey(this.#note, key, this.#cells);
    else if (this.#at > 1) this.#toggle(key);
    else if (key === 'right') choice.key('down');
    else if (key === 'left') choice.key('up');
    else choice.key(key);
    return true;
  }

  paste(text: string): void {
    if (this.#at === 0) this.#note = pasteText(this.#note, text);
    else if (this.#at === 1) this.#parts.choice.paste(text);
  }

  render({ theme, keymap, cells, height }: DialogArea): string[] {
    const { model, seats, choice } = this.#parts;
    const room = cells - LABEL;
    const formatField = (label: string, at: number, text: string): string =>
      `${at === this.#at ? theme.bold(padEnd(label, LABEL)) : theme.dim(padEnd(label, LABEL))}${text}`;
    const same = model === undefined ? 'the same' : joinLines(model);
    const named = choice.chosen === undefined ? `${same} (as before)` : toLine(choice.chosen);
    const [first = '', ...others] = this.#written(room, theme);
    const indentRows = (rows: readonly string[]): string[] =>
      rows.map((row) => ' '.repeat(LABEL) + row);
    const most = Math.max(1, Math.min(MODELS, height - 5));
    const models =
      this.#at === 1
        ? indentRows([
            ...listRows(choice.list, { width: room, height: most, theme }),
            ...choice.words(theme, room),
          ])
        : [];
    const boxes = seats.map(({ id, name }, index) => {
      const text = truncateLine(`[${this.#without.has(id) ? 'x' : ' '}] ${joinLines(name)}`, room);
      return formatField(
        index === 0 ? 'Leave out' : '',
        index + 2,
        index + 2 === this.#at ? theme.inverse(text) : text,
      );
    });
    const fixed = [
      '',
      formatField('Instruction', 0, first),
      ...indentRows(others),
      formatField(
        'Model',
        1,
        this.#at === 1 ? fieldRow(choice.field, room, theme) : truncateLine(named, room),
      ),
      ...models,
    ];
    const lone = seats.length > 1 && seats.length - this.#without.size === 1;
    const alone = lone ? 'Only one answer, nothing to leave out. ' : '';
    const start = alone + formatHints(keymap, { accept: 'starts' }).join('');
    const leave = seats.length > 0 ? ' · Space leaves a seat out' : '';
    const hint = this.#nobody
      ? theme.bold(truncateLine('Keep at least one seat.', cells))
      : theme.dim(truncateLine(`${start} · Tab next field${leave}`, cells));
    const free = Math.max(1, height - fixed.length - 2);
    const shown = windowRows(
      { at: this.#at - 2, count: boxes.length, width: cells, height: free, theme },
      (index) => boxes[index] ?? '',
    );
    return [...fixed, ...shown, '', hint].slice(0, height);
  }

  /** Returns the instruction's rows: all while it is typed, otherwise its beginning. */
  #written(cells: number, theme: Theme): string[] {
    this.#cells = cells - MARK.length;
    const { text } = this.#note;
    if (this.#at !== 0) return [text === '' ? '(none)' : truncateLine(toLine(text), cells)];
    const look = { cells: this.#cells, height: LINES, theme, focus: true };
    return areaRows(this.#note, look).rows.map((row, index) => (index === 0 ? MARK : '  ') + row);
  }

  #toggle(key: string): void {
    const seat = this.#parts.seats[this.#at - 2];
    if (seat === undefined || (key !== 'space' && key !== 'x')) return;
    if (this.#without.has(seat.id)) this.#without.delete(seat.id);
    else if (this.#without.size + 1 < this.#parts.seats.length) this.#without.add(seat.id);
    else this.#nobody = true;
  }

  /** Begins a new line if a backslash precedes Enter; otherwise starts. */
  #entered(): boolean {
    const line = this.#at === 0 ? continueLine(this.#note) : undefined;
    if (line === undefined) return !this.#start();
    this.#note = line;
    return true;
  }

  /**
   * Starts the synthesis. Returns false if the typed model is invalid: the form then stays open and says so.
   */
  #start(): boolean {
    const { choice, start } = this.#parts;
    if (choice.puzzles) {
      this.#at = 1;
      return false;
    }
    const note = this.#note.text.trim();
    start({
      ...withoutUndefined({ model: choice.chosen }),
      ...(note === '' ? {} : { note }),
      ...(this.#without.size === 0 ? {} : { without: [...this.#without] }),
    });
    return true;
  }
}
