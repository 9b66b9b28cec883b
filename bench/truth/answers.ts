/**
 * Answers the tasks of `rounds` for a simulated model. Only this file knows tasks and fields. Items come from
 * the request's `about`, claims from the record, so that the measurement does not depend on the wording of
 * prompts.
 */
import type { ModelRequest } from '../../src/kernel/model.ts';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import { ROLES, type Role } from '../../src/protocols/rounds/records/types.ts';
import { drawArtifact } from './artifacts.ts';
import { listConceded, listDisputed, listRaised } from './claims.ts';
import { listDecided } from './decisions.ts';
import type { Key } from './document.ts';
import { drawJudgment, type Mind } from './minds.ts';
import { bearingsOf, makeVerdict } from './verdicts.ts';
import type { Truth, World } from './world.ts';

/** A request to a simulated model, with what is needed to answer it. */
export interface Ask {
  readonly mind: Mind;
  readonly world: World;
  readonly request: ModelRequest;
  readonly round: number;
  /** The role of the seat. The verifier has none of the four, and gets the first. */
  readonly role: Role;
  /** Random numbers for this request. */
  readonly chance: Chance;
}

/**
 * Answers a request of `rounds` for a simulated model, in the form of the request's schema. Returns undefined for
 * an unknown task.
 * @param turn how many requests of this task came before; each turn has its own random numbers
 */
export function answerTo(mind: Mind, world: World, request: ModelRequest, turn: number): unknown {
  const { task, about, seat } = request;
  const round = about?.round ?? 1;
  const role = ROLES.find((role) => role === seat.id) ?? 'action';
  const chance = new Chance(world.seed, mind.name, task, seat.id, round, turn);
  const ask: Ask = { mind, world, request, round, role, chance };
  const kind = task.replace('rounds/', '');
  if (kind.startsWith('artifact/'))
    return {
      ...drawArtifact(ask),
      claims: listRaised(ask),
      concedes: listConceded(ask),
      disputes: listDisputed(ask),
    };
  return ANSWERS.get(kind)?.(ask);
}

const ANSWERS: ReadonlyMap<string, (ask: Ask) => unknown> = new Map<string, (ask: Ask) => unknown>([
  ['exam', answerExam],
  ['reading', answerReading],
  ['second-look', secondLook],
  ['check', makeVerdict],
  ['bearings', bearingsOf],
  ['assessment', listDecided],
  ['options', () => ({ same: [] })],
  ['stance-alone', answerStance],
  ['stance', answerStance],
  ['drift', answerDrift],
  ['prediction', ({ world, chance }) => ({ signature: [world.sentence(chance)] })],
  ['signature', answerSignature],
]);

function itemsOf({ request }: Ask): readonly string[] {
  return request.about?.items ?? [];
}

function answerExam({ mind, ...ask }: Ask): unknown {
  const answers = itemsOf({ mind, ...ask }).map((text, index) => ({
    item: index + 1,
    finding: findingOf(drawJudgment(mind, ask.world.truthOf(text).key, ask.chance)),
  }));
  return { answers };
}

function findingOf(key: Key): 'true_in_text' | 'false_in_text' | 'needs_a_test' {
  if (key === 'undecided') return 'needs_a_test';
  return key === 'true' ? 'true_in_text' : 'false_in_text';
}

function answerReading(ask: Ask): unknown {
  return {
    findings: itemsOf(ask).map((text, index) => ({ item: index + 1, ...findingFor(ask, text) })),
  };
}

const NOTHING = { quotes: [], sought: [], absence_makes_it: 'undecided', covered: '' } as const;

function findingFor(ask: Ask, text: string): object {
  const { mind, world, chance } = ask;
  const truth = world.truthOf(text);
  const found = drawJudgment(mind, truth.key, chance);
  const why = world.sentence(chance);
  if (found === 'undecided') {
    const partly = truth.key !== 'undecided' && chance.next() < 0.5;
    if (!partly) return { ...NOTHING, finding: 'needs_a_test', why };
    return { ...NOTHING, finding: 'partly', covered: text.split(' ').slice(0, 4).join(' '), why };
  }
  if (truth.sought.length > 0 && mind.habit !== 'flattering')
    return { ...NOTHING, finding: 'absent', sought: truth.sought, absence_makes_it: found, why };
  return { ...NOTHING, finding: findingOf(found), quotes: quotesFor(ask, truth), why };
}

/**
 * Returns the quotations with which a simulated model supports what it reads about a claim: the words that decide
 * the claim, or a random sentence of the document if no words do. A careless model invents a quotation half of the
 * time.
 */
export function quotesFor({ mind, world, chance }: Ask, { quotes }: Truth): string[] {
  if (mind.habit === 'careless' && chance.next() < 0.5)
    return [`It has been shown that ${world.sentence(chance).toLowerCase().slice(4)}`];
  return quotes.length > 0 ? quotes.slice(0, 3) : [world.sentence(chance)];
}

/** Takes a second look at the claim and its quotations alone, as the prompt shows them. */
function secondLook(ask: Ask): unknown {
  const { mind, world, request, chance } = ask;
  const prompt = request.messages.flatMap(({ parts }) => parts.map(({ text }) => text)).join('\n');
  const places = itemsOf(ask).map((text, index) => prompt.indexOf(`${index + 1}. ${text}`));
  const looks = itemsOf(ask).map((text, index) => {
    const truth = world.truthOf(text);
    const shown = prompt.slice(places[index], places[index + 1]);
    const key = showsEnough(shown, text, truth) ? truth.key : 'undecided';
    return { item: index + 1, verdict: drawJudgment(mind, key, chance), why: 'By what is shown.' };
  });
  return { looks };
}

/**
 * Returns whether what is shown decides the claim: all the deciding words, or those that were searched for in
 * vain.
 */
function showsEnough(shown: string, claim: string, { key, quotes, sought }: Truth): boolean {
  if (key === 'undecided') return false;
  const rest = shown.slice(shown.indexOf(claim) + claim.length);
  const wanted = quotes.length > 0 ? quotes : sought;
  return wanted.every((words) => rest.includes(words));
}

function answerStance({ world, chance }: Ask): unknown {
  return {
    position: world.sentence(chance),
    option: chance.pick(['Do it as written', 'Do it with changes', 'Do not do it yet']),
    confidence: chance.between(40, 90) / 100,
    cites: [],
  };
}

function answerDrift({ mind, world, chance }: Ask): unknown {
  const lost = mind.habit === 'careless' && chance.next() < 0.3;
  return { verdict: 'PASS', deviation_score: lost ? 5 : 1, notes: world.sentence(chance) };
}

function answerSignature({ world, request, chance }: Ask): unknown {
  return {
    observed: (request.about?.items ?? []).map((prediction) => ({
      prediction,
      happened: chance.pick(['yes', 'no', 'partly']),
      where: world.sentence(chance),
    })),
    decorative: false,
    notes: world.sentence(chance),
  };
}

/**
 * Answers a request without a schema for a simulated model: random sentences of the document, with the requested
 * headings and of about the requested length.
 */
export function talkTo(mind: Mind, world: World, request: ModelRequest): string {
  const { task, about, seat } = request;
  const chance = new Chance(world.seed, mind.name, task, seat.id, about?.round ?? 0);
  const { least, most } = about?.words ?? { least: 300, most: 500 };
  const words = chance.between(least, most);
  const headings = about?.headings ?? [];
  if (headings.length === 0) return world.prose(chance, words);
  return headings
    .map((heading) => `## ${heading}\n\n${world.prose(chance, Math.ceil(words / headings.length))}`)
    .join('\n\n');
}
