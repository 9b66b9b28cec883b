/**
 * Asks the person what to do if verifiers have neither shown that requirements are met nor found a fault in
 * the work.
 */

import { type GateQuestion, readAnswer } from '../../../../kernel/handle.ts';
import { toLine } from '../../../../text/line.ts';
import { withoutFalse } from '../../../../text/without-undefined.ts';
import type { TeamView } from '../../fold.ts';
import type { TeamPlan, Workstream } from '../../forms/plan.ts';
import { formatUntested } from '../../home-lines.ts';
import { type GivenVerdict, tellSaid } from '../../prompts/verify.ts';
import type { CheckEnds } from '../../rules/verdicts.ts';
import type { WorkState } from '../state.ts';

interface Unshown {
  readonly state: WorkState;
  readonly key: string;
  readonly workstream: Workstream;
  readonly requirements: TeamPlan['requirements'];
  readonly verdicts: readonly GivenVerdict[];
  readonly ids: readonly string[];
}

type Answer = 'again' | { readonly said: string } | { readonly why: string };

const STOP = { value: 'stop', label: 'Stop here' };
const AGAIN = { value: 'again', label: 'Have it verified again' };
const BACK = { value: 'back', label: 'Send it back to the work', words: 'What is wrong with it?' };

/**
 * Asks the person what to do about requirements that no verifier could show to be met or unmet, although the
 * verifiers were asked twice. The seat that did the work cannot fix this.
 * @returns `again` to have the requirements verified again, `said` with what is wrong with the work, or `why` the
 * run ends
 */
export function askUnshown(about: Unshown): Promise<Answer> {
  const { ids, requirements, verdicts } = about;
  const names = ids.join(', ');
  const are = ids.length === 1 ? 'is' : 'are';
  const question = {
    prompt: [
      `Whether ${names} ${are} met, no verifier could show by a place in the files, asked twice.`,
      ...tellRequirements(requirements, ids),
      ...tellSaid(verdicts, ids),
    ].join('\n'),
    options: [STOP, AGAIN, BACK],
    default: 'stop',
  };
  return askHow(about, 'unshown', question, `no verifier could show whether ${names} ${are} met`);
}

/**
 * Asks the person about requirements that verifiers call met, but that lack the required proof.
 * @returns `taken` to accept the requirements as met, `again` to have them verified again, `said` with what is
 * wrong with the work, or `why` the run ends
 */
export async function askUntested(
  about: Unshown & { readonly checks: CheckEnds | undefined },
): Promise<Answer | 'taken'> {
  const { state, ids, requirements, workstream, checks } = about;
  const { edition, view } = state.team;
  const byTest = ids.filter((id) =>
    requirements.some((requirement) => requirement.id === id && requirement.proof === 'test'),
  );
  const byCheck = ids.filter((id) => !byTest.includes(id));
  const question = {
    prompt: withoutFalse([
      byTest.length !== 0 &&
        `Verifiers say that ${areMet(byTest)}. No test shows it but those of whoever did the work: ${edition < 5 ? 'neither was one written before it, nor has a verifier one that fails without it' : 'no test of anybody else fails without the work and passes with it'}.`,
      byCheck.length !== 0 &&
        `Verifiers say that ${areMet(byCheck)}. A check is to show it, and ${whyUnchecked(checks)}.`,
      ...tellRequirements(requirements, ids),
      ...(edition < 5
        ? tellMissingTests(view, workstream, ids)
        : formatUntested(view, workstream.id)),
    ]).join('\n'),
    options: [STOP, AGAIN, { value: 'take', label: 'Take it as met all the same' }, BACK],
    default: 'stop',
  };
  const why = withoutFalse([
    byTest.length !== 0 && `no test but the work’s own shows ${byTest.join(', ')}`,
    byCheck.length !== 0 && `no check shows ${byCheck.join(', ')}`,
  ]).join('; ');
  return askHow(about, 'untested', question, why, 'take');
}

function whyUnchecked({ red, left = [] }: CheckEnds = { green: [], red: [] }): string {
  if (red.length > 0)
    return toLine(`what is red on the base is red on the work as well: ${red.join(', ')}`);
  return left.length > 0
    ? toLine(`these checks never ran, since they cannot start: ${left.join(', ')}`)
    : 'none is green';
}

/**
 * Returns lines on missing acceptance tests, up to version 4 of the rules. They leave out tests that pass
 * without the work.
 */
function tellMissingTests(
  view: TeamView,
  workstream: Workstream,
  ids: readonly string[],
): readonly string[] {
  const tests = view.tests.filter((testSet) => testSet.workstream === workstream.id);
  const without = tests.find(({ why }) => why !== undefined)?.why;
  return withoutFalse([
    without !== undefined &&
      toLine(`No acceptance tests were written for ${workstream.id}: ${without}`),
    ...tests.flatMap(({ untestable }) =>
      untestable.flatMap(({ requirement, why }) =>
        ids.includes(requirement)
          ? [toLine(`Whoever was to write tests says that none can show ${requirement}: ${why}`)]
          : [],
      ),
    ),
  ]);
}

function areMet(ids: readonly string[]): string {
  return `${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'} met`;
}

function askHow(about: Unshown, name: string, question: GateQuestion, why: string): Promise<Answer>;
function askHow(
  about: Unshown,
  name: string,
  question: GateQuestion,
  why: string,
  take: string,
): Promise<Answer | 'taken'>;
async function askHow(
  { state, key }: Unshown,
  name: string,
  question: GateQuestion,
  why: string,
  take?: string,
): Promise<Answer | 'taken'> {
  const { answer } = await state.team.askPerson(`${key}/${name}`, question);
  const { value, words } = readAnswer(answer);
  if (value === 'again') return 'again';
  if (take !== undefined && value === take) return 'taken';
  if (value !== 'back') return { why: toLine(why) };
  return { said: words === '' ? 'a person looked at it, and it is not met' : words };
}

function tellRequirements(
  requirements: TeamPlan['requirements'],
  ids: readonly string[],
): string[] {
  return requirements
    .filter(({ id }) => ids.includes(id))
    .map(({ id, text }) => toLine(`${id}: ${text}`));
}
