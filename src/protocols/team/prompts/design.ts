/** Builds the prompts of T2: who owns which files, how each part is built, and what all parts keep to. */
import type { Message } from '../../../kernel/model.ts';
import { toLine } from '../../../text/line.ts';
import type { FactOf } from '../facts.ts';
import type { Architecture, Boundaries, Proposal } from '../forms/design.ts';
import {
  architecturePart,
  buildPrompt,
  formatMaterial,
  refusedPart,
  tellInterface,
} from './opening.ts';

/** Two statements of designs that cannot both be built. */
export type Contradiction = FactOf<'team.designed'>['contradictions'][number];

/** What every prompt about the design contains. */
export interface DesignContext {
  readonly goal: string;
  readonly seed: number;
  /** The survey and the plan, each as a part of the prompt. */
  readonly parts: readonly string[];
  /** The version of the rules and prompts that the run follows. */
  readonly edition: number;
}

interface Refused<T> {
  readonly handed: T;
  readonly why: readonly string[];
}

function formatRefused<T>(refused: Refused<T> | undefined, seed: number): string[] {
  return refused === undefined ? [] : [refusedPart(refused.handed, refused.why, seed)];
}

/**
 * Builds the prompt that asks the lead architect to divide the work into domains.
 * @param refused an earlier answer, with the reasons why code refused it
 */
export function boundariesMessages(
  { goal, seed, parts }: DesignContext,
  workstreams: readonly string[],
  refused?: Refused<Boundaries>,
): Message[] {
  return buildPrompt(goal, seed, parts, [
    ...formatRefused(refused, seed),
    [
      `You are T2’s lead. Cut the design into domains before anybody designs: parts of the code that one architect can design alone. Each of the workstreams ${workstreams.join(', ')} belongs to exactly one.`,
      'domains: owns are globs of files; no file may be owned by two. What nobody owns is lent to whoever needs it.',
      'assumptions: what everybody has to take for granted alike (formats, names, errors, time zones, who locks what), S1, S2, …. basis: "repo" where the repository says so, and then path and quote say where, letter for letter; "goal" where the goal does; "choice" where you choose. path and quote are empty but for "repo".',
    ].join('\n'),
  ]);
}

function boundariesPart({ domains, assumptions }: Boundaries, seed: number): string {
  return formatMaterial(
    'Domains and what all take for granted:',
    'boundaries',
    [
      ...domains.map(({ id, workstreams, owns }) =>
        toLine(`${id} (${workstreams.join(', ')}) owns ${owns.join(' ')}`),
      ),
      ...assumptions.map(({ id, text, basis }) => toLine(`${id} (${basis}): ${text}`)),
    ].join('\n'),
    seed,
  );
}

const PROPOSAL_TASK =
  'design: how it is built, in a page at most. interfaces: everything that another domain uses or that you use of another: name, file, signature, change (new, compatible or breaking for those who use it today), owner, users; declare what you use as you need it, also where another domain owns it. signature: how it is called and what it gives, in one line of the repository’s own language, and in the words of the requirements where they name it: code compares the declarations letter for letter, but for spaces. needs: what another domain has to do for you. risks: what could go wrong.';

/** Builds the prompt that asks the architect of a domain for a proposal. */
export function proposeMessages(
  { goal, seed, parts, edition }: DesignContext,
  boundaries: Boundaries,
  domain: string,
): Message[] {
  return buildPrompt(
    goal,
    seed,
    [...parts, boundariesPart(boundaries, seed)],
    [
      `You are T2 for the domain ${domain}. Design it within its boundaries${edition >= 3 && boundaries.domains.length === 1 ? '' : '; the others design theirs at the same time, and you do not see it yet'}.`,
      PROPOSAL_TASK,
    ],
  );
}

function proposalsPart(proposals: readonly Proposal[], seed: number): string {
  return proposals
    .map(({ domain, design, interfaces, needs, risks }) =>
      formatMaterial(
        `What ${domain} proposes:`,
        `proposal-${domain}`,
        [
          design,
          ...interfaces.map((declaration) => `Interface ${tellInterface(declaration)}`),
          ...needs.map((need) => toLine(`Needs of ${need.domain}: ${need.what}`)),
          ...risks.map((risk) => toLine(`Risk: ${risk}`)),
        ].join('\n'),
        seed,
      ),
    )
    .join('\n\n');
}

function tellContradiction({ id, a, quoteA, b, quoteB, why, by }: Contradiction): string {
  return toLine(`${id} (found by ${by}): ${a} says “${quoteA}”, ${b} says “${quoteB}”. ${why}`);
}

