/** How keys, pastes and results of services change the home screen. Pure. */

import { hasSpecForm } from '../../kernel/providers/spec.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
import { isUnfinished, type RunLine } from '../model/runs.ts';
import { pasteOver, pressIn, withElsewhere, withHelp, withMessage } from '../shell/overlay.ts';
import { chosenItem, listOf, moveCursor, pasteIntoList, pickerOf } from '../ui/list.ts';
import { atEdge, continueLine, fieldOf, pasteText, typeKey } from '../ui/text-input.ts';
import { keyInPath, pastePath } from './files.ts';
import { focusOn, goBack, moveByLines, recallQuestion, switchProtocol } from './moves.ts';
import type { FoundModels, HomeOffer } from './offer.ts';
import { isModelPick, itemsFor, pickValue } from './picks.ts';
import { beginSave, keyInName, pasteName } from './save-panel.ts';
import { editBrief, keyInBrief, panelTitle, removeAtCursor } from './seats.ts';
import {
  type Effect,
  FORM,
  formRow,
  getHomePlace,
  type Home,
  type Mode,
  type Picker,
  protocolOf,
  runRequest,
  seatsOf,
  toggleServer,
} from './state.ts';

/** The choices offered if no model was found. */
const WAYS_ON = listOf(
  [
    'Turn Rehearsal on: placeholder text, no model',
    'Look again',
    'Play a recorded example',
    'Back',
  ].map((words, index) => ({ value: words, label: `${index + 1} ${words}` })),
);

function pathFor(then: 'attach' | 'look-into'): Mode {
  return { kind: 'path', then, field: fieldOf(''), names: [] };
}

/** What the effect of a key on the home screen depends on besides the screen's state. */
export interface KeyContext {
  readonly offer: HomeOffer;
  readonly keymap: Keymap;
  /** The width of the text box in cells. */
  readonly cells: number;
}

/**
 * Returns the home screen after a key.
 *
 * @param pressed the name of the key
 */
export function press(home: Home, pressed: string, room: KeyContext): Home {
  return pressIn<Home, 'home'>(home, pressed, {
    keymap: room.keymap,
    scope: 'home',
    place: getHomePlace(home, room.offer),
    always: (fresh, command) =>
      command === 'interrupt' ? handleInterrupt(fresh, home.notice?.text) : undefined,
    perform: (fresh, command, key) => keyInMode(fresh, key, command, room),
  });
}

function keyInMode(
  home: Home,
  key: string,
  command: HomeCommand | undefined,
  room: KeyContext,
): Home {
  const { mode } = home;
  switch (mode.kind) {
    case 'form':
      return keyInForm(home, key, command, room);
    case 'pick':
      return keyInPick(home, mode, key, room.offer);
    case 'path':
      return keyInPath(home, mode, key);
    case 'save':
      return keyInName(home, mode.draft, key, room.offer);
    case 'brief':
      return keyInBrief(home, mode, key, room);
    case 'nothing':
      return command === 'examples'
        ? performCommand(home, command, room)
        : keyWithoutModels(home, mode, key, room.offer);
  }
}

/**
 * Returns the home screen with pasted text in the field that is being edited. If no field is edited,
 * the text is ignored.
 */
export function paste(home: Home, text: string, { offer }: KeyContext): Home {
  const { mode, over } = home;
  if (over !== undefined) return pasteOver(home, text) ?? home;
  switch (mode.kind) {
    case 'form':
      if (formRow(home, offer).kind === 'question')
        return { ...home, question: pasteText(home.question, text), recalled: 0 };
      return withMessage(home, 'Pasted text is ignored here; press Esc to go to the question.');
    case 'path':
      return { ...home, mode: pastePath(mode, text) };
    case 'save':
      return pasteName(home, mode.draft, text);
    case 'brief':
      return { ...home, mode: { ...mode, area: pasteText(mode.area, text) } };
    case 'pick':
      return { ...home, mode: { ...mode, list: pasteIntoList(mode.list, text) } };
    default:
      return home;
  }
}

/**
 * Returns the home screen with the models that were found. An open list of models is filled with them.
 * If the person asked for a run before the models were known, the run is started now, or the person is
 * asked how to go on without a model. While something else is open, such as a list, the run is not started.
 */
export function withModels(home: Home, found: FoundModels, offer: HomeOffer): Home {
  const next: Home = { ...home, found, waiting: false };
  const { mode } = next;
  if (home.waiting && mode.kind === 'form')
    return conveneRun({ ...next, notice: undefined }, offer);
  const told = home.waiting
    ? withMessage<Home>(next, 'Models are known; the run was not started.')
    : next;
  if (mode.kind !== 'pick') return told;
  const at = chosenItem(mode.list)?.value;
  const { filter } = mode.list;
  const list = listOf(itemsFor(next, mode.pick, offer), { value: at, filter, round: false });
  return { ...told, mode: { ...mode, list } };
}

