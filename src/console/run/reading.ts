/**
 * What the person is looking at: the pane with the focus, the division of the screen, scroll positions, and the
 * search. Plain state; it draws nothing and does not act on the run.
 */

import type { Command } from '../keys/keymap.ts';
import type { CallStream } from '../model/call-stream.ts';
import type { LiveRun } from '../model/live-run.ts';
import type { Synthesis, SynthesisWords } from '../model/run-model.ts';
import { type Layout, layoutOf, type Size } from '../terminal/layout.ts';
import { findQuotedRows, type RowRange } from '../ui/quoted.ts';
import { FOLLOW, pageStep, type ScrollPosition, scrollBy } from '../ui/scroll.ts';
import {
  countPaneRows,
  findNewestSynthesis,
  getAnswerRow,
  getPaneHeight,
  listPanes,
  type Pane,
  ScrollPositions,
  textWidthOf,
} from './panes.ts';
import { findMatches, type Match, matchAfter, type Search } from './search.ts';
import { type LeadLines, leadLines } from './sections/lead.ts';
import { listRemarkLines } from './sections/remarks.ts';

interface Quoted {
  readonly stream: CallStream;
  readonly quote: string;
}

const NO_LEAD: LeadLines = { asked: [], sentence: [], beside: [] };

/** What one person sees of a run: focus, zoom, scroll positions and search. */
export class Reading {
  /** Whether the focused text fills the whole screen. */
  zoomed = false;
  /** Whether scrolling keys move all columns. */
  synced = false;
  /** The search; undefined if there is none. */
  search: Search | undefined;
  /** The scroll positions. */
  readonly holds: ScrollPositions;
  readonly #runModel: LiveRun;
  readonly #says: SynthesisWords;
  readonly #size: () => Size;
  readonly #now: () => number;
  #seat = 0;
  /** The kind of pane that the person chose; undefined: chosen automatically. */
  #place: Pane['kind'] | undefined;
  /** Scroll positions of panes before their thinking was unfolded. */
  readonly #left = new Map<CallStream, ScrollPosition>();
  /** The version of the synthesis to show; undefined: the newest. */
  #version: number | undefined;
  /** The number of the question to show; undefined: the newest. */
  #question: number | undefined;
  /** A passage in a seat's answer that was quoted elsewhere and is highlighted. */
  #quoted: Quoted | undefined;
  /** The lines above the synthesis; computed again only when the run has changed. */
  #lead: { readonly key: string; readonly lines: LeadLines } = { key: '', lines: NO_LEAD };

  constructor(runModel: LiveRun, says: SynthesisWords, size: () => Size, now: () => number) {
    this.#runModel = runModel;
    this.#says = says;
    this.#size = size;
    this.#now = now;
    this.holds = new ScrollPositions(() => !runModel.isLive);
  }

  /** The number of the question that is shown. */
  get question(): number {
    return this.#question ?? this.#runModel.question;
  }

  /** Whether the latest question is shown, so that its seats can be asked again. */
  get atNewest(): boolean {
    return this.question === this.#runModel.question;
  }

  /** Copies the focus, the zoom and the choice that columns scroll together from another screen of the run. */
  copyFrom(other: Reading): void {
    this.zoomed = other.zoomed;
    this.synced = other.synced;
    this.#seat = other.#seat;
    this.#place = other.#place;
  }