function contradictionsPart(found: readonly Contradiction[], seed: number): string {
  return formatMaterial(
    'What cannot all be built:',
    'contradictions',
    found.map(tellContradiction).join('\n'),
    seed,
  );
}

/**
 * Builds the prompt that asks the lead architect for contradictions between proposals.
 * @param known the contradictions that code has found
 */
export function contradictionsMessages(
  { goal, seed, parts }: DesignContext,
  boundaries: Boundaries,
  proposals: readonly Proposal[],
  known: readonly Contradiction[],
): Message[] {
  return buildPrompt(
    goal,
    seed,
    [...parts, boundariesPart(boundaries, seed), proposalsPart(proposals, seed)],
    [
      ...(known.length === 0 ? [] : [contradictionsPart(known, seed)]),
      'You are T2’s lead. Code has compared the declared interfaces. found: what else in these proposals cannot all be built: two ideas of who does a thing, of when, of what a value means; one that goes against an assumption. ids X1, X2, … that are not taken yet. quote_a and quote_b: each side’s own words, letter for letter; code looks whether they stand there. None is a good answer.',
    ],
  );
}

/** Builds the prompt that asks an architect to answer to the contradictions that concern its proposal. */
export function answerMessages(
  { goal, seed, parts }: DesignContext,
  boundaries: Boundaries,
  proposals: readonly Proposal[],
  own: Proposal,
  concerned: readonly Contradiction[],
): Message[] {
  return buildPrompt(
    goal,
    seed,
    [...parts, boundariesPart(boundaries, seed), proposalsPart(proposals, seed)],
    [
      contradictionsPart(concerned, seed),
      `You are T2 for the domain ${own.domain}. answers: for each of these what you do: "concede", "hold" or "compromise", with the ground. The other side answers at the same time and does not see yours: where only the words differ, the owner holds and everybody else takes over the owner’s declaration to the letter. proposal: your whole proposal as it stands after that.`,
      PROPOSAL_TASK,
    ],
  );
}

/**
 * Builds the prompt that asks the lead architect to make one architecture of all proposals.
 * @param open contradictions that the lead has to settle
 * @param refused an earlier answer, with the reasons why code refused it
 */
export function architectureMessages(
  { goal, seed, parts }: DesignContext,
  boundaries: Boundaries,
  proposals: readonly Proposal[],
  open: readonly Contradiction[],
  refused?: Refused<Architecture>,
): Message[] {
  return buildPrompt(
    goal,
    seed,
    [...parts, boundariesPart(boundaries, seed), proposalsPart(proposals, seed)],
    [
      ...(open.length === 0 ? [] : [contradictionsPart(open, seed)]),
      ...formatRefused(refused, seed),
      [
        'You are T2’s lead. Write the architecture that everybody below works by; nobody there reads the proposals.',
        'interfaces: every one that was declared, once, as it is to be. decisions: D1, D2, …, each with the requirements it serves, and from: the words of the proposals it rests on, letter for letter. settled: every contradiction above, and how. open: what you leave open. Every requirement is served by a decision.',
      ].join('\n'),
    ],
  );
}

/**
 * Builds the prompt that asks the only architect of a design with one domain for the architecture.
 * @param refused an earlier answer, with the reasons why code refused it
 */
export function aloneMessages(
  { goal, seed, parts }: DesignContext,
  domain: string,
  refused?: Refused<Architecture>,
): Message[] {
  return buildPrompt(goal, seed, parts, [
    ...formatRefused(refused, seed),
    [
      `You are T2, the only architect, for the workstream ${domain}. Write the architecture that whoever cuts the work into tasks and does them goes by.`,
      `summary: how it is built, in a page at most. interfaces: what others call, each once: name, file, signature in one line of the repository’s own language and in the words of the requirements where they name it, change (new, compatible or breaking for those who use it today); owner is ${JSON.stringify(domain)}, users []. decisions: D1, D2, …, each with the requirements it serves; from: []. settled: []. open: what you leave open. Every requirement is served by a decision.`,
    ].join('\n'),
  ]);
}

/**
 * Builds the prompt that asks the planning seat (T1) whether the architecture meets the
 * requirements.
 */
export function fitMessages(
  { goal, seed, parts }: DesignContext,
  architecture: Architecture,
): Message[] {
  return buildPrompt(
    goal,
    seed,
    [...parts, architecturePart(architecture, seed)],
    [
      'You are T1. Hold the architecture against the goal and its requirements. fits: whether work by it can meet them all. uncovered: requirements that nothing in it serves. against: decisions that go against the goal, by their id, with why.',
    ],
  );
}
