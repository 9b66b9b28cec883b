/**
 * Makes the design: T2's lead sets boundaries, architects propose, code and the lead find contradictions,
 * the architects concerned answer, and the lead writes the architecture that the tiers below follow.
 */

import { withoutUndefined } from '../../../text/without-undefined.ts';
import { linesOfQuotation } from '../../../text/words/quotation.ts';
import { fact } from '../facts.ts';
import {
  type Architecture,
  answersSchema,
  architectureSchema,
  type Boundaries,
  boundariesSchema,
  contradictionsSchema,
  type FitJudgment,
  fitSchema,
  type Proposal,
  proposalSchema,
} from '../forms/design.ts';
import {
  aloneMessages,
  answerMessages,
  architectureMessages,
  boundariesMessages,
  type Contradiction,
  contradictionsMessages,
  type DesignContext,
  fitMessages,
  proposeMessages,
} from '../prompts/design.ts';
import { planPart, surveyPart } from '../prompts/opening.ts';
import { contradictionsIn, problemsInArchitecture, problemsInBoundaries } from '../rules/design.ts';
import { castOf, type TeamRun, type WorkBasis } from '../team-run.ts';
import { askLooking } from './place.ts';
import type { SurveyResult } from './survey.ts';

/** How often architects answer to contradictions; further answers change little. */
const MOST_CYCLES = 2;

interface Designed {
  readonly boundaries: Boundaries;
  readonly architecture: Architecture;
}

/**
 * Makes the design of all workstreams whose path has one (`T2-T5`), and records it.
 * @returns the design, undefined if no workstream needs one, or `why` there is no valid design
 */
export async function designWorkstreams(
  team: TeamRun,
  surveyed: SurveyResult,
  ground: WorkBasis,
): Promise<Designed | undefined | { readonly why: string }> {
  const { plan } = ground;
  const wanted = plan.workstreams.filter(({ path }) => path === 'T2-T5').map(({ id }) => id);
  if (wanted.length === 0) return undefined;
  const context = contextOf(team, ground);
  const [alone, ...others] = wanted;
  if (team.edition >= 3 && alone !== undefined && others.length === 0)
    return designAlone(team, surveyed, ground, context, alone);
  const boundaries = await drawBoundaries(team, surveyed, ground, context, wanted);
  if ('why' in boundaries) return boundaries;
  const proposals = await collectProposals(team, surveyed, ground, context, boundaries);
  if ('why' in proposals) return proposals;
  const agreed = await settleContradictions(team, surveyed, ground, context, boundaries, proposals);
  const written = await writeArchitecture(team, ground, context, boundaries, agreed);
  if ('why' in written) return written;
  const { architecture, refused, fit } = written;
  const settledAs = new Map(
    architecture.settled.map((settlement) => [settlement.contradiction, settlement.how]),
  );
  await team.record('design/designed', { architecture, fit }, [
    fact('team.designed', {
      boundaries,
      proposals: [...agreed.proposals],
      contradictions: agreed.found.map((contradiction) => {
        const settled = settledAs.get(contradiction.id);
        return { ...contradiction, ...withoutUndefined({ settled }) };
      }),
      cycles: agreed.cycles,
      architecture,
      ...withoutUndefined({ fit }),
      refused: [...refused],
    }),
  ]);
  if (refused.length > 0) return { why: `the architecture does not hold: ${refused.join('; ')}` };
  return { boundaries, architecture };
}

/**
 * Designs a single domain with one architect and one call, from version 3 of the rules on, since there is
 * nobody to agree with. What code finds wrong with the architecture goes back to the architect once.
 */
async function designAlone(
  team: TeamRun,
  { tree }: SurveyResult,
  { plan }: WorkBasis,
  context: DesignContext,
  domain: string,
): Promise<Designed | { readonly why: string }> {
  const boundaries: Boundaries = {
    domains: [{ id: domain, workstreams: [domain], owns: [] }],
    assumptions: [],
  };
  // The only domain's architect makes no proposal. But `problemsInArchitecture` needs one, so pass an empty one.
  const emptyProposal: Proposal = { domain, design: '', interfaces: [], needs: [], risks: [] };
  let refused: { handed: Architecture; why: readonly string[] } | undefined;
  for (const key of ['design/architecture', 'design/architecture-again']) {
    const asked = await askLooking(team, key, tree, {
      task: 'team/architecture',
      seat: 't2',
      schema: architectureSchema,
      cast: castOf(plan, 'T2', { workstream: domain, domain }),
      about: { items: [domain] },
      messages: aloneMessages(context, domain, refused),
    });
    if ('why' in asked) return { why: `there is no architecture: ${asked.why}` };
    const architecture = asked.value;
    const why = problemsInArchitecture(architecture, [emptyProposal], plan);
    refused = why.length === 0 ? undefined : { handed: architecture, why };
    if (refused !== undefined && key === 'design/architecture') continue;
    await team.record('design/designed', { architecture, why }, [
      fact('team.designed', {
        boundaries,
        proposals: [],
        contradictions: [],
        cycles: 0,
        architecture,
        refused: [...why],
      }),
    ]);
    if (refused === undefined) return { boundaries, architecture };
  }
  return { why: `the architecture does not hold: ${refused?.why.join('; ') ?? ''}` };
}

