/** What is chosen on the home screen, where the cursor stands, and what follows from it. Pure. */

import { isAgent } from '../../kernel/providers/names.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { HomePlace } from '../keys/screen-keys.ts';
import type { RunLine } from '../model/runs.ts';
import type { List } from '../ui/list.ts';
import { areaOf, type TextInput } from '../ui/text-input.ts';
import type {
  Attached,
  Choices,
  Convening,
  EarlierRun,
  HomeChoice,
  HomeOffer,
  LookedInto,
  PanelDraft,
  PresetOffer,
  ProtocolOffer,
  RoleOffer,
  SeatDraft,
} from './offer.ts';

/** A line that the cursor can stand on. */
export type FormRow =
  | { readonly kind: 'question' | 'protocol' | 'preset' | 'add' | 'save' }
  | { readonly kind: 'chair' | 'models' }
  | { readonly kind: 'attach' | 'look' | 'rehearse' | 'all' }
  | { readonly kind: 'seat' | 'file' | 'folder' | 'server' | 'run'; readonly index: number };

/** What is being chosen from a list. */
export type Picker =
  | { readonly what: 'protocol' | 'preset' | 'question' | 'example' | 'add' | 'chair' }
  | { readonly what: 'model' | 'role'; readonly seat: number };

export type Mode =
  | { readonly kind: 'form' }
  | { readonly kind: 'pick'; readonly pick: Picker; readonly list: List }
  | {
      readonly kind: 'path';
      /** What is done with it. */
      readonly then: 'attach' | 'look-into';
      readonly field: TextInput;
      readonly names: readonly string[];
    }
  | { readonly kind: 'brief'; readonly seat: number; readonly area: TextInput }
  | { readonly kind: 'save'; readonly draft: SaveDraft }
  | { readonly kind: 'nothing'; readonly list: List }
  | { readonly kind: 'help'; readonly top: number };

/** What is said about a panel that is to be kept as a preset. */
export interface SaveDraft {
  readonly name: TextInput;
  /** Whether the files and folders that are shown belong to it. */
  readonly withFiles: boolean;
  /** Which preset has the name already; Enter then replaces it. */
  readonly taken?: string | undefined;
}

/** What only the surroundings can do. */
export type Effect =
  | { readonly kind: 'leave'; readonly choice: HomeChoice }
  | { readonly kind: 'edit' | 'look' | 'suspend' }
  | { readonly kind: 'attach' | 'look-into' | 'complete'; readonly path: string }
  | { readonly kind: 'take-files'; readonly preset: Pick<PresetOffer, 'attach' | 'look'> }
  | { readonly kind: 'write-role'; readonly pick: Picker }
  | { readonly kind: 'save-panel'; readonly panel: PanelDraft };

export interface Home {
  readonly choices: Choices;
  readonly question: TextInput;
  readonly attachments: readonly Attached[];
  /** Folders that seats may look into. */
  readonly look: readonly LookedInto[];
  /** Files that the question names with an @. */
  readonly mentioned: readonly Attached[];
  readonly rehearse: boolean;
  readonly at: number;
  readonly mode: Mode;
  /** Undefined while they are looked for. */
  readonly found: EarlierRun | undefined;
  readonly recent: readonly RunLine[] | undefined;
  /** `2 decisions are due`; undefined if none is, or while that is not known. */
  readonly due?: string | undefined;
  /** How far back in earlier questions the box is; 0: what the person writes. */
  readonly back: number;
  /** What stood in the box before the person went back. */
  readonly written: string;
  /** Enter was pressed while models were still looked for. */
  readonly waiting: boolean;
  readonly notice?: { readonly text: string; readonly bad: boolean } | undefined;
  readonly effect?: Effect | undefined;
}

export const FORM: Mode = { kind: 'form' };

/** What a screen that is opened again begins with. */
export interface Beginning {
  readonly question?: string | undefined;
  readonly attachments?: readonly Attached[] | undefined;
  readonly look?: readonly LookedInto[] | undefined;
  readonly rehearse?: boolean | undefined;
  /** As they were left, with what seats are told this time: that is in no file. */
  readonly choices?: Choices | undefined;
  /** What went wrong meanwhile. */
  readonly notice?: string | undefined;
  /** Where a run was just left, the cursor stands on it. */
  readonly onRuns?: boolean | undefined;
}

export function begin(offer: HomeOffer, beginning: Beginning = {}): Home {
  const { question = '', attachments = [], look = [], rehearse = false, notice } = beginning;
  return {
    choices: beginning.choices ?? offer.choices,
    question: areaOf(question),
    attachments,
    look,
    mentioned: [],
    rehearse,
    at: 0,
    mode: FORM,
    found: undefined,
    recent: undefined,
    back: 0,
    written: '',
    waiting: false,
    ...(notice === undefined ? {} : { notice: { text: notice, bad: true } }),
  };
}

/** With something to be read at the foot, until the next key. */
export function say(home: Home, text: string, bad = false): Home {
  return { ...home, notice: { text, bad } };
}

export function protocolOf({ choices }: Home, { protocols }: HomeOffer): ProtocolOffer {
  const chosen = protocols.find(({ id }) => id === choices.protocol) ?? protocols[0];
  if (chosen === undefined) throw new Error('there is no protocol to offer');
  return chosen;
}

