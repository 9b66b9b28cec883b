/** The tab Claims: the list of claims, and cards that link to everything related. */

import { keyOf } from '../../../console/keys/key-lookup.ts';
import type { Command } from '../../../console/keys/keymap.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import type { Copyable } from '../../../console/run/copyable.ts';
import type { PageScene } from '../../../console/run/page-scene.ts';
import type { Filter, Page, PageAround } from '../../../console/run/tabs/page.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { drawMoreBelow } from '../../../console/ui/below.ts';
import { Cursor } from '../../../console/ui/cursor.ts';
import { formatCount } from '../../../text/numbers.ts';
import { padEnd, textWidth, truncateLine } from '../../../text/width.ts';
import type { ClaimState } from '../records/standing/claims.ts';
import type { State } from '../records/state-of.ts';
import { ROLES } from '../records/types.ts';
import { type CardLine, formatCard, getCopyableRecord, REFUSALS, type Ref } from './claim-cards.ts';
import { getAllRefusals, getRecordsAndState } from './part.ts';
import { getNamedRecord } from './summary/mentions.ts';
import { toneStatus } from './tones.ts';
import { formatStanding, formatStandingBriefly, STANDING_WORDS } from './wording.ts';

/**
 * The most lines of a card that the cursor skips to reach the next link. Longer texts are scrolled
 * line by line.
 */
const NEAR = 8;

/** The cells for how a claim stands, such as `confirmed, not tested`. */
const BRIEF = 22;

/** An open card, and the position of the cursor in it. */
interface Stop {
  readonly ref: Ref;
  readonly cursor: Cursor;
  /** Called when the person leaves the card, if it was opened from elsewhere. */
  readonly left?: () => void;
}

/** The claims that pass the filters, and all claims. */
interface Listed {
  readonly of: State | undefined;
  readonly key: string;
  readonly claims: readonly ClaimState[];
  readonly total: number;
}

