/** Opens the home screen, performs its effects, and closes it with the person's choice. */

import { Shell, type ShellOptions } from '../shell/open.ts';
import { withMessage } from '../shell/overlay.ts';
import type { ShellLook } from '../shell/page.ts';
import { findMentions, withCompletion, withFile, withLook, withMentions } from './files.ts';
import { type KeyContext, paste, press, withModels } from './form.ts';
import { boxCells } from './head.ts';
import { focusOn, withQuestion, withRecent } from './moves.ts';
import type {
  AttachedFile,
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
} from './state.ts';

interface HomeOptions extends ShellOptions {
  readonly offer: HomeOffer;
  readonly services: HomeServices;
  readonly beginning?: InitialState;
}

/** What the person chose on the home screen, and the state with which the screen opens again. */
export interface HomeSelection {
  readonly choice: HomeChoice;
  readonly question: string;
  readonly attachments: readonly AttachedFile[];
  /** Folders that the seats may read. */
  readonly look: readonly LookFolder[];
  /** Whether the built-in stand-in answers instead of models. */
  readonly rehearse: boolean;
  readonly choices: Choices;
}

/**
 * Opens the home screen. Resolves when the person has chosen what to do or leaves, to the choice and
 * the state of the screen.
 *
 * @throws UsageError if the person's key bindings are not valid
 */
export async function openHome(options: HomeOptions): Promise<HomeSelection> {
  const { services, beginning } = options;
  let { offer } = options;
  let choice: HomeChoice = { kind: 'quit' };
  /** Whether an editor has the terminal, so that Ctrl-C is meant for the editor. */
  let lent = false;
  /**
   * The files that the person's question mentions, by path. The value is undefined while a file is looked up, and
   * if no such file exists.
   */
  const found = new Map<string, AttachedFile | undefined>();
  /** How many files that the question names are still being looked for on the disk. */
  let looking = 0;
  const getRoom = ({ keymap, columns }: ShellLook): KeyContext => ({
    offer,
    keymap,
    cells: boxCells(columns),
  });

  const settle = (next: Home, before: Home): Home => {
    if (next.choices !== before.choices) services.save(next.choices);
    const { text } = next.question;
    if (text !== before.question.text) {
      services.keepDraft(text);
      lookUp(text);
    }
    return withMentions(next, found);
  };
  const lookUp = (question: string): void => {
    for (const path of findMentions(question)) {
      if (found.has(path)) continue;
      found.set(path, undefined);
      looking += 1;
      void services.mentioned(path).then((file) => {
        looking -= 1;
        found.set(path, file);
        shell.change(shell.state);
      });
    }
  };
  const fulfil = (effect: Effect): void => {
    const { state: home, failed } = shell;
    switch (effect.kind) {
      case 'leave':
        // Start no run while files that the question names are looked up: a file that the person has not seen
        // in the list would be attached.
        if (effect.choice.kind === 'convene' && looking > 0) {
          shell.say('Looking up the files named in the question; press Enter again.');
          break;
        }
        choice = effect.choice;
        shell.leave();
        break;
      case 'suspend':
        break;
      case 'look':
        lookForModels(true);
        break;
      case 'attach':
        // Show a message meanwhile, because a large document or a slow page takes seconds.
        shell.say(`Reading ${effect.path} …`);
        services.attach(effect.path).then(addFile, failed);
        break;
      case 'look-into':
        lookInto([effect.path]);
        break;
      case 'complete':
        shell.change(withCompletion(home, services.complete(effect.path)));
        break;
      case 'edit':
        lendTo(() => services.edit(home.question.text)).then(
          (text) => shell.change(withQuestion(shell.state, text, offer)),
          failed,
        );
        break;
      case 'write-role':
        lendTo(() => services.writeRole()).then((role) => {
          if (role === undefined)
            shell.change(withMessage({ ...shell.state, mode: FORM }, 'No role was written.'));
          else adoptOffer(withRole(shell.state, offer, effect.pick, role));
        }, failed);
        break;
      case 'save-panel':
        services
          .savePanel(home.choices.protocol, effect.panel)
          .then((kept) => adoptOffer(withPanel(shell.state, offer, kept)), failed);
        break;
      case 'take-files':
        takeFiles(effect.preset);
        break;
    }
  };
  /** Replaces the offer and the state of the home screen by those with a new role or preset. */
  const adoptOffer = (next: { readonly home: Home; readonly offer: HomeOffer }): void => {
    offer = next.offer;
    shell.change(next.home);
  };
  const addFile = (file: AttachedFile): void => shell.change(withFile(shell.state, file));
  const lookInto = (wishes: readonly string[]): void => {
    services
      .lookInto([...shell.state.look.map(({ wish }) => wish), ...wishes])
      .then((folders) => shell.change(withLook(shell.state, folders)), shell.failed);
  };
  const lendTo = <T>(work: () => Promise<T>): Promise<T> => {
    lent = true;
    return shell.stage.lend(work).finally(() => {
      lent = false;
    });
  };
  const takeFiles = ({ attach = [], look = [] }: Pick<PresetOffer, 'attach' | 'look'>): void => {
    for (const path of attach) services.attach(path).then(addFile, shell.failed);
    const wishes = look.filter((wish) => !shell.state.look.some((folder) => folder.wish === wish));
    if (wishes.length > 0) lookInto(wishes);
  };
  const lookForModels = (isAgain = false): void => {
    void services.models().then((models) => {
      shell.change(withModels(shell.state, models, offer));
      if (isAgain && models.models.length === 0) shell.say('Looked again: no model was found.');
    });
  };

  const shell: Shell<Home> = new Shell<Home>(options, {
    state: beginHome(offer, {
      ...beginning,
      question: beginning?.question ?? services.draft(),
    }),
    title: '',
    rows: (home, look) =>
      homePage(home, { ...look, offer, estimate: services.estimate(runRequest(home, offer)) }),
    press: (home, key, look) => press(home, key, getRoom(look)),
    paste: (home, text, look) => paste(home, text, getRoom(look)),
    fulfil,
    settle,
  });
  lookForModels();
  lookUp(shell.state.question.text);
  const preset =
    beginning?.attachments === undefined ? chosenPreset(shell.state, offer) : undefined;
  if (preset !== undefined) takeFiles(preset);
  services.recent().then((recent) => {
    const { state: home } = shell;
    const listed = withRecent(home, recent, offer);
    const isOnRuns = beginning?.onRuns === true && home.at === 0;
    shell.change(isOnRuns ? focusOn(listed, offer, 'run') : listed);
  }, shell.failed);
  services.due().then((due) => {
    if (due !== undefined) shell.change({ ...shell.state, due });
  }, shell.failed);
  await shell.closed((signal) => lent && signal === 'SIGINT');
  const { question, attachments, look: into, rehearse, choices } = shell.state;
  return { choice, question: question.text, attachments, look: into, rehearse, choices };
}