function contextOf(team: TeamRun, { survey, plan }: WorkBasis): DesignContext {
  const { goal, config, view } = team;
  const { seed } = config;
  return {
    goal,
    seed,
    edition: team.edition,
    parts: [surveyPart(survey, seed), planPart(plan, view.amendments, seed)],
  };
}

async function drawBoundaries(
  team: TeamRun,
  { tree }: SurveyResult,
  { plan }: WorkBasis,
  context: DesignContext,
  wanted: readonly string[],
): Promise<Boundaries | { readonly why: string }> {
  let refused: { handed: Boundaries; why: readonly string[] } | undefined;
  for (const key of ['design/boundaries', 'design/boundaries-again']) {
    const asked = await askLooking(team, key, tree, {
      task: 'team/boundaries',
      seat: 't2-lead',
      schema: boundariesSchema,
      cast: castOf(plan, 'T2-lead'),
      about: { items: [...wanted] },
      messages: boundariesMessages(context, wanted, refused),
    });
    if ('why' in asked) return { why: `there are no boundaries: ${asked.why}` };
    const handed = asked.value;
    const texts = await readTexts(
      team,
      `${key}/texts`,
      tree,
      handed.assumptions.flatMap(({ basis, path }) => (basis === 'repo' ? [path] : [])),
    );
    const why = problemsInBoundaries(handed, plan, (path) => texts.get(path));
    if (why.length === 0) return handed;
    refused = { handed, why };
  }
  return { why: `the boundaries do not hold: ${refused?.why.join('; ') ?? ''}` };
}

/**
 * Returns the texts of files by path. Files that do not exist are left out.
 * @param of the id of a tree or commit
 */
export async function readTexts(
  team: TeamRun,
  key: string,
  of: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(paths)].filter((path) => path !== '').sort();
  if (wanted.length === 0) return new Map();
  const found = await team.look(key, { of, wanted }, async (signal) => {
    const texts: [string, string][] = [];
    for (const path of wanted) {
      const text = await team.workshop.text(of, path, signal);
      if (text !== undefined) texts.push([path, text]);
    }
    return texts;
  });
  return new Map(found);
}

async function collectProposals(
  team: TeamRun,
  { tree }: SurveyResult,
  { plan }: WorkBasis,
  context: DesignContext,
  boundaries: Boundaries,
): Promise<readonly Proposal[] | { readonly why: string }> {
  const asked = await Promise.all(
    boundaries.domains.map(async ({ id }) => {
      const answer = await askLooking(team, `design/propose/${id}`, tree, {
        task: 'team/propose',
        seat: 't2',
        schema: proposalSchema,
        cast: castOf(plan, 'T2', { domain: id }),
        about: { items: [id] },
        messages: proposeMessages(context, boundaries, id),
      });
      // Set the domain's id here, because the model may have answered with another one.
      return 'why' in answer ? { id, why: answer.why } : { ...answer.value, domain: id };
    }),
  );
  const missing = asked.flatMap((answer) =>
    'why' in answer ? [`${answer.id}: ${answer.why}`] : [],
  );
  if (missing.length > 0) return { why: `a proposal is missing: ${missing.join('; ')}` };
  return asked.flatMap((answer) => ('why' in answer ? [] : [answer]));
}

interface Agreed {
  readonly proposals: readonly Proposal[];
  readonly found: readonly Contradiction[];
  /** Contradictions that code finds in the latest proposals, and all that the lead architect found before. */
  readonly open: readonly Contradiction[];
  readonly cycles: number;
}

async function settleContradictions(
  team: TeamRun,
  { tree }: SurveyResult,
  { plan }: WorkBasis,
  context: DesignContext,
  boundaries: Boundaries,
  first: readonly Proposal[],
): Promise<Agreed> {
  let proposals = first;
  let open = await findContradictions(
    team,
    'design/contradictions',
    context,
    boundaries,
    proposals,
  );
  let found = open;
  let cycles = 0;
  while (open.length > 0 && cycles < MOST_CYCLES) {
    cycles += 1;
    const cycle = cycles;
    proposals = await Promise.all(
      proposals.map(async (own) => {
        const concerned = open.filter(({ a, b }) => a === own.domain || b === own.domain);
        if (concerned.length === 0) return own;
        const asked = await askLooking(team, `design/answer/${own.domain}-${cycle}`, tree, {
          task: 'team/answer',
          seat: 't2',
          schema: answersSchema,
          cast: castOf(plan, 'T2', { domain: own.domain }),
          about: { items: concerned.map(({ id }) => id), turn: cycle },
          messages: answerMessages(context, boundaries, proposals, own, concerned),
        });
        return 'why' in asked ? own : { ...asked.value.proposal, domain: own.domain };
      }),
    );
    const left = numberContradictions(contradictionsIn(proposals), 'code', found.length);
    open = left;
    found = [
      ...found,
      ...left.filter((contradiction) => !found.some((known) => isSame(known, contradiction))),
    ];
  }
  const last = open.map(
    (contradiction) => found.find((known) => isSame(known, contradiction)) ?? contradiction,
  );
  const byLead = found.filter(({ by }) => by === 'lead');
  return { proposals, found, open: [...last, ...byLead], cycles };
}

