/** Opens and closes the screen for casting in the terminal. */
import { Shell, type ShellOptions } from '../../../../console/shell/open.ts';
import { drawCasting } from './page.ts';
import {
  type Answers,
  type CastingOffer,
  type CastingState,
  handleKey,
  handlePaste,
  startWalk,
} from './walk.ts';

interface CastingOptions extends ShellOptions {
  readonly offer: CastingOffer;
}

/**
 * Opens the screen on which a person chooses the cast and the rounds. Resolves to the choices, or
 * to undefined if the person leaves the screen.
 * @throws UsageError if the key bindings are invalid
 */
export async function openCasting(options: CastingOptions): Promise<Answers | undefined> {
  const { offer } = options;
  let answers: Answers | undefined;
  const shell: Shell<CastingState> = new Shell<CastingState>(options, {
    state: startWalk(offer),
    title: offer.question ?? '',
    rows: (walk, look) => drawCasting(walk, { ...look, offer }),
    press: (walk, key, { keymap }) => handleKey(walk, key, offer, keymap),
    paste: handlePaste,
    fulfil: (effect) => {
      if (effect.kind === 'begin') answers = shell.state.answers;
      shell.leave();
    },
  });
  await shell.closed();
  return answers;
}
