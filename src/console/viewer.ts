/**
 * What the person at the console does: one method for a key, one entry for a command. Commands change
 * where the person reads, open a dialog, or act on the run; screens read the result once a frame.
 */
import type { GateView } from '../kernel/view.ts';
import type { Desk } from './desk.ts';
import { cleanLine } from './door.ts';
import { applies, type Command, commandFor, type Keymap, keyOf } from './keymap.ts';
import { edited } from './keys.ts';
import { Picker } from './picker.ts';
import type { Actions } from './ports.ts';
import { pageStep, Reading, type Size } from './reading.ts';
import type { Situation } from './situation.ts';
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
  readonly at: number;
}

/** What is around the viewer, and what it can do to it. */
export interface Surroundings {
  readonly desk: Desk;
  readonly actions: Actions | undefined;
  readonly keymap: Keymap;
  readonly now: () => number;
  readonly size: () => Size;
  readonly leave: (reason: 'quit' | 'detached') => void;
  readonly suspend: () => void;
  /** Something looks different now. */
  readonly changed: () => void;
}

const BROWSE: Mode = { kind: 'browse' };
/** Keys that do what they do even under a dialog. */
const EVERYWHERE: ReadonlySet<Command> = new Set(['interrupt', 'suspend']);
/** Keys that work beside a gate's dialog, whose list has the arrows, digits and Enter. */
export const BESIDE_GATE: ReadonlySet<Command> = new Set(['quit', 'stop']);
/** How long a notice stands while the run goes on; where it rests, until the next key. */
const NOTICE_MS = 8000;

export class Viewer {
  readonly around: Surroundings;
  readonly reading: Reading;
  mode: Mode = BROWSE;
  #notice: Notice | undefined;
  #tab = 0;

  constructor(around: Surroundings) {
    this.around = around;
    const below = (): Size => {
      const { columns, rows } = around.size();
      return { columns, rows: rows - (this.tabs.length > 1 ? 1 : 0) };
    };
    this.reading = new Reading(around.desk, below, around.now);
  }

  get notice(): Notice | undefined {
    const { desk, now } = this.around;
    const old = this.#notice !== undefined && now() - this.#notice.at > NOTICE_MS;
    return old && desk.sitting ? undefined : this.#notice;
  }

  /** The gate that waits for this person, if its dialog is to be shown. */
  get gate(): GateView | undefined {
    const { actions, desk } = this.around;
    return this.mode.kind === 'browse' && actions !== undefined ? desk.view.gate : undefined;
  }

  get tabs(): readonly Tab[] {
    return TABS.filter((tab) => tab.shown(this.around.desk.view));
  }