function isSame(one: Contradiction, other: Contradiction): boolean {
  const toKey = ({ a, b, quoteA, quoteB }: Contradiction): string =>
    JSON.stringify([a, b, quoteA, quoteB]);
  return toKey(one) === toKey(other);
}

function numberContradictions(
  found: readonly Omit<Contradiction, 'by' | 'id'>[],
  by: 'code' | 'lead',
  before: number,
): Contradiction[] {
  return found.map(({ a, b, quoteA, quoteB, why }, at) => ({
    id: `X${before + at + 1}`,
    a,
    b,
    quoteA,
    quoteB,
    why,
    by,
  }));
}

/**
 * Returns the contradictions that code finds, then those of the lead whose quotations occur in the
 * proposals.
 */
async function findContradictions(
  team: TeamRun,
  key: string,
  context: DesignContext,
  boundaries: Boundaries,
  proposals: readonly Proposal[],
): Promise<readonly Contradiction[]> {
  const byCode = numberContradictions(contradictionsIn(proposals), 'code', 0);
  if (proposals.length < 2) return byCode;
  const asked = await team.ask(key, {
    task: 'team/contradictions',
    seat: 't2-lead',
    schema: contradictionsSchema,
    about: { items: byCode.map(({ id }) => id) },
    messages: contradictionsMessages(context, boundaries, proposals, byCode),
  });
  if ('why' in asked) return byCode;
  const texts = new Map(
    proposals.map((proposal) => [proposal.domain, { text: JSON.stringify(proposal) }]),
  );
  const hasQuotation = (domain: string, quote: string): boolean => {
    const text = texts.get(domain);
    return text !== undefined && linesOfQuotation(quote, text) !== undefined;
  };
  const shown = asked.value.found
    .filter(
      (contradiction) =>
        contradiction.a !== contradiction.b &&
        hasQuotation(contradiction.a, contradiction.quote_a) &&
        hasQuotation(contradiction.b, contradiction.quote_b),
    )
    .map(({ a, b, quote_a: quoteA, quote_b: quoteB, why }) => ({ a, b, quoteA, quoteB, why }));
  return [...byCode, ...numberContradictions(shown, 'lead', byCode.length)];
}

interface Written {
  readonly architecture: Architecture;
  readonly refused: readonly string[];
  readonly fit?: FitJudgment | undefined;
}

/** Asks for the architecture, at most twice: objections of code or T1 go back to its author once. */
async function writeArchitecture(
  team: TeamRun,
  { plan }: WorkBasis,
  context: DesignContext,
  boundaries: Boundaries,
  { proposals, open }: Agreed,
): Promise<Written | { readonly why: string }> {
  let refused: { handed: Architecture; why: readonly string[] } | undefined;
  let fit: FitJudgment | undefined;
  for (const key of ['design/architecture', 'design/architecture-again']) {
    const asked = await team.ask(key, {
      task: 'team/architecture',
      seat: 't2-lead',
      schema: architectureSchema,
      cast: castOf(plan, 'T2-lead'),
      messages: architectureMessages(context, boundaries, proposals, open, refused),
    });
    if ('why' in asked) return { why: `there is no architecture: ${asked.why}` };
    const handed = asked.value;
    const problems = problemsInArchitecture(handed, proposals, plan);
    if (problems.length > 0) {
      refused = { handed, why: problems };
      continue;
    }
    const held = await team.ask(key.replace('architecture', 'fit'), {
      task: 'team/fit',
      seat: 't1',
      schema: fitSchema,
      messages: fitMessages(context, handed),
    });
    fit = 'why' in held ? undefined : held.value;
    const against = fit === undefined || fit.fits ? [] : tellFit(fit);
    if (against.length === 0) return { architecture: handed, refused: [], fit };
    refused = { handed, why: against };
  }
  const { handed: architecture, why = [] } = refused ?? {};
  return architecture === undefined
    ? { why: 'there is no architecture' }
    : { architecture, refused: why, fit };
}

function tellFit({ uncovered, against }: FitJudgment): string[] {
  return [
    ...uncovered.map((id) => `nothing in it serves ${id}`),
    ...against.map(({ decision, why }) => `${decision} goes against the goal: ${why}`),
    ...(uncovered.length + against.length === 0 ? ['it does not fit the goal'] : []),
  ];
}
