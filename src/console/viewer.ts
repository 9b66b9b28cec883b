/**
 * What the person at the console looks at and does: focus, zoom, scrolling, search, dialogs. Plain
 * state and one method a command; screens read it once a frame, and nothing here draws.
 */
import type { Desk } from './desk.ts';
import { cleanLine } from './door.ts';
import { applies, type Command, commandFor, type Keymap, type Situation } from './keymap.ts';
import { edited } from './keys.ts';
import { type Layout, layoutOf } from './layout.ts';
import { Holds, heightOf, lengthOf, type Pane, panesOf } from './panes.ts';
import { Picker } from './picker.ts';
import type { Actions } from './ports.ts';
import { remarksOf } from './remarks.ts';
import { moved } from './scroll.ts';
import { type Match, matchAfter, matchesIn, type Search } from './search.ts';
import { TABS, type Tab } from './tabs/table.ts';

/** What has the keys. A gate has them where nothing else is open. */
export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'search'; readonly typed: string }
  | { readonly kind: 'palette'; readonly picker: Picker }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'quit' };

export interface Notice {
  readonly text: string;
  readonly bad: boolean;
}

/** What the viewer can do to the world around it. */
export interface Surroundings {
  readonly desk: Desk;
  readonly actions: Actions | undefined;
  readonly keymap: Keymap;
  readonly now: () => number;
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly leave: (reason: 'quit' | 'detached') => void;
  readonly suspend: () => void;
  /** Something looks different now. */
  readonly changed: () => void;
}

const BROWSE: Mode = { kind: 'browse' };
/** Keys that do what they do even under a dialog. */
const EVERYWHERE: ReadonlySet<Command> = new Set(['interrupt', 'suspend']);

export class Viewer {
  readonly around: Surroundings;
  mode: Mode = BROWSE;
  notice: Notice | undefined;
  zoomed = false;
  synced = false;
  search: Search | undefined;
  readonly holds = new Holds();
  #tab = 0;
  #seat = 0;
  #onSynthesis = false;
  #version: number | undefined;

  constructor(around: Surroundings) {
    this.around = around;
    // A run that rests is opened to be read: from the beginning.
    if (!around.desk.sitting)
      for (const { voice } of [...around.desk.columns, ...around.desk.drafts])
        this.holds.set(voice, 0);
  }

  /** The gate that waits for this person, if its dialog is to be shown. */
  get gate(): Desk['view']['gate'] {
    return this.mode.kind === 'browse' && this.around.actions !== undefined
      ? this.around.desk.view.gate
      : undefined;
  }

