/** Makes sure that commands run in a sandbox, unless a person has allowed them to run without one. */
import { RunStopped } from '../../../kernel/errors.ts';
import { UNSANDBOXED_STEP } from '../config.ts';
import type { TeamRun } from '../team-run.ts';

/** The reason why a run ends if the person does not allow checks without a sandbox. */
export const UNALLOWED =
  'checks may not be run without a sandbox: install one (bubblewrap), or begin again with --unsandboxed';

/**
 * Asks a person whether checks may run without a sandbox. The default answer is no, and only a
 * person can say yes: if a program answers yes, the question is asked again.
 */
export async function mayRunUnboxed(team: TeamRun): Promise<boolean> {
  for (let time = 1; ; time += 1) {
    const { answer, by } = await team.askPerson(
      `${UNSANDBOXED_STEP}${time === 1 ? '' : `-${time}`}`,
      {
        prompt: [
          ...(time === 1 ? [] : ['Only a person can say that.']),
          'There is no sandbox here. What the team writes would be run with your rights. Run checks all the same?',
        ].join('\n'),
        options: [
          { value: 'no', label: 'Stop here' },
          { value: 'yes', label: 'Run checks without a sandbox' },
        ],
        default: 'no',
      },
    );
    if (answer !== 'yes' || by !== 'program') return answer === 'yes';
  }
}

/**
 * Checks that there still is a sandbox before a command starts, because it may have gone since the survey,
 * or the run may be resumed elsewhere. Asks the person if there is none, unless there was none at the
 * survey either, since the person was asked then.
 * @throws RunStopped if the person does not allow commands without a sandbox
 */
export async function requireSandbox(team: TeamRun, signal: AbortSignal): Promise<void> {
  if (team.view.survey?.sandbox === 'none' || (await team.workshop.sandbox(signal)) !== 'none')
    return;
  if (!(await mayRunUnboxed(team))) throw new RunStopped('gate', UNALLOWED);
}
