/**
 * Writes structured answers of models as Markdown, from templates with the names of their fields. Models
 * write anything: a field that is missing, or of another kind than the template expects, is left out
 * together with the words around it. Half an answer is written the same way while it arrives.
 *
 * | in a template | is replaced by |
 * | --- | --- |
 * | `{why}` | the field as one line of text |
 * | `{why*}` | the field with its line breaks |
 * | `{files,}` `{files;}` | the texts of a list, with commas or semicolons between them |
 * | `{reject.tier}` | a field of a field |
 * | `{#}` | the number of the item in its list, from 1 |
 * | `[ ({why})]` | the text between the brackets, or nothing if one of its fields is empty |
 * | `{[}` `{]}` | a bracket |
 *
 * A whole template, too, comes to nothing if a field outside of brackets is empty; `{why?}` may be empty.
 */
import { joinLines } from '../line.ts';
import { joinParagraphs, list } from '../markdown/blocks.ts';
import type { AnswerWords } from './answer.ts';
import {
  isListField,
  linesOf,
  readEntry,
  readFlag,
  readItems,
  readText,
  wrapUnlessEmpty,
} from './read.ts';

/**
 * Formats a part of an answer, or of a record in the answer, as Markdown. Returns an empty text if
 * there is nothing to show.
 */
export type Block = (answer: unknown) => string;
/**
 * A template such as `{title}: {text}`, in which field names stand for the answer's fields, or a
 * function for what a template cannot express.
 */
export type Part = string | Block;

/** Functions that write a field in a template in place of the answer's field, by the field's name. */
type OwnFields = Readonly<Record<string, Block>>;

interface Field {
  readonly path: readonly string[];
  readonly form: '' | '*' | ',' | ';' | '#';
  readonly isNeeded: boolean;
}
type Piece = string | Field | readonly Piece[];

/**
 * How texts of an answer are cleaned before they are put into the Markdown: texts on one line by
 * `line`, longer texts by `prose`.
 */
interface Cleaning {
  readonly line: (text: string) => string;
  readonly prose: (text: string) => string;
}

const AS_IT_IS: Cleaning = { line: (text) => text, prose: (text) => text };

/**
 * Makes the functions with which a protocol formats the structured answers of its models as
 * Markdown, from templates in the syntax that the head of this file describes.
 * @param cleaning the functions that clean texts before they are shown: one for single lines, one
 *   for prose
 */
