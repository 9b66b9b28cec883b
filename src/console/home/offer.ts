/**
 * What the home screen is given, and what it returns. The screen knows no providers, files or databases: only
 * plain data to choose from, and services for everything else.
 */
import type { RunLine } from '../model/runs.ts';

/** A protocol as the home screen offers it. */
export interface ProtocolOffer {
  readonly id: string;
  readonly title: string;
  /** A description in one line. */
  readonly about: string;
  /**
   * The presets and limits of the seats that a person can choose; absent: `roles` says who takes
   * part.
   */
  readonly panel?: PanelOffer;
  /**
   * The roles that take part or, if `one` is set, those from which the person chooses one. Empty: the
   * protocol chooses them for each question. Absent: the person chooses.
   */
  readonly roles?: readonly RoleOffer[];
  /**
   * The name for the chosen role on the screen, such as `Agent`. Set only if the protocol takes
   * exactly one role.
   */
  readonly one?: string;
  /** Whether texts can be attached. */
  readonly attaches: boolean;
  /** Whether seats can be given folders to read. */
  readonly looks: boolean;
  /** Whether seats can be given tool servers. */
  readonly usesTools: boolean;
  /** What the form calls the additional model that sums up, such as `Synthesizer`. */
  readonly chair: string;
  /** Sentences about the protocol's files that could not be read. */
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

/** A role that can be chosen on the home screen. */
export interface RoleOffer {
  /** The role's file name without its extension. */
  readonly slug: string;
  readonly name: string;
  /** A description in one line. */
  readonly about: string;
  /** The model that the role's file asks for. */
  readonly model?: string | undefined;
  /** The instructions to the seat. */
  readonly brief: string;
}

/** A preset panel that can be chosen on the home screen. */
export interface PresetOffer {
  /** The preset's file name without its extension. */
  readonly slug: string;
  readonly name: string;
  /** A description in one line. */
  readonly about: string;
  readonly seats: readonly SeatDraft[];
  /** Paths of files to attach. */
  readonly attach?: readonly string[] | undefined;
  /** Folders that the seats may read. */
  readonly look?: readonly string[] | undefined;
}

/** A panel that is to be stored as a preset. */
export interface PanelDraft {
  readonly name: string;
  readonly seats: readonly SeatDraft[];
  readonly attachments: readonly AttachedFile[];
  /** Folders that the seats may read. */
  readonly look: readonly LookFolder[];
  /** Whether a preset of the same name may be replaced. */
  readonly replace: boolean;
}

/**
 * The result of storing a panel as a preset: the preset or, if another preset already has the name,
 * a sentence about that preset.
 */
export type KeptPanel =
  | { readonly preset: PresetOffer; readonly file: string }
  | { readonly taken: string };

/** A prepared question that can be chosen on the home screen. */
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

/** Everything that can be chosen on the home screen. */
export interface HomeOffer {
  readonly protocols: readonly ProtocolOffer[];
  readonly roles: readonly RoleOffer[];
  readonly questions: readonly QuestionOffer[];
  readonly examples: readonly ExampleOffer[];
  readonly toolServers: readonly ToolServerOffer[];
  /** The choices to begin with: the person's last ones, or the program's proposal. */
  readonly choices: Choices;
  /** The models that the configuration sets for seats without one. */
  readonly defaults: { readonly model?: string | undefined; readonly chair?: string | undefined };
  /** Sentences about files that could not be read. */
  readonly problems: readonly string[];
}

/** A seat that a person has chosen on the home screen. */
export interface SeatDraft {
  /** The slug of the role. */
  readonly role: string;
  /** The model; absent: one of the models that are found. */
  readonly model?: string | undefined;
  /** How long the model should think, as one of `EFFORTS`. */
  readonly effort?: string | undefined;
  /** Instructions to the seat in this run, instead of its role's. */
  readonly brief?: string | undefined;
}

/** The choices on the home screen that are remembered for the next time. */
export interface Choices {
  /** The id of the chosen protocol. */
  readonly protocol: string;
  /** The slug of the preset that the seats come from, by protocol. */
  readonly presets: Readonly<Record<string, string>>;
  /** The seats, by protocol. */
  readonly panels: Readonly<Record<string, readonly SeatDraft[]>>;
  /**
   * The additional model that sums up, such as the synthesizer's; absent: one of the models that
   * are found.
   */
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

/** The models that providers offer, and where models were looked for. */
export interface FoundModels {
  /** The models in order of preference. */
  readonly models: readonly Model[];
  /** Where models were looked for, with the result: `ollama at http://…: connection refused`. */
  readonly looked: readonly string[];
  /** Servers whose API key is not set. */
  readonly keyless: readonly KeylessServer[];
}

interface KeylessServer {
  /** The name before the slash in the names of its models. */
  readonly name: string;
  /** The variables of which one must be set: `GOOGLE_API_KEY or GEMINI_API_KEY`. */
  readonly variables: string;
}

/** A file or web page that is attached to the question. */
export interface AttachedFile {
  /** The path or the address, as it is shown. */
  readonly path: string;
  /** The size in files, pages or lines, and in tokens: `3 pages with 90 lines, about 3.1k tok`. */
  readonly note: string;
  /** Sentences about what the text lacks, without a full stop at the end; absent if it lacks nothing. */
  readonly lacks?: readonly string[];
  readonly text: string;
}

/** A folder that seats may read. */
export interface LookFolder {
  /** The folder as the person named it: `src`, or `app=src` with a name for seats. */
  readonly wish: string;
  /** The name by which seats refer to the folder. */
  readonly name: string;
  readonly path: string;
}

/** The completion of the beginning of a path. */
export interface PathCompletion {
  /** The completed path, as far as all candidates agree. */
  readonly text: string;
  /** The candidates. */
  readonly names: readonly string[];
}

/** The run that a person wants to start from the home screen. */
export interface RunRequest {
  /** The id of the protocol. */
  readonly protocol: string;
  readonly question: string;
  readonly seats: readonly SeatDraft[];
  /**
   * The additional model that sums up, such as the synthesizer's; undefined if none was chosen and no
   * model was found.
   */
  readonly chair: string | undefined;
  readonly attachments: readonly AttachedFile[];
  /** Folders that the seats may read. */
  readonly look: readonly LookFolder[];
  /** Names of the tool servers to use. */
  readonly tools: readonly string[];
  /** Whether the built-in stand-in answers instead of models. */
  readonly rehearse: boolean;
}

/** What the person chose on the home screen. */
export type HomeChoice =
  | { readonly kind: 'quit' }
  | { readonly kind: 'convene'; readonly what: RunRequest }
  | { readonly kind: 'open'; readonly run: string }
  | { readonly kind: 'resume'; readonly run: string }
  | { readonly kind: 'history' }
  | { readonly kind: 'example'; readonly id: string };

/** What the home screen needs from the rest of the program. */
export interface HomeServices {
  /** Lists the models of all providers. Never rejects. */
  models(): Promise<FoundModels>;
  /** Returns the latest runs, newest first. */
  recent(): Promise<readonly RunLine[]>;
  /** Resolves to a sentence such as `2 decisions are due`; undefined if nothing is due. */
  due(): Promise<string | undefined>;
  /** Reads a file to attach. Rejects with the reason if the file cannot be attached. */
  attach(path: string): Promise<AttachedFile>;
  /** Checks folders that seats may read. Rejects with the reason if one cannot be used. */
  lookInto(wishes: readonly string[]): Promise<readonly LookFolder[]>;
  /**
   * Reads a file that the question names. Resolves to undefined if there is no such file, or it
   * cannot be attached.
   */
  mentioned(path: string): Promise<AttachedFile | undefined>;
  /** Completes the beginning of a path, for Tab. */
  complete(path: string): PathCompletion;
  /** Returns the question that the person typed earlier without asking it. */
  draft(): string;
  /** Stores the question that is being typed. */
  keepDraft(question: string): void;
  /** Opens a text in the person's editor, which needs the terminal. Resolves to the edited text. */
  edit(text: string): Promise<string>;
  /**
   * Opens an editor for a new role and stores the role. Resolves to undefined if nothing was
   * written. Rejects with the reason if the text is refused; it is then kept for the next time.
   */
  writeRole(): Promise<RoleOffer | undefined>;
  /** Stores a panel as a preset. Rejects with the reason if it cannot be stored. */
  savePanel(protocol: string, panel: PanelDraft): Promise<KeptPanel>;
  /** Estimates what a run will take, in a phrase; undefined if that is unknown. */
  estimate(what: RunRequest): string | undefined;
  /** Stores the choices for the next time. */
  save(choices: Choices): void;
}
