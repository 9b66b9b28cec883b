/** The form for a decision on a run: its words, the option of the ballots, and when it is looked at again. */
import type { DecisionWish } from '../../../decisions/taking.ts';
import { toLine } from '../../../text/line.ts';
import { padEnd, truncateLine } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import type { Theme } from '../../terminal/theme.ts';
import { type Dialog, type DialogArea, formatHints, type Hints } from '../../ui/component.ts';
import {
  areaOf,
  areaRows,
  atEdge,
  continueLine,
  fieldOf,
  fieldRow,
  pasteText,
  type TextInput,
  typeKey,
} from '../../ui/text-input.ts';

interface Parts {
  /** The text to begin with: what was written before, or the first sentence of the recommendation. */
  readonly draft: string;
  /** The options of the ballots, most votes first. */
  readonly options: readonly string[];
  /** The proposed day to look at the decision again: `2027-03-01`, or a span. */
  readonly review: string;
  /** The text of the decision that this one supersedes; undefined if this is the first. */
  readonly before?: string | undefined;
  readonly keep: (text: string) => void;
  /** Records the decision. Resolves to why it cannot be recorded; undefined if it was. */
  readonly decide: (wish: DecisionWish) => Promise<string | undefined>;
  readonly changed: () => void;
}

/** The rows of the field for the decision's text. */
const LINES = 3;
/** The width of the fields' names, in cells. */
const LABEL = 13;
const MARK = '> ';
const FIELDS = ['Decision', 'Option', 'Recommended', 'Review on', 'By', 'Note'] as const;
type Field = (typeof FIELDS)[number];

