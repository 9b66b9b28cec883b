/** The state of the home screen: choices, cursor, and what follows from them. Pure. */

import { isAgent } from '../../kernel/providers/names.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { HomePlace } from '../keys/screen-keys.ts';
import type { RunLine } from '../model/runs.ts';
import type { ShellState } from '../shell/overlay.ts';
import type { List } from '../ui/list.ts';
import { areaOf, type TextInput } from '../ui/text-input.ts';
import type {
  AttachedFile,
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

/**
 * A line of the home screen's form that the cursor can be on. `chair` is the additional model that sums
 * up, `models` the models that were found, `server` a tool server, `run` a recent run. `add`, `attach`
 * and `look` add a seat, a file and a folder, `save` stores the seats as a preset, `all` opens the list
 * of all runs. `index` numbers the lines of the same kind, from 0.
 */
export type FormRow =
  | { readonly kind: 'question' | 'protocol' | 'preset' | 'add' | 'save' }
  | { readonly kind: 'chair' | 'models' }
  | { readonly kind: 'attach' | 'look' | 'rehearse' | 'all' }
  | { readonly kind: 'seat' | 'file' | 'folder' | 'server' | 'run'; readonly index: number };

/**
 * An open list of choices. `what` says what is chosen; `seat` is the index of the seat that gets the
 * chosen model or role.
 */
export type Picker =
  | { readonly what: 'protocol' | 'preset' | 'question' | 'example' | 'add' | 'chair' }
  | { readonly what: 'model' | 'role'; readonly seat: number };

/**
 * What receives keys on the home screen: the form itself, a list of choices (`pick`), the line for
 * a path, the text of a seat's brief, the form that saves seats as a preset, or the list that is
 * shown if there is no model (`nothing`).
 */
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
  | { readonly kind: 'nothing'; readonly list: List };

/** The form that stores a panel as a preset. */
export interface SaveDraft {
  readonly name: TextInput;
  /** Whether the files and folders on the screen are stored too. */
  readonly withFiles: boolean;
  /** Describes the preset that has this name already; Enter then replaces it. */
  readonly taken?: string | undefined;
}

/**
 * An action that a key has requested and that the home screen now has to carry out, such as reading
 * a file. `edit`: open the question in an editor. `look`: look for models again. `look-into`: let seats
 * read a folder. `take-files`: attach the files of a preset.
 */
export type Effect =
  | { readonly kind: 'leave'; readonly choice: HomeChoice }
  | { readonly kind: 'edit' | 'look' | 'suspend' }
  | { readonly kind: 'attach' | 'look-into' | 'complete'; readonly path: string }
  | { readonly kind: 'take-files'; readonly preset: Pick<PresetOffer, 'attach' | 'look'> }
  | { readonly kind: 'write-role'; readonly pick: Picker }
  | { readonly kind: 'save-panel'; readonly panel: PanelDraft };

/** The state of the home screen. */
export interface Home extends ShellState<Home> {
  readonly choices: Choices;
  readonly question: TextInput;
  readonly attachments: readonly AttachedFile[];
  /** Folders that seats may read. */
  readonly look: readonly LookFolder[];
  /** Attached files that the question names with an @. */
  readonly mentioned: readonly AttachedFile[];
  /** Whether the built-in stand-in will answer instead of models. */
  readonly rehearse: boolean;
  /** The number of the line under the cursor, from 0. */
  readonly at: number;
  /** What receives keys. */
  readonly mode: Mode;
  /** The models that were found; undefined while they are looked for. */
  readonly found: FoundModels | undefined;
  /** The latest runs; undefined until they have been read. */
  readonly recent: readonly RunLine[] | undefined;
  /**
   * A sentence such as `2 decisions are due`; undefined if nothing is due or that is not known yet.
   */
  readonly due?: string | undefined;
  /**
   * How far back in the earlier questions the text box is: 1 shows the latest; 0 shows the person's
   * own text.
   */
  readonly recalled: number;
  /** The person's own text, kept while the box shows an earlier question. */
  readonly written: string;
  /** Whether Enter was pressed before the models were known. */
  readonly waiting: boolean;
  /** The action that the screen has to carry out now. Absent if there is none. */
  readonly effect?: Effect | undefined;
}

/** The mode in which the form itself receives keys. */
export const FORM: Mode = { kind: 'form' };

/** The state with which the home screen opens, such as what the person had left there. */
export interface InitialState {
  readonly question?: string | undefined;
  readonly attachments?: readonly AttachedFile[] | undefined;
  /** Folders that the seats may read. */
  readonly look?: readonly LookFolder[] | undefined;
  /** Whether the built-in stand-in answers instead of models. */
  readonly rehearse?: boolean | undefined;
  /** The choices when the screen was left, including briefs, which are not stored for the next time. */
  readonly choices?: Choices | undefined;
  /** A message about something that failed while the screen was closed. */
  readonly notice?: string | undefined;
  /** Whether to put the cursor on the list of runs. */
  readonly onRuns?: boolean | undefined;
}

/** Returns the initial state of the home screen. */
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
    recalled: 0,
    written: '',
    waiting: false,
    ...(notice === undefined ? {} : { notice: { text: notice, bad: true } }),
  };
}