/** The seats of the protocol that is chosen. */
export function seatsOf(home: Home, offer: HomeOffer): readonly SeatDraft[] {
  const { id, roles = [], one, panel: isFree } = protocolOf(home, offer);
  const panel = home.choices.panels[id] ?? [];
  if (isFree) return panel;
  if (one !== undefined) {
    const chosen = roles.find(({ slug }) => slug === panel[0]?.role) ?? roles[0];
    return chosen === undefined ? [] : [{ role: chosen.slug }];
  }
  return roles.map(({ slug }) => panel.find(({ role }) => role === slug) ?? { role: slug });
}

export function rolesOf(home: Home, offer: HomeOffer): readonly RoleOffer[] {
  return protocolOf(home, offer).roles ?? offer.roles;
}

/** The preset that the seats were taken from, where there still is one. */
export function chosenPreset(home: Home, offer: HomeOffer): PresetOffer | undefined {
  const { id, panel } = protocolOf(home, offer);
  return panel?.presets.find(({ slug }) => slug === home.choices.presets[id]);
}

/** How many runs the home screen lists. */
const RECENT = 5;

/** The lines that the cursor goes through, in order. */
export function formRows(home: Home, offer: HomeOffer): readonly FormRow[] {
  const { panel, attaches, looks, usesTools } = protocolOf(home, offer);
  const each = (kind: 'seat' | 'file' | 'folder' | 'server' | 'run', count: number): FormRow[] =>
    Array.from({ length: count }, (_, index) => ({ kind, index }));
  return [
    { kind: 'question' },
    { kind: 'protocol' },
    ...(panel ? [{ kind: 'preset' } as const] : []),
    ...each('seat', seatsOf(home, offer).length),
    ...(panel ? [{ kind: 'add' } as const, { kind: 'save' } as const] : []),
    { kind: 'chair' },
    { kind: 'models' },
    { kind: 'rehearse' },
    ...(attaches ? each('file', home.attachments.length) : []),
    ...(attaches ? [{ kind: 'attach' } as const] : []),
    ...(looks ? each('folder', home.look.length) : []),
    ...(looks ? [{ kind: 'look' } as const] : []),
    ...(usesTools ? each('server', offer.toolServers.length) : []),
    ...each('run', Math.min(RECENT, home.recent?.length ?? 0)),
    { kind: 'all' },
  ];
}

export function formRow(home: Home, offer: HomeOffer): FormRow {
  return formRows(home, offer)[home.at] ?? { kind: 'question' };
}

export function placeOf(home: Home, offer: HomeOffer): HomePlace {
  const { kind } = formRow(home, offer);
  if (kind === 'question') return 'box';
  const { panel, one } = protocolOf(home, offer);
  if (kind === 'seat') return one !== undefined ? 'one' : panel ? 'seat' : 'place';
  if (kind === 'folder') return 'file';
  return kind === 'file' || kind === 'run' ? kind : 'line';
}

/** Models in turn for the seats that name none, as many as a panel is given by itself. */
const IN_TURN = 4;

/** What would be held now, every seat with the model that it would get. */
export function conveningOf(home: Home, offer: HomeOffer): Convening {
  const all = (home.found?.models ?? []).map(({ spec }) => spec);
  // A subscription is used up for seats that name an agent, or where there is nobody else.
  const models = all.filter((spec) => !isAgent(splitSpec(spec).provider));
  const found = (models.length > 0 ? models : all).slice(0, IN_TURN);
  const roles = rolesOf(home, offer);
  let turn = 0;
  const seats = seatsOf(home, offer).map((seat) => {
    const model =
      seat.model ?? offer.defaults.model ?? roles.find(({ slug }) => slug === seat.role)?.model;
    return { ...seat, model: model ?? found[turn++ % found.length] };
  });
  return {
    protocol: protocolOf(home, offer).id,
    question: home.question.text.trim(),
    seats,
    // The fourth model found, as the first three sit on the panel; else the panel's own first.
    chair: home.choices.chair ?? offer.defaults.chair ?? found[3] ?? seats[0]?.model,
    attachments: filesOf(home),
    look: home.look,
    tools: toolsOf(home, offer),
    rehearse: home.rehearse,
  };
}

/** The tool servers that were chosen, as far as the protocol uses any and they are still there. */
function toolsOf(home: Home, offer: HomeOffer): readonly string[] {
  if (!protocolOf(home, offer).usesTools) return [];
  const { tools = [] } = home.choices;
  return offer.toolServers.flatMap(({ name }) => (tools.includes(name) ? [name] : []));
}

/** Gives seats a tool server, or takes it from them. */
export function toggleServer(home: Home, offer: HomeOffer, index: number): Home {
  const name = offer.toolServers[index]?.name;
  if (name === undefined) return home;
  const { tools = [] } = home.choices;
  const next = tools.includes(name) ? tools.filter((one) => one !== name) : [...tools, name];
  return { ...home, choices: { ...home.choices, tools: next } };
}

/** Everything that is put under discussion: what was attached, and what the question names besides. */
function filesOf({ attachments, mentioned }: Home): readonly Attached[] {
  const paths = new Set(attachments.map(({ path }) => path));
  return [...attachments, ...mentioned.filter(({ path }) => !paths.has(path))];
}

/** Earlier questions, the latest first, none twice. */
export function earlierOf({ recent = [] }: Home): string[] {
  return [...new Set(recent.map(({ question }) => question).filter((one) => one !== ''))];
}
