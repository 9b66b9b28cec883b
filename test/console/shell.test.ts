/** What all screens have from the shell: the help, questions, and messages, on small screens too. */
import { describe, expect, it, test } from 'vitest';
import { evaluationPage } from '../../src/console/evaluation/page.ts';
import { beginEvaluation, press as pressEvaluation } from '../../src/console/evaluation/state.ts';
import { historyPage } from '../../src/console/history/page.ts';
import { beginHistory, press as pressHistory, withRuns } from '../../src/console/history/state.ts';
import { press as pressHome } from '../../src/console/home/form.ts';
import type { HomeOffer } from '../../src/console/home/offer.ts';
import { homePage } from '../../src/console/home/page.ts';
import { beginHome } from '../../src/console/home/state.ts';
import { keymapOf, type OwnKeys } from '../../src/console/keys/key-lookup.ts';
import {
  EVALUATION_KEYS,
  HISTORY_KEYS,
  HOME_KEYS,
  WALK_KEYS,
} from '../../src/console/keys/screen-keys.ts';
import { Painter } from '../../src/console/terminal/paint.ts';
import { Theme } from '../../src/console/terminal/theme.ts';
import { drawCasting } from '../../src/protocols/rounds/view/casting/page.ts';
import { handleKey, startWalk } from '../../src/protocols/rounds/view/casting/walk.ts';
import { castingOffer as casts } from './casting/offer.ts';
import { makeAnswers } from './evaluation-screen.ts';

const OFFER: HomeOffer = {
  protocols: [
    {
      id: 'board',
      title: 'Board',
      about: 'side by side',
      attaches: false,
      looks: false,
      usesTools: false,
      chair: 'Synthesizer',
      roles: [{ slug: 'for', name: 'Advocate', about: 'In favor.', brief: 'You are for it.' }],
    },
  ],
  roles: [],
  questions: [],
  examples: [],
  choices: { protocol: 'board', presets: {}, panels: {} },
  toolServers: [],
  defaults: {},
  problems: [],
};

/** Returns the rows of a screen after keys, without colors. */
type Shown = (keys: readonly string[], columns: number, rows: number, own?: OwnKeys) => string[];

function shownBy<State>(
  first: State,
  press: (state: State, key: string, look: Look) => State,
  draw: (state: State, look: Look) => readonly string[],
): Shown {
  return (keys, columns, rows, own) => {
    const look = { theme: new Theme(0), keymap: keymapOf(own), columns, rows, now: 0 };
    let state = first;
    // A screen is drawn after each key, as on a terminal.
    let page = draw(state, look);
    for (const key of keys) {
      state = press(state, key, look);
      page = draw(state, look);
    }
    return page.map((row) => row.replaceAll(/\u001b\[[\d;]*m/g, ''));
  };
}

interface Look {
  readonly theme: Theme;
  readonly keymap: ReturnType<typeof keymapOf>;
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
}

const model = makeAnswers();
const painter = new Painter(new Theme(0));
const SCREENS: readonly (readonly [name: string, shown: Shown, last: string])[] = [
  [
    'home',
    shownBy(
      beginHome(OFFER),
      (home, key, { keymap, columns }) =>
        pressHome(home, key, { offer: OFFER, keymap, cells: columns - 6 }),
      (home, look) => homePage(home, { ...look, offer: OFFER }),
    ),
    // The last line of this screen's help describes the key `q`.
    HOME_KEYS.quit[1],
  ],
  [
    'history',
    shownBy(
      withRuns(beginHistory(), []),
      (history, key, { keymap }) => pressHistory(history, key, keymap),
      historyPage,
    ),
    HISTORY_KEYS.back[1],
  ],
  [
    'evaluation',
    shownBy(
      beginEvaluation(),
      (state, key, { keymap }) => pressEvaluation(state, key, { model, keymap, height: 4 }),
      (state, look) => evaluationPage(state, { ...look, model, painter }),
    ),
    EVALUATION_KEYS.quit[1],
  ],
  [
    'casting',
    shownBy(
      startWalk(casts),
      (walk, key, { keymap }) => handleKey(walk, key, casts, keymap),
      (walk, look) => drawCasting(walk, { ...look, offer: casts }),
    ),
    WALK_KEYS.leave[1],
  ],
];

describe.each(SCREENS)('the help of the screen %s', (_name, shown, last) => {
  const SMALL = [80, 9] as const;

  it('scrolls to its end and back if it does not fit the screen', () => {
    expect(shown([], ...SMALL).join('\n')).not.toContain(last);
    const begun = shown(['?'], ...SMALL);
    expect(begun).toHaveLength(9);
    expect(begun.join('\n')).toMatch(/\d+ more below/);
    const ended = shown(['?', 'pagedown', 'pagedown', 'G'], ...SMALL).join('\n');
    expect(ended).toContain(last);
    expect(ended).not.toContain('more below');
    // Keys that would scroll beyond the end are ignored, so a single key back moves the text at once.
    const back = shown(['?', 'G', 'pagedown', 'pagedown', 'down', 'up'], ...SMALL).join('\n');
    expect(back).not.toContain(last);
    expect(shown(['?', 'G', 'g'], ...SMALL)).toEqual(begun);
  });

  it('is closed by Esc, Enter, ? and a letter that does not scroll', () => {
    const before = shown([], ...SMALL);
    for (const key of ['escape', 'enter', '?', 'x'])
      expect(shown(['?', key], ...SMALL)).toEqual(before);
  });

  it('scrolls by the keys that the person has chosen for reading', () => {
    const own = { bottom: 'B' };
    expect(shown(['?', 'B'], ...SMALL, own).join('\n')).toContain(last);
  });
});

test.each([40, 60, 80])(
  'the question whether to stop an evaluation names the key that stops it, at %i columns',
  (columns) => {
    const [, shown] = SCREENS[2] ?? [];
    expect(shown?.(['q'], columns, 24).at(-2)).toMatch(/ y stops it$/);
  },
);
