/** Stores the doctor's findings and the results of entrance exams in a file between calls of the program. */

import { join } from 'node:path';
import { readText, stateFolder } from '../../io/files.ts';
import { writeOwn } from '../../io/own-file.ts';
import { errorCode, explainCode, RefusedFileError } from '../../io/text-file.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import { formatHint } from '../../kernel/hints.ts';
import type { Entrance } from '../../kernel/protocol.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { NO_PROFILES, type Profiles, parseProfiles } from '../../models/profiles.ts';
import { parseJson } from '../../text/json.ts';
import type { Invocation } from '../invocation.ts';

/** Returns the path of the file that stores measurements of models. */
export function profilesFile(env: Invocation['env']): string {
  return join(stateFolder(env), 'profiles.json');
}

/**
 * Reads the stored measurements of models. Returns an empty record if there is no valid file; tells
 * the person if the file is invalid.
 */
export function readProfiles({ env, err, flags }: Invocation): Profiles {
  const file = profilesFile(env);
  const text = recallProfile(file);
  if (text === undefined) return NO_PROFILES;
  const profiles = parseProfiles(parseJson(text));
  if (profiles === undefined && !flags.quiet)
    err.write(
      formatHint(`${file} is unusable and was ignored. Write it again with: deliberate doctor\n`),
    );
  return profiles ?? NO_PROFILES;
}

/**
 * Replaces the file that stores measurements of models. Only its owner can read it.
 * @throws DeliberateError if the file cannot be written
 */
export function writeProfiles(env: Invocation['env'], profiles: Profiles): void {
  const file = profilesFile(env);
  try {
    writeOwn(file, `${JSON.stringify(profiles, null, 2)}\n`);
  } catch (error) {
    throw new DeliberateError(
      'not-written',
      `${file} cannot be written: ${explainCode(errorCode(error))}`,
    );
  }
}

/**
 * Stores what was learned of models: their results in entrance tests (which decide what a model may
 * be used for), and what servers reported about them. If the file cannot be written and there are
 * such results, a message says so; nothing is thrown.
 *
 * @param entrances the results of the tests
 */
export async function keepLearned(
  call: Invocation,
  models: ModelGateway,
  entrances: readonly Entrance[],
): Promise<void> {
  // Read the file of profiles again, because another process may have changed it since the run began, perhaps
  // hours ago.
  const known = readProfiles({ ...call, flags: { ...call.flags, quiet: true } });
  let profiles = models.rememberReported(known);
  for (const entrance of entrances) profiles = await models.remember(profiles, entrance);
  if (profiles === known) return;
  try {
    writeProfiles(call.env, profiles);
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    if (entrances.length > 0 && !call.flags.quiet)
      call.err.write(`${error.message}: the next run will test its reader again.\n`);
  }
}

/** Reads the file. Returns undefined if it does not exist, and text that is not JSON if it cannot be read. */
function recallProfile(file: string): string | undefined {
  try {
    return readText(file, true);
  } catch (error) {
    if (error instanceof RefusedFileError) return '';
    throw error;
  }
}
