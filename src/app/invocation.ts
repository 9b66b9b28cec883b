/**
 * One call of the program, and what its command reaches of protocols. Every command gets one. The program's
 * entry puts the protocols on the call, so that this folder names no protocol and imports none.
 */
import type { KeptPanel, PanelDraft, ProtocolOffer, RunRequest } from '../console/home/offer.ts';
import type { ProtocolView } from '../console/run/protocol-view.ts';
import type { Rates, RunEstimate } from '../kernel/estimate.ts';
import type { Source } from '../kernel/facts.ts';
import type { Prompt } from '../kernel/journal.ts';
import type { ForkOpening, Protocol } from '../kernel/protocol.ts';
import type { RunView } from '../kernel/view.ts';
import type { AnyFact, FactReader } from '../kernel/vocabulary.ts';
import type { Provider } from '../models/provider.ts';
import type { ProtocolReport, ProtocolText, RecordsWriter } from '../plain/protocol-text.ts';
import type { Store } from '../store/store.ts';
import type { ArmMaker } from './evaluation/arm-maker.ts';
import type { Config } from './settings/config.ts';
import type { TypedCall } from './typed-call.ts';

/** A call of the program as its command gets it. */
export interface Invocation extends TypedCall {
  readonly protocols: Protocols;
  /**
   * Called with the run's id when a run has begun. The draft of its question can then be deleted.
   */
  readonly begun?: (run: string) => void;
  /**
   * A digest of another program's request over MCP, stored with the run. The same request then
   * finds the same run.
   */
  readonly key?: string;
  /**
   * Whether another program, over MCP, set the budget. A later request over MCP may then replace it;
   * a budget that a person set can only be lowered.
   */
  readonly isWish?: boolean;
  /** Called with the estimate of the run before it begins. */
  readonly estimated?: (estimate: RunEstimate) => void;
}

/** The protocol with which a recorded run is continued. */
export interface RunProtocol {
  readonly protocol: Protocol;
  /** The file and its hashes, if the protocol comes from a person's file. */
  readonly source?: Source;
  /**
   * Loads the protocol's own function that computes the settings and seats of a fork. Resolves to
   * undefined if it has none.
   */
  readonly loadFork: (view: RunView, facts: readonly AnyFact[]) => Promise<OwnFork | undefined>;
}

/**
 * Computes the seats and settings of a fork.
 *
 * @param at the step from which other models are used
 * @param set the changes as typed
 * @throws UsageError if a name does not exist or nothing would change
 */
export type OwnFork = (at: string | undefined, set: readonly string[]) => ForkOpening;

/** The parts of a run's HTML page that are not in its facts. */
export interface PageExtras {
  readonly status?: string | undefined;
  /** The prompts of the run's calls, by step. */
  readonly prompts?: ReadonlyMap<string, Prompt> | undefined;
}

/**
 * Loads the protocols of the program and of people's own files, and formats runs of these
 * protocols.
 */
export interface Protocols {
  /** Reads the facts of all protocols. */
  readonly facts: FactReader;
  /**
   * Creates the built-in stand-in, which answers instead of models. `speed`: how many times faster
   * than usual it answers.
   */
  createRehearsal(options: { readonly speed?: number | undefined }): Provider;
  /**
   * Loads a built-in protocol by its name.
   * @throws DeliberateError if this version has no such protocol
   */
  load(name: string): Promise<Protocol>;
  /** Loads the console view of a protocol's runs. */
  loadView(name: string): Promise<ProtocolView>;
  /** Loads the text output of a protocol's runs. */
  loadText(name: string): Promise<ProtocolText>;
  /** Loads the reports of a protocol's runs. */
  loadReport(name: string): Promise<ProtocolReport>;
  /** Returns the function that loads a protocol's writer of record files, or undefined if it has none. */
  findRecords(name: string): (() => Promise<RecordsWriter>) | undefined;
  /** Formats a run of the named protocol as an HTML page. */
  formatPage(name: string, facts: readonly AnyFact[], known?: PageExtras): Promise<string>;
  /** Formats a stored run in the form that `deliberate import` reads. */
  formatArchive(store: Store, run: string): Promise<string>;
  /**
   * Returns the protocol with which a recorded run is continued. If it is a person's own and its file
   * has changed, the person is asked before the file is loaded.
   *
   * @throws DeliberateError if the file is missing, was never used on this machine, or the person
   *   declines
   */
  ofRun(call: Invocation, store: Store, view: RunView): Promise<RunProtocol>;
  /** Loads the home screen's part of every protocol that has one. */
  loadHomeParts(): Promise<HomeParts>;
  /** The names of the protocols that an evaluation can compare. */
  readonly armKinds: readonly string[];
  /**
   * Loads the functions that make and read evaluation runs of a protocol.
   * @throws UsageError if an evaluation cannot use that protocol
   */
  loadArm(kind: string): Promise<ArmMaker>;
  /** Loads the functions for the arm that asks one model once. */
  loadSingleModelArm(): Promise<ArmMaker>;
}

/** What a protocol offers on the home screen. */
export interface HomePart {
  /** Returns the protocol's description and the roles that can be chosen. */
  offer(call: Pick<Invocation, 'flags' | 'env'>, config: Config): ProtocolOffer;
  /**
   * Starts a run from the person's choices. Resolves to false if the person went back and no run
   * was started.
   */
  convene(call: Invocation, config: Config, what: RunRequest): Promise<boolean>;
  /** Loads the code that `convene` needs in advance, so that nobody waits after Enter. */
  prepare?(): Promise<unknown>;
  /**
   * Stores a panel of seats as a preset of the person's own; absent if the protocol has no panels.
   */
  savePanel?(call: Pick<Invocation, 'env'>, panel: PanelDraft): KeptPanel;
  /** Estimates what a run will take, in a phrase. Expects a question that is not empty. */
  estimate(what: RunRequest, config: Config, price: Rates['price']): string;
}

/** The part of the home screen of each protocol, by the protocol's name. */
export type HomeParts = ReadonlyMap<string, HomePart>;
