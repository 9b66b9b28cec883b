/**
 * What the home screen is given and what comes of it. It knows no provider, no file and no database:
 * plain data to choose from, and services that do what a screen cannot.
 */
import type { RunLine } from '../model/runs.ts';

/** A way to deliberate. */
export interface ProtocolOffer {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Of a protocol whose seats a person puts together; absent: `roles` say who sits. */
  readonly panel?: PanelOffer;
  /** The roles that sit, each once; empty: whoever the question calls for; absent: those of every panel. */
  readonly roles?: readonly RoleOffer[];
  /** Of these roles one is chosen; what it is called: `Agent`. */
  readonly one?: string;
  /** Whether texts can be put under discussion. */
  readonly attaches: boolean;
  /** Whether seats can be given folders to look into. */
  readonly looks: boolean;
  /** Whether seats can be given tool servers. */
  readonly usesTools: boolean;
  /** Who works beside the panel: `Synthesizer`, `Verifier`; of an agent, the model for all. */
  readonly chair: string;
  /** The words of its files that could not be read. */
  readonly problems?: readonly string[];
}

/** Seats that a person chooses, and where to begin from. */
interface PanelOffer {
  /** What it is called: `Board`. */
  readonly title: string;
  readonly presets: readonly PresetOffer[];
  /** The preset that sits when nothing was chosen. */
  readonly preset: string;
}

export interface RoleOffer {
  readonly slug: string;
  readonly name: string;
  readonly about: string;
  /** The model that its file asks for. */
  readonly model?: string | undefined;
  readonly brief: string;
}

export interface PresetOffer {
  readonly slug: string;
  readonly name: string;
  readonly about: string;
  readonly seats: readonly SeatDraft[];
  /** Paths of files that are attached with it, and folders that its seats may read. */
  readonly attach?: readonly string[] | undefined;
  readonly look?: readonly string[] | undefined;
}

/** A panel that a person wants to keep as a preset. */
export interface PanelDraft {
  readonly name: string;
  readonly seats: readonly SeatDraft[];
  readonly attachments: readonly Attached[];
  readonly look: readonly LookedInto[];
  /** Whether a preset of the same name may be replaced. */
  readonly replace: boolean;
}

/** The preset that was written; or the sentence that says which one of that name is in the way. */
export type KeptPanel =
  | { readonly preset: PresetOffer; readonly file: string }
  | { readonly taken: string };

export interface QuestionOffer {
  readonly title: string;
  readonly text: string;
}

