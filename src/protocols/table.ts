/**
 * The table of built-in protocols, by the name in `run.started`. A protocol is listed here, in
 * `vocabulary.ts` (its facts) and in `desks.ts` (its command). Each part of a protocol is loaded
 * when it is needed.
 */
import type { ProtocolView } from '../console/run/protocol-view.ts';
import { DeliberateError } from '../kernel/errors.ts';
import type { Protocol } from '../kernel/protocol.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import type { ProtocolReport, ProtocolText, RecordsWriter } from '../plain/protocol-text.ts';
import type { AnyDefinition } from '../sdk/define.ts';

interface Card {
  readonly core: () => Promise<Protocol>;
  readonly view: () => Promise<ProtocolView>;
  readonly text: () => Promise<ProtocolText>;
  /** Loads the report. Absent: the common report. */
  readonly report?: () => Promise<ProtocolReport>;
  /** Loads the definition in which a run's protocol is written, for protocols on the SDK. */
  readonly definition?: (config: unknown, facts: readonly AnyFact[]) => Promise<AnyDefinition>;
  /** Loads the writer of record files. Absent if the protocol's runs keep no records. */
  readonly records?: () => Promise<RecordsWriter>;
}

const CARDS: ReadonlyMap<string, Card> = new Map<string, Card>([
  [
    'board',
    {
      core: async () => (await import('./board/board.ts')).board as Protocol,
      view: async () => (await import('./board/view/console.ts')).view,
      text: async () => (await import('./board/view/plain.ts')).text,
      report: async () => (await import('./board/view/report.ts')).report,
    },
  ],
  [
    'rounds',
    {
      core: async () => (await import('./rounds/rounds.ts')).rounds as Protocol,
      view: async () => (await import('./rounds/view/console.ts')).view,
      text: async () => (await import('./rounds/view/plain.ts')).text,
      report: async () => (await import('./rounds/view/summary/report.ts')).report,
      records: async () => {
        const { getRecordsFolder, writeTree } = await import('./rounds/desk/folder.ts');
        return { getRecordsFolder, writeTree };
      },
    },
  ],
  [
    'agent',
    {
      core: async () => (await import('./agents/agents.ts')).agents as Protocol,
      view: async () => (await import('./agents/view/console.ts')).view,
      text: async () => (await import('./agents/view/plain.ts')).text,
      report: async () => (await import('./agents/view/report.ts')).report,
    },
  ],
  [
    'plan',
    {
      core: async () => (await import('./plan/plan.ts')).plan as Protocol,
      view: async () => (await import('./plan/view/console.ts')).view,
      text: async () => (await import('./plan/view/plain.ts')).text,
      report: async () => (await import('./plan/view/report.ts')).report,
    },
  ],
  [
    'team',
    {
      core: async () => (await import('./team/team.ts')).team as Protocol,
      view: async () => (await import('./team/view/console.ts')).view,
      text: async () => (await import('./team/view/plain.ts')).text,
      report: async () => (await import('./team/view/report.ts')).report,
    },
  ],
  [
    'debate',
    {
      core: async () => (await import('./debate/debate.ts')).debate as Protocol,
      view: async () => (await import('./debate/view/console.ts')).view,
      text: async () => (await import('./debate/view/plain.ts')).text,
      report: async () => (await import('../sdk/view/report.ts')).OWN_REPORT,
      definition: async (config, facts) =>
        (await import('./debate/debate.ts')).loadRecordedMethod(config, facts),
    },
  ],
]);

/**
 * The names of the built-in protocols. A person's own protocol must not have one of these names.
 */
export const BUILT_IN: ReadonlySet<string> = new Set(CARDS.keys());

/**
 * Loads a built-in protocol by its name.
 * @throws DeliberateError if this version has no such protocol
 */
export async function loadProtocol(name: string): Promise<Protocol> {
  const card = CARDS.get(name);
  if (card === undefined)
    throw new DeliberateError(
      'unknown-protocol',
      `this version does not know the protocol "${name}"`,
    );
  return card.core();
}

/** Loads the console view of a protocol's runs. A person's own protocol gets the common view. */
export async function loadProtocolView(name: string): Promise<ProtocolView> {
  const card = CARDS.get(name);
  if (card !== undefined) return card.view();
  return (await import('../sdk/view/console.ts')).OWN_VIEW;
}

/**
 * Loads the text output of a protocol's runs. A person's own protocol gets the common text output.
 */
export async function loadProtocolText(name: string): Promise<ProtocolText> {
  const card = CARDS.get(name);
  if (card !== undefined) return card.text();
  return (await import('../sdk/view/plain.ts')).OWN_TEXT;
}

/** Loads the reports of a protocol's runs. A person's own protocol gets the common report. */
export async function loadProtocolReport(name: string): Promise<ProtocolReport> {
  const card = CARDS.get(name);
  if (card === undefined) return (await import('../sdk/view/report.ts')).OWN_REPORT;
  if (card.report !== undefined) return card.report();
  return (await import('../plain/common-report.ts')).COMMON_REPORT;
}

/**
 * Loads the definition of the method that a recorded run used, or undefined if the protocol has no
 * methods.
 */
export async function loadDefinition(
  name: string,
  config: unknown,
  facts: readonly AnyFact[],
): Promise<AnyDefinition | undefined> {
  return CARDS.get(name)?.definition?.(config, facts);
}

/**
 * Loads the writer of a run's record files.
 * @param run the run's id, for the error
 * @throws DeliberateError if runs of the protocol keep no records
 */
export async function loadRecordsWriter(run: string, protocol: string): Promise<RecordsWriter> {
  const load = findRecordsLoader(protocol);
  if (load !== undefined) return load();
  const keep = [...CARDS].flatMap(([name, { records }]) => (records === undefined ? [] : [name]));
  throw new DeliberateError(
    'no-records',
    `run ${run} is a ${protocol}; only ${keep.join(', ')} keep records`,
  );
}

/**
 * Returns the function that loads a protocol's writer of record files, or undefined if its runs
 * keep no records.
 */
export function findRecordsLoader(name: string): (() => Promise<RecordsWriter>) | undefined {
  return CARDS.get(name)?.records;
}
