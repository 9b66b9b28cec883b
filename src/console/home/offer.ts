/**
 * What the home screen is given, and what it returns. The screen knows no providers, files or databases: only
 * plain data to choose from, and services for everything else.
 */
import type { RunLine } from '../model/runs.ts';

/** A protocol as the home screen offers it. */
export interface ProtocolOffer {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** For protocols with seats that a person chooses; absent: `roles` says who takes part. */
  readonly panel?: PanelOffer;
  /** The roles that take part, each once; empty: chosen for each question; absent: the roles of every panel. */
  readonly roles?: readonly RoleOffer[];
  /** The name of the thing to choose, if exactly one of the roles is chosen: `Agent`. */
  readonly one?: string;
  /** Whether texts can be attached. */
  readonly attaches: boolean;
  /** Whether seats can be given folders to look into. */
  readonly looks: boolean;
  /** Whether seats can be given tool servers. */
  readonly usesTools: boolean;
  /** What the form calls the one model that has no seat: `Synthesizer` or `Verifier`; agents share one model. */
  readonly chair: string;
  /** Sentences about files of the protocol that could not be read. */
  readonly problems?: readonly string[];
}

/** A panel of seats that a person can change. */
interface PanelOffer {
  /** The panel's title: `Board`. */
  readonly title: string;
  readonly presets: readonly PresetOffer[];
  /** The preset that is used if nothing was chosen. */
  readonly preset: string;
}

export interface RoleOffer {
  readonly slug: string;
  readonly name: string;
  readonly about: string;
  /** The model that the role's file asks for. */
  readonly model?: string | undefined;
  readonly brief: string;
}

export interface PresetOffer {
  readonly slug: string;
  readonly name: string;
  readonly about: string;
  readonly seats: readonly SeatDraft[];
  /** Paths of files to attach with the preset, and folders for its seats to look into. */
  readonly attach?: readonly string[] | undefined;
  readonly look?: readonly string[] | undefined;
}

/** A panel to store as a preset. */
export interface PanelDraft {
  readonly name: string;
  readonly seats: readonly SeatDraft[];
  readonly attachments: readonly Attached[];
  readonly look: readonly LookFolder[];
  /** Whether a preset of the same name may be replaced. */
  readonly replace: boolean;
}

/** The preset that was written, or a sentence about an existing preset with the same name. */
export type KeptPanel =
  | { readonly preset: PresetOffer; readonly file: string }
  | { readonly taken: string };

export interface QuestionOffer {
  readonly title: string;
  readonly text: string;
}

