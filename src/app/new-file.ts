/** Creates files from commented templates: presets and agents. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUILT_IN } from '../io/files.ts';
import { makeFolder } from '../io/folders.ts';
import { errorCode, explainCode } from '../io/text-file.ts';
import { UsageError } from '../kernel/errors.ts';
import { toLine } from '../text/line.ts';
import type { TypedCall } from './typed-call.ts';

/**
 * Writes a new file.
 * @throws UsageError if it exists or cannot be written
 */
export function writeNewFile(file: string, text: string | Uint8Array): void {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = errorCode(error);
    throw new UsageError(
      code === 'EEXIST'
        ? `${file} already exists`
        : `${file} cannot be written: ${explainCode(code)}`,
      code === 'EEXIST' ? 'Edit it, or remove it first.' : undefined,
    );
  }
}

/**
 * Writes a new file from a template of `presets/templates` and prints its path. If the person is at
 * a terminal and has set an editor, the editor opens the file.
 *
 * @param template the template's file name
 * @param slug the new file's name without its extension; its words replace the placeholder in the
 *   template
 * @param file the path of the new file
 */
export async function startFile(
  call: TypedCall,
  template: string,
  slug: string,
  file: string,
): Promise<void> {
  const { env, err, out, stdin } = call;
  const name = template === 'agents.md' ? slug : nameFor(slug);
  writeNewFile(file, readTemplate(template, name));
  out.write(`${toLine(file)}\n`);
  if (!stdin.isTTY || !err.isTTY || !out.isTTY) return;
  const { editFile } = await import('../io/editor.ts');
  await out.drain();
  await editFile(file, env);
}

/** Returns a template of `presets/templates` with `name` filled in. */
export function readTemplate(template: string, name: string): string {
  return readFileSync(join(BUILT_IN, 'templates', template), 'utf8').replaceAll('{{name}}', name);
}

/** Converts a slug to a name: `senior-editor` → `Senior editor`. */
function nameFor(slug: string): string {
  const words = slug.replaceAll(/[-_]+/g, ' ').trim();
  return words === '' ? slug : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
