/** Opens the home screen, carries out its effects, and closes it with what the person chose. */

import { keymapOf, type OwnKeys } from '../keys/key-lookup.ts';
import { messageOf } from '../terminal/door.ts';
import type { Screen } from '../terminal/screen.ts';
import { leaveOnSignals } from '../terminal/signals.ts';
import { openStage } from '../terminal/stage.ts';
import { type Environment, Theme } from '../terminal/theme.ts';
import { mentionsIn, withCompletion, withFile, withLook, withMentions } from './files.ts';
import { focusOn, paste, press, type Room, withModels, withQuestion, withRecent } from './form.ts';
import { boxCells } from './head.ts';
import type {
  Attached,
  Choices,
  HomeChoice,
  HomeOffer,
  HomeServices,
  LookedInto,
} from './offer.ts';
import { homePage } from './page.ts';
import { type Beginning, begin, conveningOf, type Effect, type Home, say } from './state.ts';

interface HomeOptions {
  readonly offer: HomeOffer;
  readonly services: HomeServices;
  readonly beginning?: Beginning;
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
  readonly keys?: OwnKeys | undefined;
  /** Milliseconds since 1970; tests set the hands themselves. */
  readonly now?: () => number;
}

/** What was chosen, and what stood on the screen, for the next time it is opened. */
export interface Chosen {
  readonly choice: HomeChoice;
  readonly question: string;
  readonly attachments: readonly Attached[];
  readonly look: readonly LookedInto[];
  readonly rehearse: boolean;
  readonly choices: Choices;
}

/** @throws UsageError as `keymapOf` does. */
export async function openHome(options: HomeOptions): Promise<Chosen> {
  const { offer, services, screen, stdin, env, beginning, now = Date.now } = options;
  const keymap = keymapOf(options.keys);
  const theme = Theme.of(env);
  let home = begin(offer, { ...beginning, question: beginning?.question ?? services.draft() });
  let choice: HomeChoice | undefined;
  /** The terminal is the editor's, and so is its Ctrl-C. */
  let lent = false;
  /** What the question may name as files: undefined where there is none. */
  const found = new Map<string, Attached | undefined>();
  /** Look-ups that have not come back. */
  let looking = 0;
  const room = (): Room => ({ offer, keymap, cells: boxCells(screen.columns) });

  const change = (next: Home): void => {
    // What comes after the last key, or after the end, changes nothing any more.
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
    for (const path of mentionsIn(home.question.text)) {
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
        // Nobody sends a file that they were not told about.
        if (effect.choice.kind === 'convene' && looking > 0) {
          home = say(home, 'Looking up the files named in the question; press Enter again.');
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
        services.attach(effect.path).then(
          (file) => change(withFile(home, file)),
          (error: unknown) => change(say(home, messageOf(error), true)),
        );
        break;
      case 'look-into':
        services.lookInto([...home.look.map(({ wish }) => wish), effect.path]).then(
          (folders) => change(withLook(home, folders)),
          (error: unknown) => change(say(home, messageOf(error), true)),
        );
        break;
      case 'complete':
        home = withCompletion(home, services.complete(effect.path));
        break;
      case 'edit':
        lent = true;
        stage
          .lend(() => services.edit(home.question.text))
          .finally(() => {
            lent = false;
          })
          .then(
            (text) => change(withQuestion(home, text, offer)),
            (error: unknown) => change(say(home, messageOf(error), true)),
          );
        break;
    }
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
      const estimate = services.estimate(conveningOf(home, offer));
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
  services.recent().then(
    (recent) => {
      const listed = withRecent(home, recent, offer);
      change(beginning?.onRuns === true && home.at === 0 ? focusOn(listed, offer, 'run') : listed);
    },
    (error: unknown) => change(say(home, messageOf(error), true)),
  );
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
