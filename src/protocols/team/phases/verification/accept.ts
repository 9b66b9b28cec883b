/** Asks T1 to accept or reject the result by its evidence. An answer that code refuses goes back once. */
import { toLine } from '../../../../text/line.ts';
import { fact } from '../../facts.ts';
import { type Acceptance, acceptanceSchema } from '../../forms/work.ts';
import { formatUntested } from '../../home-lines.ts';
import { acceptMessages } from '../../prompts/accept.ts';
import { architecturePart, planPart, standingArchitecture } from '../../prompts/opening.ts';
import { findFilesBeyondGoal, problemsInAcceptance, withEvidence } from '../../rules/accept.ts';
import { tellChecks } from '../checks.ts';
import { askLooking } from '../place.ts';
import type { JoinedCommit, WorkState } from '../state.ts';

type Accepted =
  | { readonly acceptance: Acceptance; readonly beyond: readonly string[] }
  | { readonly why: string };

/** Returns lines about verifiers' tests on a commit, sorted so that timing does not change the prompt. */
function probesOf(verdicts: WorkState['team']['view']['verdicts'], commit: string): string[] {
  return verdicts
    .flatMap((verdict) =>
      verdict.commit === commit && verdict.probe !== undefined
        ? [
            toLine(
              `A test of ${verdict.seat} for ${verdict.workstream} (${verdict.probe.state}): ${verdict.probe.shows}`,
            ),
          ]
        : [],
    )
    .sort();
}

/** Returns a line for each locked test of a verifier, including those that both verifiers dropped. */
function lockedRows({ locked }: WorkState['team']['view']): string[] {
  return locked.map(({ path, requirement, by, shows, dropped }) =>
    toLine(
      `${path}, of ${by} for ${requirement}: ${dropped === undefined ? 'locked, green now' : `RED, dropped by both verifiers: ${dropped.map(({ why }) => why).join('; ')}`}. ${shows}`,
    ),
  );
}

/**
 * Asks the planning seat (T1) whether the merged work meets the goal, and records the answer.
 * @returns the decision and the changed files that no task held for a requirement, or `why` there is
 * no valid decision
 */
export async function acceptWork(
  state: WorkState,
  round: number,
  joined: JoinedCommit,
): Promise<Accepted> {
  const { team, ground } = state;
  const { goal, config, view, workshop } = team;
  const { survey, plan } = ground;
  const { commit, tree, ran } = joined;
  const key = `accept/round-${round}`;
  const changes = await team.look(`${key}/changes`, { from: survey.base, to: commit }, (signal) =>
    workshop.changes(survey.base, commit, signal),
  );
  const diff = await team.look(`${key}/diff`, { from: survey.base, to: commit }, (signal) =>
    workshop.diff(survey.base, commit, [], signal),
  );
  const beyond = findFilesBeyondGoal(
    view,
    changes.map(({ path }) => path),
  );
  const checks = tellChecks(team.edition, ran);
  const about = {
    requirements: view.requirements,
    tasks: view.tasks.filter(({ state: how }) => how === 'done').map(({ task }) => task),
    red: checks.red,
    checks: [
      ...checks.rows,
      ...(team.edition < 3 ? probesOf(view.verdicts, commit) : lockedRows(view)),
    ],
    ...(team.edition < 3 ? {} : { risks: formatUntested(view) }),
    changes: changes.map(
      ({ path, kind, added, removed }) => `${kind} ${path} +${added} -${removed}`,
    ),
    beyond,
    diff,
  };
  const parts = [
    planPart(plan, view.amendments, config.seed),
    architecturePart(standingArchitecture(view, team.edition), config.seed),
  ];
  let refused: { handed: Acceptance; why: readonly string[] } | undefined;
  for (const step of [key, `${key}-again`]) {
    const asked = await askLooking(team, step, tree, {
      task: 'team/accept',
      seat: 't1',
      schema: acceptanceSchema,
      about: {
        items: view.requirements.map(({ id }) => id),
        heard: view.requirements.flatMap(({ id, evidence }) =>
          evidence.map((text) => ({ from: id, text })),
        ),
        round,
      },
      messages: acceptMessages({ goal, seed: config.seed, parts }, about, refused),
    });
    if ('why' in asked) {
      await team.record(`${step}/none`, asked, [
        fact('team.accepted', { commit, refused: [], why: asked.why }),
      ]);
      return { why: `it was not accepted: ${asked.why}` };
    }
    const acceptance = asked.value;
    const why = problemsInAcceptance(acceptance, team.view);
    const told = withEvidence(acceptance, team.view);
    await team.record(`${step}/held`, { acceptance, why }, [
      fact('team.accepted', { commit, acceptance: told, refused: [...why] }),
    ]);
    if (why.length === 0) return { acceptance: told, beyond };
    refused = { handed: acceptance, why };
  }
  return { why: toLine(`its acceptance does not hold: ${refused?.why.join('; ') ?? ''}`) };
}
