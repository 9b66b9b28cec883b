/** Another synthesis: by which model, with which instruction, without whom. Enter starts it as it is. */
import { padEnd, truncate } from '../../../text/width.ts';
import type { Actions } from '../../replay/ports.ts';
import { cleanLine } from '../../terminal/door.ts';
import { type Field, fieldOf, fieldRow, pasted, typed } from '../../ui/field.ts';
import type { Form, FormLook } from '../../ui/forms/form.ts';
import type { ModelChoice } from '../../ui/forms/models.ts';

type Wanted = Parameters<Actions['resynthesize']>[0];

interface Parts {
  /** The model that writes it where nobody chooses another. */
  readonly model: string | undefined;
  /** Those whose answers there are; empty where none can be left out. */
  readonly seats: readonly { readonly id: string; readonly name: string }[];
  readonly choice: ModelChoice;
  readonly start: (wanted: Wanted) => void;
}

/** Rows of models shown below their field. */
const MODELS = 4;
/** Cells of the names of the fields. */
const LABEL = 12;

export class ResynthesisForm implements Form {
  readonly title = 'Another synthesis from the same answers';
  readonly hints: readonly string[];
  readonly width = 72;
  readonly #parts: Parts;
  readonly #without = new Set<string>();
  #note: Field = fieldOf('');
  /** 0: the instruction, 1: the model, from 2 on: the seats. */
  #at = 0;
  /** The last key would have left nobody. */
  #nobody = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const leave = parts.seats.length > 0 ? ['Space leave out'] : [];
    this.hints = ['Enter start', 'Tab next field', ...leave, 'Esc cancel'];
  }

  key(key: string): boolean {
    const { seats, choice } = this.#parts;
    const fields = 2 + seats.length;
    this.#nobody = false;
    if (key === 'enter') return !this.#start();
    if (key === 'tab' || key === 'down') this.#at = (this.#at + 1) % fields;
    else if (key === 'shift+tab' || key === 'up') this.#at = (this.#at - 1 + fields) % fields;
    else if (this.#at === 0) this.#note = typed(this.#note, key);
    else if (this.#at > 1) this.#toggle(key);
    else if (key === 'right') choice.move(1);
    else if (key === 'left') choice.move(-1);
    else choice.type(key);
    return true;
  }

  paste(text: string): void {
    if (this.#at === 0) this.#note = pasted(this.#note, text);
    else if (this.#at === 1) this.#parts.choice.paste(text);
  }

  rows(look: FormLook): string[] {
    const { theme, cells, height } = look;
    const { model, seats, choice } = this.#parts;
    const room = cells - LABEL;
    const line = (label: string, at: number, text: string): string =>
      `${at === this.#at ? theme.bold(padEnd(label, LABEL)) : theme.dim(padEnd(label, LABEL))}${text}`;
    const same = model === undefined ? 'the same' : cleanLine(model);
    const named = choice.chosen === undefined ? `${same} (as before)` : cleanLine(choice.chosen);
    const models =
      this.#at === 1
        ? choice
            .rows({ theme, cells: room, height: Math.max(1, Math.min(MODELS, height - 5)) })
            .map((row) => ' '.repeat(LABEL) + row)
        : [];
    const boxes = seats.map(({ id, name }, index) => {
      const text = truncate(`[${this.#without.has(id) ? 'x' : ' '}] ${cleanLine(name)}`, room);
      return line(
        index === 0 ? 'Leave out' : '',
        index + 2,
        index + 2 === this.#at ? theme.inverse(text) : text,
      );
    });
    const fixed = [
      '',
      line(
        'Instruction',
        0,
        this.#at === 0 ? fieldRow(this.#note, room, theme) : this.#written(room),
      ),
      line(
        'Model',
        1,
        this.#at === 1 ? fieldRow(choice.field, room, theme) : truncate(named, room),
      ),
      ...models,
    ];
    const leave = seats.length > 0 ? ' · Space leaves a seat out' : '';
    const hint = this.#nobody
      ? theme.bold(truncate('One seat has to stay: there is nothing to sum up without.', cells))
      : theme.dim(truncate(`Enter starts it · Tab goes on${leave}`, cells));
    const free = Math.max(1, height - fixed.length - 2);
    const first = Math.max(0, Math.min(this.#at - 1 - free, boxes.length - free));
    return [...fixed, ...boxes.slice(first, first + free), '', hint].slice(0, height);
  }

  #written(cells: number): string {
    const { text } = this.#note;
    return text === '' ? '(none)' : truncate(text, cells);
  }

  #toggle(key: string): void {
    const seat = this.#parts.seats[this.#at - 2];
    if (seat === undefined || (key !== 'space' && key !== 'x')) return;
    if (this.#without.has(seat.id)) this.#without.delete(seat.id);
    else if (this.#without.size + 1 < this.#parts.seats.length) this.#without.add(seat.id);
    else this.#nobody = true;
  }

  /** False where what was typed is no model: the form stays open and says so. */
  #start(): boolean {
    const { choice, start } = this.#parts;
    if (choice.puzzles) {
      this.#at = 1;
      return false;
    }
    const note = this.#note.text.trim();
    start({
      ...(choice.chosen === undefined ? {} : { model: choice.chosen }),
      ...(note === '' ? {} : { note }),
      ...(this.#without.size === 0 ? {} : { without: [...this.#without] }),
    });
    return true;
  }
}
