/** The person's gate, and the synthesis that accounts for everything. */
import { CHAIR, TIME_LIMITS } from '../config.ts';
import { account, type Debate, openConflicts, tellSpec } from '../debate/spec.ts';
import { live } from '../debate/statements.ts';
import { fact } from '../facts.ts';
import { isExamined, standingsOf } from '../fold.ts';
import type { PlanRun } from '../plan-run.ts';
import { draftMessages, draftSchema } from '../prompts/synthesis.ts';

/** What a person may say to every question. */
const LEAVE_OPEN = 'leave it open';

/** Each question that the seats could not settle, or may not. Without a person it stays open. */
export async function decide(plan: PlanRun): Promise<void> {
  const { run, view, config } = plan;
  const byId = new Map(view.statements.map((one) => [one.id, one]));
  for (const standing of standingsOf(view)) {
    if (standing.state === 'settled') continue;
    const conflict = view.conflicts.find(({ id }) => id === standing.conflict);
    if (conflict === undefined || conflict.options.length < 2) continue;
    const options = conflict.options.filter((id) => byId.get(id)?.state === 'live');
    const answer = await run.gate(`decide/${conflict.id}`, {
      about: 'conflict',
      text: [
        `${conflict.id}: ${conflict.question}`,
        `Why you are asked: ${standing.why}.`,
        ...options.map((id) => {
          const one = byId.get(id);
          const ground = one?.because === undefined ? '' : ` Because: ${one.because}`;
          return `${id}${one?.must ? ' (must)' : ''}: ${one?.text ?? ''}${ground}`;
        }),
      ].join('\n'),
      options: [...options, LEAVE_OPEN],
      default: LEAVE_OPEN,
    } as never);
    const option = options.find((id) => id === answer);
    await plan.record(`decided/${conflict.id}`, answer, [
      fact('conflict.decided', {
        round: config.rounds,
        conflict: conflict.id,
        by: option === undefined ? 'default' : 'person',
        ...(option === undefined ? {} : { option }),
      }),
    ]);
  }
}

export function debateOf({ view, config, roles }: PlanRun, seats: readonly string[]): Debate {
  const heard = new Set(view.statements.map(({ role }) => role));
  const notHeard = seats.flatMap((role) => {
    const why = view.unheard.findLast((one) => one.role === role)?.why;
    return heard.has(role) ? [] : [{ role, why: why ?? 'it said nothing' }];
  });
  void config;
  void roles;
  const { statements, conflicts } = view;
  return { statements, conflicts, standings: standingsOf(view), notHeard };
}

/** @returns why there is none, where there is none. */
export async function synthesize(
  plan: PlanRun,
  seats: readonly string[],
): Promise<string | undefined> {
  const { topic, config, view } = plan;
  const known = debateOf(plan, seats);
  const ids = live(view.statements).map(({ id }) => id);
  const schema = draftSchema(ids);
  const draft = (key: string, forgotten: readonly string[]) =>
    plan.ask(
      key,
      {
        task: 'plan/synthesis',
        about: { question: topic, items: ids },
        seat: plan.seat(CHAIR),
        messages: draftMessages(topic, known, forgotten, config.seed),
        schema,
      },
      (value) => schema.safeParse(value).data,
      { timeoutMs: TIME_LIMITS.synthesis },
    );
  const first = await draft('synthesis', []);
  if ('why' in first) return `there is no synthesis: ${first.why}`;
  // Which files there are is looked up before: nothing shifts under a resume.
  const there = await filesThere(plan, first.value.tasks);
  let spec = account(first.value, known, (path) => there.has(path));
  if (spec.forgotten.length > 0) {
    const second = await draft('synthesis/again', spec.forgotten);
    if ('value' in second) {
      const found = await filesThere(plan, second.value.tasks, 'again');
      const mended = account(second.value, known, (path) => found.has(path));
      if (mended.forgotten.length < spec.forgotten.length) spec = mended;
    }
  }
  const examined = Math.max(...view.examined.map(({ round }) => round), 0);
  const state =
    examined === 0 || !isExamined(view, examined)
      ? 'unexamined'
      : openConflicts(known).length > 0
        ? 'open'
        : 'converged';
  const title = titleOf(topic);
  await plan.record('written', { state }, [
    fact('plan.written', { state, title, spec } as never),
    fact('synthesis.completed', {
      version: 1,
      model: plan.seat(CHAIR).model,
      text: tellSpec(spec, known, title).join('\n\n'),
      included: seats.filter((seat) => !known.notHeard.some(({ role }) => role === seat)),
      excluded: known.notHeard.map(({ role }) => ({ seat: role, reason: 'failed' as const })),
      labels: {},
      missing: [],
      rehearsal: plan.seat(CHAIR).model.startsWith('rehearsal/'),
    } as never),
  ]);
  return undefined;
}

async function filesThere(
  plan: PlanRun,
  tasks: readonly {
    readonly files: readonly { readonly path: string; readonly isNew: boolean }[];
  }[],
  again = '',
): Promise<ReadonlySet<string>> {
  const paths = [...new Set(tasks.flatMap(({ files }) => files.map(({ path }) => path)))].slice(
    0,
    60,
  );
  const there = new Set<string>();
  if (plan.run.tools.length === 0) return new Set(paths);
  for (const [index, path] of paths.entries()) {
    const key = `files${again === '' ? '' : `/${again}`}/${index + 1}`;
    const found = await plan.run.callTool(key, CHAIR, { name: 'list', arguments: { path } });
    const read = found.refused
      ? await plan.run.callTool(`${key}/read`, CHAIR, { name: 'read', arguments: { path, to: 1 } })
      : found;
    if (!read.refused) there.add(path);
  }
  return there;
}

/** The first line with words, without marks of Markdown. */
function titleOf(topic: string): string {
  const first = topic.split('\n').find((line) => /\p{L}/u.test(line)) ?? topic;
  return first
    .replace(/^[#>\s*-]+/u, '')
    .trim()
    .slice(0, 120);
}
