/** Opens the screen of an evaluation on the terminal, and closes it with what the person wants to do next. */
import { line } from '../../text/line.ts';
import { keymapOf, type OwnKeys } from '../keys/key-lookup.ts';
import { copyToClipboard } from '../run/copying.ts';
import { exportForm } from '../run/forms/export.ts';
import type { ExportOffer, Outside } from '../run/ports.ts';
import { messageOf } from '../terminal/door.ts';
import { Painter } from '../terminal/paint.ts';
import type { Screen } from '../terminal/screen.ts';
import { openStage, type Stage } from '../terminal/stage.ts';
import { type Environment, Theme } from '../terminal/theme.ts';
import { helpEnd } from './keys.ts';
import type { EvaluationModel } from './model.ts';
import { bodyHeight, type EvaluationLook, evaluationPage } from './page.ts';
import {
  beginEvaluation,
  type EvaluationAround,
  type EvaluationEffect,
  type EvaluationState,
  paste,
  press,
  withDialog,
  withMessage,
  withReport,
} from './state.ts';

interface EvaluationOptions {
  readonly model: EvaluationModel;
  /** The state in which the screen was left when it was open before. */
  readonly state?: EvaluationState | undefined;
  readonly outside: Pick<Outside, 'copy'>;
  readonly exports: readonly ExportOffer[];
  /** Stops the evaluation if this process works on it. */
  readonly stop: () => void;
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
  readonly keys?: OwnKeys | undefined;
  readonly now?: () => number;
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
 * @throws UsageError if the person's own keys are not valid
 */
export function openEvaluation(options: EvaluationOptions): OpenEvaluation {
  return new EvaluationScreen(options);
}

class EvaluationScreen implements OpenEvaluation {
  readonly closed: OpenEvaluation['closed'];
  readonly #options: EvaluationOptions;
  readonly #theme: Theme;
  readonly #painter: Painter;
  readonly #stage: Stage;
  readonly #keymap: EvaluationAround['keymap'];
  #state: EvaluationState;
  #choice: EvaluationChoice = { kind: 'leave' };

  constructor(options: EvaluationOptions) {
    const { model, screen, stdin, env, keys, state = beginEvaluation() } = options;
    this.#options = options;
    this.#keymap = keymapOf(keys);
    this.#theme = Theme.of(env);
    this.#painter = new Painter(this.#theme);
    this.#state = state;
    this.#stage = openStage({
      screen,
      stdin,
      theme: this.#theme,
      title: this.#title,
      rows: () => evaluationPage(this.#state, this.#look),
      over: async () => {
        const { dialogOver } = await import('./over.tsx');
        return () => dialogOver(this.#state, this.#look);
      },
      key: (key) => this.#change(press(this.#state, key, this.#around)),
      paste: (text) => this.#change(paste(this.#state, text, this.#around)),
      ticking: () => model.isLive,
    });
    this.closed = this.#stage.closed.then(() => ({ choice: this.#choice, state: this.#state }));
    this.#stage.wake();
  }

  changed(): void {
    this.#stage.title(this.#title);
    this.#stage.wake();
  }

  reported(): void {
    this.#state = withReport(this.#state);
    this.changed();
  }

  close(): void {
    this.#stage.leave();
  }

  fail(error: unknown): void {
    this.#stage.leave(error instanceof Error ? error : new Error(String(error)));
  }

  get #title(): string {
    const { model } = this.#options;
    const { done, of } = model.turns;
    const mark = { live: '●', stopping: '■', resting: '■', ended: '✓' }[model.standing.kind];
    return `${mark} ${done}/${of} · ${line(model.head.set)}`;
  }

  get #look(): EvaluationLook {
    const { model, screen, now = Date.now } = this.#options;
    const { columns, rows } = screen;
    return {
      model,
      theme: this.#theme,
      painter: this.#painter,
      keymap: this.#keymap,
      columns,
      rows,
      now: now(),
    };
  }

  get #around(): EvaluationAround {
    const look = this.#look;
    const height = bodyHeight(this.#state, look);
    return { model: look.model, keymap: this.#keymap, height, helpEnd: helpEnd(look, height) };
  }

  #change({ effect, ...state }: EvaluationState): void {
    this.#state = state;
    if (effect !== undefined) this.#fulfil(effect);
    this.#stage.hurry();
  }

  #fulfil(effect: EvaluationEffect): void {
    const { stop, exports } = this.#options;
    switch (effect.kind) {
      case 'open':
        this.#choice = effect;
        this.#stage.leave();
        break;
      case 'leave':
        this.#stage.leave();
        break;
      case 'stop':
        stop();
        break;
      case 'suspend':
        this.#stage.suspend();
        break;
      case 'export': {
        // Show the message only after the key that chose the export has closed the dialog.
        const say = (text: string, bad: boolean): void =>
          queueMicrotask(() => this.#change(withMessage(this.#state, text, bad)));
        const form = exportForm(exports, say, 'Export the report');
        this.#state = withDialog(this.#state, form);
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
      this.#change(withMessage(this.#state, words, bad));
    } catch (error) {
      this.#change(withMessage(this.#state, messageOf(error), true));
    }
  }
}
