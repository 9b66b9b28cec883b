/**
 * Whether a run from a file is one that the commands can go on with. Its form is checked where it is
 * read; here its words are: settings that fit the protocol, names that name something, models.
 */

import { DeliberateError } from '../kernel/errors.ts';
import { KERNEL, type Request } from '../kernel/facts.ts';
import type { Seat } from '../kernel/model.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { hasSpecForm } from '../kernel/providers/spec.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { BUILT_IN, protocolNamed } from '../protocols/table.ts';
import { FACTS } from '../protocols/vocabulary.ts';
import { configSchema } from '../sdk/config.ts';
import { NAME as PROTOCOL_NAME } from '../sdk/define.ts';
import { type Archive, badFile } from '../store/archive.ts';

type Path = readonly PropertyKey[];
/** Says what is wrong at a place in the file. */
type Wrong = (path: Path, message: string) => DeliberateError;

/** Longer than any path of agents whose names are files' names, 32 deep. */
const LONGEST = 10_000;
const LONGEST_SEAT = 300;

/** Where facts say who or what: looked up by name wherever a run is shown. */
const NAMES = [
  ...['step', 'seat', 'role', 'agent', 'path', 'id', 'claim', 'verification', 'supersedes'],
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

/** Where settings name a model. */
const MODELS = ['synthesizer', 'verifier', 'baselineModel'] as const;

/** As the program makes the ids of claims, verdicts, decisions and tests. */
const RECORD_IDS: Readonly<Partial<Record<string, RegExp>>> = {
  'claim.raised': /^C-\d{1,9}-\d{1,9}$/,
  'verification.recorded': /^V-\d{1,9}-\d{1,9}$/,
  'decision.made': /^D-\d{1,9}-\d{1,9}$/,
  'evidence.recorded': /^E-\d{1,9}-\d{1,9}$/,
  'tool.called': /^S-\d{1,9}$/,
};

/** @throws DeliberateError that names the place in the file. `source` names the file. */
export async function checkRun(archive: Archive, source: string): Promise<void> {
  const wrong: Wrong = (path, message) => badFile(source, path, message);
  const protocol = await rulesFor(archive, wrong);
  for (const [index, { key }] of archive.steps.entries())
    checkName(key, ['steps', index, 'key'], LONGEST, wrong);
  for (const [index, stored] of archive.facts.entries()) {
    const at = ['facts', index];
    for (const field of NAMES) {
      const name = stored[field];
      if (typeof name === 'string') checkName(name, [...at, field], LONGEST, wrong);
    }
    const read: AnyFact & { readonly id?: unknown } = FACTS.read(stored);
    const form = Object.hasOwn(RECORD_IDS, read.type) ? RECORD_IDS[read.type] : undefined;
    if (form !== undefined && typeof read.id === 'string' && !form.test(read.id))
      throw wrong([...at, 'id'], `no id of this kind: ${show(read.id)}`);
    const one = KERNEL.own(read);
    if (one === undefined) continue;
    if (one.type === 'run.started') checkStart(one, protocol, at, wrong);
    if (one.type === 'run.resumed') checkRequest(one.request, [...at, 'request'], wrong);
    if (one.type === 'seat.changed') checkModel(one.model, [...at, 'model'], wrong);
  }
}

/** What is checked of a protocol's own. */
type Rules = Pick<Protocol, 'config' | 'unsound'>;

/** A person's own protocol is known by the file that it says it was held with; none is loaded here. */
async function rulesFor({ protocol: name, facts }: Archive, wrong: Wrong): Promise<Rules> {
  const isOwn = !BUILT_IN.has(name) && PROTOCOL_NAME.test(name) && facts[0]?.source !== undefined;
  if (isOwn) return { config: configSchema };
  try {
    return await protocolNamed(name);
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
  const ids = new Set<string>();
  for (const [index, { id, role, model }] of seats.entries()) {
    const place = [...at, 'seats', index];
    checkName(id, [...place, 'id'], LONGEST_SEAT, wrong);
    checkName(role, [...place, 'role'], LONGEST_SEAT, wrong);
    if (ids.has(id)) throw wrong([...place, 'id'], `two seats are called ${show(id)}`);
    ids.add(id);
    checkModel(model, [...place, 'model'], wrong);
  }
  if (ids.size === 0) throw wrong([...at, 'seats'], 'the list of seats is empty');
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
  // Whose server it was need not be known here: the run can be read all the same.
  if (!hasSpecForm(model)) throw wrong(at, `no model: ${show(model)}`);
}

/** A name that people can read and that means nothing to the program itself. */
function checkName(name: string, at: Path, longest: number, wrong: Wrong): void {
  if (name.trim() === '') throw wrong(at, 'the name is empty');
  if (name.length > longest)
    throw wrong(at, `a name is limited to ${longest} characters, this one has ${name.length}`);
  // What objects have by themselves: `constructor`, `__proto__`, `toString`, …
  if (name in Object.prototype) throw wrong(at, `${show(name)} is a reserved name`);
  if (!name.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(name))
    throw wrong(at, 'the name contains invisible characters');
}

function show(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