/** A recorded run that comes with the program. */
interface ExampleOffer {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

/** An MCP server of the person's configuration. */
export interface ToolServerOffer {
  readonly name: string;
  /** How it is reached: its program, or its host. */
  readonly about: string;
}

/** What can be chosen from the first frame on. */
export interface HomeOffer {
  readonly protocols: readonly ProtocolOffer[];
  readonly roles: readonly RoleOffer[];
  readonly questions: readonly QuestionOffer[];
  readonly examples: readonly ExampleOffer[];
  readonly toolServers: readonly ToolServerOffer[];
  /** What the person chose last, or what the program proposes. */
  readonly choices: Choices;
  /** What the configuration names where nothing is chosen. */
  readonly defaults: { readonly model?: string | undefined; readonly chair?: string | undefined };
  /** The words of files that could not be read. */
  readonly problems: readonly string[];
}

export interface SeatDraft {
  readonly role: string;
  /** Absent: one of those that are found, in turn. */
  readonly model?: string | undefined;
  /** How hard its model is to think, as its preset says. */
  readonly effort?: string | undefined;
  /** What the seat is told this time instead of its role's brief. */
  readonly brief?: string | undefined;
}

/** What is remembered from one time to the next. */
export interface Choices {
  readonly protocol: string;
  /** Protocol → the preset that its seats were taken from. */
  readonly presets: Readonly<Record<string, string>>;
  /** Protocol → its seats. */
  readonly panels: Readonly<Record<string, readonly SeatDraft[]>>;
  /** Who works beside the panel; absent: found. */
  readonly chair?: string | undefined;
  /** Names of the tool servers that seats may use. */
  readonly tools?: readonly string[] | undefined;
}

interface Model {
  /** `ollama/qwen3:8b` */
  readonly spec: string;
  /** Size, context window: a phrase. */
  readonly note: string;
}

/** The models there are, and every place where they were looked for. */
export interface EarlierRun {
  /** In the order in which they are preferred. */
  readonly models: readonly Model[];
  /** `ollama at http://…: connection refused` */
  readonly looked: readonly string[];
  /** Servers that answer nobody without a key, and have none. */
  readonly keyless: readonly KeylessServer[];
}

interface KeylessServer {
  /** What stands before the slash of its models' names. */
  readonly name: string;
  /** The variables of which one has to be set: `GOOGLE_API_KEY or GEMINI_API_KEY`. */
  readonly variables: string;
}

export interface Attached {
  readonly path: string;
  /** `12 kB, about 3.1k tok` */
  readonly note: string;
  readonly text: string;
}

/** A folder that seats may look into, as `--look` names it. */
export interface LookedInto {
  /** `src`, or `app=src`. */
  readonly wish: string;
  /** What seats call it. */
  readonly name: string;
  readonly path: string;
}

export interface PathCompletion {
  readonly text: string;
  /** What it may become, where that is several. */
  readonly names: readonly string[];
}

/** What the person decided to hold. */
export interface Convening {
  readonly protocol: string;
  readonly question: string;
  readonly seats: readonly SeatDraft[];
  readonly chair: string | undefined;
  readonly attachments: readonly Attached[];
  readonly look: readonly LookedInto[];
  /** Names of tool servers. */
  readonly tools: readonly string[];
  readonly rehearse: boolean;
}

export type HomeChoice =
  | { readonly kind: 'quit' }
  | { readonly kind: 'convene'; readonly what: Convening }
  | { readonly kind: 'open'; readonly run: string }
  | { readonly kind: 'resume'; readonly run: string }
  | { readonly kind: 'history' }
  | { readonly kind: 'example'; readonly id: string };

/** What the screen asks of its surroundings. */
export interface HomeServices {
  /** Looks for models at every provider. Never rejects. */
  models(): Promise<EarlierRun>;
  /** The latest runs, newest first. */
  recent(): Promise<readonly RunLine[]>;
  /** Resolves to `2 decisions are due`; undefined if none is. */
  due(): Promise<string | undefined>;
  /** @throws Error that says why the file cannot be attached. */
  attach(path: string): Promise<Attached>;
  /** The folders that seats may look into. Rejects with an Error that says why one cannot be. */
  lookInto(wishes: readonly string[]): Promise<readonly LookedInto[]>;
  /** A file that a question names; undefined where there is none that can be attached. */
  mentioned(path: string): Promise<Attached | undefined>;
  /** What Tab makes of the beginning of a path. */
  complete(path: string): PathCompletion;
  /** The question that was written and not sent, and keeping it. */
  draft(): string;
  keepDraft(question: string): void;
  /** Lets the person write the text in their own editor. The terminal is theirs meanwhile. */
  edit(text: string): Promise<string>;
  /**
   * Lets the person write a role in their own editor and keeps it among theirs; undefined where nothing
   * was written. Rejects with an Error that says what is wrong; the text is kept for the next time.
   */
  writeRole(): Promise<RoleOffer | undefined>;
  /** Keeps a panel of this protocol as a preset. Rejects with an Error that says why it cannot be. */
  savePanel(protocol: string, panel: PanelDraft): Promise<KeptPanel>;
  /** What it will take, in a phrase; undefined where nothing can be told. */
  estimate(what: Convening): string | undefined;
  /** Keeps the choices for the next time. */
  save(choices: Choices): void;
}
