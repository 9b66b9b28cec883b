/** The lists of the home screen: their items, and what choosing one changes. Pure. */

import { splitSpec } from '../../kernel/providers/spec.ts';
import { withMessage } from '../shell/overlay.ts';
import type { Item } from '../ui/list.ts';
import { areaOf } from '../ui/text-input.ts';
import type { FoundModels, HomeOffer, PresetOffer, RoleOffer, SeatDraft } from './offer.ts';
import { withSeats } from './seats.ts';
import {
  type Effect,
  FORM,
  type Home,
  type Picker,
  protocolOf,
  rolesOf,
  seatsOf,
} from './state.ts';

/** The value of "any model that is found" in lists of models. */
const FOUND = '';

/** The item for a new role in lists of roles. No slug can be `+`. */
const OWN: Item = { value: '+', label: 'a role of my own…', note: 'written in your editor' };

const TITLES: Readonly<Record<'protocol' | 'question' | 'example', string>> = {
  protocol: 'Which protocol?',
  question: 'Which preset question?',
  example: 'Which example?',
};

/**
 * Returns the heading of an open list of choices, such as `Which model for Critic?`. If a model or role
 * is chosen for one of several seats, the heading names the seat's role.
 */
export function pickTitle(home: Home, pick: Picker, offer: HomeOffer): string {
  const { one: roleTitle, chair, panel } = protocolOf(home, offer);
  const panelName = panel?.title.toLowerCase() ?? 'panel';
  switch (pick.what) {
    case 'role':
    case 'model': {
      const seat = seatsOf(home, offer)[pick.seat];
      const role = rolesOf(home, offer).find(({ slug }) => slug === seat?.role);
      const name = role?.name ?? seat?.role ?? 'this seat';
      if (pick.what === 'model') return `Which model for ${name}?`;
      return roleTitle === undefined
        ? `Which role instead of ${name}?`
        : `Which ${roleTitle.toLowerCase()}?`;
    }
    case 'chair':
      return roleTitle === undefined
        ? `Which model for the ${chair.toLowerCase()}?`
        : 'Which model for agents whose file names none?';
    case 'preset':
      return `Which ${panelName}?`;
    case 'add':
      return `Add which role to the ${panelName}?`;
    default:
      return TITLES[pick.what];
  }
}

/** Returns the items of an open list of choices. */
export function itemsFor(home: Home, { what }: Picker, offer: HomeOffer): Item[] {
  switch (what) {
    case 'protocol':
      return offer.protocols.map(({ id, title, about }) => ({
        value: id,
        label: title,
        note: about,
      }));
    case 'preset':
      return (protocolOf(home, offer).panel?.presets ?? []).map(({ slug, name, about }) => ({
        value: slug,
        label: name,
        note: about,
      }));
    case 'question':
      return offer.questions.map(({ title, text }, index) => ({
        value: String(index),
        label: title,
        note: text,
      }));
    case 'example':
      return offer.examples.map(({ id, title, about }) => ({
        value: id,
        label: title,
        note: about,
      }));
    case 'add':
    case 'role': {
      const roles = rolesOf(home, offer).map(({ slug, name, about }: RoleOffer) => ({
        value: slug,
        label: name,
        note: about,
      }));
      return protocolOf(home, offer).panel === undefined ? roles : [...roles, OWN];
    }
    case 'model':
    case 'chair':
      return [
        { value: FOUND, label: 'automatic', note: 'one of the models found' },
        ...(home.found?.models ?? []).map(({ spec, note }) => ({
          value: spec,
          label: spec,
          note,
          group: splitSpec(spec).provider,
        })),
        ...(home.found?.keyless ?? []).map(({ name, variables }) => ({
          value: `${name}/`,
          label: `${name}/…`,
          group: 'servers that need a key',
          note: `needs a key: set ${variables}`,
        })),
      ];
  }
}

/**
 * Returns the effect that attaches the files of a preset and lets its seats look into its folders; empty if it
 * has neither.
 */
function takenFiles({ attach, look }: PresetOffer): { readonly effect?: Effect } {
  return attach === undefined && look === undefined
    ? {}
    : { effect: { kind: 'take-files', preset: { attach, look } } };
}

/**
 * Adds a newly written role to the offer, and gives it to the seat for which it was written, or to a
 * new seat if it was written to be added.
 *
 * @param pick the list from which the person began to write the role
 */
export function withRole(
  home: Home,
  offer: HomeOffer,
  pick: Picker,
  role: RoleOffer,
): { readonly home: Home; readonly offer: HomeOffer } {
  const roles = [...offer.roles, role].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const next = { ...offer, roles };
  const seated = pickValue({ ...home, mode: FORM }, pick, role.slug, next);
  return { offer: next, home: withMessage(seated, `${role.name} is kept with your roles.`) };
}

/**
 * Returns the home screen after an item was chosen from a list.
 *
 * @param value the item's value
 */
export function pickValue(home: Home, pick: Picker, value: string, offer: HomeOffer): Home {
  const keyless = isModelPick(pick) && home.found?.keyless.find(({ name }) => value === `${name}/`);
  if (keyless) return withMessage(home, howToSet(keyless));
  const { choices } = home;
  const seats = seatsOf(home, offer);
  const takeSeats = (next: readonly SeatDraft[]): Home => withSeats(home, offer, next);
  const changeSeat = (seat: number, change: (draft: SeatDraft) => SeatDraft): Home =>
    takeSeats(seats.map((draft, index) => (index === seat ? change(draft) : draft)));
  if (value === OWN.value) return { ...home, effect: { kind: 'write-role', pick } };
  switch (pick.what) {
    case 'protocol':
      return { ...home, choices: { ...choices, protocol: value } };
    case 'preset': {
      const { id, panel } = protocolOf(home, offer);
      const preset = panel?.presets.find(({ slug }) => slug === value);
      if (preset === undefined) return home;
      const next = takeSeats(preset.seats);
      const presets = { ...choices.presets, [id]: value };
      const effect = takenFiles(preset);
      return { ...next, choices: { ...next.choices, presets }, ...effect };
    }
    case 'question':
      return {
        ...home,
        at: 0,
        recalled: 0,
        question: areaOf(offer.questions[Number(value)]?.text ?? ''),
      };
    case 'example':
      return { ...home, effect: { kind: 'leave', choice: { kind: 'example', id: value } } };
    case 'add':
      return takeSeats([...seats, { role: value }]);
    case 'role':
      // Keep only the seat's model: the brief of the seat was written for the old role.
      return changeSeat(pick.seat, ({ model }) => ({ role: value, ...(model ? { model } : {}) }));
    case 'model':
      return changeSeat(pick.seat, ({ model: _model, ...rest }) =>
        value === FOUND ? rest : { ...rest, model: value },
      );
    case 'chair': {
      const { chair: _chair, ...rest } = choices;
      return { ...home, choices: value === FOUND ? rest : { ...rest, chair: value } };
    }
  }
}

/** Returns whether an open list offers models. */
export function isModelPick({ what }: Picker): boolean {
  return what === 'model' || what === 'chair';
}

/** Returns how a server is given its key, for a person who has chosen it without one. */
function howToSet({ name, variables }: FoundModels['keyless'][number]): string {
  const [variable = ''] = variables.split(' ');
  return `${name} needs a key. Leave, run "export ${variable}=…" with your key, and start again.`;
}
