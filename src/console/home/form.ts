/** How keys, pastes and results of services change the home screen. Pure. */

import { hasSpecForm } from '../../kernel/providers/spec.ts';
import { commandIn, dialogKey } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
import { isUnfinished, type RunLine } from '../model/runs.ts';
import { chosenItem, listOf, moveCursor, pasteIntoList, pickerOf } from '../ui/list.ts';
import {
  areaOf,
  atEdge,
  continueLine,
  fieldOf,
  pasteText,
  replaceText,
  typeKey,
} from '../ui/text-input.ts';
import { keyInPath, pastePath } from './files.ts';
import type { FoundModels, HomeOffer } from './offer.ts';
import { isModelPick, itemsFor, pickValue } from './picks.ts';
import { beginSave, keyInName, pasteName } from './save-panel.ts';
import { editBrief, keyInBrief, panelTitle, removeAtCursor } from './seats.ts';
import {
  type Effect,
  FORM,
  formRow,
  formRows,
  getHomePlace,
  type Home,
  listEarlierQuestions,
  type Mode,
  type Picker,
  protocolOf,
  runRequest,
  seatsOf,
  toggleServer,
  withMessage,
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
export interface Room {
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
export function press(home: Home, pressed: string, room: Room): Home {
  const { notice: _notice, effect: _wish, ...rest } = home;
  const fresh: Home = rest;
  const command = commandIn(room.keymap, 'home', pressed, getHomePlace(home, room.offer));
  if (command === 'suspend') return withEffect(fresh, { kind: 'suspend' });
  if (command === 'interrupt') return interrupt(home, fresh);
  const key = dialogKey(room.keymap, pressed);
  switch (home.mode.kind) {
    case 'form':
      return keyInForm(fresh, key, command, room);
    case 'pick':
      return keyInPick(fresh, home.mode, key, room.offer);
    case 'path':
      return keyInPath(fresh, home.mode, key);
    case 'save':
      return keyInName(fresh, home.mode.draft, key, room.offer);
    case 'brief':
      return keyInBrief(fresh, home.mode, key, room);
    case 'nothing':
      return command === 'examples'
        ? perform(fresh, command, room)
        : keyWithoutModels(fresh, home.mode, key, room.offer);
    case 'help':
      return keyInHelp(fresh, home.mode, key);
  }
}

/** Returns the home screen after text was pasted. Ignored unless a text is being typed. */
export function paste(home: Home, text: string, { offer }: Room): Home {
  const { mode } = home;
  switch (mode.kind) {
    case 'form':
      if (formRow(home, offer).kind === 'question')
        return { ...home, question: pasteText(home.question, text), back: 0 };
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

/** Returns the home screen with the models that were found. */
export function withModels(home: Home, found: FoundModels, offer: HomeOffer): Home {
  const next: Home = { ...home, found };
  const { mode } = next;
  if (mode.kind === 'pick') {
    const at = chosenItem(mode.list)?.value;
    const { filter } = mode.list;
    const list = listOf(itemsFor(next, mode.pick, offer), { value: at, filter, round: false });
    return { ...next, mode: { ...mode, list } };
  }
  return home.waiting ? convene({ ...next, waiting: false, notice: undefined }, offer) : next;
}

/** Returns the home screen with the latest runs. */
export function withRecent(home: Home, recent: readonly RunLine[], offer: HomeOffer): Home {
  const spot = formRow(home, offer);
  return focusOn({ ...home, recent }, offer, spot.kind, 'index' in spot ? spot.index : 0);
}

/** Returns the home screen with another question in the text box. */
export function withQuestion(home: Home, text: string, offer: HomeOffer): Home {
  const question = replaceText(home.question, text.replace(/\n+$/, ''));
  return focusOn({ ...home, question, back: 0 }, offer, 'question');
}

/**
 * Returns the home screen with the cursor on a line of the form.
 *
 * @param index the number of the line among those of the same kind, from 0
 */
export function focusOn(home: Home, offer: HomeOffer, kind: string, index = 0): Home {
  const at = formRows(home, offer).findIndex(
    (spot) => spot.kind === kind && (!('index' in spot) || spot.index === index),
  );
  return at < 0 ? home : { ...home, at };
}

function withEffect(home: Home, effect: Effect): Home {
  return { ...home, effect };
}

function withChoice(home: Home, choice: Extract<Effect, { kind: 'leave' }>['choice']): Home {
  return withEffect(home, { kind: 'leave', choice });
}

const AGAIN = 'Press Ctrl-C again to quit; the question is kept as a draft.';

function interrupt(before: Home, home: Home): Home {
  const written = home.question.text.trim() !== '';
  if (!written || before.notice?.text === AGAIN) return withChoice(home, { kind: 'quit' });
  return withMessage({ ...home, waiting: false }, AGAIN);
}

type HomeCommand = CommandOf<'home'>;

function keyInForm(home: Home, key: string, command: HomeCommand | undefined, room: Room): Home {
  const { offer, cells } = room;
  if (getHomePlace(home, offer) !== 'box')
    return command === undefined ? home : perform(home, command, room);
  if (command === 'help' && home.question.text !== '') return keyInBox(home, key, cells);
  if (command !== undefined) return perform(home, command, room);
  if ((key === 'up' || key === 'down') && atEdge(home.question, key, cells))
    return key === 'up' ? recall(home, 1) : home.back > 0 ? recall(home, -1) : step(home, 1, room);
  return keyInBox(home, key, cells);
}

function keyInBox(home: Home, key: string, cells: number): Home {
  const question = typeKey(home.question, key, cells);
  return { ...home, question, back: question.text === home.question.text ? home.back : 0 };
}

function perform(home: Home, command: HomeCommand, room: Room): Home {
  const { offer } = room;
  const spot = formRow(home, offer);
  switch (command) {
    case 'convene': {
      const line = continueLine(home.question);
      return line === undefined ? convene(home, offer) : { ...home, question: line };
    }
    case 'convene-from-here':
      return convene(home, offer);
    case 'change':
      return change(home, room);
    case 'next':
    case 'down':
      return step(home, 1, room);
    case 'previous':
    case 'up':
      return step(home, -1, room);
    case 'add':
      return protocolOf(home, offer).panel ? pick(home, { what: 'add' }, offer) : home;
    case 'remove':
      return removeAtCursor(home, offer);
    case 'role':
      return spot.kind === 'seat' ? pick(home, { what: 'role', seat: spot.index }, offer) : home;
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
      return pick(home, { what: 'question' }, offer);
    case 'examples':
      return pick(home, { what: 'example' }, offer);
    case 'earlier':
      return recall(home, 1);
    case 'later':
      return recall(home, -1);
    case 'protocol':
      return otherProtocol(home, offer);
    case 'attach':
      return { ...home, mode: pathFor('attach') };
    case 'history':
    case 'history-from-here':
      return withChoice(home, { kind: 'history' });
    case 'box':
      return stepBack(home, offer);
    case 'suspend':
    case 'interrupt':
      return home;
    case 'help':
      return { ...home, mode: { kind: 'help', top: 0 } };
    case 'quit':
      return withChoice(home, { kind: 'quit' });
  }
}

/** Esc: ends the wait for models, leaves the lines for the question, or the question for the lines. */
function stepBack(home: Home, offer: HomeOffer): Home {
  if (home.waiting)
    return withMessage({ ...home, waiting: false }, 'Canceled; no run was started.');
  return formRow(home, offer).kind === 'question'
    ? focusOn(home, offer, 'protocol')
    : focusOn(home, offer, 'question');
}

function step(home: Home, by: number, { offer }: Room): Home {
  const count = formRows(home, offer).length;
  return { ...home, at: (home.at + by + count) % count };
}

function pick(home: Home, what: Picker, offer: HomeOffer, value?: string): Home {
  const items = itemsFor(home, what, offer);
  return {
    ...home,
    mode: { kind: 'pick', pick: what, list: pickerOf(items, { value, round: false }) },
  };
}

function change(home: Home, { offer }: Room): Home {
  const spot = formRow(home, offer);
  switch (spot.kind) {
    case 'question':
      return home;
    case 'protocol':
      return pick(home, { what: 'protocol' }, offer, home.choices.protocol);
    case 'preset': {
      const { id } = protocolOf(home, offer);
      return pick(home, { what: 'preset' }, offer, home.choices.presets[id]);
    }
    case 'seat': {
      const { role, model } = seatsOf(home, offer)[spot.index] ?? {};
      if (protocolOf(home, offer).one !== undefined)
        return pick(home, { what: 'role', seat: spot.index }, offer, role);
      return pick(home, { what: 'model', seat: spot.index }, offer, model);
    }
    case 'add':
      return pick(home, { what: 'add' }, offer);
    case 'save':
      return beginSave(home);
    case 'chair':
      return pick(home, { what: 'chair' }, offer, home.choices.chair);
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

function otherProtocol(home: Home, offer: HomeOffer): Home {
  const index = offer.protocols.findIndex(({ id }) => id === protocolOf(home, offer).id);
  const next = offer.protocols[(index + 1) % offer.protocols.length];
  if (next === undefined) return home;
  const spot = formRow(home, offer);
  const changed = { ...home, choices: { ...home.choices, protocol: next.id } };
  return focusOn(changed, offer, spot.kind === 'question' ? 'question' : 'protocol');
}

/** Puts an earlier question into the box; what the person was typing stays at the end of the list. */
function recall(home: Home, by: number): Home {
  const earlier = listEarlierQuestions(home);
  const back = home.back + by;
  if (back < 0) return home;
  if (back > earlier.length)
    return withMessage(
      home,
      earlier.length === 0 ? 'No earlier questions.' : 'No earlier question.',
    );
  const before = home.back === 0 ? home.question.text : home.written;
  const text = back === 0 ? before : (earlier[back - 1] ?? '');
  return { ...home, question: areaOf(text), back, written: before };
}

/** Starts the run that the person wants, or says what is missing. */
function convene(home: Home, offer: HomeOffer): Home {
  const what = runRequest(home, offer);
  if (what.question === '')
    return withMessage(focusOn(home, offer, 'question'), 'Write a question first.');
  // Without seats to choose, the protocol chooses its workers from the question.
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
        : convene(rehearsing, offer);
    }
    case 1:
      return withEffect({ ...home, mode: FORM, found: undefined }, { kind: 'look' });
    case 2:
      return pick(home, { what: 'example' }, offer);
    default:
      return { ...home, mode: FORM };
  }
}

function keyInHelp(home: Home, mode: Extract<Mode, { kind: 'help' }>, key: string): Home {
  const by = { up: -1, k: -1, down: 1, j: 1, pageup: -10, pagedown: 10, space: 10 }[key];
  if (by === undefined) return { ...home, mode: FORM };
  return { ...home, mode: { kind: 'help', top: Math.max(0, mode.top + by) } };
}
