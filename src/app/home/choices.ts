/** Keeps the person's last choices on the home screen in a small file. */
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Choices } from '../../console/home/offer.ts';
import { readText, stateFolder } from '../../io/files.ts';
import { makeFolder } from '../../io/folders.ts';
import { RefusedFileError } from '../../io/text-file.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { Invocation } from '../invocation.ts';

type Env = Invocation['env'];

const schema = z.object({
  protocol: z.string(),
  presets: z.record(z.string(), z.string()).default({}),
  panels: z.record(
    z.string(),
    z.array(z.object({ role: z.string(), model: z.string().optional() })),
  ),
  chair: z.string().optional(),
  tools: z.array(z.string()).optional(),
});
/** Accepts older files too, which only knew the presets of boards. */
const fileSchema = schema
  .extend({ board: z.string().optional() })
  .transform(({ board, presets, ...rest }) => ({
    ...rest,
    presets: { ...withoutUndefined({ board }), ...presets },
  }));

/** Returns the path of the file with the choices that a person made last on the home screen. */
export function getChoicesFile(env: Env): string {
  return join(stateFolder(env), 'home.json');
}

/**
 * Reads the choices that a person made last on the home screen. Returns undefined if there is no
 * valid file.
 */
export function readChoices(env: Env): Choices | undefined {
  try {
    const text = readText(getChoicesFile(env), true);
    const read = fileSchema.safeParse(text === undefined ? undefined : JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RefusedFileError) return undefined;
    throw error;
  }
}

/**
 * Stores the choices on the home screen for the next time. Of each seat, only the role and the model
 * are stored. The question is stored separately, as a draft.
 */
export function saveChoices(env: Env, choices: Choices): void {
  const file = getChoicesFile(env);
  const text = `${JSON.stringify(schema.parse(choices), null, 1)}\n`;
  try {
    makeFolder(dirname(file));
    const beside = `${file}.${process.pid}`;
    writeFileSync(beside, text, { mode: 0o600 });
    renameSync(beside, file);
  } catch (error) {
    // Ignore an error of the file system: the person can go on although the choices cannot be stored.
    if (!isFileError(error)) throw error;
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