/** The page of the tab Claims: the list of claims, and the details of the record that is open. */
export class ClaimsPage implements Page {
  readonly #around: PageAround;
  readonly #cursor = new Cursor();
  readonly #filters: Record<Filter, string | undefined> = {
    status: undefined,
    role: undefined,
    round: undefined,
  };
  #query = '';
  /** The cards that were opened one from another. The last one is shown. */
  #trail: Stop[] = [];
  #listed: Listed = { of: undefined, key: '', claims: [], total: 0 };
  #card: { key: string; lines: CardLine[] } = { key: '', lines: [] };

  constructor(around: PageAround) {
    this.#around = around;
  }

  /**
   * Closes the open record, so that the record from which it was opened is shown again, or the list.
   * Undefined if no record is open.
   */
  get retrace(): (() => void) | undefined {
    return this.#trail.length === 0 ? undefined : () => void this.#leave();
  }

  /**
   * Opens the details of a record.
   * @param id the record's id
   * @param left called when the person closes the details
   */
  show(id: string, left: () => void): void {
    const ref = getNamedRecord(id);
    if (ref !== undefined) this.#enter({ ref, cursor: new Cursor(), left });
  }

  /**
   * Sets a filter of the list to its next value. Undefined while a record is open, or if there are no
   * claims.
   */
  get filter(): ((by: Filter) => void) | undefined {
    const { claims } = getRecordsAndState(this.#around.runModel).state;
    return this.#trail.length > 0 || claims.length === 0 ? undefined : (by) => this.#turn(by);
  }

  render(scene: PageScene): string[] {
    const height = this.#around.size().rows;
    const rows = this.#place === undefined ? this.#list(scene) : this.#cardRows(scene, this.#place);
    while (rows.length < height) rows.push('');
    return rows.slice(0, height);
  }

  move(command: Command): void {
    const { rows } = this.#around.size();
    const place = this.#place;
    if (place === undefined) {
      this.#cursor.move(command, this.#length(), rows - 1);
      return;
    }
    const lines = this.#lines(place);
    const { cursor } = place;
    const from = cursor.at;
    if (command === 'down' || command === 'up') {
      const by = command === 'down' ? 1 : -1;
      for (let step = 1; step <= NEAR; step += 1)
        if (lines[from + by * step]?.to !== undefined) {
          cursor.at = from + by * step;
          return;
        }
    }
    cursor.move(command, lines.length, rows - 1);
  }

  /** Opens the record or the link under the cursor; undefined if there is none. */
  get open(): (() => void) | undefined {
    const place = this.#place;
    const to = place !== undefined ? this.#lines(place)[place.cursor.at]?.to : this.#chosen();
    return to && (() => this.#enter({ ref: to, cursor: new Cursor() }));
  }

  #enter(next: Stop): void {
    this.#trail.push(next);
    // Put the cursor on the first link of the card that is visible without scrolling.
    const seen = this.#lines(next).slice(0, this.#around.size().rows - 2);
    next.cursor.at = Math.max(
      0,
      seen.findIndex((line) => line.to !== undefined),
    );
  }

  /** Returns the text of the open record, or of the claim under the cursor. */
  copyable(): Copyable | undefined {
    const ref = this.#place?.ref ?? this.#chosen();
    return ref && getCopyableRecord(ref, this.#around.runModel);
  }

  /** Closes the open card. Returns false if none is open. */
  #leave(): boolean {
    const last = this.#trail.pop();
    last?.left?.();
    return last !== undefined;
  }

  /**
   * Closes the open record, or else clears search and filters. Returns false if there was nothing
   * to close or clear.
   */
  back(): boolean {
    if (this.#leave()) return true;
    const narrowed = this.#words().length > 0;
    this.#query = '';
    for (const by of ['status', 'role', 'round'] as const) this.#filters[by] = undefined;
    return narrowed;
  }

  /** Shows only the claims that match a search. */
  find(query: string): boolean {
    this.#trail = [];
    this.#query = query;
    this.#cursor.at = 0;
    return true;
  }

  get #place(): Stop | undefined {
    return this.#trail.at(-1);
  }

  #at(): number {
    return Math.max(0, Math.min(this.#cursor.at, this.#length() - 1));
  }

  /** Returns the number of rows that can be chosen: the claims, and a row for refused entries. */
  #length(): number {
    return this.#claims().length + (this.#refused() > 0 ? 1 : 0);
  }

  #refused(): number {
    return this.#words().length > 0 ? 0 : getAllRefusals(this.#around.runModel).length;
  }

  /** Returns the record under the cursor. */
  #chosen(): Ref | undefined {
    const found = this.#claims()[this.#at()];
    if (found !== undefined) return { kind: 'claim', id: found.claim.id };
    return this.#refused() > 0 ? REFUSALS : undefined;
  }

  /** Sets a filter to its next value that occurs. After the last value, the filter is removed. */
  #turn(by: Filter): void {
    const { claims } = getRecordsAndState(this.#around.runModel).state;
    const all = claims.toSorted((left, right) => ORDER[by](left) - ORDER[by](right));
    const choices = [...new Set(all.map((claimState) => choiceOf(claimState, by)))];
    const at = choices.indexOf(this.#filters[by] ?? '');
    this.#filters[by] = choices[at + 1];
    this.#cursor.at = 0;
  }

  #words(): string[] {
    const { runModel } = this.#around;
    const { status, role, round } = this.#filters;
    return [
      ...(status === undefined ? [] : [status]),
      ...(role === undefined ? [] : [`by the ${runModel.nameOf(role)}`]),
      ...(round === undefined ? [] : [`of round ${round}`]),
      ...(this.#query === '' ? [] : [`with "${this.#query}"`]),
    ];
  }

  /** Returns the filtered claims. The result is kept until the claims or the filters change. */
  #claims(): readonly ClaimState[] {
    const { state } = getRecordsAndState(this.#around.runModel);
    const key = JSON.stringify([this.#filters, this.#query]);
    if (this.#listed.of !== state || this.#listed.key !== key) {
      const words = this.#query.toLowerCase();
      const all = state.claims;
      const kept = all.filter(
        (claimState) =>
          (['status', 'role', 'round'] as const).every(
            (by) =>
              this.#filters[by] === undefined || choiceOf(claimState, by) === this.#filters[by],
          ) &&
          (words === '' ||
            `${claimState.claim.id} ${claimState.claim.text} ${claimState.claim.testable_as}`
              .toLowerCase()
              .includes(words)),
      );
      this.#listed = { of: state, key, claims: kept, total: all.length };
    }
    return this.#listed.claims;
  }

  #list({ runModel, theme, columns }: PageScene): string[] {
    const claims = this.#claims();
    const height = this.#seen(this.#length());
    const { total } = this.#listed;
    const words = this.#words();
    const heading =
      words.length === 0
        ? formatCount(total, 'claim')
        : `${claims.length} of ${formatCount(total, 'claim')}: ${words.join(', ')} · ${keyOf(this.#around.keymap, 'back')} shows all`;
    const top = this.#cursor.top(this.#length(), height);
    const at = this.#at();
    const rows = claims
      .slice(top, top + height)
      .map((claimState, index) =>
        claimRow(claimState, runModel, theme, columns, top + index === at),
      );
    const refused = this.#refused();
    if (refused > 0 && rows.length < height)
      rows.push(refusedRow(refused, theme, columns, at === claims.length));
    if (total === 0) rows.push(` ${theme.dim('No claims yet.')}`);
    const below = this.#length() - top - height;
    return [
      ` ${theme.bold(truncateLine(heading, columns - 2))}`,
      ...rows,
      ...drawMoreBelow(below, this.#around.keymap, theme),
    ];
  }

  /**
   * Returns the number of rows for a list with `length` items. If the list does not fit, one row
   * less is used, because the last row then says that the list was cut.
   */
  #seen(length: number): number {
    const height = this.#around.size().rows - 1;
    return length > height ? height - 1 : height;
  }

  #lines({ ref }: Stop): CardLine[] {
    const { runModel, size } = this.#around;
    const width = Math.min(100, size().columns - 4);
    const key = JSON.stringify([ref, width, runModel.view.seq]);
    if (this.#card.key !== key) this.#card = { key, lines: formatCard(ref, runModel, width) };
    return this.#card.lines;
  }

  #cardRows({ theme, columns }: PageScene, place: Stop): string[] {
    const lines = this.#lines(place);
    const height = this.#seen(lines.length);
    const { cursor } = place;
    const top = cursor.top(lines.length, height);
    const path = this.#trail.map(({ ref }) => ref.id).join(' > ');
    const shown =
      [...path].length > columns - 12 ? `… ${[...path].slice(14 - columns).join('')}` : path;
    const rows = lines
      .slice(top, top + height)
      .map((line, index) => cardRow(line, theme, columns, top + index === cursor.at));
    const below = lines.length - top - height;
    return [
      ` ${theme.dim(truncateLine(`Claims > ${shown}`, columns - 2))}`,
      ...rows,
      ...drawMoreBelow(below, this.#around.keymap, theme),
    ];
  }
}

const STANDINGS = Object.keys(STANDING_WORDS);

/**
 * The order of each filter's values: from open to decided, by the panel's order, and from the first
 * round.
 */
const ORDER: Readonly<Record<Filter, (claimState: ClaimState) => number>> = {
  status: ({ standing }) => STANDINGS.indexOf(standing),
  role: ({ claim }) => ROLES.indexOf(claim.raised_by),
  round: ({ claim }) => claim.round,
};

function choiceOf(claimState: ClaimState, by: Filter): string {
  if (by === 'status') return formatStanding(claimState);
  return by === 'role' ? claimState.claim.raised_by : String(claimState.claim.round);
}

/** Draws the row for refused entries: `> 3 records rejected`. */
function refusedRow(count: number, theme: Theme, columns: number, chosen: boolean): string {
  const text = `${formatCount(count, 'record')} rejected`;
  const row = padEnd(truncateLine(`${chosen ? '>' : ' '} ${text}`, columns), columns);
  return chosen ? theme.inverse(row) : theme.dim(row.trimEnd());
}

/** Draws a claim's row: `> C-3-2    Critic     refuted, read      the text, cut`. */
function claimRow(
  claimState: ClaimState,
  runModel: RunModel,
  theme: Theme,
  columns: number,
  chosen: boolean,
): string {
  const { id, raised_by, status, text } = claimState.claim;
  const name = padEnd(truncateLine(runModel.nameOf(raised_by), 10), 11);
  const before = `${chosen ? '>' : ' '} ${padEnd(truncateLine(id, 8), 9)}${name}`;
  const word = padEnd(formatStandingBriefly(claimState), BRIEF);
  const room = columns - textWidth(before) - textWidth(word) - 1;
  const rest = truncateLine(text, room);
  return chosen
    ? theme.inverse(`${before}${word}${padEnd(rest, room)}`)
    : `${before}${toneStatus(theme, status, word)}${rest}`;
}

function cardRow({ text, look }: CardLine, theme: Theme, columns: number, chosen: boolean): string {
  const mark = chosen ? '>' : ' ';
  const plain = truncateLine(look === 'link' ? `→ ${text}` : text, columns - 4);
  switch (look) {
    case 'title':
      return `${mark} ${theme.bold(plain)}`;
    case 'section':
      return `${mark} ${theme.underline(plain)}`;
    case 'dim':
      return `${mark} ${theme.dim(plain)}`;
    case 'plain':
      return `${mark} ${plain}`;
    case 'link':
      return chosen ? `${mark} ${theme.inverse(plain)}` : `${mark} ${theme.tone('cyan', plain)}`;
  }
}
