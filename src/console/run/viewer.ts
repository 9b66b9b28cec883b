/**
 * Handles the person's keys on the screen of a run: `key` for every key, one entry for each command. Commands
 * change what is shown, open a dialog, or act on the run; screens read the state once for each frame.
 */

import { DeliberateError, StoreError } from '../../kernel/errors.ts';
import type { GateView } from '../../kernel/view.ts';
import { type KeyConditions, whyNot } from '../keys/conditions.ts';
import { applies, commandFor, dialogKey, keyOf } from '../keys/key-lookup.ts';
import type { Command } from '../keys/keymap.ts';
import type { Size } from '../terminal/layout.ts';
import type { Dialog } from '../ui/component.ts';
import { Palette } from '../ui/palette.ts';
import { isMove, type Move, rowAfterMove } from '../ui/scroll.ts';
import { fieldOf, pasteText, typeKey } from '../ui/text-input.ts';
import { type Copyable, copyableIn } from './copyable.ts';
import type { CopyOutcome } from './copying.ts';
import type { FormAround } from './forms/around.ts';
import { exportForm } from './forms/export.ts';
import { GateForm } from './forms/gate.ts';
import * as forms from './forms/of-run.ts';
import { keyConditionsOf } from './key-conditions.ts';
import { BESIDE_GATE, EVERYWHERE, type Mode, type Notice, PAST_GATE } from './mode.ts';
import { formatPausedHint, isCurrent } from './notice.ts';
import type { ProtocolView } from './protocol-view.ts';
import { Reading } from './reading.ts';
import type { Surroundings } from './surroundings.ts';
import type { NumberedTab, Page } from './tabs/page.ts';
import { Tabs } from './tabs/tabs.ts';

const BROWSE: Mode = { kind: 'browse' };

/** The state of one person's screen on a run, which keys change. */
export class Viewer {
  readonly around: Surroundings;
  readonly reading: Reading;
  #mode: Mode = BROWSE;
  #notice: Notice | undefined;
  readonly #tabs: Tabs;
  /** The step of a gate that the person has put aside to look elsewhere. */
  #aside: string | undefined;
  #gate: { readonly asked: GateView; readonly form: GateForm } | undefined;

