/** Tab 3: the claims, and from any of them the walk to what it comes from and what became of it. */

import type { Command } from '../../../console/keys/keymap.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import type { Look } from '../../../console/run/look.ts';
import type { Passage } from '../../../console/run/passage.ts';
import type { Filter, Page, PageAround } from '../../../console/run/tabs/page.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { Cursor } from '../../../console/ui/cursor.ts';
import { plural } from '../../../text/figures.ts';
import { padEnd, textWidth, truncate } from '../../../text/width.ts';
import type { ClaimView, RoundsView } from '../fold.ts';
import { type CardLine, cardOf, passageOfRecord, type Ref } from './claim-cards.ts';
import { roundsIn } from './part.ts';
import { toneStatus } from './tones.ts';
import { STATUS_WORDS } from './wording.ts';

/** The lines of a card that are jumped over to the next link; longer texts are read line by line. */
const NEAR = 8;

/** A card that is open, and where in it the person stands. */
interface Place {
  readonly ref: Ref;
  readonly cursor: Cursor;
}

/** The claims that pass the filters, and what they were chosen from. */
interface Listed {
  readonly of: RoundsView['claims'] | undefined;
  readonly key: string;
  readonly claims: readonly ClaimView[];
  readonly total: number;
}

export class ClaimsPage implements Page {
  readonly #around: PageAround;
  readonly #cursor = new Cursor();
  readonly #filters: Record<Filter, string | undefined> = {
    status: undefined,
    role: undefined,
    round: undefined,
  };
  #query = '';
  /** Cards that were opened one from the other; the last one is seen. */
  #trail: Place[] = [];
  #listed: Listed = { of: undefined, key: '', claims: [], total: 0 };
  #card: { key: string; lines: CardLine[] } = { key: '', lines: [] };

  constructor(around: PageAround) {
    this.#around = around;
  }

  get retrace(): (() => void) | undefined {
    return this.#trail.length === 0 ? undefined : () => void this.#trail.pop();
  }

  get filter(): ((by: Filter) => void) | undefined {
    return this.#trail.length > 0 ? undefined : (by) => this.#turn(by);
  }

  render(scene: Look): string[] {
    const height = this.#around.size().rows;
    const rows = this.#place === undefined ? this.#list(scene) : this.#cardRows(scene, this.#place);
    while (rows.length < height) rows.push('');
    return rows.slice(0, height);
  }

  move(command: Command): void {
    const { rows } = this.#around.size();
    const place = this.#place;
    if (place === undefined) {
      this.#cursor.move(command, this.#claims().length, rows - 1);
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

  open(): void {
    const place = this.#place;
    const claim = this.#claims()[this.#at()];
    const to =
      place !== undefined
        ? this.#lines(place)[place.cursor.at]?.to
        : claim && ({ kind: 'claim', id: claim.id } as const);
    if (to === undefined) return;
    const next: Place = { ref: to, cursor: new Cursor() };
    this.#trail.push(next);
    // The cursor begins on the first link.
    next.cursor.at = Math.max(
      0,
      this.#lines(next).findIndex((line) => line.to !== undefined),
    );
  }

  /** Of the card that is open, or of the claim the cursor stands on. */
  passage(): Passage | undefined {
    const claim = this.#claims()[this.#at()];
    const ref = this.#place?.ref ?? (claim && ({ kind: 'claim', id: claim.id } as const));
    return ref && passageOfRecord(ref, this.#around.desk);
  }

  back(): boolean {
    if (this.#trail.length > 0) {
      this.#trail = [];
      return true;
    }
    const narrowed = this.#words().length > 0;
    this.#query = '';
    for (const by of ['status', 'role', 'round'] as const) this.#filters[by] = undefined;
    return narrowed;
  }

  find(query: string): boolean {
    this.#trail = [];
    this.#query = query;
    this.#cursor.at = 0;
    return true;
  }

  get #place(): Place | undefined {
    return this.#trail.at(-1);
  }

  #at(): number {
    return Math.max(0, Math.min(this.#cursor.at, this.#claims().length - 1));
  }

  /** The next choice of those that occur; after the last one all. */
  #turn(by: Filter): void {
    const all = Object.values(roundsIn(this.#around.desk).claims);
    const choices = [...new Set(all.map((claim) => choiceOf(claim, by)))];
    const at = choices.indexOf(this.#filters[by] ?? '');
    this.#filters[by] = choices[at + 1];
    this.#cursor.at = 0;
  }

  #words(): string[] {
    const { desk } = this.#around;
    const { status, role, round } = this.#filters;
    return [
      ...(status === undefined ? [] : [STATUS_WORDS[status as ClaimView['status']]]),
      ...(role === undefined ? [] : [`by the ${desk.nameOf(role)}`]),
      ...(round === undefined ? [] : [`of round ${round}`]),
      ...(this.#query === '' ? [] : [`with "${this.#query}"`]),
    ];
  }

  /** The claims that are listed; filtered anew only when claims or filters have changed. */
  #claims(): readonly ClaimView[] {
    const { claims } = roundsIn(this.#around.desk);
    const key = JSON.stringify([this.#filters, this.#query]);
    if (this.#listed.of !== claims || this.#listed.key !== key) {
      const words = this.#query.toLowerCase();
      const all = Object.values(claims);
      const kept = all.filter(
        (claim) =>
          (['status', 'role', 'round'] as const).every(
            (by) => this.#filters[by] === undefined || choiceOf(claim, by) === this.#filters[by],
          ) &&
          (words === '' ||
            `${claim.id} ${claim.text} ${claim.testable_as}`.toLowerCase().includes(words)),
      );
      this.#listed = { of: claims, key, claims: kept, total: all.length };
    }
    return this.#listed.claims;
  }

  #list({ desk, theme, columns }: Look): string[] {
    const height = this.#around.size().rows - 1;
    const claims = this.#claims();
    const { total } = this.#listed;
    const words = this.#words();
    const heading =
      words.length === 0
        ? plural(total, 'claim')
        : `${claims.length} of ${plural(total, 'claim')}: ${words.join(', ')}`;
    const top = this.#cursor.top(claims.length, height);
    const at = this.#at();
    const rows = claims
      .slice(top, top + height)
      .map((claim, index) => claimRow(claim, desk, theme, columns, top + index === at));
    if (total === 0) rows.push(` ${theme.dim('No claim has been raised yet.')}`);
    return [` ${theme.bold(truncate(heading, columns - 2))}`, ...rows];
  }

  #lines({ ref }: Place): CardLine[] {
    const { desk, size } = this.#around;
    const width = Math.min(100, size().columns - 4);
    const key = JSON.stringify([ref, width, desk.view.seq]);
    if (this.#card.key !== key) this.#card = { key, lines: cardOf(ref, desk, width) };
    return this.#card.lines;
  }

  #cardRows({ theme, columns }: Look, place: Place): string[] {
    const height = this.#around.size().rows - 1;
    const lines = this.#lines(place);
    const { cursor } = place;
    const top = cursor.top(lines.length, height);
    const path = this.#trail.map(({ ref }) => ref.id).join(' > ');
    const shown =
      [...path].length > columns - 12 ? `… ${[...path].slice(14 - columns).join('')}` : path;
    const rows = lines
      .slice(top, top + height)
      .map((line, index) => cardRow(line, theme, columns, top + index === cursor.at));
    return [` ${theme.dim(truncate(`Claims > ${shown}`, columns - 2))}`, ...rows];
  }
}

function choiceOf(claim: ClaimView, by: Filter): string {
  return by === 'status' ? claim.status : by === 'role' ? claim.raised_by : String(claim.round);
}

/** `> C-3-2    Critic     partly refuted  the text, cut` */
function claimRow(
  { id, raised_by, status, text }: ClaimView,
  desk: RunModel,
  theme: Theme,
  columns: number,
  chosen: boolean,
): string {
  const name = padEnd(truncate(desk.nameOf(raised_by), 10), 11);
  const before = `${chosen ? '>' : ' '} ${padEnd(truncate(id, 8), 9)}${name}`;
  const word = padEnd(STATUS_WORDS[status], 15);
  const room = columns - textWidth(before) - textWidth(word) - 1;
  const rest = truncate(text, room);
  return chosen
    ? theme.inverse(`${before}${word}${padEnd(rest, room)}`)
    : `${before}${toneStatus(theme, status, word)}${rest}`;
}

function cardRow({ text, look }: CardLine, theme: Theme, columns: number, chosen: boolean): string {
  const mark = chosen ? '>' : ' ';
  const plain = truncate(look === 'link' ? `→ ${text}` : text, columns - 4);
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
