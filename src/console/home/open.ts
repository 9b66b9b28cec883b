/** Opens the home screen, performs its effects, and closes it with the person's choice. */

import { keymapOf, type OwnKeys } from '../keys/key-lookup.ts';
import { messageOf } from '../terminal/door.ts';
import type { Screen } from '../terminal/screen.ts';
import { leaveOnSignals } from '../terminal/signals.ts';
import { openStage } from '../terminal/stage.ts';
import { type Environment, Theme } from '../terminal/theme.ts';
import { findMentions, withCompletion, withFile, withLook, withMentions } from './files.ts';
import { focusOn, paste, press, type Room, withModels, withQuestion, withRecent } from './form.ts';
import { boxCells } from './head.ts';
import type {
  Attached,
  Choices,
  HomeChoice,
  HomeOffer,
  HomeServices,
  LookFolder,
  PresetOffer,
} from './offer.ts';
import { homePage } from './page.ts';
import { withRole } from './picks.ts';
import { withPanel } from './save-panel.ts';
import {
  beginHome,
  chosenPreset,
  type Effect,
  FORM,
  type Home,
  type InitialState,
  runRequest,
  withMessage,
} from './state.ts';

interface HomeOptions {
  readonly offer: HomeOffer;
  readonly services: HomeServices;
  readonly beginning?: InitialState;
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
  readonly keys?: OwnKeys | undefined;
  /** Returns milliseconds since 1970; tests pass a clock of their own. */
  readonly now?: () => number;
}

/** What the person chose on the home screen, and the state with which the screen opens again. */
export interface Chosen {
  readonly choice: HomeChoice;
  readonly question: string;
  readonly attachments: readonly Attached[];
  /** Folders that the seats may read. */
  readonly look: readonly LookFolder[];
  /** Whether the built-in stand-in answers instead of models. */
  readonly rehearse: boolean;
  readonly choices: Choices;
}

/**
 * Opens the home screen. Resolves when the person has chosen.
 *
 * @throws UsageError if the person's own keys are not valid
 */
export async function openHome(options: HomeOptions): Promise<Chosen> {
  const { services, screen, stdin, env, beginning, now = Date.now } = options;
  let { offer } = options;
  const keymap = keymapOf(options.keys);
  const theme = Theme.of(env);
  let home = beginHome(offer, { ...beginning, question: beginning?.question ?? services.draft() });
  let choice: HomeChoice | undefined;
  /** Whether an editor has the terminal, so that Ctrl-C belongs to it. */
  let lent = false;
  /** Files that the question may name, by path; undefined: no such file. */
  const found = new Map<string, Attached | undefined>();
  /** How many of these files are still being looked up. */
  let looking = 0;
  const room = (): Room => ({ offer, keymap, cells: boxCells(screen.columns) });

  const change = (next: Home): void => {
    // Ignore late results once the person has chosen.
    if (choice !== undefined) return;
    if (next.choices !== home.choices) services.save(next.choices);
    const isChanged = next.question.text !== home.question.text;
    const { effect, ...rest } = next;
    home = withMentions(rest, found);
    if (isChanged) {
      services.keepDraft(home.question.text);
      lookUp();
    }
    if (effect !== undefined) fulfil(effect);
    stage.hurry();
  };
  const lookUp = (): void => {
    for (const path of findMentions(home.question.text)) {
      if (found.has(path)) continue;
      found.set(path, undefined);
      looking += 1;
      void services.mentioned(path).then((file) => {
        looking -= 1;
        found.set(path, file);
        change(home);
      });
    }
  };
  const fulfil = (effect: Effect): void => {
    switch (effect.kind) {
      case 'leave':
        // Do not attach a file that the person has not seen in the list.
        if (effect.choice.kind === 'convene' && looking > 0) {
          home = withMessage(
            home,
            'Looking up the files named in the question; press Enter again.',
          );
          break;
        }
        choice = effect.choice;
        stage.leave();
        break;
      case 'suspend':
        stage.suspend();
        break;
      case 'look':
        look();
        break;
      case 'attach':
        // A large document or a slow page takes seconds.
        home = withMessage(home, `Reading ${effect.path} …`);
        services.attach(effect.path).then((file) => change(withFile(home, file)), refuse);
        break;
      case 'look-into':
        services
          .lookInto([...home.look.map(({ wish }) => wish), effect.path])
          .then((folders) => change(withLook(home, folders)), refuse);
        break;
      case 'complete':
        home = withCompletion(home, services.complete(effect.path));
        break;
      case 'edit':
        lendTo(() => services.edit(home.question.text)).then(
          (text) => change(withQuestion(home, text, offer)),
          refuse,
        );
        break;
      case 'write-role':
        lendTo(() => services.writeRole()).then((role) => {
          if (role === undefined)
            change(withMessage({ ...home, mode: FORM }, 'No role was written.'));
          else adopt(withRole(home, offer, effect.pick, role));
        }, refuse);
        break;
      case 'save-panel':
        services
          .savePanel(home.choices.protocol, effect.panel)
          .then((kept) => adopt(withPanel(home, offer, kept)), refuse);
        break;
      case 'take-files':
        takeFiles(effect.preset);
        break;
    }
  };
  const refuse = (error: unknown): void => change(withMessage(home, messageOf(error), true));
  /** Takes over a larger offer together with the screen that belongs to it. */
  const adopt = (next: { readonly home: Home; readonly offer: HomeOffer }): void => {
    offer = next.offer;
    change(next.home);
  };
  const lendTo = <T>(work: () => Promise<T>): Promise<T> => {
    lent = true;
    return stage.lend(work).finally(() => {
      lent = false;
    });
  };
  const takeFiles = ({ attach = [], look = [] }: Pick<PresetOffer, 'attach' | 'look'>): void => {
    for (const path of attach)
      services.attach(path).then((file) => change(withFile(home, file)), refuse);
    const wishes = look.filter((wish) => !home.look.some((folder) => folder.wish === wish));
    if (wishes.length > 0)
      services
        .lookInto([...home.look.map(({ wish }) => wish), ...wishes])
        .then((folders) => change(withLook(home, folders)), refuse);
  };
  const look = (): void => {
    void services.models().then((found) => change(withModels(home, found, offer)));
  };

  const stage = openStage({
    screen,
    stdin,
    theme,
    title: '',
    rows: () => {
      const { columns, rows } = screen;
      const estimate = services.estimate(runRequest(home, offer));
      const look = { offer, theme, keymap, columns, rows, now: now(), estimate };
      return homePage(home, look);
    },
    key: (key) => change(press(home, key, room())),
    paste: (text) => change(paste(home, text, room())),
  });
  const forget = leaveOnSignals((signal) => {
    if (!lent || signal !== 'SIGINT') stage.leave();
  });
  look();
  lookUp();
  const preset = beginning?.attachments === undefined ? chosenPreset(home, offer) : undefined;
  if (preset !== undefined) takeFiles(preset);
  services.recent().then((recent) => {
    const listed = withRecent(home, recent, offer);
    change(beginning?.onRuns === true && home.at === 0 ? focusOn(listed, offer, 'run') : listed);
  }, refuse);
  services.due().then((due) => {
    if (due !== undefined) change({ ...home, due });
  }, refuse);
  try {
    await stage.closed;
  } finally {
    forget();
  }
  const { question, attachments, look: into, rehearse, choices } = home;
  return {
    choice: choice ?? { kind: 'quit' },
    question: question.text,
    attachments,
    look: into,
    rehearse,
    choices,
  };
}
