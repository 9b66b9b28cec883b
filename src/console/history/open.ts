/** Opens the history on the terminal and closes it with what the person chose. */

import type { Grouping, TrackGrouping } from '../../text/usage-table.ts';
import { keymapOf, type OwnKeys } from '../keys/key-lookup.ts';
import type { RunLine } from '../model/runs.ts';
import { exportForm } from '../run/forms/export.ts';
import type { ExportOffer, RunDrafts } from '../run/ports.ts';
import { messageOf } from '../terminal/door.ts';
import type { Screen } from '../terminal/screen.ts';
import { leaveOnSignals } from '../terminal/signals.ts';
import { openStage } from '../terminal/stage.ts';
import { type Environment, Theme } from '../terminal/theme.ts';
import { forkForm } from './fork-form.ts';
import { historyPage } from './page.ts';
import {
  beginHistory,
  chosenRun,
  type History,
  type HistoryChoice,
  type HistoryEffect,
  type Preview,
  paste,
  press,
  type UsageSums,
  withChoice,
  withDialog,
  withFailure,
  withMessage,
  withPreview,
  withRuns,
  withTrack,
  withUsage,
} from './state.ts';

interface HistoryServices {
  /** Returns the runs that contain the words, newest first. */
  list(search: string): Promise<readonly RunLine[]>;
  preview(run: string): Promise<Preview>;
  /** Sums the tokens and costs of all runs. */
  usage(by: Grouping): Promise<UsageSums>;
  track(by: TrackGrouping): Promise<readonly string[]>;
  /**
   * Removes a run.
   * @throws Error that says why it cannot be removed
   */
  remove(run: string): Promise<void>;
  /** Returns the formats that a run can be exported in. */
  exports(run: RunLine): readonly ExportOffer[];
  /** Returns the drafts of texts that were begun for a run and not sent. */
  drafts(run: string): RunDrafts;
}

interface HistoryOptions {
  readonly services: HistoryServices;
  readonly search?: string | undefined;
  /** The run under the cursor at first; the newest if it is not listed. */
  readonly run?: string | undefined;
  /** A message about something that went wrong before. */
  readonly notice?: string | undefined;
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
  readonly keys?: OwnKeys | undefined;
  readonly now?: () => number;
}

/** Milliseconds without a key after which a search begins. */
const TYPING_MS = 120;

/** The person's choice, and the search in force, for the next time the history is opened. */
interface Looked {
  readonly choice: HistoryChoice;
  readonly search: string;
}

/**
 * Opens the history of runs. Resolves when the person leaves it.
 *
 * @throws UsageError if the person's own keys are not valid
 */
export async function openHistory(options: HistoryOptions): Promise<Looked> {
  const { services, screen, stdin, env, now = Date.now } = options;
  const keymap = keymapOf(options.keys);
  const theme = Theme.of(env);
  let history = beginHistory(options.search);
  if (options.notice !== undefined) history = withMessage(history, options.notice, true);
  let choice: HistoryChoice | undefined;
  /** Counts requests for lists, so that only the answer to the last one is used. */
  let asked = 0;
  let typing: NodeJS.Timeout | undefined;
  const previewed = new Set<string>();

  const change = (next: History): void => {
    if (choice !== undefined) return;
    const searched = next.search.text !== history.search.text;
    const { effect, ...rest } = next;
    history = rest;
    if (effect !== undefined) fulfil(effect);
    if (searched) listSoon();
    look();
    stage.hurry();
  };
  const failed = (error: unknown): void => change(withMessage(history, messageOf(error), true));
  const cannotRead =
    (effect: Parameters<typeof withFailure>[1]) =>
    (error: unknown): void =>
      change(withFailure(history, effect, messageOf(error)));
  const list = (run?: string): void => {
    asked += 1;
    const mine = asked;
    services.list(history.search.text).then((runs) => {
      if (mine === asked) change(withRuns(history, runs, run));
    }, failed);
  };
  /** Searches once nothing was typed for a moment, because a search of a large database blocks the keys. */
  const listSoon = (): void => {
    // Mark an earlier search that is still running as outdated.
    asked += 1;
    clearTimeout(typing);
    typing = setTimeout(list, TYPING_MS);
  };
  const look = (): void => {
    const run = chosenRun(history)?.id;
    if (run === undefined || previewed.has(run) || choice !== undefined) return;
    previewed.add(run);
    services.preview(run).then((preview) => change(withPreview(history, run, preview)), failed);
  };
  const fulfil = (effect: HistoryEffect): void => {
    switch (effect.kind) {
      case 'leave':
        choice = effect.choice;
        stage.leave();
        break;
      case 'suspend':
        stage.suspend();
        break;
      case 'remove':
        services.remove(effect.run).then(() => {
          change(withMessage(history, 'Removed.'));
          list();
        }, failed);
        break;
      case 'usage': {
        const { by } = effect;
        services.usage(by).then((sums) => change(withUsage(history, by, sums)), cannotRead(effect));
        break;
      }
      case 'track': {
        const { by } = effect;
        services
          .track(by)
          .then((lines) => change(withTrack(history, by, lines)), cannotRead(effect));
        break;
      }
      case 'fork': {
        const { run } = effect;
        const form = forkForm(run, history.previews.get(run.id), services.drafts(run.id), (how) =>
          queueMicrotask(() =>
            change(withChoice(history, { kind: 'fork', run: run.id, change: how })),
          ),
        );
        history = withDialog(history, form);
        break;
      }
      case 'export':
        history = withDialog(
          history,
          // Show the message only after the key that chose the export has closed the dialog.
          exportForm(services.exports(effect.run), (text, bad) =>
            queueMicrotask(() => change(withMessage(history, text, bad))),
          ),
        );
        break;
    }
  };

  const stage = openStage({
    screen,
    stdin,
    theme,
    title: 'history',
    rows: () => {
      const { columns, rows } = screen;
      return historyPage(history, { theme, keymap, columns, rows, now: now() });
    },
    over: async () => {
      const { dialogOver } = await import('./over.tsx');
      return () =>
        dialogOver(history, { theme, keymap, columns: screen.columns, rows: screen.rows });
    },
    key: (key) => change(press(history, key, keymap)),
    paste: (text) => change(paste(history, text)),
  });
  const forget = leaveOnSignals(() => stage.leave());
  list(options.run);
  try {
    await stage.closed;
  } finally {
    forget();
    clearTimeout(typing);
  }
  return { choice: choice ?? { kind: 'back' }, search: history.search.text };
}