  get panes(): Pane[] {
    return panesOf(this.around.desk, this.#version);
  }

  get focused(): Pane | undefined {
    const panes = this.panes;
    const last = panes.at(-1);
    return this.#onSynthesis && last?.kind === 'synthesis' ? last : panes[this.#seat];
  }

  get tabs(): readonly Tab[] {
    return TABS.filter((tab) => tab.shown(this.around.desk.view));
  }

  get tab(): Tab | undefined {
    return this.tabs[this.#tab] ?? this.tabs[0];
  }

  get layout(): Layout | undefined {
    const { columns, rows } = this.around.size();
    const pane = this.panes.find((one) => one.kind === 'synthesis');
    return layoutOf({
      columns,
      rows,
      seats: this.around.desk.columns.length,
      seat: this.#seat,
      onSynthesis: this.focused?.kind === 'synthesis',
      zoomed: this.zoomed,
      synthesis: pane === undefined ? 'none' : pane.voice.running ? 'writing' : 'written',
      remarks: pane?.kind === 'synthesis' ? remarksOf(pane.draft, this.around.desk).length : 0,
    });
  }

  get situation(): Situation {
    const { desk, actions } = this.around;
    const focused = this.focused;
    const heard = desk.drafts.at(-1)?.done?.included.length ?? 0;
    return {
      acting: actions !== undefined,
      live: desk.sitting,
      stopping: desk.stopping,
      focus: focused?.kind ?? 'seat',
      focusSpeaks: focused?.voice.running ?? false,
      focusCanRetry: focused?.voice.canRetry ?? false,
      answers: desk.answers,
      unfinished: desk.view.status !== 'done' || desk.answers > heard,
      panes: this.panes.length,
      columns: desk.columns.length,
      versions: desk.drafts.length,
      tabs: this.tabs.length,
      matches: this.search?.count ?? 0,
    };
  }

  /** The person has answered the gate. */
  answer(value: string): void {
    const { gate } = this.around.desk.view;
    if (gate === undefined) return;
    this.#say('Answered.');
    this.around.actions?.answer(gate.step, value);
    this.around.changed();
  }

  /** Text arrived as a paste. */
  paste(text: string): void {
    if (this.mode.kind === 'search')
      this.mode = { kind: 'search', typed: this.mode.typed + cleanLine(text) };
    else this.notice = { text: 'Pasted text is ignored here: / opens a search.', bad: false };
    this.around.changed();
  }

  /** A key was pressed, by its name in the key table. */
  key(key: string): void {
    const command = commandFor(this.around.keymap, key);
    if (this.mode.kind !== 'quit') this.notice = undefined;
    if (command !== undefined && EVERYWHERE.has(command)) this.perform(command, key);
    else if (this.mode.kind === 'browse') {
      // The gate's own list has the arrows, digits and Enter.
      const gate = this.gate !== undefined;
      if (command !== undefined && (!gate || command === 'quit' || command === 'stop'))
        this.perform(command, key);
    } else this.#inDialog(key, command);
    this.around.changed();
  }

  perform(command: Command, key = ''): void {
    if (!applies(this.around.keymap, command, this.situation)) return;
    this.#commands[command](key);
  }

  readonly #commands: Readonly<Record<Command, (key: string) => void>> = {
    stop: () => this.#stop(),
    'stop-seat': () => {
      const { focused } = this;
      if (focused?.kind !== 'seat') return;
      this.#say(`Stopping ${focused.column.name}.`);
      this.around.actions?.stopSeat(focused.column.seat.id);
    },
    'retry-seat': () => {
      const { focused } = this;
      if (focused?.kind !== 'seat') return;
      this.#say(`Asking ${focused.column.name} again.`);
      this.around.actions?.retrySeat(focused.column.seat.id);
    },
    resynthesize: () => {
      this.#version = undefined;
      this.#say('Another synthesis begins.');
      this.around.actions?.resynthesize({});
    },
    resume: () => {
      this.#say('Going on where the run stopped.');
      this.around.actions?.resume();
    },
    export: () => this.#export(),
    'next-pane': () => this.#step(1),
    'previous-pane': () => this.#step(-1),
    zoom: () => {
      this.zoomed = !this.zoomed;
    },
    'sync-scroll': () => {
      this.synced = !this.synced;
      this.#say(this.synced ? 'The columns scroll together now.' : 'Each column scrolls alone.');
    },
    'previous-version': () => this.#turn(-1),
    'next-version': () => this.#turn(1),
    tab: (key) => {
      if (this.tabs[Number(key) - 1] !== undefined) this.#tab = Number(key) - 1;
    },
    down: () => this.#scroll('down'),
    up: () => this.#scroll('up'),
    'half-down': () => this.#scroll('half-down'),
    'half-up': () => this.#scroll('half-up'),
    'page-down': () => this.#scroll('page-down'),
    'page-up': () => this.#scroll('page-up'),
    top: () => {
      for (const pane of this.#scrolled()) this.holds.set(pane.voice, 0);
    },
    bottom: () => {
      for (const pane of this.#scrolled()) this.holds.set(pane.voice, undefined);
    },
    search: () => {
      this.mode = { kind: 'search', typed: '' };
    },
    'next-match': () => this.#find(1),
    'previous-match': () => this.#find(-1),
    help: () => {
      this.mode = { kind: 'help', top: 0 };
    },
    palette: () => {
      const { keymap } = this.around;
      this.mode = { kind: 'palette', picker: Picker.of(keymap, this.situation) };
    },
    back: () => {
      if (this.search !== undefined) this.search = undefined;
      else this.zoomed = false;
    },
    quit: () => {
      if (this.situation.acting && this.situation.live) this.mode = { kind: 'quit' };
      else this.#leave();
    },
    interrupt: () => {
      const { acting, live, stopping } = this.situation;
      if (acting && live && !stopping) this.#stop('Ctrl-C again quits.');
      else this.#leave();
    },
    suspend: () => this.around.suspend(),
  };

  #inDialog(key: string, command: Command | undefined): void {
    const { mode } = this;
    if (key === 'escape') {
      this.mode = BROWSE;
      return;
    }
    switch (mode.kind) {
      case 'browse':
        break;
      case 'help':
        if (command === 'help' || command === 'quit' || key === 'enter') this.mode = BROWSE;
        else
          this.mode = {
            kind: 'help',
            top: Math.max(0, mode.top + pageStep(command, this.around.size().rows)),
          };
        break;
      case 'quit':
        if (key === 'y' || key === 'Y') this.#leave();
        else if (key === 'n' || key === 'N' || command === 'quit') this.mode = BROWSE;
        break;
      case 'search':
        if (key === 'enter') {
          this.mode = BROWSE;
          this.#begin(mode.typed.trim());
        } else this.mode = { kind: 'search', typed: edited(mode.typed, key) };
        break;
      case 'palette': {
        if (key !== 'enter') {
          this.mode = { kind: 'palette', picker: mode.picker.key(key) };
          break;
        }
        const { chosen } = mode.picker;
        if (chosen === undefined) break;
        this.mode = BROWSE;
        this.perform(chosen);
        break;
      }
    }
  }

  #say(text: string, bad = false): void {
    this.notice = { text, bad };
  }

  #leave(): void {
    const { acting, live } = this.situation;
    this.around.leave(!acting && live ? 'detached' : 'quit');
  }

