/**
 * Checks whether the commands can work with a run that was read from a file. The file's form is checked where
 * it is read; this file checks its contents: settings that fit the protocol, names that exist, model names.
 */

import { DeliberateError } from '../../kernel/errors.ts';
import { KERNEL, type Request } from '../../kernel/facts.ts';
import type { Seat } from '../../kernel/model.ts';
import { LONGEST_KEY, nameProblem, seatProblem, showName } from '../../kernel/names.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { hasSpecForm } from '../../kernel/providers/spec.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { configSchema } from '../../sdk/config.ts';
import { NAME as PROTOCOL_NAME } from '../../sdk/define.ts';
import { type Archive, badFileError } from '../../store/archive.ts';
import { BUILT_IN, loadProtocol } from '../table.ts';
import { FACTS } from '../vocabulary.ts';

type Path = readonly PropertyKey[];
/** Makes the error for a place in the file. */
type Wrong = (path: Path, message: string) => DeliberateError;

/**
 * Fields of facts that contain names, such as ids of seats. The program looks things up by these
 * names.
 */
const NAMES = [
  ...['step', 'seat', 'role', 'agent', 'id', 'claim', 'verification', 'supersedes'],
  ...[
    'superseded_by',
    'parent',
    'handoff',
    'answeredBy',
    'check',
    'protocol',
    'attempt',
    'without',
  ],
] as const;

/**
 * Returns the fields of a fact that contain names. In facts of a person's own protocol only `step`
 * is checked.
 */
function namesIn({ type }: AnyFact): readonly string[] {
  if (type.includes('/')) return ['step'];
  // In facts about agents, `path` is an agent's place in the tree of agents, such as `lead/advisors/risk`, and is checked
  // like a name. In all other facts, `path` is the path of a file and is not checked here.
  return type.startsWith('agent.') ? [...NAMES, 'path'] : NAMES;
}

/** Settings whose value is a model. */
const MODELS = ['synthesizer', 'verifier', 'baselineModel'] as const;

/** The form of the ids that the program gives to claims, verdicts, decisions and tests. */
const RECORD_IDS: Readonly<Partial<Record<string, RegExp>>> = {
  'claim.raised': /^C-\d{1,9}-\d{1,9}$/,
  'verification.recorded': /^V-\d{1,9}-\d{1,9}$/,
  'decision.made': /^D-\d{1,9}-\d{1,9}$/,
  'evidence.recorded': /^E-\d{1,9}-\d{1,9}$/,
  'tool.called': /^S-\d{1,9}$/,
};

/**
 * Checks the content of an exported run before it is imported.
 *
 * @param source the file's name, for errors
 * @throws DeliberateError that names the place in the file
 */
export async function checkRun(archive: Archive, source: string): Promise<void> {
  const makeError: Wrong = (path, message) => badFileError(source, path, message);
  const protocol = await rulesFor(archive, makeError);
  for (const [index, { key }] of archive.steps.entries())
    checkName(key, ['steps', index, 'key'], makeError);
  for (const [index, stored] of archive.facts.entries()) {
    const at = ['facts', index];
    const read: AnyFact & { readonly id?: unknown } = FACTS.read(stored);
    for (const field of namesIn(read)) {
      const name = stored[field];
      if (typeof name === 'string') checkName(name, [...at, field], makeError);
    }
    const form = Object.hasOwn(RECORD_IDS, read.type) ? RECORD_IDS[read.type] : undefined;
    if (form !== undefined && typeof read.id === 'string' && !form.test(read.id))
      throw makeError([...at, 'id'], `no id of this kind: ${showName(read.id)}`);
    const fact = KERNEL.own(read);
    if (fact === undefined) continue;
    if (fact.type === 'run.started') checkStart(fact, protocol, at, makeError);
    if (fact.type === 'run.resumed') checkRequest(fact.request, [...at, 'request'], makeError);
    if (fact.type === 'seat.changed') checkModel(fact.model, [...at, 'model'], makeError);
  }
}

/** How a protocol checks its own settings and facts. */
type Rules = Pick<Protocol, 'config' | 'unsound'>;

/**
 * Returns the rules of the run's protocol. For a third-party protocol it only checks that the run names its
 * file; no file is loaded.
 */
async function rulesFor({ protocol: name, facts }: Archive, wrong: Wrong): Promise<Rules> {
  const isOwn = !BUILT_IN.has(name) && PROTOCOL_NAME.test(name) && facts[0]?.source !== undefined;
  if (isOwn) return { config: configSchema };
  try {
    return await loadProtocol(name);
  } catch (error) {
    if (error instanceof DeliberateError) throw wrong(['protocol'], error.message);
    throw error;
  }
}

interface Start {
  readonly seats: readonly Seat[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly request: Request;
}

function checkStart(start: Start, protocol: Rules, at: Path, wrong: Wrong): void {
  const { seats, config, request } = start;
  const problem = seatProblem(seats);
  if (problem !== undefined)
    throw wrong([...at, 'seats', problem.index, problem.field], problem.message);
  for (const [index, { model }] of seats.entries())
    checkModel(model, [...at, 'seats', index, 'model'], wrong);
  if (seats.length === 0) throw wrong([...at, 'seats'], 'the list of seats is empty');
  checkRequest(request, [...at, 'request'], wrong);
  const read = protocol.config.safeParse(config);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw wrong([...at, 'config', ...(issue?.path ?? [])], issue?.message ?? 'not understood');
  }
  for (const field of MODELS) {
    const model = config[field];
    if (typeof model === 'string') checkModel(model, [...at, 'config', field], wrong);
  }
  const unsound = protocol.unsound?.(seats, read.data);
  if (unsound !== undefined) throw wrong([...at, ...unsound.path], unsound.message);
}

function checkRequest(request: Request, at: Path, wrong: Wrong): void {
  if (typeof request.model === 'string') checkModel(request.model, [...at, 'model'], wrong);
}

function checkModel(model: string, at: Path, wrong: Wrong): void {
  // Check only the form of a model's name, not whether its server exists: a run can be read without the server.
  if (!hasSpecForm(model)) throw wrong(at, `no model: ${showName(model)}`);
}

function checkName(name: string, at: Path, wrong: Wrong): void {
  const problem = nameProblem(name, LONGEST_KEY);
  if (problem !== undefined) throw wrong(at, problem);
}
