/**
 * What the person at the console does: one method for a key, one entry for a command. Commands change
 * where the person reads, open a dialog, or act on the run; screens read the result once a frame.
 */

import type { GateView } from '../../kernel/view.ts';
import { applies, commandFor, keyOf } from '../keys/bindings.ts';
import type { Command, Keymap } from '../keys/keymap.ts';
import type { Situation } from '../keys/situation.ts';
import type { Desk } from '../model/desk.ts';
import type { Actions, Playback } from '../replay/ports.ts';
import { cleanLine } from '../terminal/door.ts';
import { edited } from '../terminal/keys.ts';
import { Citing, citationsHeight } from '../ui/citing.ts';
import type { Form } from '../ui/forms/form.ts';
import { Picker } from '../ui/picker.ts';
import { pageStep } from '../ui/scroll.ts';
import type { Copying, Outcome } from './copying.ts';
import type { FormAround } from './forms/around.ts';
import { modelForm, noteForm, resynthesisForm } from './forms/of-run.ts';
import type { Mode, Notice } from './mode.ts';
import { type Passage, passageOfPane } from './passage.ts';
import type { ProtocolView } from './protocol-view.ts';
import { Reading, type Size } from './reading.ts';
import { reasonFor } from './reasons.ts';
import { situationOf } from './standing.ts';
import type { Filter, Page, Tab } from './tabs/page.ts';

import { Tabs } from './tabs/tabs.ts';

/** What is around the viewer, and what it can do to it. */
export interface Surroundings {
  readonly desk: Desk;
  readonly view: ProtocolView;
  readonly actions: Actions | undefined;
  readonly copying: Copying;
  /** Where a recorded run is played back. */
  readonly playback?: Playback | undefined;
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
/** Keys that work beside a gate's dialog, whose list has the arrows and Enter. */
export const BESIDE_GATE: ReadonlySet<Command> = new Set(['quit', 'stop']);
/** How long a notice stands while the run goes on; where it rests, until the next key. */
const NOTICE_MS = 8000;

export class Viewer {
  readonly around: Surroundings;
  readonly reading: Reading;
  #mode: Mode = BROWSE;
  #notice: Notice | undefined;
  readonly #tabs: Tabs;

  constructor(around: Surroundings) {
    this.around = around;
    const below = (): Size => {
      const { columns, rows } = around.size();
      return { columns, rows: rows - (this.tabs.length > 1 ? 1 : 0) };
    };
    this.reading = new Reading(around.desk, around.view, below, around.now);
    const size = (): Size => ({ columns: below().columns, rows: Math.max(1, below().rows - 3) });
    const { desk, view, keymap } = around;
    const { reading } = this;
    this.#tabs = new Tabs({ desk, view, keymap, reading, size, say: (text) => this.#say(text) });
  }

  /** Reads where another viewer of the same run has read: the same tab, column and zoom. */
  standAs(other: Viewer): void {
    this.#tabs.standAs(other.#tabs);
    this.reading.standAs(other.reading);
  }

  get notice(): Notice | undefined {
    const { desk, now } = this.around;
    const notice = this.#notice;
    if (notice?.until?.(desk)) return undefined;
    const old = notice !== undefined && now() - notice.at > NOTICE_MS;
    return old && desk.sitting ? undefined : notice;
  }

  /** The gate that waits for this person, if its dialog is to be shown. */
  get mode(): Mode {
    // A run that has ended meanwhile is no longer asked about.
    const moot = this.#mode.kind === 'quit' && !this.around.desk.sitting;
    return moot ? BROWSE : this.#mode;
  }

  set mode(mode: Mode) {
    this.#mode = mode;
  }

  get gate(): GateView | undefined {
    const { actions, desk } = this.around;
    return this.mode.kind === 'browse' && actions !== undefined ? desk.view.gate : undefined;
  }

  get view(): ProtocolView {
    return this.around.view;
  }

  get tabs(): readonly Tab[] {
    return this.#tabs.shown;
  }

  get tab(): Tab | undefined {
    return this.#tabs.open;
  }

  /** What is shown in place of the columns; undefined in the Columns tab. */
  get page(): Page | undefined {
    return this.#tabs.page;
  }

  get situation(): Situation {
    const { desk, actions, playback } = this.around;
    const { reading, page, tabs } = this;
    const tab = this.tab?.id ?? 'columns';
    return situationOf(desk, reading, {
      view: this.view,
      acting: actions !== undefined,
      replaying: playback !== undefined,
      tab,
      tabs: tabs.map(({ id }) => id),
      page,
    });
  }

  /** The person has answered the gate. */
  answer(value: string): void {
    const { gate } = this.around.desk.view;
    if (gate === undefined) return;
    this.#say('Answered.');
    this.around.actions?.answer(gate.step, value);
    this.around.changed();
  }