function withEffect(home: Home, effect: Effect): Home {
  return { ...home, effect };
}

function withChoice(home: Home, choice: Extract<Effect, { kind: 'leave' }>['choice']): Home {
  return withEffect(home, { kind: 'leave', choice });
}

const AGAIN = 'Press Ctrl-C again to quit; the question is kept as a draft.';

function handleInterrupt(home: Home, told: string | undefined): Home {
  const written = home.question.text.trim() !== '';
  if (!written || told === AGAIN) return withChoice(home, { kind: 'quit' });
  return withMessage<Home>({ ...home, waiting: false }, AGAIN);
}

type HomeCommand = CommandOf<'home'>;

function keyInForm(
  home: Home,
  key: string,
  command: HomeCommand | undefined,
  room: KeyContext,
): Home {
  const { offer, cells } = room;
  if (getHomePlace(home, offer) !== 'box')
    return command === undefined
      ? withElsewhere(home, room.keymap, 'home', key)
      : performCommand(home, command, room);
  if (command === 'help' && home.question.text !== '') return keyInBox(home, key, cells);
  if (command !== undefined) return performCommand(home, command, room);
  if ((key === 'up' || key === 'down') && atEdge(home.question, key, cells))
    return key === 'up'
      ? recallQuestion(home, 1)
      : home.recalled > 0
        ? recallQuestion(home, -1)
        : moveByLines(home, 1, offer);
  return keyInBox(home, key, cells);
}

function keyInBox(home: Home, key: string, cells: number): Home {
  const question = typeKey(home.question, key, cells);
  return { ...home, question, recalled: question.text === home.question.text ? home.recalled : 0 };
}

function performCommand(home: Home, command: HomeCommand, room: KeyContext): Home {
  const { offer } = room;
  const spot = formRow(home, offer);
  switch (command) {
    case 'convene': {
      const line = continueLine(home.question);
      return line === undefined ? conveneRun(home, offer) : { ...home, question: line };
    }
    case 'convene-from-here':
      return conveneRun(home, offer);
    case 'change':
      return changeRow(home, room);
    case 'next':
    case 'down':
      return moveByLines(home, 1, offer);
    case 'previous':
    case 'up':
      return moveByLines(home, -1, offer);
    case 'add':
      return protocolOf(home, offer).panel
        ? openPicker(home, { what: 'add' }, offer)
        : withMessage(home, 'This protocol sets its own seats.');
    case 'remove':
      return removeAtCursor(home, offer);
    case 'role':
      return spot.kind === 'seat'
        ? openPicker(home, { what: 'role', seat: spot.index }, offer)
        : home;
    case 'brief':
      return editBrief(home, offer);
    case 'resume':
      return onRun(home, offer, (run) =>
        isUnfinished(run)
          ? withChoice(home, { kind: 'resume', run: run.id })
          : withMessage(home, 'Only an unfinished run can be resumed; Enter opens it.'),
      );
    case 'editor':
      return withEffect(home, { kind: 'edit' });
    case 'questions':
      return openPicker(home, { what: 'question' }, offer);
    case 'examples':
      return openPicker(home, { what: 'example' }, offer);
    case 'earlier':
      return recallQuestion(home, 1);
    case 'later':
      return recallQuestion(home, -1);
    case 'protocol':
      return switchProtocol(home, offer);
    case 'attach':
      return { ...home, mode: pathFor('attach') };
    case 'history':
    case 'history-from-here':
      return withChoice(home, { kind: 'history' });
    case 'box':
      return goBack(home, offer);
    case 'suspend':
    case 'interrupt':
      return home;
    case 'help':
      return withHelp(home);
    case 'quit':
      return withChoice(home, { kind: 'quit' });
  }
}

function openPicker(home: Home, what: Picker, offer: HomeOffer, value?: string): Home {
  const items = itemsFor(home, what, offer);
  return {
    ...home,
    mode: { kind: 'pick', pick: what, list: pickerOf(items, { value, round: false }) },
  };
}

