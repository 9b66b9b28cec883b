/** Lets a person write a text in the editor they chose. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeliberateError } from '../kernel/errors.ts';
import { variableOf } from '../platform/environment.ts';
import { editorCommand, isNotFound, standardEditor } from '../platform/shells.ts';
import { SYSTEM } from '../platform/system.ts';
import type { Env } from './surroundings.ts';
import { RefusedFileError, readTextFile } from './text-file.ts';

/** The largest text in bytes, the same limit as for questions from other sources. */
const MOST_BYTES = 1024 * 1024;
/**
 * Opens a text in the person's editor and resolves to the edited text. The editor needs the
 * terminal meanwhile. Without the variables VISUAL and EDITOR, the editor is `vi`, or Notepad on Windows.
 *
 * @param name what the text is, such as `question`: for the name of the temporary file, and for errors
 * @throws DeliberateError if the editor is not installed or ends with an error; RefusedFileError if the edited
 *   file is longer than a megabyte or not text, and the temporary file is then kept
 */
export async function editText(text: string, env: Env, name = 'question'): Promise<string> {
  const editor = editorOf(env) ?? standardEditor(env);
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-'));
  const file = join(folder, `${name}.md`);
  let keep = false;
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const code = await runEditor(editor, file, env);
    if (code !== 0)
      throw new DeliberateError(
        'editor-failed',
        isNotFound(code)
          ? `the editor "${editor}" is not installed; the ${name} is unchanged`
          : `the editor "${editor}" ended with an error; the ${name} is unchanged`,
        `Set ${VARIABLES} to an editor that is installed.`,
      );
    return readTextFile(file, { most: MOST_BYTES, links: true }) ?? '';
  } catch (error) {
    keep = error instanceof RefusedFileError;
    throw error;
  } finally {
    if (!keep) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Opens a file in the editor that VISUAL or EDITOR names, and waits until the editor ends. The
 * editor needs the terminal meanwhile.
 *
 * @returns true if the editor has ended; false if neither variable is set, so that nothing was opened
 * @throws DeliberateError if the editor is not installed or ends with an error
 */
export async function editFile(file: string, env: Env): Promise<boolean> {
  const editor = editorOf(env);
  if (!editor) return false;
  const code = await runEditor(editor, file, env);
  if (code === 0) return true;
  throw new DeliberateError(
    'editor-failed',
    `the editor "${editor}" ended with an error`,
    `The file is there: ${file}`,
  );
}

/** The variables that name an editor, in the notation of the running system. */
const VARIABLES = SYSTEM === 'windows' ? '%VISUAL% or %EDITOR%' : '$VISUAL or $EDITOR';

function editorOf(env: Env): string | undefined {
  return variableOf(env, 'VISUAL') || variableOf(env, 'EDITOR') || undefined;
}

/**
 * Runs an editor on a file. Resolves to the editor's exit code, or null if a signal ended the editor.
 * Rejects with the system's error if nothing can be started.
 */
function runEditor(editor: string, file: string, env: Env): Promise<number | null> {
  const { file: program, args, ...how } = editorCommand(editor, file, env);
  const child = spawn(program, args, { stdio: 'inherit', ...how });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}