/** The form in which a person records a decision on the run. */
export class DecisionForm implements Dialog {
  readonly title: string;
  readonly hints: Hints;
  readonly width = 72;
  readonly #parts: Parts;
  #text: TextInput;
  #review: TextInput;
  #by: TextInput = fieldOf('');
  #note: TextInput = fieldOf('');
  /** The index of the chosen option of the ballots; -1: none of them. */
  #option = -1;
  #follows = true;
  #at = 0;
  #cells = this.width - LABEL - MARK.length;
  #wrong = '';
  #state: 'open' | 'sent' | 'done' = 'open';

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#text = areaOf(parts.draft);
    this.#review = fieldOf(parts.review);
    this.title =
      parts.before === undefined ? 'What was decided' : 'What was decided, in place of before';
    this.hints = { accept: 'record', Tab: 'next field', Space: 'change', cancel: 'later' };
  }

  /** Returns whether the decision was recorded meanwhile, so that the form closes. */
  moot(): boolean {
    return this.#state === 'done';
  }

  key(key: string): boolean {
    if (this.#state !== 'open') return true;
    if (key === 'enter') return this.#entered();
    this.#wrong = '';
    const vertical = key === 'up' || key === 'down';
    if (this.#field === 'Decision' && vertical && !atEdge(this.#text, key, this.#cells))
      this.#write(typeKey(this.#text, key, this.#cells));
    else if (key === 'tab' || key === 'down') this.#at = (this.#at + 1) % FIELDS.length;
    else if (key === 'shift+tab' || key === 'up')
      this.#at = (this.#at - 1 + FIELDS.length) % FIELDS.length;
    else this.#type(key);
    return true;
  }

  paste(text: string): void {
    if (this.#field === 'Decision') this.#write(pasteText(this.#text, text));
    else if (this.#field === 'Review on') this.#review = pasteText(this.#review, text);
    else if (this.#field === 'By') this.#by = pasteText(this.#by, text);
    else if (this.#field === 'Note') this.#note = pasteText(this.#note, text);
  }

  render({ theme, keymap, cells, height }: DialogArea): string[] {
    const room = cells - LABEL;
    const { options, before } = this.#parts;
    const option = options[this.#option];
    // On a low screen, the form of a decision shows only its fields, scrolled to the current one, and any error.
    const isLow = height < LINES + FIELDS.length + 4;
    const [first = '', ...others] = this.#written(room, isLow ? 1 : LINES, theme);
    const rows: [Field, string][] = [
      [
        'Option',
        options.length === 0
          ? 'no ballots were cast'
          : truncateLine(
              option === undefined ? 'none of the ballots' : `"${toLine(option)}"`,
              room,
            ),
      ],
      [
        'Recommended',
        truncateLine(
          this.#follows
            ? 'yes, it follows the recommendation'
            : 'no: predictions that rest on it are void',
          room,
        ),
      ],
      ['Review on', this.#shown(this.#review, 'Review on', room, theme)],
      ['By', this.#shown(this.#by, 'By', room, theme)],
      ['Note', this.#shown(this.#note, 'Note', room, theme)],
    ];
    const keys = formatHints(keymap, { accept: 'records it', cancel: 'keeps it for later' });
    const wrong = wrapPlain(toLine(this.#wrong), cells).slice(0, 2);
    const hints =
      this.#wrong === ''
        ? [theme.dim(truncateLine(keys.join(' · '), cells))]
        : wrong.map((row) => theme.bold(row));
    if (isLow) {
      const fields = [
        this.#labelled('Decision', first, theme),
        ...rows.map(([field, text]) => this.#labelled(field, text, theme)),
      ];
      const told = this.#wrong === '' ? [] : hints;
      const seen = Math.max(1, height - told.length);
      const top = Math.max(0, Math.min(this.#at - (seen >> 1), fields.length - seen));
      return [...fields.slice(top, top + seen), ...told].slice(0, height);
    }
    return [
      ...(before === undefined
        ? ['']
        : ['', theme.dim(truncateLine(`Before: ${toLine(before)}`, cells)), '']),
      this.#labelled('Decision', first, theme),
      ...others.map((row) => ' '.repeat(LABEL) + row),
      ...rows.map(([field, text]) => this.#labelled(field, text, theme)),
      '',
      ...hints,
    ].slice(0, height);
  }

  get #field(): Field {
    return FIELDS[this.#at] ?? 'Decision';
  }

  #labelled(field: Field, text: string, theme: Theme): string {
    const label = padEnd(field, LABEL);
    const isHere = field === this.#field;
    const isChoice = field === 'Option' || field === 'Recommended';
    return (
      (isHere ? theme.bold(label) : theme.dim(label)) +
      (isHere && isChoice ? theme.inverse(text) : text)
    );
  }

  #shown(input: TextInput, field: Field, cells: number, theme: Theme): string {
    if (this.#field === field) return fieldRow(input, cells, theme);
    return input.text === '' ? '(none)' : truncateLine(toLine(input.text), cells);
  }

  #written(cells: number, height: number, theme: Theme): string[] {
    this.#cells = cells - MARK.length;
    const { text } = this.#text;
    if (this.#field !== 'Decision') return [truncateLine(toLine(text), cells)];
    const look = { cells: this.#cells, height, theme, focus: true };
    return areaRows(this.#text, look).rows.map((row, at) => (at === 0 ? MARK : '  ') + row);
  }

  #write(input: TextInput): void {
    if (input.text !== this.#text.text) this.#parts.keep(input.text);
    this.#text = input;
  }

  #type(key: string): void {
    const count = this.#parts.options.length;
    switch (this.#field) {
      case 'Decision':
        this.#write(typeKey(this.#text, key, this.#cells));
        break;
      case 'Option': {
        const by = key === 'left' ? -1 : key === 'right' || key === 'space' ? 1 : 0;
        this.#option = ((this.#option + 1 + by + count + 1) % (count + 1)) - 1;
        break;
      }
      case 'Recommended':
        if (['left', 'right', 'space'].includes(key)) this.#follows = !this.#follows;
        break;
      case 'Review on':
        this.#review = typeKey(this.#review, key);
        break;
      case 'By':
        this.#by = typeKey(this.#by, key);
        break;
      case 'Note':
        this.#note = typeKey(this.#note, key);
        break;
    }
  }

  /** Begins a new line if a backslash precedes Enter; otherwise records the decision. */
  #entered(): boolean {
    const more = this.#field === 'Decision' ? continueLine(this.#text) : undefined;
    if (more !== undefined) {
      this.#write(more);
      return true;
    }
    const { options, decide, keep, changed } = this.#parts;
    const [review, by, note] = [this.#review, this.#by, this.#note].map(({ text }) => text.trim());
    this.#state = 'sent';
    void decide({
      text: this.#text.text,
      option: options[this.#option],
      review: review || undefined,
      by: by || undefined,
      note: note || undefined,
      follows: this.#follows,
    }).then((wrong) => {
      this.#state = wrong === undefined ? 'done' : 'open';
      this.#wrong = wrong ?? '';
      if (wrong === undefined) keep('');
      changed();
    });
    return true;
  }
}
