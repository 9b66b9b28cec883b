/** Opens the history on the terminal and closes it with what the person chose. */

import type { Grouping, TrackGrouping } from '../../text/usage-table.ts';
import type { RunLine } from '../model/runs.ts';
import { exportForm } from '../run/forms/export.ts';
import type { ExportOffer, RunDrafts } from '../run/ports.ts';
import { Shell, type ShellOptions } from '../shell/open.ts';
import { withDialog, withMessage } from '../shell/overlay.ts';
import { messageOf } from '../terminal/door.ts';
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
  withFailure,
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

interface HistoryOptions extends ShellOptions {
  readonly services: HistoryServices;
  readonly search?: string | undefined;
  /** The run under the cursor at first; the newest if it is not listed. */
  readonly run?: string | undefined;
  /** A message about something that went wrong before. */
  readonly notice?: string | undefined;
}

/** Milliseconds without a key after which a search begins. */
const TYPING_MS = 120;

/** The person's choice, and the search in force, for the next time the history is opened. */
interface Looked {
  readonly choice: HistoryChoice;
  readonly search: string;
}

/**
 * Opens the history, the screen that lists earlier runs. Resolves when the person leaves it, to what
 * the person chose and to the words of the search then in force.
 *
 * @throws UsageError if the person's key bindings are not valid
 */
export async function openHistory(options: HistoryOptions): Promise<Looked> {
  const { services, notice } = options;
  const first = beginHistory(options.search);
  let choice: HistoryChoice = { kind: 'back' };
  /** The number of the latest request for the list of runs; answers to earlier requests are ignored. */
  let asked = 0;
  let typing: NodeJS.Timeout | undefined;
  const previewed = new Set<string>();

  const cannotRead =
    (effect: Parameters<typeof withFailure>[1]) =>
    (error: unknown): void =>
      shell.change(withFailure(shell.state, effect, messageOf(error)));
  const loadRuns = (run?: string): void => {
    asked += 1;
    const request = asked;
    services.list(shell.state.search.text).then((runs) => {
      if (request === asked) shell.change(withRuns(shell.state, runs, run));
    }, shell.failed);
  };
  /** Searches once nothing was typed for a moment, because a search of a large database blocks the keys. */
  const listSoon = (): void => {
    // Mark an earlier search that is still running as outdated.
    asked += 1;
    clearTimeout(typing);
    typing = setTimeout(loadRuns, TYPING_MS);
  };
  const settle = (next: History, before: History): History => {
    if (next.search.text !== before.search.text) listSoon();
    const run = chosenRun(next)?.id;
    if (run !== undefined && !previewed.has(run)) {
      previewed.add(run);
      services
        .preview(run)
        .then((preview) => shell.change(withPreview(shell.state, run, preview)), shell.failed);
    }
    return next;
  };
  const fulfil = (effect: HistoryEffect): void => {
    switch (effect.kind) {
      case 'leave':
        choice = effect.choice;
        shell.leave();
        break;
      case 'suspend':
        break;
      case 'remove':
        services.remove(effect.run).then(() => {
          shell.say('Removed.');
          loadRuns();
        }, shell.failed);
        break;
      case 'usage': {
        const { by } = effect;
        services
          .usage(by)
          .then((sums) => shell.change(withUsage(shell.state, by, sums)), cannotRead(effect));
        break;
      }
      case 'track': {
        const { by } = effect;
        services
          .track(by)
          .then((lines) => shell.change(withTrack(shell.state, by, lines)), cannotRead(effect));
        break;
      }
      case 'fork': {
        const { run } = effect;
        const preview = shell.state.previews.get(run.id);
        const form = forkForm(run, preview, services.drafts(run.id), (change) =>
          queueMicrotask(() =>
            shell.change(withChoice(shell.state, { kind: 'fork', run: run.id, change })),
          ),
        );
        shell.change(withDialog(shell.state, form));
        break;
      }
      case 'export': {
        // Show the message of the export only after its key was handled: handling a key removes the last message
        // and closes the dialog.
        const form = exportForm(services.exports(effect.run), (text, bad) =>
          queueMicrotask(() => shell.say(text, bad)),
        );
        shell.change(withDialog(shell.state, form));
        break;
      }
    }
  };

  const shell: Shell<History> = new Shell<History>(options, {
    state: notice === undefined ? first : withMessage(first, notice, true),
    title: 'history',
    rows: historyPage,
    press: (history, key, { keymap }) => press(history, key, keymap),
    paste,
    fulfil,
    settle,
    hasDialogs: true,
  });
  loadRuns(options.run);
  try {
    await shell.closed();
  } finally {
    clearTimeout(typing);
  }
  return { choice, search: shell.state.search.text };
}
