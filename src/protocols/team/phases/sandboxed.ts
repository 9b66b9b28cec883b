/** Commands run in a sandbox, or because a person has said that they may without one. */
import { RunStopped } from '../../../kernel/errors.ts';
import { UNBOXED } from '../config.ts';
import type { TeamRun } from '../team-run.ts';

export const UNALLOWED =
  'checks may not be run without a sandbox: install one (bubblewrap), or begin again with --unsandboxed';

/** Without a sandbox approving a plan is not enough: default no, and no program says yes. */
export async function mayRunUnboxed(team: TeamRun): Promise<boolean> {
  for (let time = 1; ; time += 1) {
    const { answer, by } = await team.askPerson(`${UNBOXED}${time === 1 ? '' : `-${time}`}`, {
      prompt: [
        ...(time === 1 ? [] : ['Only a person can say that.']),
        'There is no sandbox here. What the team writes would be run with your rights. Run checks all the same?',
      ].join('\n'),
      options: [
        { value: 'no', label: 'Stop here' },
        { value: 'yes', label: 'Run checks without a sandbox' },
      ],
      default: 'no',
    });
    if (answer !== 'yes' || by !== 'program') return answer === 'yes';
  }
}

/**
 * Before a command is started: the sandbox of the survey may have gone since, or somebody goes on with the
 * run elsewhere. Whoever approved the plan was told of one. @throws RunStopped
 */
export async function requireSandbox(team: TeamRun, signal: AbortSignal): Promise<void> {
  if (team.view.survey?.sandbox === 'none' || (await team.workshop.sandbox(signal)) !== 'none')
    return;
  if (!(await mayRunUnboxed(team))) throw new RunStopped('gate', UNALLOWED);
}
