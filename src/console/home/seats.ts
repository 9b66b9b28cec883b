/** Changes the seats on the home screen: removes what the cursor is on, and edits briefs. Pure. */
import { withMessage } from '../shell/overlay.ts';
import { areaOf, continueLine, typeKey } from '../ui/text-input.ts';
import type { HomeOffer, SeatDraft } from './offer.ts';
import { FORM, formRow, type Home, type Mode, protocolOf, seatsOf } from './state.ts';

/**
 * Returns the home screen without the seat, file or folder under the cursor. The last seat is not
 * removed.
 */
export function removeAtCursor(home: Home, offer: HomeOffer): Home {
  const spot = formRow(home, offer);
  if (spot.kind === 'file') {
    const attachments = home.attachments.filter((_, index) => index !== spot.index);
    return { ...home, attachments };
  }
  if (spot.kind === 'folder')
    return { ...home, look: home.look.filter((_, index) => index !== spot.index) };
  if (spot.kind !== 'seat') return home;
  const seats = seatsOf(home, offer).filter((_, index) => index !== spot.index);
  if (seats.length === 0)
    return withMessage(home, `${panelTitle(home, offer)} needs at least one seat.`);
  return withSeats(home, offer, seats);
}

/** Returns the chosen protocol's name for a panel, such as `A panel`. */
export function panelTitle(home: Home, offer: HomeOffer): string {
  return `A ${protocolOf(home, offer).panel?.title.toLowerCase() ?? 'panel'}`;
}

/**
 * Returns the home screen with the brief (the instructions) of the seat under the cursor opened for
 * editing; unchanged if the cursor is on no seat.
 */
export function editBrief(home: Home, offer: HomeOffer): Home {
  const spot = formRow(home, offer);
  const seat = spot.kind === 'seat' ? seatsOf(home, offer)[spot.index] : undefined;
  if (spot.kind !== 'seat' || seat === undefined) return home;
  const own = offer.roles.find(({ slug }) => slug === seat.role)?.brief ?? '';
  const mode: Mode = { kind: 'brief', seat: spot.index, area: areaOf(seat.brief ?? own) };
  return { ...home, mode };
}

/**
 * Returns the home screen after a key was pressed while the brief (the instructions) of a seat is
 * edited. Enter keeps the text, Esc discards it. An empty text stands for the role's own instructions.
 *
 * @param key the name of the key
 * @param context `cells`: the width of the text box
 */
export function keyInBrief(
  home: Home,
  mode: Extract<Mode, { kind: 'brief' }>,
  key: string,
  { offer, cells }: { readonly offer: HomeOffer; readonly cells: number },
): Home {
  if (key === 'escape') return { ...home, mode: FORM };
  const line = key === 'enter' ? continueLine(mode.area) : typeKey(mode.area, key, cells);
  if (line !== undefined) return { ...home, mode: { ...mode, area: line } };
  const text = mode.area.text.trim();
  const seats = seatsOf(home, offer).map((seat, index) => {
    if (index !== mode.seat) return seat;
    const { brief: _brief, ...plain } = seat;
    const own = offer.roles.find(({ slug }) => slug === seat.role)?.brief.trim();
    return text === '' || text === own ? plain : { ...plain, brief: text };
  });
  return withSeats({ ...home, mode: FORM }, offer, seats);
}

/** Returns the home screen with other seats for the chosen protocol. */
export function withSeats(home: Home, offer: HomeOffer, seats: readonly SeatDraft[]): Home {
  const { id } = protocolOf(home, offer);
  const { choices } = home;
  return { ...home, choices: { ...choices, panels: { ...choices.panels, [id]: seats } } };
}

/**
 * Returns whether two panels have the same roles and briefs (instructions) in the same order. Models
 * and efforts are ignored.
 */
export function haveSameSeats(left: readonly SeatDraft[], right: readonly SeatDraft[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ role, brief = '' }, index) => {
      const other = right[index];
      return other?.role === role && (other.brief ?? '') === brief;
    })
  );
}
