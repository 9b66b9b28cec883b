/**
 * Who is called in: roles whose clusters are among the first hits of a search, or were named from the
 * cards. Ranks and scores decide nothing beyond that, and who was called in says by which it was.
 */
import { CHAIR } from '../config.ts';
import { search } from '../documents.ts';
import { fact } from '../facts.ts';
import type { PlanRun } from '../plan-run.ts';
import { staffingMessages, staffingSchema } from '../prompts/staffing.ts';

/** A cluster among so many first hits of a query is touched. */
const FIRST = 3;

/** @returns the seats; or why there is no plan to be made */
export async function staff(plan: PlanRun): Promise<readonly string[] | { why: string }> {
  const { config, topic, roles } = plan;
  const names = config.cards.map(({ name }) => name);
  const schema = staffingSchema(names);
  const asked = await plan.ask(
    'staff',
    {
      task: 'plan/staff',
      about: { question: topic, items: names },
      seat: plan.seat(CHAIR),
      messages: staffingMessages(topic, config.cards, config.seed),
      schema,
    },
    (value) => schema.safeParse(value).data,
  );
  if ('why' in asked) return { why: `nobody was called in: ${asked.why}` };
  const queries = [...new Set(asked.value.queries.map((one) => one.trim()).filter(Boolean))];
  const hits = [];
  for (const [index, query] of queries.entries()) {
    const found = await search(plan, `staff/search-${index + 1}`, query);
    const clusters = found.slice(0, FIRST).flatMap((chunk) => chunk.clusters);
    hits.push({ query, clusters: [...new Set(clusters)] });
  }
  const named = names.filter((name) => asked.value.clusters.includes(name));
  const touched = new Set([...named, ...hits.flatMap(({ clusters }) => clusters)]);
  const seats = roles.flatMap(({ id }) => {
    const by = plan.clustersOf(id).filter((cluster) => touched.has(cluster));
    return by.length === 0 ? [] : [{ seat: id, by }];
  });
  const owned = new Set(roles.flatMap(({ id }) => plan.clustersOf(id)));
  const unowned = [...touched].filter((cluster) => !owned.has(cluster));
  await plan.record('staffed', { named, hits }, [
    fact('plan.staffed', { queries: hits, named, seats, unowned }),
  ]);
  const [only] = seats;
  if (seats.length < 2)
    return {
      why:
        only === undefined
          ? 'no role’s domain is touched by it: name more clusters in the cards, or hold a board on it'
          : `only ${plan.seat(only.seat).title} is concerned: there is nobody to disagree; hold a board on it`,
    };
  return seats.map(({ seat }) => seat);
}