  #stop(more = ''): void {
    this.around.desk.stopping = true;
    this.#say(`Stopping; everything said so far is kept. ${more}`.trim());
    this.around.actions?.stop();
  }

  #export(): void {
    this.#say('Writing the report …');
    this.around.actions?.exportReport().then(
      (path) => {
        this.#say(`Exported to ${cleanLine(path)}`);
        this.around.changed();
      },
      (error: unknown) => {
        this.#say(`Not exported: ${cleanLine(String(error))}`, true);
        this.around.changed();
      },
    );
  }

  #step(by: number): void {
    const { panes, focused } = this;
    const at = focused === undefined ? 0 : panes.findIndex(({ voice }) => voice === focused.voice);
    this.#focus(panes, (at + by + panes.length) % panes.length);
  }

  #focus(panes: readonly Pane[], index: number): void {
    this.#onSynthesis = panes[index]?.kind === 'synthesis';
    if (!this.#onSynthesis) this.#seat = index;
  }

  #turn(by: number): void {
    const { drafts } = this.around.desk;
    const shown = this.panes.at(-1);
    const at = drafts.findIndex(({ voice }) => voice === shown?.voice);
    const next = drafts[Math.max(0, Math.min(at + by, drafts.length - 1))];
    this.#version = next === drafts.at(-1) ? undefined : next?.version;
  }

  /** The panes that a scrolling key moves. */
  #scrolled(): Pane[] {
    const { focused } = this;
    if (focused === undefined) return [];
    return this.synced && focused.kind === 'seat'
      ? this.panes.filter(({ kind }) => kind === 'seat')
      : [focused];
  }

  #scroll(command: Command): void {
    const { layout } = this;
    if (layout === undefined) return;
    const now = this.around.now();
    for (const pane of this.#scrolled()) {
      const height = heightOf(pane, layout);
      const length = lengthOf(pane, layout, now);
      const window = this.holds.window(pane, layout, now);
      const by = pageStep(command, height);
      this.holds.set(pane.voice, moved(this.holds.get(pane.voice), by, window, length, height));
    }
  }

  #begin(query: string): void {
    this.search = query === '' ? undefined : { query, count: 0, at: 0 };
    if (query !== '') this.#find(1);
  }

  #find(by: 1 | -1): void {
    const { search, layout, panes } = this;
    if (search === undefined || layout === undefined) return;
    for (const pane of panes) this.holds.fit(pane, layout);
    const matches = matchesIn(panes, search.query);
    const found = matchAfter(matches, search.match ?? this.#here(panes, layout), by);
    this.search = { query: search.query, count: matches.length, at: 0, ...found };
    if (found === undefined) this.#say(`"${search.query}" is not in any text.`);
    else this.#show(found.match);
  }

  /** Just before what is on the screen, so that the first match is the next one down. */
  #here(panes: readonly Pane[], layout: Layout): Match {
    const { focused } = this;
    const pane = panes.findIndex(({ voice }) => voice === focused?.voice);
    const { top } =
      focused === undefined ? { top: 0 } : this.holds.window(focused, layout, this.around.now());
    return { pane: Math.max(0, pane), row: top - 1 };
  }

  #show({ pane: index, row }: Match): void {
    const { panes } = this;
    this.#focus(panes, index);
    const { layout } = this;
    const pane = panes[index];
    if (pane === undefined || layout === undefined) return;
    const window = this.holds.window(pane, layout, this.around.now());
    if (row >= window.top && row < window.top + window.rows) return;
    this.holds.set(pane.voice, Math.max(0, row - (heightOf(pane, layout) >> 1)));
  }
}

/** How far a scrolling key moves a page of `height` rows. */
function pageStep(command: Command | undefined, height: number): number {
  switch (command) {
    case 'down':
      return 1;
    case 'up':
      return -1;
    case 'half-down':
      return height >> 1;
    case 'half-up':
      return -(height >> 1);
    case 'page-down':
      return height - 2;
    case 'page-up':
      return 2 - height;
    default:
      return 0;
  }
}
