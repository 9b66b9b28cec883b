/**
 * Formats and changes the cast of a plan: which specialist plays which tier. A person sees it at the plan's
 * question and can change it there.
 */
import type { Specialist } from '../config.ts';
import type { TeamPlan } from '../forms/plan.ts';

type Cast = TeamPlan['cast'];
type Tier = Cast[number]['tier'];

const TIERS: readonly Tier[] = ['T2-lead', 'T2', 'T3', 'T4', 'T5'];

/**
 * Formats which specialist plays which tier, a line for each, such as `T5 for list: code-reviewer.
 * Reads a change for what it does.`
 */
export function castRows(
  { cast }: Pick<TeamPlan, 'cast'>,
  specialists: readonly Specialist[],
): string[] {
  const known = new Map(specialists.map((specialist) => [specialist.slug, specialist]));
  return cast
    .filter(({ specialist }) => specialist !== '')
    .map(({ tier, workstream, domain, specialist }) => {
      const of = [workstream, domain].filter((part) => part !== '').join(', ');
      const about = known.get(specialist)?.about ?? '';
      return `${tier}${of === '' ? '' : ` for ${of}`}: ${specialist}${about === '' ? '' : `. ${about}`}`;
    });
}

/**
 * Changes which specialist plays which tier by a person's words. `T5=code-reviewer` casts a specialist for a
 * tier in all workstreams without an entry of their own, `T4 list=backend` for T4 in the workstream `list`, and
 * `T5=nobody` removes the entry for all workstreams.
 * @returns the changed list, or `why` the words cannot be applied: an unknown tier, workstream or
 * specialist
 */
export function changeCast(
  words: string,
  { cast, workstreams }: Pick<TeamPlan, 'cast' | 'workstreams'>,
  specialists: readonly Specialist[],
): Cast | { readonly why: string } {
  let changed = cast;
  for (const entry of words.split(',').map((part) => part.trim())) {
    const [, named = '', workstream = '', slug = ''] =
      /^([\w-]+)(?:\s+([\w-]+))?\s*=\s*([\w/-]+)$/.exec(entry) ?? [];
    const tier = TIERS.find((known) => known.toLowerCase() === named.toLowerCase());
    if (tier === undefined)
      return { why: `write it as T5=code-reviewer; the tiers are ${TIERS.join(', ')}` };
    if (workstream !== '' && !workstreams.some(({ id }) => id === workstream))
      return { why: `there is no workstream ${workstream}` };
    if (slug !== 'nobody' && !specialists.some((known) => known.slug === slug))
      return {
        why: `there is no specialist ${slug}; there are ${specialists.map((known) => known.slug).join(', ')}`,
      };
    const others = changed.filter(
      (given) => given.tier !== tier || given.workstream !== workstream,
    );
    changed =
      slug === 'nobody' ? others : [...others, { tier, workstream, domain: '', specialist: slug }];
  }
  return changed;
}
