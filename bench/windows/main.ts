/**
 * `npm run windows` runs the built program and some of its tests on Node for Windows, under Wine.
 * `npm run windows -- short` runs what takes less than a minute, if Wine and Node were set up before.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, runCommands } from './commands.ts';
import { LEFT_OUT } from './left-out.ts';
import { runSuite } from './suite.ts';
import { installApp, setUp, whyNot } from './wine.ts';

const which = process.argv[2] === 'short' ? 'short' : 'all';

async function main(): Promise<number> {
  if (which === 'short') {
    const why = whyNot();
    if (why !== undefined) {
      console.log(`left out: ${why}`);
      return 0;
    }
  } else {
    try {
      setUp();
    } catch (error) {
      console.log(
        `Windows cannot be tried here: ${error instanceof Error ? error.message : error}`,
      );
      return 1;
    }
  }
  installApp();
  const folder = mkdtempSync(join(tmpdir(), 'windows-'));
  const outcomes: Outcome[] = [];
  const reportOutcome = (outcome: Outcome): void => {
    outcomes.push(outcome);
    if (outcome.why !== undefined)
      console.log(`failed: ${outcome.name}\n        ${outcome.why.replaceAll('\n', ' ')}`);
  };
  try {
    await runCommands(join(folder, 'work'), which, reportOutcome);
    const commands = outcomes.length;
    await runSuite(join(folder, 'tests'), which, reportOutcome);
    console.log(`${commands} commands, ${outcomes.length - commands} tests`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (which === 'all')
    console.log(`\nWhat Wine cannot show:\n${LEFT_OUT.map((item) => `- ${item}`).join('\n')}\n`);
  const failed = outcomes.filter(({ why }) => why !== undefined).length;
  console.log(`${outcomes.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
