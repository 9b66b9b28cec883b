/**
 * Handles the person's keys on the screen of a run: `key` for every key, one entry for each command. Commands
 * change what is shown, open a dialog, or act on the run; screens read the state once for each frame.
 */

import { DeliberateError, StoreError } from '../../kernel/errors.ts';
import type { GateView } from '../../kernel/view.ts';
import { hasEffect, whyNot } from '../keys/conditions.ts';
import { commandFor, dialogKey, keyOf } from '../keys/key-lookup.ts';
import { canActOnLiveRun, findTabWithOutput, type KeyState } from '../keys/key-state.ts';
import type { Command } from '../keys/keymap.ts';
import { HelpPage } from '../shell/help.ts';
import { keyOver, type Overlay, pasteOver } from '../shell/overlay.ts';
import type { Size } from '../terminal/layout.ts';
import type { Dialog } from '../ui/component.ts';
import { isMove, type Move } from '../ui/scroll.ts';
import { type Copyable, getCopyableText } from './copyable.ts';
import type { CopyOutcome } from './copying.ts';
import { Finding } from './finding.ts';
import type { FormAround } from './forms/around.ts';
import { exportForm } from './forms/export.ts';
import type { GateForm } from './forms/gate.ts';
import * as forms from './forms/of-run.ts';
import { Palette } from './forms/palette.ts';
import {
  BESIDE_GATE,
  formatPausedHint,
  isCurrent,
  type Notice,
  PUTS_GATE_ASIDE,
} from './notice.ts';
import { OpenGate } from './open-gate.ts';
import type { ProtocolView } from './protocol-view.ts';
import { Reading } from './reading.ts';
import type { ScreenContext } from './surroundings.ts';
import type { NumberedTab, Page } from './tabs/page.ts';
import { Tabs } from './tabs/tabs.ts';

/** What is open over the screen. */
interface Opened {
  readonly over?: Overlay<Opened> | undefined;
}

/** The state of one person's screen on a run, which keys change. */
export class Viewer {
  readonly around: ScreenContext;
  readonly reading: Reading;
  #over: Overlay<Opened> | undefined;
  #notice: Notice | undefined;
  readonly #tabs: Tabs;
  readonly #gate: OpenGate;
  readonly #finding: Finding;

