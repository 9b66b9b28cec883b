/**
 * Chooses which specialists take part: those with a cluster among the first hits of a search, or named from
 * the cards by the chair. The record says for each seat by which cluster the seat was called in.
 */

import * as z from 'zod';
import type { FormAnswer } from '../../common/asking/ask-form.ts';
import { CHAIR, editionOf } from '../config.ts';
import { findExistingFiles, searchDocuments } from '../documents.ts';
import { fact } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import { staffingMessages, staffingSchema } from '../prompts/staffing.ts';
import { proposedSlug, titleOf } from '../topic.ts';

/** How many first hits of a query count. */
const FIRST = 3;

/**
 * Chooses the specialists for the topic and records why.
 * @returns the ids of their seats, or `why` no plan can be made
 */
export async function chooseStaff(plan: PlanRun): Promise<readonly string[] | { why: string }> {
  const { config, roles } = plan;
  const names = config.cards.map(({ name }) => name);
  const asked = await askWhat(plan, names);
  if ('why' in asked) return { why: `nobody was called in: ${asked.why}` };
  const queries = [...new Set(asked.value.queries.map((query) => query.trim()).filter(Boolean))];
  const hits = [];
  for (const [index, query] of queries.entries()) {
    const found = await searchDocuments(plan, `staff/search-${index + 1}`, { query, limit: FIRST });
    hits.push({ query, clusters: [...new Set(found.flatMap((chunk) => chunk.clusters))] });
  }
  const named = names.filter((name) => asked.value.named.includes(name));
  const touched = new Set([...named, ...hits.flatMap(({ clusters }) => clusters)]);
  const seats = roles.flatMap(({ id }) => {
    const by = plan.clustersOf(id).filter((cluster) => touched.has(cluster));
    return by.length > 0 || config.roles[id]?.called ? [{ seat: id, by }] : [];
  });
  const owned = new Set(roles.flatMap(({ id }) => plan.clustersOf(id)));
  const unowned = [...touched].filter((cluster) => !owned.has(cluster));
  const kept = config.staffing === undefined ? {} : { kept: true as const };
  // A plan whose topic is a file of the repository keeps the name of that file, so that earlier plans of the topic are
  // found.
  const slug =
    config.output.topic === undefined ? await freeSlug(plan, asked.value.name) : undefined;
  await plan.record('staff/called', { named, hits }, [
    fact('plan.staffed', {
      queries: hits,
      named,
      seats,
      unowned,
      ...kept,
      ...(slug ? { slug } : {}),
    }),
  ]);
  const [only] = seats;
  if (only === undefined)
    return {
      why: 'nobody was called in: no specialist’s domain was found in the topic; name two with --call-in, or hold a board on it',
    };
  if (seats.length < 2)
    return {
      why: `only ${plan.title(only.seat)} is concerned, so nobody can disagree; hold a board on it instead`,
    };
  return seats.map(({ seat }) => seat);
}

/** How many names are tried for the files of a topic that was given in words. */
const MOST_NAMES = 20;

/**
 * Returns the chair's name for the plan's files, or the topic's own words if that name cannot be used. From
 * edition 4 of the rules on a number is appended if another topic's plan has the name.
 * @returns undefined if the name in the run's settings stays
 */
async function freeSlug(plan: PlanRun, name = ''): Promise<string | undefined> {
  const { config } = plan;
  const proposed = proposedSlug(name);
  if (editionOf(config) < 4) return proposed;
  const first = proposed ?? config.output.slug;
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const slug = number === 1 ? first : `${first}-${number}`;
    if (await isFree(plan, `staff/name-${number}`, `${config.output.specs}/${slug}`))
      return slug === config.output.slug ? undefined : slug;
  }
  return proposed;
}

/** Returns whether there is no spec of this name, or only an earlier one of the same topic. */
async function isFree(plan: PlanRun, key: string, path: string): Promise<boolean> {
  const spec = `${path}.spec.json`;
  const there = await findExistingFiles(plan, key, [spec, `${path}.spec.md`]);
  if (there.size === 0) return true;
  if (!there.has(spec)) return false;
  const call = { name: 'read', arguments: { path: spec } };
  const { text, refused } = await plan.run.callTool(`${key}/read`, CHAIR, call);
  return !refused && titleIn(text) === titleOf(plan.topic);
}

/**
 * Returns the title in the JSON text of a spec, which may be cut off at its end; undefined if there is none.
 */
function titleIn(text: string): string | undefined {
  const [, title] = /^ {2}"title": (".*"),?$/m.exec(text) ?? [];
  try {
    return title === undefined ? undefined : z.string().parse(JSON.parse(title));
  } catch {
    return undefined;
  }
}

async function askWhat(
  plan: PlanRun,
  names: readonly string[],
): Promise<FormAnswer<{ queries: readonly string[]; named: readonly string[]; name?: string }>> {
  const { config, topic } = plan;
  if (config.staffing !== undefined) return { value: config.staffing };
  const asked = await plan.ask('staff', {
    task: 'plan/staff',
    seat: CHAIR,
    about: {
      items: names,
      heard: config.cards.map(({ name, line, words = [] }) => ({
        from: name,
        text: [line, ...words].join(' '),
      })),
    },
    isShownAttached: true,
    messages: staffingMessages(topic, config.cards, config.seed, editionOf(config)),
    schema: staffingSchema(names, editionOf(config)),
  });
  if ('why' in asked) return asked;
  const { queries, clusters, name = '' } = asked.value;
  return { value: { queries, named: clusters, name } };
}
