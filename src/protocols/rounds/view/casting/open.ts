/** Opens and closes the screen for casting in the terminal. */
import { commandIn, keymapOf, type OwnKeys } from '../../../../console/keys/key-lookup.ts';
import type { Screen } from '../../../../console/terminal/screen.ts';
import { leaveOnSignals } from '../../../../console/terminal/signals.ts';
import { openStage } from '../../../../console/terminal/stage.ts';
import { type Environment, Theme } from '../../../../console/terminal/theme.ts';
import { drawCasting } from './page.ts';
import { type Answers, handleKey, handlePaste, type Offer, startWalk, type Walk } from './walk.ts';

interface CastingOptions {
  readonly offer: Offer;
  readonly screen: Screen;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
  readonly keys?: OwnKeys | undefined;
}

/**
 * Opens the screen on which a person chooses the cast and the rounds. Resolves to the choices, or
 * to undefined if the person leaves the screen.
 * @throws UsageError if the key bindings are invalid
 */
export async function openCasting(options: CastingOptions): Promise<Answers | undefined> {
  const { offer, screen, stdin, env } = options;
  const keymap = keymapOf(options.keys);
  const theme = Theme.of(env);
  let walk = startWalk(offer);
  const change = (next: (now: Walk) => Walk): void => {
    // Further keys in the same chunk of input are ignored once the screen is closed.
    if (walk.state !== 'open') return;
    walk = next(walk);
    if (walk.state === 'open') stage.hurry();
    else stage.leave();
  };
  const stage = openStage({
    screen,
    stdin,
    theme,
    title: offer.question ?? '',
    rows: () =>
      drawCasting(walk, { offer, theme, keymap, columns: screen.columns, rows: screen.rows }),
    key: (key) =>
      commandIn(keymap, 'walk', key) === 'suspend'
        ? stage.suspend()
        : change((now) => handleKey(now, key, offer, keymap)),
    paste: (text) => change((now) => handlePaste(now, text)),
  });
  const forget = leaveOnSignals(() => stage.leave());
  try {
    await stage.closed;
  } finally {
    forget();
  }
  return walk.state === 'begun' ? walk.answers : undefined;
}
