/** Opens the screen of an evaluation on the terminal, and closes it with what the person wants to do next. */
import { toLine } from '../../text/line.ts';
import { copyToClipboard } from '../run/copying.ts';
import { exportForm } from '../run/forms/export.ts';
import type { ExportOffer, SystemAccess } from '../run/ports.ts';
import { Shell, type ShellOptions } from '../shell/open.ts';
import { withDialog } from '../shell/overlay.ts';
import { Painter } from '../terminal/paint.ts';
import { Theme } from '../terminal/theme.ts';
import type { EvaluationModel } from './model.ts';
import { bodyHeight, evaluationPage } from './page.ts';
import {
  beginEvaluation,
  type EvaluationEffect,
  type EvaluationState,
  paste,
  press,
  withReport,
} from './state.ts';

interface EvaluationOptions extends ShellOptions {
  readonly model: EvaluationModel;
  /** The state in which the screen was left when it was open before. */
  readonly state?: EvaluationState | undefined;
  readonly outside: Pick<SystemAccess, 'copy'>;
  readonly exports: readonly ExportOffer[];
  /** Stops the evaluation if this process works on it. */
  readonly stop: () => void;
}

type EvaluationChoice =
  | { readonly kind: 'leave' }
  | { readonly kind: 'open'; readonly run: string };

/** An open screen of an evaluation. */
export interface OpenEvaluation {
  /** Resolves when the terminal is restored, to the person's choice and the screen's last state. */
  readonly closed: Promise<{ readonly choice: EvaluationChoice; readonly state: EvaluationState }>;
  /** Draws the screen again, because its model has changed. */
  changed(): void;
  /** Shows the report, which has just arrived. */
  reported(): void;
  /** Closes the screen. */
  close(): void;
  /** Closes the screen because something else has failed; `closed` rejects with that error. */
  fail(error: unknown): void;
}

/**
 * Opens the screen of an evaluation.
 *
 * @throws UsageError if the person's key bindings are not valid
 */
export function openEvaluation(options: EvaluationOptions): OpenEvaluation {
  return new EvaluationScreen(options);
}

class EvaluationScreen implements OpenEvaluation {
  readonly closed: OpenEvaluation['closed'];
  readonly #options: EvaluationOptions;
  readonly #shell: Shell<EvaluationState>;
  #choice: EvaluationChoice = { kind: 'leave' };

  constructor(options: EvaluationOptions) {
    const { model, env, state = beginEvaluation() } = options;
    const painter = new Painter(Theme.of(env));
    this.#options = options;
    this.#shell = new Shell<EvaluationState>(options, {
      state,
      title: this.#title,
      rows: (now, look) => evaluationPage(now, { ...look, model, painter }),
      press: (now, key, look) => {
        const height = bodyHeight(now, { ...look, model, painter });
        return press(now, key, { model, keymap: look.keymap, height });
      },
      paste: (now, text, { keymap }) => paste(now, text, keymap),
      fulfil: (effect) => this.#fulfil(effect),
      hasDialogs: true,
      ticking: () => model.isLive,
    });
    const { stage } = this.#shell;
    this.closed = stage.closed.then(() => ({ choice: this.#choice, state: this.#shell.state }));
    stage.wake();
  }

  changed(): void {
    this.#shell.stage.title(this.#title);
    this.#shell.stage.wake();
  }

  reported(): void {
    this.#shell.change(withReport(this.#shell.state));
    this.changed();
  }

  close(): void {
    this.#shell.leave();
  }

  fail(error: unknown): void {
    this.#shell.stage.leave(error instanceof Error ? error : new Error(String(error)));
  }

  get #title(): string {
    const { model } = this.#options;
    const { done, of } = model.turns;
    const mark = { live: '●', stopping: '■', resting: '■', ended: '✓' }[model.standing.kind];
    return `${mark} ${done}/${of} · ${toLine(model.head.set)}`;
  }

  #fulfil(effect: EvaluationEffect): void {
    const { stop, exports } = this.#options;
    const shell = this.#shell;
    switch (effect.kind) {
      case 'open':
        this.#choice = effect;
        shell.leave();
        break;
      case 'leave':
        shell.leave();
        break;
      case 'stop':
        stop();
        break;
      case 'suspend':
        break;
      case 'export': {
        // Show the message of the export only after its key was handled: handling a key removes the last message
        // and closes the dialog.
        const sayLater = (text: string, bad: boolean): void =>
          queueMicrotask(() => shell.say(text, bad));
        const form = exportForm(exports, sayLater, 'Export the report');
        shell.change(withDialog(shell.state, form));
        break;
      }
      case 'copy':
        void this.#copy();
    }
  }

  async #copy(): Promise<void> {
    const { model, outside, screen } = this.#options;
    const { standing } = model;
    if (standing.kind !== 'ended') return;
    try {
      const { words, bad } = await copyToClipboard(standing.report, 'Report', outside, screen);
      this.#shell.say(words, bad);
    } catch (error) {
      this.#shell.failed(error);
    }
  }
}