export function answerWriter({ line, prose }: Cleaning = AS_IT_IS) {
  const readField = (
    { path, form }: Field,
    item: unknown,
    index: number,
    own: OwnFields,
  ): string => {
    const name = path.at(-1) ?? '';
    if (form === '#') return String(index + 1);
    const ownField = Object.hasOwn(own, name) ? own[name] : undefined;
    if (ownField !== undefined) return ownField(item);
    const holder = path.slice(0, -1).reduce(readEntry, item);
    if (form === '*') return prose(readText(holder, name));
    if (form === '') return line(joinLines(readText(holder, name)));
    return linesOf(holder, name).map(line).join(`${form} `);
  };

  const joinPieces = (
    pieces: readonly Piece[],
    item: unknown,
    index: number,
    own: OwnFields,
  ): string => {
    let written = '';
    for (const piece of pieces) {
      if (typeof piece === 'string') written += piece;
      else if ('path' in piece) {
        const value = readField(piece, item, index, own);
        if (value === '' && piece.isNeeded) return '';
        written += value;
      } else written += joinPieces(piece, item, index, own);
    }
    return written;
  };

  /**
   * Returns a row for each item of the answer's list `name`: the item's fields filled into `template`. Without a
   * template, the items are texts, and each is a row. Empty rows are left out.
   */
  const rowsOf = (
    answer: unknown,
    name: string,
    template?: string,
    own: OwnFields = {},
  ): string[] =>
    (template === undefined
      ? linesOf(answer, name).map(line)
      : readItems(answer, name).map((item, index) =>
          joinPieces(parseTemplate(template), item, index, own),
        )
    ).filter((row) => row !== '');

  /** Fills the fields of a record into a template. */
  const fill = (template: string, item: unknown, own: OwnFields = {}): string =>
    joinPieces(parseTemplate(template), item, 0, own);

  const textsOf = (answer: unknown, parts: readonly Part[], index = 0): string[] =>
    parts.map((part) =>
      typeof part === 'string' ? joinPieces(parseTemplate(part), answer, index, {}) : part(answer),
    );

  /** Writes a paragraph for each template or function in `parts`, filled in from the answer. Leaves out empty ones. */
  const write = (answer: unknown, parts: readonly Part[], index = 0): string =>
    joinParagraphs(textsOf(answer, parts, index));

  return {
    fill,
    write,
    rowsOf,
    /**
     * Looks up the value of the field `name` in `words`, such as `{ yes: 'is met', no: 'is not met' }`. For a
     * value that is not there, fills in the template `otherwise`.
     */
    spoken: (name: string, words: Readonly<Record<string, string>>, otherwise = '') => {
      const known = new Map(Object.entries(words));
      return (answer: unknown): string => {
        const value = readEntry(answer, name);
        const said = typeof value === 'boolean' ? String(value) : joinLines(readText(answer, name));
        return known.get(said) ?? fill(otherwise, answer);
      };
    },
    /**
     * Writes a Markdown list about a model's answer. A template in `rows` becomes one row, a function in `rows` any
     * number of them. Empty rows are left out.
     */
    bullets:
      (...rows: readonly (string | ((answer: unknown) => readonly string[]))[]): Block =>
      (answer) =>
        list(
          rows
            .flatMap((row) => (typeof row === 'string' ? fill(row, answer) : row(answer)))
            .filter((row) => row !== ''),
        ),
    /** Writes the paragraphs `parts` only once the arriving answer contains the boolean field `name`. */
    onceGiven:
      (name: string, ...parts: readonly Part[]): Block =>
      (answer) =>
        readFlag(answer, name) === undefined ? '' : write(answer, parts),
    /** Writes the paragraphs `parts`, filled in from the object in the answer's field `name`. */
    within:
      (name: string, ...parts: readonly Part[]): Block =>
      (answer) =>
        write(readEntry(answer, name), parts),
    /** Writes the list in the field `name` of a model's answer as a Markdown list, one row for each item. */
    listed:
      (name: string, template?: string, own?: OwnFields): Block =>
      (answer) =>
        list(rowsOf(answer, name, template, own)),
    /** Writes the answer's list `name` below a heading; nothing if the list has no rows. */
    headed:
      (title: string, name: string, template?: string, own?: OwnFields): Block =>
      (answer) =>
        wrapUnlessEmpty(`## ${title}\n\n`, list(rowsOf(answer, name, template, own))),
    /** Writes a block with the words `before` above it; nothing if the block is empty. */
    below:
      (before: string, block: Block): Block =>
      (answer) =>
        wrapUnlessEmpty(`${before}\n\n`, block(answer)),
    /**
     * Writes the answer's list `name` below a title with the number of its rows, such as `Files: 3`. While the
     * list still arrives, this is the number so far. Writes nothing if the answer has no such list.
     */
    counted:
      (title: string, name: string, template?: string, own?: OwnFields): Block =>
      (answer) => {
        if (!isListField(answer, name)) return '';
        const rows = rowsOf(answer, name, template, own);
        return joinParagraphs([`**${title}: ${rows.length}**`, list(rows)]);
      },
    /** Writes each item of the answer's list `name` as paragraphs. An item whose first part is empty is left out. */
    each:
      (name: string, ...parts: readonly Part[]): Block =>
      (answer) =>
        joinParagraphs(
          readItems(answer, name).map((item, index) => {
            const texts = textsOf(item, parts, index);
            return texts[0] === '' ? '' : joinParagraphs(texts);
          }),
        ),
    /**
     * Makes the function that formats models' answers in a protocol as Markdown. `tasks` has the templates or
     * functions for each kind of answer, for example under the key `team/plan`.
     */
    answerWords: (tasks: Readonly<Record<string, Part | readonly Part[]>>): AnswerWords => {
      const known = new Map(Object.entries(tasks));
      return (task, answer) => {
        const parts = known.get(task ?? '');
        if (parts === undefined) return undefined;
        return write(answer, Array.isArray(parts) ? parts : [parts as Part]).trimEnd();
      };
    },
  };
}

const PARSED = new Map<string, readonly Piece[]>();

/** Parses a template, once. */
function parseTemplate(template: string): readonly Piece[] {
  const known = PARSED.get(template);
  if (known !== undefined) return known;
  const open: Piece[][] = [[]];
  for (const [token, field] of template.matchAll(/[[\]]|\{([^}]*)\}|[^[\]{]+/g)) {
    if (token === '[') open.push([]);
    else if (token === ']') {
      const group = open.pop() ?? [];
      open.at(-1)?.push(group);
    } else open.at(-1)?.push(field === undefined ? token : parseField(field));
  }
  const pieces = open[0] ?? [];
  PARSED.set(template, pieces);
  return pieces;
}

function parseField(field: string): Piece {
  if (field === '[' || field === ']') return field;
  const [, name = '', form = '', mark = ''] = /^([\w.]*)([*,;#]?)(\??)$/.exec(field) ?? [];
  return { path: name.split('.'), form: form as Field['form'], isNeeded: mark === '' };
}