  /** The seats' outputs and the synthesis, in the order of Tab. */
  get panes(): Pane[] {
    return listPanes(this.#runModel, this.question, this.#version);
  }

  /** The synthesis that is shown. */
  get synthesis(): Synthesis | undefined {
    const last = this.panes.at(-1);
    return last?.kind === 'synthesis' ? last.synthesis : undefined;
  }

  /** Shows the answers to the previous (-1) or next (1) question, if there is one. */
  turnQuestion(by: 1 | -1): void {
    const numbers = this.#runModel.questions.map(({ number }) => number);
    const at = numbers.indexOf(this.question) + by;
    this.showQuestion(numbers[Math.max(0, Math.min(at, numbers.length - 1))] ?? 1);
  }

  /** Shows the answers to a question, by its number. */
  showQuestion(number: number): void {
    if (number === this.question) return;
    this.#question = number === this.#runModel.question ? undefined : number;
    this.#version = undefined;
  }

  /** Shows a synthesis and the answers to its question. */
  showVersion(version: number): void {
    const synthesis = this.#runModel.syntheses.find((synthesis) => synthesis.version === version);
    if (synthesis === undefined) return;
    this.showQuestion(synthesis.question);
    this.#version = version;
    this.#place = 'synthesis';
  }

  /**
   * Moves the focus to a seat, scrolls to a passage in its answer and highlights the passage. Returns
   * false if the answer does not contain the passage.
   */
  showQuote(seat: string, quote: string): boolean {
    const index = this.panes.findIndex(
      (pane) => pane.kind === 'seat' && pane.column.seat.id === seat,
    );
    this.zoomed = this.zoomed && this.focused?.kind === 'seat';
    this.#focus(index);
    const { layout } = this;
    const pane = this.panes[index];
    if (pane === undefined || layout === undefined) return false;
    this.holds.fit(pane, layout);
    this.#quoted = { stream: pane.stream, quote };
    const rows = this.findQuoted(pane.stream);
    if (rows === undefined) this.#quoted = undefined;
    else this.#show({ pane: index, row: getAnswerRow(pane.stream) + rows.from });
    return rows !== undefined;
  }

  /** Returns the rows of an output that are highlighted as quoted. */
  findQuoted(stream: CallStream): RowRange | undefined {
    const quoted = this.#quoted;
    return quoted?.stream === stream ? findQuotedRows(stream.text, quoted.quote) : undefined;
  }

  /** Removes the highlight. Returns false if there was none. */
  unquote(): boolean {
    const was = this.#quoted !== undefined;
    this.#quoted = undefined;
    return was;
  }

  /** The text that has the focus; undefined if there is none. */
  get focused(): Pane | undefined {
    const { panes } = this;
    const last = panes.at(-1);
    return last?.kind === 'synthesis' && this.#isOnSynthesis(last.synthesis)
      ? last
      : panes[this.#at];
  }

  /** Whether the synthesis has the focus by default: as soon as there is one, unless seats are being asked. */
  #isOnSynthesis(shown: Synthesis): boolean {
    if (this.#place !== undefined) return this.#place === 'synthesis';
    const asked = this.#runModel.columnsOf(this.question).some(({ stream }) => stream.running);
    return !asked && (this.#hasWritten || !shown.stream.running);
  }

  /** Whether a synthesis of this question is finished. */
  get #hasWritten(): boolean {
    return this.#runModel.synthesesOf(this.question).some(({ done }) => done !== undefined);
  }

  /**
   * Whether the person is in the columns, and there is a finished text of the run to return to (see
   * `leaveColumns`).
   */
  get opened(): boolean {
    return this.#place === 'seat' && (this.#hasWritten || this.#runModel.lastWord !== undefined);
  }

  /**
   * Whether the column with the latest output fills the screen: the run's seats come and go, it has ended
   * without a synthesis, and the person has not moved to another column.
   */
  get alone(): boolean {
    return this.#place === undefined && this.#runModel.lastWord !== undefined;
  }

  /**
   * Undoes the first of these that there is: a highlight, a search, a zoom, opened columns. Returns
   * false if there is nothing to undo.
   */
  back(): boolean {
    if (this.unquote()) return true;
    if (this.search !== undefined) this.search = undefined;
    else if (this.zoomed) this.zoomed = false;
    else return this.leaveColumns();
    return true;
  }

  /**
   * Returns from the columns to the finished text of the run: the synthesis or, in an ended run
   * without one, the latest output. Returns false if `opened` is false.
   */
  leaveColumns(): boolean {
    const { opened } = this;
    if (opened) this.#place = undefined;
    return opened;
  }

  /** The lines above the shown synthesis; all empty if there is no synthesis. */
  get lead(): LeadLines {
    const { synthesis } = this;
    if (synthesis === undefined) return NO_LEAD;
    const { columns } = this.#size();
    const { seq } = this.#runModel.view;
    const key = `${synthesis.version} ${synthesis.stream.text.version} ${seq} ${columns}`;
    if (this.#lead.key !== key)
      this.#lead = { key, lines: leadLines(synthesis, this.#runModel, this.#says, columns) };
    return this.#lead.lines;
  }

  /** The index of the column with the focus; the last one if there are fewer columns now. */
  get #at(): number {
    const last = this.#runModel.columnsOf(this.question).length - 1;
    return Math.max(0, this.alone ? last : Math.min(this.#seat, last));
  }

  /** The division of the screen; undefined if the terminal is too small. */
  get layout(): Layout | undefined {
    const pane = this.panes.find((pane) => pane.kind === 'synthesis');
    const { asked, sentence, beside } = this.lead;
    return layoutOf({
      ...this.#size(),
      seats: this.#runModel.columnsOf(this.question).length,
      seat: this.#at,
      onSynthesis: this.focused?.kind === 'synthesis',
      zoomed: this.zoomed || this.alone,
      synthesis:
        pane === undefined
          ? 'none'
          : pane.stream.running && !this.#hasWritten
            ? 'writing'
            : 'written',
      remarks:
        pane?.kind === 'synthesis'
          ? listRemarkLines(pane.synthesis, this.#runModel, this.#says).length
          : 0,
      lead: sentence.length === 0 ? 0 : asked.length + sentence.length + beside.length,
      beside: beside.length,
    });
  }

  /** Moves the focus to the next or previous text; after the last comes the first. */
  step(by: 1 | -1): void {
    const { panes, focused } = this;
    const at = panes.findIndex(({ stream }) => stream === focused?.stream);
    this.#focus((at + by + panes.length) % Math.max(1, panes.length));
  }

  /** Shows an older (-1) or newer (1) synthesis of the question, if there is one. */
  turn(by: 1 | -1): void {
    const syntheses = this.#runModel.synthesesOf(this.question);
    const at = syntheses.findIndex(({ version }) => version === this.synthesis?.version);
    const next = syntheses[Math.max(0, Math.min(at + by, syntheses.length - 1))];
    this.#version = next === findNewestSynthesis(syntheses) ? undefined : next?.version;
  }

  /** Shows the newest question and synthesis, and later questions and syntheses as soon as they begin. */
  turnToNewest(): void {
    this.#question = undefined;
    this.#version = undefined;
    this.#place = undefined;
  }

  /** Scrolls the focused text, or all columns if they scroll together. */
  scroll(command: Command): void {
    const { layout } = this;
    if (layout === undefined) return;
    const { focused } = this;
    if (focused === undefined) return;
    const height = getPaneHeight(focused, layout);
    const length = countPaneRows(focused, layout, this.#now());
    const window = this.holds.window(focused, layout, this.#now());
    const by = pageStep(command, height);
    this.#hold(scrollBy(this.holds.get(focused), by, window, length, height));
  }

  /** Lets all columns scroll together, or separately again. */
  sync(on: boolean): void {
    this.synced = on;
    const { focused } = this;
    if (on && focused !== undefined) this.#hold(this.holds.get(focused));
  }

  /** Unfolds the thinking of the focused call and scrolls to it; or folds it and scrolls back. */
  toggleThinking(): void {
    const { focused, layout } = this;
    if (focused === undefined || layout === undefined) return;
    const { stream } = focused;
    if (stream.thinking.open) {
      stream.thinking.fold();
      this.holds.set(focused, this.#left.get(stream) ?? 0);
      return;
    }
    this.#left.set(stream, this.holds.get(focused));
    stream.thinking.unfold(textWidthOf(focused, layout));
    this.holds.set(focused, stream.phase.kind === 'thinking' ? FOLLOW : 0);
  }

  /** Scrolls the focused text, or all columns if they scroll together, to the beginning. */
  toTop(): void {
    this.#hold(0);
  }

  /** Scrolls the focused text, or all columns if they scroll together, to the end, and follows new text. */
  toBottom(): void {
    this.#hold(FOLLOW);
  }

  /**
   * Begins a search and goes to the first match from the visible part on. An empty query ends the search
   * and returns true. Returns false if no text contains the query.
   */
  find(query: string): boolean {
    this.search = query === '' ? undefined : { query, count: 0, at: 0 };
    return query === '' || this.match(1);
  }

  /** Goes to the next (1) or previous (-1) match. Returns false if there is none. */
  match(by: 1 | -1): boolean {
    const { search, layout, panes } = this;
    if (search === undefined || layout === undefined) return false;
    for (const pane of panes) this.holds.fit(pane, layout);
    const matches = findMatches(panes, search.query);
    const found = matchAfter(matches, search.match ?? this.#here(panes, layout), by);
    this.search = { query: search.query, count: matches.length, at: 0, ...found };
    if (found === undefined) return false;
    this.#show(found.match);
    return true;
  }

  #focus(index: number): void {
    this.#place = this.panes[index]?.kind;
    if (this.#place === 'seat') this.#seat = index;
  }

  #hold(hold: ScrollPosition): void {
    for (const pane of this.#scrolled()) this.holds.set(pane, hold);
  }

  /** Returns whether scrolling keys move a pane: it has the focus, or all columns scroll together. */
  scrolls({ stream }: Pane): boolean {
    return this.#scrolled().some((pane) => pane.stream === stream);
  }

  /** The panes that a scrolling key moves. */
  #scrolled(): Pane[] {
    const { focused } = this;
    if (focused === undefined) return [];
    return this.synced && focused.kind === 'seat'
      ? this.panes.filter(({ kind }) => kind === 'seat')
      : [focused];
  }

  /** Returns the place just before the visible part, so that the first match is the next one below it. */
  #here(panes: readonly Pane[], layout: Layout): Match {
    const { focused } = this;
    const pane = panes.findIndex(({ stream }) => stream === focused?.stream);
    if (focused === undefined) return { pane: 0, row: -1 };
    return { pane, row: this.holds.window(focused, layout, this.#now()).top - 1 };
  }

  #show({ pane: index, row }: Match): void {
    this.#focus(index);
    const { layout } = this;
    const pane = this.panes[index];
    if (pane === undefined || layout === undefined) return;
    const window = this.holds.window(pane, layout, this.#now());
    if (row >= window.top && row < window.top + window.rows) return;
    this.#hold(Math.max(0, row - (getPaneHeight(pane, layout) >> 1)));
  }
}