function changeRow(home: Home, { offer }: KeyContext): Home {
  const spot = formRow(home, offer);
  switch (spot.kind) {
    case 'question':
      return home;
    case 'protocol':
      return openPicker(home, { what: 'protocol' }, offer, home.choices.protocol);
    case 'preset': {
      const { id } = protocolOf(home, offer);
      return openPicker(home, { what: 'preset' }, offer, home.choices.presets[id]);
    }
    case 'seat': {
      const { role, model } = seatsOf(home, offer)[spot.index] ?? {};
      if (protocolOf(home, offer).one !== undefined)
        return openPicker(home, { what: 'role', seat: spot.index }, offer, role);
      return openPicker(home, { what: 'model', seat: spot.index }, offer, model);
    }
    case 'add':
      return openPicker(home, { what: 'add' }, offer);
    case 'save':
      return beginSave(home);
    case 'chair':
      return openPicker(home, { what: 'chair' }, offer, home.choices.chair);
    case 'models':
      return home.found === undefined
        ? withMessage(home, 'Still looking for models.')
        : { ...home, mode: wayOn(home.found.models.length > 0 ? 1 : 0) };
    case 'attach':
      return { ...home, mode: pathFor('attach') };
    case 'look':
      return { ...home, mode: pathFor('look-into') };
    case 'file':
      return withMessage(home, 'x removes the file.');
    case 'folder':
      return withMessage(home, 'x removes the folder.');
    case 'server':
      return toggleServer(home, offer, spot.index);
    case 'rehearse':
      return { ...home, rehearse: !home.rehearse };
    case 'run':
      return onRun(home, offer, (run) => withChoice(home, { kind: 'open', run: run.id }));
    case 'all':
      return withChoice(home, { kind: 'history' });
  }
}

function onRun(home: Home, offer: HomeOffer, then: (run: RunLine) => Home): Home {
  const spot = formRow(home, offer);
  const run = spot.kind === 'run' ? home.recent?.[spot.index] : undefined;
  return run === undefined ? home : then(run);
}

/** Starts the run that the person wants, or says what is missing. */
function conveneRun(home: Home, offer: HomeOffer): Home {
  const what = runRequest(home, offer);
  if (what.question === '')
    return withMessage(focusOn(home, offer, 'question'), 'Write a question first.');
  // A protocol needs no seats if its list of roles is empty: it chooses its agents from the question.
  if (what.seats.length === 0 && protocolOf(home, offer).roles?.length !== 0)
    return withMessage(
      home,
      protocolOf(home, offer).one === undefined
        ? `${panelTitle(home, offer)} needs at least one seat; press a to add one.`
        : 'No agents found; deliberate agents shows where it looks.',
    );
  const open = what.chair === undefined || what.seats.some(({ model }) => model === undefined);
  if (what.rehearse || !open) return withChoice(home, { kind: 'convene', what });
  if (home.found === undefined) return { ...home, waiting: true };
  return { ...home, mode: wayOn(0) };
}

type PickMode = Extract<Mode, { kind: 'pick' }>;

function keyInPick(home: Home, mode: PickMode, key: string, offer: HomeOffer): Home {
  if (key === 'escape') return { ...home, mode: FORM };
  if (key !== 'enter') return { ...home, mode: { ...mode, list: moveCursor(mode.list, key) } };
  const text = mode.list.filter?.text.trim() ?? '';
  // Let the person type the full name of a model that is not listed.
  const named = isModelPick(mode.pick) && hasSpecForm(text) ? text : undefined;
  const value = chosenItem(mode.list)?.value ?? named;
  if (value === undefined) return withMessage(home, 'No match.');
  const next = pickValue({ ...home, mode: FORM }, mode.pick, value, offer);
  // Keep the list open while the editor is open for a new role, so that the role can be chosen from
  // it.
  return next.effect?.kind === 'write-role' ? { ...next, mode } : next;
}

function wayOn(at: number): Mode {
  return { kind: 'nothing', list: { ...WAYS_ON, at } };
}

function keyWithoutModels(
  home: Home,
  mode: Extract<Mode, { kind: 'nothing' }>,
  key: string,
  offer: HomeOffer,
): Home {
  const number = /^[1-4]$/.test(key) ? Number(key) - 1 : undefined;
  if (key === 'escape' || key === 'q') return { ...home, mode: FORM };
  if (number === undefined && key !== 'enter')
    return { ...home, mode: { ...mode, list: moveCursor(mode.list, key) } };
  switch (number ?? mode.list.at) {
    case 0: {
      const rehearsing = { ...home, mode: FORM, rehearse: true };
      return home.question.text.trim() === ''
        ? withMessage(
            focusOn(rehearsing, offer, 'question'),
            'The stand-in is on. Write a question.',
          )
        : conveneRun(rehearsing, offer);
    }
    case 1:
      return withEffect({ ...home, mode: FORM, found: undefined }, { kind: 'look' });
    case 2:
      return openPicker(home, { what: 'example' }, offer);
    default:
      return { ...home, mode: FORM };
  }
}