  constructor(around: ScreenContext) {
    this.around = around;
    const measureBelow = (): Size => {
      const { columns, rows } = around.size();
      return { columns, rows: rows - (this.tabs.length > 1 ? 1 : 0) };
    };
    this.reading = new Reading(around.runModel, around.view, measureBelow, around.now);
    const measurePage = (): Size => ({
      columns: measureBelow().columns,
      rows: Math.max(1, measureBelow().rows - 3),
    });
    const { runModel, view, keymap } = around;
    const say = (text: string): void => this.#say(text);
    this.#gate = new OpenGate(around, () =>
      this.#say('Answered.', { until: (now) => !now.isLive }),
    );
    this.#finding = new Finding(this.reading, () => this.page, say);
    this.#tabs = new Tabs({
      runModel,
      view,
      keymap,
      reading: this.reading,
      size: measurePage,
      say,
    });
  }

  /** Copies the tab, focus and zoom from another screen of the same run. */
  copyFrom(other: Viewer): void {
    this.#tabs.copyFrom(other.#tabs);
    this.reading.copyFrom(other.reading);
  }

  get notice(): Notice | undefined {
    const { runModel, now } = this.around;
    return this.#notice && isCurrent(this.#notice, runModel, now()) ? this.#notice : undefined;
  }

  /** What is open over the screen and receives the keys. */
  get over(): Overlay<Opened> | undefined {
    const over = this.#over;
    return over?.kind === 'dialog' && over.dialog.moot?.() === true ? undefined : over;
  }

  /** The form for the run's question to this person; undefined without one, or if hidden. */
  get gate(): GateForm | undefined {
    return this.over === undefined ? this.#gate.form : undefined;
  }

  /** The question of the run that this person has put aside without answering. */
  get waiting(): GateView | undefined {
    return this.#gate.waiting;
  }

  /** The dialog that is open and receives keys. */
  get dialog(): Dialog | undefined {
    return this.over?.kind === 'dialog' ? this.over.dialog : this.gate;
  }

  get view(): ProtocolView {
    return this.around.view;
  }

  get tabs(): readonly NumberedTab[] {
    return this.#tabs.shown;
  }

  get tab(): NumberedTab | undefined {
    return this.#tabs.open;
  }

  /** The page that replaces the columns; undefined in the tab Columns. */
  get page(): Page | undefined {
    return this.#tabs.page;
  }

  /** What decides which keys do something now. */
  get keyState(): KeyState {
    const { runModel, view, actions, playback, back } = this.around;
    const { reading, tabs, page } = this;
    const { panes, focused } = reading;
    return {
      runModel,
      view,
      reading,
      panes,
      focused,
      acting: actions !== undefined,
      playback,
      returns: back !== undefined,
      tabs,
      tab: this.tab?.id ?? 'columns',
      page,
      waits: this.waiting !== undefined,
    };
  }

  paste(text: string): void {
    const opened = pasteOver<Opened>({ over: this.over }, text);
    if (opened !== undefined) this.#over = opened.over;
    else if (this.gate?.paste !== undefined) this.gate.paste(text);
    else
      this.#say(
        `Pasted text is ignored here; ${keyOf(this.around.keymap, 'search')} opens a search.`,
      );
    this.around.changed();
  }

  /** Handles a key by its name. If the run refuses the action, a message is shown. */
  key(key: string): void {
    try {
      this.#press(key);
    } catch (error) {
      if (!(error instanceof DeliberateError) || error instanceof StoreError) throw error;
      this.#say([error.message, error.next].filter(Boolean).join('. '), { bad: true });
    }
    this.around.changed();
  }

  #press(key: string): void {
    const { keymap } = this.around;
    const { over, gate } = this;
    const command = commandFor(keymap, key);
    this.#notice = undefined;
    if (command === 'interrupt' || command === 'suspend') this.perform(command, key);
    else if (over !== undefined) this.#keyOver(over, dialogKey(keymap, key), command);
    else if (gate === undefined) {
      if (command !== undefined) this.perform(command, key);
    } else if (dialogKey(keymap, key) === 'escape') {
      if (!gate.back()) this.#gate.putAside();
    } else if (gate.writes || command === undefined) gate.key(dialogKey(keymap, key));
    else if (BESIDE_GATE.has(command)) this.perform(command, key);
    else if (PUTS_GATE_ASIDE.has(command)) {
      this.#gate.putAside();
      this.perform(command, key);
    } else gate.key(dialogKey(keymap, key));
  }

  /** Performs a command. `key` is the pressed key, for commands that depend on it. */
  perform(command: Command, key = ''): void {
    const { keymap, runModel } = this.around;
    const { keyState } = this;
    const { isLive } = runModel;
    if (isMove(command)) this.#move(command);
    else if (hasEffect(keymap, command, keyState)) this.#commands[command](key);
    else {
      const why = whyNot(keymap.run[command].where, keyState, (otherCommand) =>
        keyOf(keymap, otherCommand),
      );
      // When the run ends or continues, remove the message why a key does nothing: it may be wrong then.
      this.#say(why, { until: (now) => now.isLive !== isLive });
    }
  }

  readonly #commands: Readonly<Record<Exclude<Command, Move>, (key: string) => void>> = {
    stop: () => this.#stop(),
    pause: () => this.#pause(),
    answer: () => this.#gate.ask(),
    faster: () => this.around.playback?.faster(),
    slower: () => this.around.playback?.slower(),
    'step-forward': () => this.around.playback?.step(1),
    'step-back': () => this.around.playback?.step(-1),
    'phase-forward': () => this.around.playback?.phase(1),
    'phase-back': () => this.around.playback?.phase(-1),
    'play-to-end': () => this.around.playback?.toEnd(),
    note: () => this.#ask((around) => forms.noteForm(around, this.view)),
    iteration: () => this.#ask(forms.iterationForm),
    decide: () => this.#ask((around) => forms.decisionForm(around, this.view)),
    stress: () => this.#own('stress'),
    respond: () => this.#own('respond'),
    'stop-seat': () => {
      const { focused } = this.reading;
      if (focused?.kind !== 'seat') return;
      const { name, seat, stream } = focused.column;
      this.#say(`Stopping ${name}.`, { until: () => !stream.running });
      this.around.actions?.stopSeat(seat.id);
    },
    'retry-seat': () => {
      const { focused } = this.reading;
      if (focused?.kind !== 'seat') return;
      const { name, seat, stream } = focused.column;
      const { attempt } = stream;
      // Remove this message when the seat's new call has begun, because its column then shows that.
      this.#say(`Asking ${name} again.`, { until: () => stream.attempt !== attempt });
      this.around.actions?.retrySeat(seat.id);
    },
    'change-model': () => this.#ask((around) => forms.modelForm(around, this.reading.focused)),
    resynthesize: () => this.#ask((around) => forms.resynthesisForm(around, this.view)),
    'follow-up': () => this.#own('follow-up'),
    weigh: () => this.#own('weigh'),
    vote: () => {
      const { votesIn } = this.view;
      // If the votes are in the tab that is already open, scroll to them instead of switching tabs.
      const stays =
        this.tab?.id === votesIn && !this.#tabs.leadsBack && this.page?.showVote !== undefined;
      if (!stays) this.#tabs.toggle(votesIn);
      if (this.tab?.id === votesIn) this.page?.showVote?.();
      if (stays) this.#say('The vote is listed in this tab.');
    },
    resume: () => this.around.actions?.resume(),
    export: () => {
      const { exports = [] } = this.around.actions ?? {};
      if (exports.length > 0) this.#show(exportForm(exports, this.#report.bind(this)));
    },
    copy: () => this.#take(this.around.copying.copy(this.#copyable, false)),
    'copy-whole': () => this.#take(this.around.copying.copy(this.#copyable, true)),
    citations: () => this.#cite(),
    thinking: () => this.reading.toggleThinking(),
    save: () => this.#take(this.around.copying.save(this.#copyable)),
    'next-pane': () => this.#step(1),
    'previous-pane': () => this.#step(-1),
    zoom: () => {
      if (this.page === undefined) this.reading.zoomed = !this.reading.zoomed;
      else this.page.zoom?.();
    },
    'sync-scroll': () => {
      this.reading.sync(!this.reading.synced);
      this.#say(this.reading.synced ? 'Columns scroll together.' : 'Columns scroll separately.');
    },
    'previous-version': () => this.#tabs.turn(-1),
    'next-version': () => this.#tabs.turn(1),
    compare: () => this.#tabs.compare(),
    'previous-question': () => this.reading.turnQuestion(-1),
    'next-question': () => this.reading.turnQuestion(1),
    tab: (key) => {
      const tab = this.tabs.find(({ number }) => String(number) === key);
      this.#tabs.choose(tab?.id);
      if (tab === undefined) this.#say(`There is no tab ${key}.`);
    },
    open: () => this.page?.open?.(),
    fold: () => this.page?.fold?.(),
    raw: () => this.page?.raw?.(),
    question: () => this.#tabs.readQuestion(),
    retrace: () => this.page?.retrace?.(),
    'filter-status': () => this.page?.filter?.('status'),
    'filter-role': () => this.page?.filter?.('role'),
    'filter-round': () => this.page?.filter?.('round'),
    search: () => {
      this.#over = this.#finding.field();
    },
    'next-match': () => this.#finding.match(1),
    'previous-match': () => this.#finding.match(-1),
    help: () => {
      this.#over = { kind: 'help', page: new HelpPage() };
    },
    palette: () => {
      const { around, keyState } = this;
      const perform = (command: Command): void => {
        this.#over = undefined;
        this.perform(command);
      };
      this.#show(new Palette(around.keymap, keyState, perform));
    },
    back: () => {
      if (this.#tabs.uncover() || this.page?.back?.() || this.#tabs.leave()) return;
      if (this.page === undefined && this.reading.back()) return;
      // Leaving a live run would stop it, and Esc is pressed too easily for that.
      if (this.around.back === undefined || canActOnLiveRun(this.keyState))
        this.#say(`Nothing to close; ${keyOf(this.around.keymap, 'quit')} quits.`);
      else this.around.back();
    },
    quit: () => {
      if (canActOnLiveRun(this.keyState))
        this.#show(forms.quitForm(this.around.runModel, () => this.#leave()));
      else this.#leave();
    },
    interrupt: () => {
      if (canActOnLiveRun(this.keyState) && !this.around.runModel.stopping) this.#stop();
      else this.#leave();
    },
    suspend: () => this.around.suspend(),
  };

  #keyOver(over: Overlay<Opened>, key: string, command: Command | undefined): void {
    const next = keyOver<Opened>({ over }, over, key, this.around.keymap, command);
    // The choice in this dialog may have opened another dialog, so close only this one.
    if (this.#over === over) this.#over = next.over;
  }

  #show(dialog: Dialog): void {
    this.#over = { kind: 'dialog', dialog };
  }

  #move(command: Move): void {
    if (this.page !== undefined) this.page.move(command);
    else if (command === 'top') this.reading.toTop();
    else if (command === 'bottom') this.reading.toBottom();
    else this.reading.scroll(command);
  }

  #ask(formOf: (around: FormAround) => Dialog | undefined): void {
    const { runModel, actions, drafts, changed } = this.around;
    const say = (text: string, until?: Notice['until']): void =>
      this.#say(text, until === undefined ? {} : { until });
    const form = formOf({ runModel, reading: this.reading, actions, drafts, say, changed });
    if (form !== undefined) this.#show(form);
  }

  /** Performs a command of the protocol's own. */
  #own(command: Command): void {
    this.#ask((around) => this.view.commands[command]?.(around));
  }

  #step(by: 1 | -1): void {
    const { opened } = this.reading;
    (this.page ?? this.reading).step?.(by);
    const saidIn = findTabWithOutput(this.keyState);
    if (!opened && this.reading.opened && saidIn !== undefined)
      this.#say(`Columns show each seat's last answer; ${saidIn} has the rest.`);
  }

  #say(text: string, more: Pick<Partial<Notice>, 'bad' | 'until'> = {}): void {
    this.#notice = { text, bad: false, at: this.around.now(), ...more };
  }

  #leave(): void {
    const { actions, runModel, leave } = this.around;
    leave(actions === undefined && runModel.isLive ? 'detached' : 'quit');
  }

  #pause(): void {
    const { actions, runModel, playback } = this.around;
    if (playback !== undefined) {
      playback.toggle();
      return;
    }
    runModel.paused = actions?.pause() ?? false;
    this.#say(runModel.paused ? formatPausedHint(this.around.keymap) : 'Resumed.');
  }

  #stop(): void {
    this.around.runModel.stopping = true;
    this.around.actions?.stop();
  }

  /** The text that the person is looking at. */
  get #copyable(): Copyable | undefined {
    const { focused } = this.reading;
    if (this.page !== undefined) return this.page.copyable?.();
    return focused && getCopyableText(focused, this.around.runModel, this.view);
  }

  #cite(): void {
    const { runModel, keymap } = this.around;
    const text = this.page?.hasAttachments === true ? 'all' : this.#copyable;
    const openRecord = (id: string): void => this.#tabs.go({ kind: 'record', id });
    const cited = forms.citationsForm(text, runModel, {
      keymap,
      view: this.view,
      open: openRecord,
    });
    if (typeof cited === 'string') this.#say(cited);
    else this.#show(cited);
  }

  #take(work: Promise<CopyOutcome>): void {
    void work.then(({ words, bad }) => this.#report(words, bad));
  }

  #report(text: string, bad: boolean): void {
    this.#say(text, { bad });
    this.around.changed();
  }
}