  get tab(): Tab | undefined {
    return this.tabs[this.#tab] ?? this.tabs[0];
  }

  get situation(): Situation {
    const { desk, actions } = this.around;
    const { focused, panes, search } = this.reading;
    const heard = Math.max(-1, ...desk.drafts.map(({ done }) => done?.included.length ?? -1));
    return {
      acting: actions !== undefined,
      live: desk.sitting,
      stopping: desk.stopping,
      focus: focused?.kind ?? 'seat',
      focusSpeaks: focused?.voice.running ?? false,
      focusCanRetry: focused?.voice.canRetry ?? false,
      asking: desk.running > 0,
      answers: desk.answers,
      unfinished:
        desk.view.id !== '' &&
        (desk.view.status !== 'done' || (heard >= 0 && desk.answers > heard)),
      panes: panes.length,
      columns: desk.columns.length,
      versions: desk.drafts.length,
      tabs: this.tabs.length,
      matches: search?.count ?? 0,
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
    else {
      const search = keyOf(this.around.keymap, 'search');
      this.#say(`Pasted text is ignored here; ${search} opens a search.`);
    }
    this.around.changed();
  }

  /** A key was pressed, by its name in the key table. */
  key(key: string): void {
    const command = commandFor(this.around.keymap, key);
    this.#notice = undefined;
    if (command !== undefined && EVERYWHERE.has(command)) this.perform(command, key);
    else if (this.mode.kind !== 'browse') this.#inDialog(this.mode, key, command);
    else if (command !== undefined && (this.gate === undefined || BESIDE_GATE.has(command)))
      this.perform(command, key);
    this.around.changed();
  }

  perform(command: Command, key = ''): void {
    if (applies(this.around.keymap, command, this.situation)) this.#commands[command](key);
  }

  readonly #commands: Readonly<Record<Command, (key: string) => void>> = {
    stop: () => this.#stop(),
    'stop-seat': () => {
      const { focused } = this.reading;
      if (focused?.kind !== 'seat') return;
      this.#say(`Stopping ${focused.column.name}.`);
      this.around.actions?.stopSeat(focused.column.seat.id);
    },
    'retry-seat': () => {
      const { focused } = this.reading;
      if (focused?.kind !== 'seat') return;
      this.#say(`Asking ${focused.column.name} again.`);
      this.around.actions?.retrySeat(focused.column.seat.id);
    },
    resynthesize: () => {
      this.reading.turnToNewest();
      this.around.actions?.resynthesize({});
    },
    resume: () => this.around.actions?.resume(),
    export: () => this.#export(),
    'next-pane': () => this.reading.step(1),
    'previous-pane': () => this.reading.step(-1),
    zoom: () => {
      this.reading.zoomed = !this.reading.zoomed;
    },
    'sync-scroll': () => {
      this.reading.synced = !this.reading.synced;
      this.#say(
        this.reading.synced ? 'The columns scroll together now.' : 'Each column scrolls alone.',
      );
    },
    'previous-version': () => this.reading.turn(-1),
    'next-version': () => this.reading.turn(1),
    tab: (key) => {
      if (this.tabs[Number(key) - 1] !== undefined) this.#tab = Number(key) - 1;
    },
    down: () => this.reading.scroll('down'),
    up: () => this.reading.scroll('up'),
    'half-down': () => this.reading.scroll('half-down'),
    'half-up': () => this.reading.scroll('half-up'),
    'page-down': () => this.reading.scroll('page-down'),
    'page-up': () => this.reading.scroll('page-up'),
    top: () => this.reading.toTop(),
    bottom: () => this.reading.toBottom(),
    search: () => {
      this.mode = { kind: 'search', typed: '' };
    },
    'next-match': () => this.#sayIfMissing(this.reading.match(1)),
    'previous-match': () => this.#sayIfMissing(this.reading.match(-1)),
    help: () => {
      this.mode = { kind: 'help', top: 0 };
    },
    palette: () => {
      this.mode = { kind: 'palette', picker: Picker.of(this.around.keymap, this.situation) };
    },
    back: () => {
      if (this.reading.search !== undefined) this.reading.search = undefined;
      else this.reading.zoomed = false;
    },
    quit: () => {
      const { acting, live } = this.situation;
      if (acting && live) this.mode = { kind: 'quit' };
      else this.#leave();
    },
    interrupt: () => {
      const { acting, live, stopping } = this.situation;
      if (acting && live && !stopping) this.#stop();
      else this.#leave();
    },
    suspend: () => this.around.suspend(),
  };

  #inDialog(mode: Mode, key: string, command: Command | undefined): void {
    if (key === 'escape') {
      this.mode = BROWSE;
      return;
    }
    switch (mode.kind) {
      case 'browse':
        break;
      case 'help': {
        const closes = command === 'help' || command === 'quit' || key === 'enter';
        const by = pageStep(command, this.around.size().rows - 3);
        this.mode = closes ? BROWSE : { kind: 'help', top: Math.max(0, mode.top + by) };
        break;
      }
      case 'quit':
        if (key === 'y' || key === 'Y') this.#leave();
        else if (key === 'n' || key === 'N' || command === 'quit') this.mode = BROWSE;
        break;
      case 'search':
        if (key === 'enter') {
          this.mode = BROWSE;
          this.#sayIfMissing(this.reading.find(mode.typed.trim()));
        } else this.mode = { kind: 'search', typed: edited(mode.typed, key) };
        break;
      case 'palette': {
        const { chosen } = mode.picker;
        if (key !== 'enter') this.mode = { kind: 'palette', picker: mode.picker.key(key) };
        else if (chosen !== undefined) {
          this.mode = BROWSE;
          this.perform(chosen);
        }
        break;
      }
    }
  }

  #say(text: string, bad = false): void {
    this.#notice = { text, bad, at: this.around.now() };
  }

  #sayIfMissing(found: boolean): void {
    const { search } = this.reading;
    if (!found && search !== undefined) this.#say(`"${search.query}" is not in any text.`);
  }

  #leave(): void {
    const { acting, live } = this.situation;
    this.around.leave(!acting && live ? 'detached' : 'quit');
  }

  #stop(): void {
    this.around.desk.stopping = true;
    this.around.actions?.stop();
  }

  #export(): void {
    this.#say('Writing the report …');
    this.around.actions?.exportReport().then(
      (path) => this.#report(`Exported to ${cleanLine(path)}`, false),
      (error: unknown) => this.#report(`Not exported: ${cleanLine(messageOf(error))}`, true),
    );
  }

  #report(text: string, bad: boolean): void {
    this.#say(text, bad);
    this.around.changed();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