/** A recorded example that comes with the program. */
interface ExampleOffer {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

/** A tool server of the person's configuration. */
export interface ToolServerOffer {
  readonly name: string;
  /** How the server is reached: the name of its program, or its host. */
  readonly about: string;
}

/** Everything that can be chosen on the home screen from the first frame on. */
export interface HomeOffer {
  readonly protocols: readonly ProtocolOffer[];
  readonly roles: readonly RoleOffer[];
  readonly questions: readonly QuestionOffer[];
  readonly examples: readonly ExampleOffer[];
  readonly toolServers: readonly ToolServerOffer[];
  /** The person's last choices, or the program's proposal. */
  readonly choices: Choices;
  /** What the configuration sets for things that were not chosen. */
  readonly defaults: { readonly model?: string | undefined; readonly chair?: string | undefined };
  /** Sentences about files that could not be read. */
  readonly problems: readonly string[];
}

export interface SeatDraft {
  readonly role: string;
  /** Absent: the models that are found are used in turn. */
  readonly model?: string | undefined;
  /** The effort of its model, as the preset says. */
  readonly effort?: string | undefined;
  /** What the seat is told in this run instead of its role's brief. */
  readonly brief?: string | undefined;
}

/** The choices that are remembered for the next time. */
export interface Choices {
  readonly protocol: string;
  /** The preset that the seats were taken from, by protocol. */
  readonly presets: Readonly<Record<string, string>>;
  /** The seats, by protocol. */
  readonly panels: Readonly<Record<string, readonly SeatDraft[]>>;
  /** The model beside the panel; absent: chosen from those found. */
  readonly chair?: string | undefined;
  /** Names of the tool servers that seats may use. */
  readonly tools?: readonly string[] | undefined;
}

interface Model {
  /** The model's spec: `ollama/qwen3:8b`. */
  readonly spec: string;
  /** Size and context window, in a phrase. */
  readonly note: string;
}

/** The models that were found, and where models were looked for. */
export interface FoundModels {
  /** In order of preference. */
  readonly models: readonly Model[];
  /** Where models were looked for and why there are none: `ollama at http://…: connection refused`. */
  readonly looked: readonly string[];
  /** Servers that need a key and have none. */
  readonly keyless: readonly KeylessServer[];
}

interface KeylessServer {
  /** The name before the slash in the names of its models. */
  readonly name: string;
  /** The variables of which one must be set: `GOOGLE_API_KEY or GEMINI_API_KEY`. */
  readonly variables: string;
}

export interface Attached {
  readonly path: string;
  /** Size and tokens: `3 pages with 90 lines, about 3.1k tok`. */
  readonly note: string;
  /** Sentences about what the text lacks, without a full stop at the end; absent if it lacks nothing. */
  readonly lacks?: readonly string[];
  readonly text: string;
}

/** A folder that seats may look into, as in `--look`. */
export interface LookFolder {
  /** The text after `--look`: `src`, or `app=src`. */
  readonly wish: string;
  /** The name by which seats refer to the folder. */
  readonly name: string;
  readonly path: string;
}

export interface PathCompletion {
  readonly text: string;
  /** The possible completions, if there are several. */
  readonly names: readonly string[];
}

/** The run that the person wants to start. */
export interface RunRequest {
  readonly protocol: string;
  readonly question: string;
  readonly seats: readonly SeatDraft[];
  readonly chair: string | undefined;
  readonly attachments: readonly Attached[];
  readonly look: readonly LookFolder[];
  /** Names of the tool servers to use. */
  readonly tools: readonly string[];
  readonly rehearse: boolean;
}

export type HomeChoice =
  | { readonly kind: 'quit' }
  | { readonly kind: 'convene'; readonly what: RunRequest }
  | { readonly kind: 'open'; readonly run: string }
  | { readonly kind: 'resume'; readonly run: string }
  | { readonly kind: 'history' }
  | { readonly kind: 'example'; readonly id: string };

/** The services that the home screen uses. */
export interface HomeServices {
  /** Looks for models at all providers. Never rejects. */
  models(): Promise<FoundModels>;
  /** Returns the latest runs, newest first. */
  recent(): Promise<readonly RunLine[]>;
  /** Resolves to a sentence such as `2 decisions are due`; undefined if nothing is due. */
  due(): Promise<string | undefined>;
  /** Reads a file to attach. Rejects with an Error that says why it cannot be attached. */
  attach(path: string): Promise<Attached>;
  /** Returns the folders that seats may look into. Rejects with an Error that says why one cannot be used. */
  lookInto(wishes: readonly string[]): Promise<readonly LookFolder[]>;
  /**
   * Reads a file that the question names. Resolves to undefined if there is no such file, or it cannot be
   * attached.
   */
  mentioned(path: string): Promise<Attached | undefined>;
  /** Completes the beginning of a path, for Tab. */
  complete(path: string): PathCompletion;
  /** Returns the question that was typed earlier and not sent. */
  draft(): string;
  keepDraft(question: string): void;
  /** Opens a text in the person's editor, which has the terminal meanwhile. Resolves to the edited text. */
  edit(text: string): Promise<string>;
  /**
   * Opens an editor for a new role and stores the role. Resolves to undefined if nothing was written. Rejects
   * with an Error that says what is wrong with the text, which is kept for the next time.
   */
  writeRole(): Promise<RoleOffer | undefined>;
  /** Stores a panel as a preset of the protocol. Rejects with an Error that says why it cannot be stored. */
  savePanel(protocol: string, panel: PanelDraft): Promise<KeptPanel>;
  /** Estimates what a run will take, in a phrase; undefined if that is unknown. */
  estimate(what: RunRequest): string | undefined;
  /** Stores the choices for the next time. */
  save(choices: Choices): void;
}
