/** Finds problems in designs by code, without asking a model. */

import { canOverlap } from '../../../text/globs.ts';
import { joinLines } from '../../../text/line.ts';
import type { Architecture, Boundaries, Interface, Proposal } from '../forms/design.ts';
import type { TeamPlan } from '../forms/plan.ts';
import { problemsInPath } from './plan.ts';
import { isQuotedFrom } from './quotations.ts';

/**
 * Returns a sentence for each problem in how a design is divided, such as overlapping domains, an unknown
 * workstream, a workstream without a domain, or an assumption whose quotation is not in its file.
 * @param textOf returns a file's text, or undefined if there is no such file
 */
export function problemsInBoundaries(
  boundaries: Boundaries,
  plan: TeamPlan,
  textOf: (path: string) => string | undefined,
): readonly string[] {
  const { domains, assumptions } = boundaries;
  const known = new Set(plan.workstreams.map(({ id }) => id));
  const owners = new Map<string, string[]>();
  for (const { id, workstreams } of domains)
    for (const workstream of new Set(workstreams))
      owners.set(workstream, [...(owners.get(workstream) ?? []), id]);
  return [
    ...findRepeatedIds(domains.map(({ id }) => id)).map((id) => `There are two domains ${id}.`),
    ...[...owners].flatMap(([workstream, ids]) => [
      ...(known.has(workstream) ? [] : [`Domain ${ids[0]}: there is no workstream ${workstream}.`]),
      ...(ids.length > 1
        ? [`Workstream ${workstream} has ${ids.length} domains: ${ids.join(', ')}.`]
        : []),
    ]),
    ...plan.workstreams
      .filter(({ id, path }) => path === 'T2-T5' && !owners.has(id))
      .map(({ id }) => `Workstream ${id} has no domain.`),
    ...domains.flatMap(({ id, owns }) =>
      owns.flatMap((glob) => problemsInPath(glob, `Domain ${id}`)),
    ),
    ...domains.flatMap((one, at) =>
      domains
        .slice(at + 1)
        .flatMap((other) =>
          one.owns.flatMap((left) =>
            other.owns
              .filter((right) => canOverlap(left, right))
              .map(
                (right) =>
                  `Domains ${one.id} and ${other.id} both own files: ${left} and ${right}.`,
              ),
          ),
        ),
    ),
    ...findRepeatedIds(assumptions.map(({ id }) => id)).map(
      (id) => `There are two assumptions ${id}.`,
    ),
    ...assumptions
      .filter(
        ({ basis, path, quote }) => basis === 'repo' && !isQuotedFrom(quote, textOf(path) ?? ''),
      )
      .map(
        ({ id, path }) =>
          `Assumption ${id}: its quotation is not found in ${JSON.stringify(path)}.`,
      ),
  ];
}

interface Declared {
  readonly domain: string;
  readonly as: Interface;
}

/**
 * Finds interfaces that two proposals declare differently: with another signature, file, owner or
 * kind of change. Each declaration is compared with the owner's, or with the first one if the owner
 * declares none. In the result, `a` and `b` are the two domains, and `quoteA` and `quoteB` what they declare.
 */
export function contradictionsIn(proposals: readonly Proposal[]): readonly {
  readonly id: string;
  readonly a: string;
  readonly quoteA: string;
  readonly b: string;
  readonly quoteB: string;
  readonly why: string;
}[] {
  const byName = new Map<string, Declared[]>();
  const sorted = [...proposals].sort((left, right) => compareTexts(left.domain, right.domain));
  for (const { domain, interfaces } of sorted)
    for (const as of interfaces) {
      const name = as.name.trim();
      byName.set(name, [...(byName.get(name) ?? []), { domain, as }]);
    }
  return [...byName]
    .sort(([left], [right]) => compareTexts(left, right))
    .flatMap(([name, declared]) => {
      const first = declared.find(({ domain, as }) => as.owner === domain) ?? declared[0];
      if (first === undefined) return [];
      return declared.flatMap((declaration) => {
        const differ = ASPECTS.filter(
          (aspect) => joinLines(declaration.as[aspect]) !== joinLines(first.as[aspect]),
        );
        return differ.length === 0 ? [] : [{ name, first, one: declaration, differ }];
      });
    })
    .map(({ name, first, one: second, differ }, index) => ({
      id: `X${index + 1}`,
      a: first.domain,
      quoteA: formatInterface(first.as),
      b: second.domain,
      quoteB: formatInterface(second.as),
      why: `${name} is declared with another ${differ.join(' and ')}`,
    }));
}

const ASPECTS = ['signature', 'file', 'owner', 'change'] as const;

function formatInterface({ name, signature, file, owner, change }: Interface): string {
  return `${name}: ${signature} (${file}, owned by ${owner}, ${change})`;
}

/**
 * Returns a sentence for each problem in an architecture, such as a lost interface, a quotation that no
 * proposal contains, or a requirement of a designed workstream that no decision covers.
 */
export function problemsInArchitecture(
  architecture: Architecture,
  proposals: readonly Proposal[],
  plan: TeamPlan,
): readonly string[] {
  const { interfaces, decisions, settled, open } = architecture;
  const domains = new Map(proposals.map((proposal) => [proposal.domain, textOf(proposal)]));
  const requirements = new Set(plan.requirements.map(({ id }) => id));
  const kept = new Set(interfaces.map(({ name }) => name.trim()));
  const told = [...settled.map(({ how }) => how), ...open];
  const declared = new Set(
    proposals.flatMap((proposal) => proposal.interfaces.map(({ name }) => name.trim())),
  );
  const covered = new Set(decisions.flatMap(({ covers }) => covers));
  const designed = new Set(
    plan.workstreams.flatMap(({ path, covers }) => (path === 'T2-T5' ? covers : [])),
  );
  return [
    ...[...declared]
      .filter((name) => !kept.has(name) && !told.some((text) => text.includes(name)))
      .map(
        (name) =>
          `The interface ${name} of a proposal is lost: keep it, or say in settled what became of it.`,
      ),
    ...findRepeatedIds(interfaces.map(({ name }) => name.trim())).map(
      (name) => `There are two interfaces ${name}.`,
    ),
    ...findRepeatedIds(decisions.map(({ id }) => id)).map((id) => `There are two decisions ${id}.`),
    ...interfaces.flatMap(({ name, file, owner, users }) => [
      ...problemsInPath(file, `Interface ${name}`),
      ...[owner, ...users]
        .filter((id) => !domains.has(id))
        .map((id) => `Interface ${name}: there is no domain ${id}.`),
    ]),
    ...decisions.flatMap(({ id, covers, from }) => [
      ...covers
        .filter((requirement) => !requirements.has(requirement))
        .map(
          (requirement) =>
            `Decision ${id} covers ${requirement}, and there is no such requirement.`,
        ),
      ...from.flatMap(({ domain, quote }) => {
        const text = domains.get(domain);
        if (text === undefined) return [`Decision ${id}: there is no domain ${domain}.`];
        return isQuotedFrom(quote, text)
          ? []
          : [`Decision ${id}: ${domain} does not say ${JSON.stringify(quote.slice(0, 120))}.`];
      }),
    ]),
    ...[...designed].filter((id) => !covered.has(id)).map((id) => `No decision covers ${id}.`),
  ];
}

/** Joins all texts of a proposal that an architecture may quote. */
function textOf({ design, interfaces, needs, risks }: Proposal): string {
  return [
    design,
    ...interfaces.flatMap((declaration) => [declaration.signature, formatInterface(declaration)]),
    ...needs.map(({ what }) => what),
    ...risks,
  ].join('\n');
}

function findRepeatedIds(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