/** Returns the protocol that is chosen on the home screen; the first if it no longer exists. */
export function protocolOf({ choices }: Home, { protocols }: HomeOffer): ProtocolOffer {
  const chosen = protocols.find(({ id }) => id === choices.protocol) ?? protocols[0];
  if (chosen === undefined) throw new Error('there is no protocol to offer');
  return chosen;
}

/**
 * Returns the seats of the chosen protocol: those that the person chose or, if the protocol sets its
 * roles itself, one for each of its roles. A protocol that takes exactly one role has one seat.
 */
export function seatsOf(home: Home, offer: HomeOffer): readonly SeatDraft[] {
  const { id, roles = [], one: roleTitle, panel: isFree } = protocolOf(home, offer);
  const panel = home.choices.panels[id] ?? [];
  if (isFree) return panel;
  if (roleTitle !== undefined) {
    const chosen = roles.find(({ slug }) => slug === panel[0]?.role) ?? roles[0];
    return chosen === undefined ? [] : [{ role: chosen.slug }];
  }
  return roles.map(({ slug }) => panel.find(({ role }) => role === slug) ?? { role: slug });
}

/** Returns the roles that can be chosen for the protocol. */
export function rolesOf(home: Home, offer: HomeOffer): readonly RoleOffer[] {
  return protocolOf(home, offer).roles ?? offer.roles;
}

/** Returns the preset that the seats come from; undefined if there is none, or it no longer exists. */
export function chosenPreset(home: Home, offer: HomeOffer): PresetOffer | undefined {
  const { id, panel } = protocolOf(home, offer);
  return panel?.presets.find(({ slug }) => slug === home.choices.presets[id]);
}

/** How many runs the home screen lists. */
const RECENT = 5;

/** Returns the lines of the form that the cursor can be on, in order. */
export function formRows(home: Home, offer: HomeOffer): readonly FormRow[] {
  const { panel, attaches, looks, usesTools } = protocolOf(home, offer);
  const makeRows = (
    kind: 'seat' | 'file' | 'folder' | 'server' | 'run',
    count: number,
  ): FormRow[] => Array.from({ length: count }, (_, index) => ({ kind, index }));
  return [
    { kind: 'question' },
    { kind: 'protocol' },
    ...(panel ? [{ kind: 'preset' } as const] : []),
    ...makeRows('seat', seatsOf(home, offer).length),
    ...(panel ? [{ kind: 'add' } as const, { kind: 'save' } as const] : []),
    { kind: 'chair' },
    { kind: 'models' },
    { kind: 'rehearse' },
    ...(attaches ? makeRows('file', home.attachments.length) : []),
    ...(attaches ? [{ kind: 'attach' } as const] : []),
    ...(looks ? makeRows('folder', home.look.length) : []),
    ...(looks ? [{ kind: 'look' } as const] : []),
    ...(usesTools ? makeRows('server', offer.toolServers.length) : []),
    ...makeRows('run', Math.min(RECENT, home.recent?.length ?? 0)),
    { kind: 'all' },
  ];
}

/** Returns the line under the cursor. */
export function formRow(home: Home, offer: HomeOffer): FormRow {
  return formRows(home, offer)[home.at] ?? { kind: 'question' };
}

/** Returns which part of the home screen the cursor is in. Each part has keys of its own. */
export function getHomePlace(home: Home, offer: HomeOffer): HomePlace {
  const { kind } = formRow(home, offer);
  if (kind === 'question') return 'box';
  const { panel, one: roleTitle } = protocolOf(home, offer);
  if (kind === 'seat') return roleTitle !== undefined ? 'one' : panel ? 'seat' : 'place';
  if (kind === 'folder') return 'file';
  return kind === 'file' || kind === 'run' ? kind : 'line';
}

/**
 * How many of the found models are used in turn for seats without a model: as many as a default panel needs.
 */
const IN_TURN = 4;

/**
 * Returns the run that Enter would start now, each seat with the model that it would get. The model is
 * undefined if the seat has none and no model was found yet.
 */
export function runRequest(home: Home, offer: HomeOffer): RunRequest {
  const all = (home.found?.models ?? []).map(({ spec }) => spec);
  // Use coding agents only if no other models were found, because agents use up a subscription.
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
    // If no synthesizer is set, it gets the fourth model found, because a panel of three seats uses the first
    // three. If fewer were found, it gets the model of the first seat.
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

/**
 * Returns the home screen with a tool server allowed to seats, or forbidden again.
 *
 * @param index the number of the server in the offer
 */
export function toggleServer(home: Home, offer: HomeOffer, index: number): Home {
  const name = offer.toolServers[index]?.name;
  if (name === undefined) return home;
  const { tools = [] } = home.choices;
  const next = tools.includes(name) ? tools.filter((tool) => tool !== name) : [...tools, name];
  return { ...home, choices: { ...home.choices, tools: next } };
}

/** Returns all attached files, including those that the question names. */
function filesOf({ attachments, mentioned }: Home): readonly AttachedFile[] {
  const paths = new Set(attachments.map(({ path }) => path));
  return [...attachments, ...mentioned.filter(({ path }) => !paths.has(path))];
}

/** Returns the questions of the latest runs, the latest first, each once. */
export function listEarlierQuestions({ recent = [] }: Home): string[] {
  return [...new Set(recent.map(({ question }) => question).filter((question) => question !== ''))];
}
