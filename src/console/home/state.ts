/** The state of the home screen: choices, cursor, and what follows from them. Pure. */

import { isAgent } from '../../kernel/providers/names.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { HomePlace } from '../keys/screen-keys.ts';
import type { RunLine } from '../model/runs.ts';
import type { List } from '../ui/list.ts';
import { areaOf, type TextInput } from '../ui/text-input.ts';
import type {
  Attached,
  Choices,
  FoundModels,
  HomeChoice,
  HomeOffer,
  LookFolder,
  PanelDraft,
  PresetOffer,
  ProtocolOffer,
  RoleOffer,
  RunRequest,
  SeatDraft,
} from './offer.ts';

/** A line of the form that the cursor can be on. */
export type FormRow =
  | { readonly kind: 'question' | 'protocol' | 'preset' | 'add' | 'save' }
  | { readonly kind: 'chair' | 'models' }
  | { readonly kind: 'attach' | 'look' | 'rehearse' | 'all' }
  | { readonly kind: 'seat' | 'file' | 'folder' | 'server' | 'run'; readonly index: number };

/** A list that is open to choose from. */
export type Picker =
  | { readonly what: 'protocol' | 'preset' | 'question' | 'example' | 'add' | 'chair' }
  | { readonly what: 'model' | 'role'; readonly seat: number };

export type Mode =
  | { readonly kind: 'form' }
  | { readonly kind: 'pick'; readonly pick: Picker; readonly list: List }
  | {
      readonly kind: 'path';
      /** What is done with the path. */
      readonly then: 'attach' | 'look-into';
      readonly field: TextInput;
      readonly names: readonly string[];
    }
  | { readonly kind: 'brief'; readonly seat: number; readonly area: TextInput }
  | { readonly kind: 'save'; readonly draft: SaveDraft }
  | { readonly kind: 'nothing'; readonly list: List }
  | { readonly kind: 'help'; readonly top: number };

/** A panel that is about to be stored as a preset. */
export interface SaveDraft {
  readonly name: TextInput;
  /** Whether the files and folders on the screen are stored too. */
  readonly withFiles: boolean;
  /** Describes the preset that has this name already; Enter then replaces it. */
  readonly taken?: string | undefined;
}

/** Something that the screen asks its services to do. */
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
  readonly look: readonly LookFolder[];
  /** Files that the question names with an @. */
  readonly mentioned: readonly Attached[];
  readonly rehearse: boolean;
  readonly at: number;
  readonly mode: Mode;
  /** The models; undefined while they are looked for. */
  readonly found: FoundModels | undefined;
  readonly recent: readonly RunLine[] | undefined;
  /** A sentence such as `2 decisions are due`; undefined if nothing is due, or that is not known yet. */
  readonly due?: string | undefined;
  /** How many questions back the box shows an earlier one; 0: the person's own text. */
  readonly back: number;
  /** The person's own text while the box shows an earlier question. */
  readonly written: string;
  /** Whether Enter was pressed before the models were known. */
  readonly waiting: boolean;
  readonly notice?: { readonly text: string; readonly bad: boolean } | undefined;
  readonly effect?: Effect | undefined;
}

export const FORM: Mode = { kind: 'form' };

/** The initial state of a screen that is opened again. */
export interface InitialState {
  readonly question?: string | undefined;
  readonly attachments?: readonly Attached[] | undefined;
  readonly look?: readonly LookFolder[] | undefined;
  readonly rehearse?: boolean | undefined;
  /** The choices as they were left, including briefs, which are stored in no file. */
  readonly choices?: Choices | undefined;
  /** A message about something that went wrong before. */
  readonly notice?: string | undefined;
  /** Whether to put the cursor on the runs, after a run was left. */
  readonly onRuns?: boolean | undefined;
}

export function beginHome(offer: HomeOffer, beginning: InitialState = {}): Home {
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

/** Shows a message at the foot until the next key. */
export function withMessage(home: Home, text: string, bad = false): Home {
  return { ...home, notice: { text, bad } };
}

export function protocolOf({ choices }: Home, { protocols }: HomeOffer): ProtocolOffer {
  const chosen = protocols.find(({ id }) => id === choices.protocol) ?? protocols[0];
  if (chosen === undefined) throw new Error('there is no protocol to offer');
  return chosen;
}

/** Returns the seats of the chosen protocol. */
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

/** Returns the preset that the seats were taken from, if it still exists. */
export function chosenPreset(home: Home, offer: HomeOffer): PresetOffer | undefined {
  const { id, panel } = protocolOf(home, offer);
  return panel?.presets.find(({ slug }) => slug === home.choices.presets[id]);
}

/** How many runs the home screen lists. */
const RECENT = 5;

/** Returns the lines that the cursor can be on, in order. */
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

/**
 * How many of the found models are used in turn for seats without a model: as many as a default panel needs.
 */
const IN_TURN = 4;

/** Returns the run that would be started now, each seat with the model that it would get. */
export function runRequest(home: Home, offer: HomeOffer): RunRequest {
  const all = (home.found?.models ?? []).map(({ spec }) => spec);
  // Coding agents use up a subscription, so they are only used if nothing else is found.
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
    // The first three models found sit on the panel, so the synthesizer gets the fourth; otherwise the
    // panel's first.
    chair: home.choices.chair ?? offer.defaults.chair ?? found[3] ?? seats[0]?.model,
    attachments: filesOf(home),
    look: home.look,
    tools: toolsOf(home, offer),
    rehearse: home.rehearse,
  };
}

/** Returns the chosen tool servers that still exist, if the protocol uses any. */
function toolsOf(home: Home, offer: HomeOffer): readonly string[] {
  if (!protocolOf(home, offer).usesTools) return [];
  const { tools = [] } = home.choices;
  return offer.toolServers.flatMap(({ name }) => (tools.includes(name) ? [name] : []));
}

/** Allows seats a tool server, or forbids it again. */
export function toggleServer(home: Home, offer: HomeOffer, index: number): Home {
  const name = offer.toolServers[index]?.name;
  if (name === undefined) return home;
  const { tools = [] } = home.choices;
  const next = tools.includes(name) ? tools.filter((one) => one !== name) : [...tools, name];
  return { ...home, choices: { ...home.choices, tools: next } };
}

/** Returns all attached files, including those that the question names. */
function filesOf({ attachments, mentioned }: Home): readonly Attached[] {
  const paths = new Set(attachments.map(({ path }) => path));
  return [...attachments, ...mentioned.filter(({ path }) => !paths.has(path))];
}

/** Returns earlier questions, the latest first, each once. */
export function earlierOf({ recent = [] }: Home): string[] {
  return [...new Set(recent.map(({ question }) => question).filter((one) => one !== ''))];
}