  constructor(around: Surroundings) {
    this.around = around;
    const below = (): Size => {
      const { columns, rows } = around.size();
      return { columns, rows: rows - (this.tabs.length > 1 ? 1 : 0) };
    };
    this.reading = new Reading(around.runModel, around.view, below, around.now);
    const size = (): Size => ({ columns: below().columns, rows: Math.max(1, below().rows - 3) });
    const { runModel, view, keymap } = around;
    const say = (text: string): void => this.#say(text);
    this.#tabs = new Tabs({ runModel, view, keymap, reading: this.reading, size, say });
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

  get mode(): Mode {
    const mode = this.#mode;
    return mode.kind === 'dialog' && mode.dialog.moot?.() === true ? BROWSE : mode;
  }

  set mode(mode: Mode) {
    this.#mode = mode;
  }

  /** The form for the run's question to this person; undefined without one, or if hidden. */
  get gate(): GateForm | undefined {
    const { actions, runModel } = this.around;
    const { gate } = runModel.view;
    if (this.mode.kind !== 'browse' || actions === undefined || gate === undefined)
      return undefined;
    if (this.#aside === gate.step) return undefined;
    if (this.#gate?.asked !== gate) this.#gate = { asked: gate, form: this.#asked(gate) };
    return this.#gate.form;
  }

  /** The question of the run that this person has put aside without answering. */
  get waiting(): GateView | undefined {
    const { actions, runModel } = this.around;
    const { gate } = runModel.view;
    return actions !== undefined && gate?.step === this.#aside ? gate : undefined;
  }

  /** The dialog that is open and receives keys. */
  get dialog(): Dialog | undefined {
    return this.mode.kind === 'dialog' ? this.mode.dialog : this.gate;
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

  get conditions(): KeyConditions {
    const { runModel, actions, playback, back } = this.around;
    const { reading, page, tabs } = this;
    return keyConditionsOf(runModel, reading, {
      view: this.view,
      acting: actions !== undefined,
      playback,
      returns: back !== undefined,
      tab: this.tab?.id ?? 'columns',
      tabs,
      page,
      waits: this.waiting !== undefined,
    });
  }

  /** Sets the last scroll position of the help, which is only known once it is drawn. */
  helpEndsAt(top: number): void {
    if (this.mode.kind === 'help') this.mode = { kind: 'help', top };
  }

  paste(text: string): void {
    const { mode } = this;
    if (mode.kind === 'search') this.mode = { ...mode, input: pasteText(mode.input, text) };
    else if (this.dialog?.paste !== undefined) this.dialog.paste(text);
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
    const { mode, gate } = this;
    const command = commandFor(keymap, key);
    this.#notice = undefined;
    if (command !== undefined && EVERYWHERE.has(command)) this.perform(command, key);
    else if (mode.kind !== 'browse') this.#inMode(mode, dialogKey(keymap, key), command);
    else if (gate === undefined) {
      if (command !== undefined) this.perform(command, key);
    } else if (dialogKey(keymap, key) === 'escape') {
      if (!gate.back()) this.#putAside();
    } else if (gate.writes || command === undefined) gate.key(dialogKey(keymap, key));
    else if (BESIDE_GATE.has(command)) this.perform(command, key);
    else if (PAST_GATE.has(command)) {
      this.#putAside();
      this.perform(command, key);
    } else gate.key(dialogKey(keymap, key));
  }

  /** Performs a command. `key` is the pressed key, for commands that depend on it. */
  perform(command: Command, key = ''): void {
    const { keymap, runModel } = this.around;
    const { conditions } = this;
    const { isLive } = runModel;
    if (isMove(command)) this.#move(command);
    else if (applies(keymap, command, conditions)) this.#commands[command](key);
    else {
      const why = whyNot(keymap.run[command].where, conditions, (one) => keyOf(keymap, one));
      // Remove the message when the run goes on or stops: its reason may no longer hold then.
      this.#say(why, { until: (now) => now.isLive !== isLive });
    }
  }

  readonly #commands: Readonly<Record<Exclude<Command, Move>, (key: string) => void>> = {
    stop: () => this.#stop(),
    pause: () => this.#pause(),
    answer: () => {
      this.#aside = undefined;
    },
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
      // Remove the message when the new attempt has begun; then the column shows its state.
      this.#say(`Asking ${name} again.`, { until: () => stream.attempt !== attempt });
      this.around.actions?.retrySeat(seat.id);
    },
    'change-model': () => this.#ask((around) => forms.modelForm(around, this.reading.focused)),
    resynthesize: () => this.#ask((around) => forms.resynthesisForm(around, this.view)),
    'follow-up': () => this.#own('follow-up'),
    weigh: () => this.#own('weigh'),
    vote: () => {
      const { votesIn } = this.view;
      // If the open tab lists the votes, too, scroll to them instead of switching tabs.
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
      this.mode = { kind: 'search', input: fieldOf('') };
    },
    'next-match': () => this.#match(1),
    'previous-match': () => this.#match(-1),
    help: () => {
      this.mode = { kind: 'help', top: 0 };
    },
    palette: () => {
      const { around, conditions } = this;
      const perform = (command: Command): void => {
        this.mode = BROWSE;
        this.perform(command);
      };
      this.#show(new Palette(around.keymap, conditions, perform));
    },
    back: () => {
      if (this.#tabs.uncover() || this.page?.back?.()) return;
      if (this.page !== undefined || !this.reading.back()) this.around.back?.();
    },
    quit: () => {
      const { acting, live } = this.conditions;
      if (acting && live) this.#show(forms.quitForm(this.around.runModel, () => this.#leave()));
      else this.#leave();
    },
    interrupt: () => {
      const { acting, live, stopping } = this.conditions;
      if (acting && live && !stopping) this.#stop();
      else this.#leave();
    },
    suspend: () => this.around.suspend(),
  };

  #inMode(mode: Mode, key: string, command: Command | undefined): void {
    if (key === 'escape') {
      if (mode.kind !== 'dialog' || mode.dialog.back?.() !== true) this.mode = BROWSE;
      return;
    }
    switch (mode.kind) {
      case 'browse':
        break;
      case 'help': {
        const closes = command === 'help' || command === 'quit' || key === 'enter';
        const top = rowAfterMove(
          mode.top,
          command,
          Number.MAX_SAFE_INTEGER,
          this.around.size().rows - 3,
        );
        this.mode = closes ? BROWSE : { kind: 'help', top };
        break;
      }
      case 'search':
        if (key === 'enter') {
          this.mode = BROWSE;
          this.#find(mode.input.text.trim());
        } else this.mode = { ...mode, input: typeKey(mode.input, key) };
        break;
      case 'dialog':
        // The choice in the dialog may have opened another dialog, so do not close that one.
        if (!mode.dialog.key(key) && this.mode === mode) this.mode = BROWSE;
        break;
    }
  }

  #show(dialog: Dialog): void {
    this.mode = { kind: 'dialog', dialog };
  }

  #asked(gate: GateView): GateForm {
    return new GateForm(gate, this.view.asks(gate, this.around.runModel), (answer) => {
      // Remove the message when the run has ended.
      this.#say('Answered.', { until: (now) => !now.isLive });
      this.around.actions?.answer(gate.step, answer);
    });
  }

  #putAside(): void {
    this.#aside = this.around.runModel.view.gate?.step;
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
    const { saidIn } = this.conditions;
    if (!opened && this.reading.opened && saidIn !== undefined)
      this.#say(`Columns show each seat's last answer; ${saidIn} has the rest.`);
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
    const { acting, live } = this.conditions;
    this.around.leave(!acting && live ? 'detached' : 'quit');
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
    return focused && copyableIn(focused, this.around.runModel, this.view);
  }

  #cite(): void {
    const { runModel, keymap } = this.around;
    const text = this.page?.hasAttachments === true ? 'all' : this.#copyable;
    const open = (id: string): void => this.#tabs.go({ kind: 'record', id });
    const cited = forms.citationsForm(text, runModel, { keymap, view: this.view, open });
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
