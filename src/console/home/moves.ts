/** Moves on the home screen: between lines, between protocols, and between earlier questions. Pure. */
import type { RunLine } from '../model/runs.ts';
import { withMessage } from '../shell/overlay.ts';
import { areaOf, replaceText } from '../ui/text-input.ts';
import type { HomeOffer } from './offer.ts';
import { formRow, formRows, type Home, listEarlierQuestions, protocolOf } from './state.ts';

/** Returns the home screen with the latest runs listed. The cursor stays on its line of the form. */
export function withRecent(home: Home, recent: readonly RunLine[], offer: HomeOffer): Home {
  const spot = formRow(home, offer);
  return focusOn({ ...home, recent }, offer, spot.kind, 'index' in spot ? spot.index : 0);
}

/** Returns the home screen with another question in the text box, and the cursor on the question. */
export function withQuestion(home: Home, text: string, offer: HomeOffer): Home {
  const question = replaceText(home.question, text.replace(/\n+$/, ''));
  return focusOn({ ...home, question, recalled: 0 }, offer, 'question');
}

/**
 * Returns the home screen with the cursor on a line of the form; unchanged if there is no such line.
 *
 * @param kind the kind of the line, one of those of `FormRow`
 * @param index the number of the line among those of the same kind, from 0
 */
export function focusOn(home: Home, offer: HomeOffer, kind: string, index = 0): Home {
  const at = formRows(home, offer).findIndex(
    (spot) => spot.kind === kind && (!('index' in spot) || spot.index === index),
  );
  return at < 0 ? home : { ...home, at };
}

/**
 * Returns the home screen after Esc. If the screen waits for models, the wait ends. Otherwise the
 * cursor moves from the question to the other lines, or from them to the question.
 */
export function goBack(home: Home, offer: HomeOffer): Home {
  if (home.waiting)
    return withMessage<Home>({ ...home, waiting: false }, 'Canceled; no run was started.');
  return formRow(home, offer).kind === 'question'
    ? focusOn(home, offer, 'protocol')
    : focusOn(home, offer, 'question');
}

/**
 * Returns the home screen with the cursor `by` lines further down; after the last line comes the
 * first.
 */
export function moveByLines(home: Home, by: number, offer: HomeOffer): Home {
  const count = formRows(home, offer).length;
  return { ...home, at: (home.at + by + count) % count };
}

/**
 * Returns the home screen with the protocol that follows the chosen one in the offer; after the last
 * comes the first. A cursor on the question stays there; any other cursor moves to the protocol.
 */
export function switchProtocol(home: Home, offer: HomeOffer): Home {
  const index = offer.protocols.findIndex(({ id }) => id === protocolOf(home, offer).id);
  const next = offer.protocols[(index + 1) % offer.protocols.length];
  if (next === undefined) return home;
  const spot = formRow(home, offer);
  const changed = { ...home, choices: { ...home.choices, protocol: next.id } };
  return focusOn(changed, offer, spot.kind === 'question' ? 'question' : 'protocol');
}

/**
 * Returns the home screen with an earlier question in the text box, or a later one if `by` is
 * negative. After the latest one comes again what the person was typing before.
 */
export function recallQuestion(home: Home, by: number): Home {
  const earlier = listEarlierQuestions(home);
  const back = home.recalled + by;
  if (back < 0) return withMessage(home, 'No later question.');
  if (back > earlier.length)
    return withMessage(
      home,
      earlier.length === 0 ? 'No earlier questions.' : 'No earlier question.',
    );
  const before = home.recalled === 0 ? home.question.text : home.written;
  const text = back === 0 ? before : (earlier[back - 1] ?? '');
  return { ...home, question: areaOf(text), recalled: back, written: before };
}