  /** The help was drawn from here: it is shorter than it was scrolled. */
  helpEndsAt(top: number): void {
    if (this.mode.kind === 'help') this.mode = { kind: 'help', top };
  }

  /** Text arrived as a paste. */
  paste(text: string): void {
    const { mode } = this;
    if (mode.kind === 'search')
      this.mode = { kind: mode.kind, typed: mode.typed + cleanLine(text) };
    else if (mode.kind === 'form' && mode.form.paste !== undefined) mode.form.paste(text);
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
    const { keymap } = this.around;
    const { situation } = this;
    const { sitting } = this.around.desk;
    if (applies(keymap, command, situation)) this.#commands[command](key);
    // Why not now: no reason any more once the run has begun to rest, or to go on.
    else
      this.#say(reasonFor(keymap, command, situation), {
        until: (desk) => desk.sitting !== sitting,
      });
  }

  readonly #commands: Readonly<Record<Command, (key: string) => void>> = {
    stop: () => this.#stop(),
    pause: () => this.#pause(),
    faster: () => this.around.playback?.faster(),
    slower: () => this.around.playback?.slower(),
    'step-forward': () => this.around.playback?.step(1),
    'step-back': () => this.around.playback?.step(-1),
    'phase-forward': () => this.around.playback?.phase(1),
    'phase-back': () => this.around.playback?.phase(-1),
    'play-to-end': () => this.around.playback?.toEnd(),
    note: () => this.#ask((around) => noteForm(around, this.view)),
    stress: () => this.#own('stress'),
    respond: () => this.#own('respond'),
    'stop-seat': () => {
      const { focused } = this.reading;
      if (focused?.kind !== 'seat') return;
      const { name, voice } = focused.column;
      this.#say(`Stopping ${name}.`, { until: () => !voice.running });
      this.around.actions?.stopSeat(focused.column.seat.id);
    },
    'retry-seat': () => {
      const { focused } = this.reading;
      if (focused?.kind !== 'seat') return;
      this.#say(`Asking ${focused.column.name} again.`);
      this.around.actions?.retrySeat(focused.column.seat.id);
    },
    'change-model': () => this.#ask((around) => modelForm(around, this.reading.focused)),
    resynthesize: () => this.#ask((around) => resynthesisForm(around, this.view)),
    'follow-up': () => this.#own('follow-up'),
    weigh: () => this.#own('weigh'),
    vote: () => this.#tabs.toggle('vote'),
    resume: () => this.around.actions?.resume(),
    export: () => this.#export(),
    copy: () => this.#take(this.around.copying.copy(this.#passage, false)),
    'copy-whole': () => this.#take(this.around.copying.copy(this.#passage, true)),
    citations: () => this.#cite(),
    thinking: () => this.reading.toggleThinking(),
    save: () => this.#take(this.around.copying.save(this.#passage)),
    'next-pane': () => this.#step(1),
    'previous-pane': () => this.#step(-1),
    zoom: () => {
      if (this.page === undefined) this.reading.zoomed = !this.reading.zoomed;
      else this.page.zoom?.();
    },
    'sync-scroll': () => {
      this.reading.sync(!this.reading.synced);
      this.#say(
        this.reading.synced ? 'The columns scroll together now.' : 'Each column scrolls alone.',
      );
    },
    'previous-version': () => this.#tabs.turn(-1),
    'next-version': () => this.#tabs.turn(1),
    compare: () => this.#tabs.compare(),
    'previous-question': () => this.reading.turnQuestion(-1),
    'next-question': () => this.reading.turnQuestion(1),
    tab: (key) => {
      const tab = this.tabs.find(({ number }) => String(number) === key);
      this.#tabs.choose(tab?.id);
      if (tab === undefined) this.#say(`There is nothing for tab ${key} in this run so far.`);
    },
    open: () => this.page?.open?.(),
    retrace: () => this.page?.retrace?.(),
    'filter-status': () => this.#filter('status'),
    'filter-role': () => this.#filter('role'),
    'filter-round': () => this.#filter('round'),
    down: () => this.#move('down'),
    up: () => this.#move('up'),
    'half-down': () => this.#move('half-down'),
    'half-up': () => this.#move('half-up'),
    'page-down': () => this.#move('page-down'),
    'page-up': () => this.#move('page-up'),
    top: () => this.#move('top'),
    bottom: () => this.#move('bottom'),
    search: () => {
      this.mode = { kind: 'search', typed: '' };
    },
    'next-match': () => this.#match(1),
    'previous-match': () => this.#match(-1),
    help: () => {
      this.mode = { kind: 'help', top: 0 };
    },
    palette: () => {
      this.mode = { kind: 'palette', picker: Picker.of(this.around.keymap, this.situation) };
    },
    back: () => {
      if (this.#tabs.uncover()) return;
      if (this.page !== undefined) this.page.back?.();
      else if (this.reading.unquote()) return;
      else if (this.reading.search !== undefined) this.reading.search = undefined;
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
      if (mode.kind === 'citations' && mode.citing.back()) return;
      this.mode = BROWSE;
      return;
    }
    switch (mode.kind) {
      case 'browse':
        break;
      case 'help': {
        const closes = command === 'help' || command === 'quit' || key === 'enter';
        const ends: Partial<Record<Command, number>> = { top: 0, bottom: Number.POSITIVE_INFINITY };
        const by = pageStep(command, this.around.size().rows - 3);
        const top = (command && ends[command]) ?? Math.max(0, mode.top + by);
        this.mode = closes ? BROWSE : { kind: 'help', top };
        break;
      }
      case 'citations': {
        const height = citationsHeight(this.around.size().rows);
        if (command === 'quit') this.mode = BROWSE;
        else mode.citing.key(key, command, height);
        break;
      }
      case 'quit':
        if (key === 'y' || key === 'Y') this.#leave();
        else if (key === 'n' || key === 'N' || command === 'quit') this.mode = BROWSE;
        break;
      case 'search':
        if (key === 'enter') {
          this.mode = BROWSE;
          this.#find(mode.typed.trim());
        } else this.mode = { kind: 'search', typed: edited(mode.typed, key) };
        break;
      case 'form':
        // What comes of a form may open another one.
        if (!mode.form.key(key) && this.mode === mode) this.mode = BROWSE;
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

  #move(command: Command): void {
    if (this.page !== undefined) this.page.move(command);
    else if (command === 'top') this.reading.toTop();
    else if (command === 'bottom') this.reading.toBottom();
    else this.reading.scroll(command);
  }

  #ask(formOf: (around: FormAround) => Form | undefined): void {
    const { desk, actions, changed } = this.around;
    const say = (text: string, until?: Notice['until']): void =>
      this.#say(text, until === undefined ? {} : { until });
    const form = formOf({ desk, reading: this.reading, actions, say, changed });
    if (form !== undefined) this.mode = { kind: 'form', form };
  }

  /** What a key of the protocol's own does. */
  #own(command: Command): void {
    this.#ask((around) => this.view.commands[command]?.(around));
  }

  #step(by: 1 | -1): void {
    if (this.page === undefined) this.reading.step(by);
    else this.page.step?.(by);
  }

  #filter(by: Filter): void {
    this.page?.filter?.(by);
  }

  #find(query: string): void {
    if (this.page?.find?.(query) === false) this.#say(`"${query}" is not in this text.`);
    else if (this.page === undefined) this.#sayIfMissing(this.reading.find(query));
  }

  #say(text: string, more: Pick<Partial<Notice>, 'bad' | 'until'> = {}): void {
    this.#notice = { text, bad: false, at: this.around.now(), ...more };
  }

  #match(by: 1 | -1): void {
    if (this.page !== undefined) this.page.match?.(by);
    else this.#sayIfMissing(this.reading.match(by));
  }

  #sayIfMissing(found: boolean): void {
    const { search } = this.reading;
    if (!found && search !== undefined) this.#say(`"${search.query}" is not in any text.`);
  }

  #leave(): void {
    const { acting, live } = this.situation;
    this.around.leave(!acting && live ? 'detached' : 'quit');
  }

  #pause(): void {
    const { actions, desk, playback } = this.around;
    if (playback !== undefined) {
      playback.toggle();
      return;
    }
    desk.paused = actions?.pause() ?? false;
    const again = keyOf(this.around.keymap, 'pause');
    this.#say(
      desk.paused
        ? `Paused: what runs may end, nothing else begins. ${again} goes on.`
        : 'The run goes on.',
    );
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

  /** The text the person has before them. */
  get #passage(): Passage | undefined {
    const { focused } = this.reading;
    if (this.page !== undefined) return this.page.passage?.();
    return focused && passageOfPane(focused, this.around.desk, this.view);
  }

  #cite(): void {
    const { attachments } = this.around.desk;
    const passage = this.#passage;
    const citing = new Citing(passage?.title ?? '', passage?.markdown ?? '', attachments);
    if (citing.cited.length > 0) this.mode = { kind: 'citations', citing };
    else this.#say('No line of an attachment is cited here.');
  }

  #take(work: Promise<Outcome>): void {
    void work.then(({ words, bad }) => this.#report(words, bad));
  }

  #report(text: string, bad: boolean): void {
    this.#say(text, { bad });
    this.around.changed();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
