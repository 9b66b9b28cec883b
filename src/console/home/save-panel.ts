/** "Save these seats as a panel…": asks for the name of a preset made from the form. Pure. */
import { withMessage } from '../shell/overlay.ts';
import { fieldOf, pasteText, typeKey } from '../ui/text-input.ts';
import type { HomeOffer, KeptPanel } from './offer.ts';
import { FORM, type Home, protocolOf, type SaveDraft, seatsOf } from './state.ts';

/** Returns the home screen with the form that stores the panel as a preset. */
export function beginSave(home: Home): Home {
  return withDraft(home, { name: fieldOf(''), withFiles: true });
}

/** Returns whether files or folders are chosen, which could be stored with the panel. */
export function hasFiles({ attachments, look }: Home): boolean {
  return attachments.length + look.length > 0;
}

/**
 * Returns the home screen after a key in the field for the preset's name. A changed name cancels
 * the question whether to replace another preset.
 */
export function keyInName(home: Home, draft: SaveDraft, key: string, offer: HomeOffer): Home {
  if (key === 'escape')
    return draft.taken === undefined
      ? { ...home, mode: FORM }
      : withDraft(home, { ...draft, taken: undefined });
  if (key === 'tab' && hasFiles(home))
    return withDraft(home, { ...draft, withFiles: !draft.withFiles });
  if (key !== 'enter')
    return withDraft(home, { ...draft, name: typeKey(draft.name, key), taken: undefined });
  const name = draft.name.text.trim();
  if (name === '') return withMessage(withDraft(home, draft), 'Write a name first.');
  const files = draft.withFiles ? home : { attachments: [], look: [] };
  const panel = {
    name,
    seats: seatsOf(home, offer),
    attachments: files.attachments,
    look: files.look,
    replace: draft.taken !== undefined,
  };
  return { ...withDraft(home, draft), effect: { kind: 'save-panel', panel } };
}

/** Returns the home screen after text was pasted into the field for the preset's name. */
export function pasteName(home: Home, draft: SaveDraft, text: string): Home {
  return withDraft(home, { ...draft, name: pasteText(draft.name, text), taken: undefined });
}

/**
 * Returns the home screen and the offer after a preset was stored; or with the question whether to
 * replace the preset of the same name.
 */
export function withPanel(
  home: Home,
  offer: HomeOffer,
  kept: KeptPanel,
): { readonly home: Home; readonly offer: HomeOffer } {
  if ('taken' in kept) {
    const { mode } = home;
    if (mode.kind !== 'save') return { home, offer };
    return { offer, home: withDraft(home, { ...mode.draft, taken: kept.taken }) };
  }
  const { id } = protocolOf(home, offer);
  const { preset, file } = kept;
  const protocols = offer.protocols.map((protocol) => {
    if (protocol.id !== id || protocol.panel === undefined) return protocol;
    const others = protocol.panel.presets.filter(({ slug }) => slug !== preset.slug);
    const presets = [...others, preset].sort((a, b) => (a.slug < b.slug ? -1 : 1));
    return { ...protocol, panel: { ...protocol.panel, presets } };
  });
  const presets = { ...home.choices.presets, [id]: preset.slug };
  const saved = { ...home, mode: FORM, choices: { ...home.choices, presets } };
  return { offer: { ...offer, protocols }, home: withMessage(saved, `Saved as ${file}.`) };
}

function withDraft(home: Home, draft: SaveDraft): Home {
  return { ...home, mode: { kind: 'save', draft } };
}
