/** Stores seats from the home screen as a preset board of the person's own. */
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import type { KeptPanel, PanelDraft } from '../../../console/home/offer.ts';
import { expandHome } from '../../../io/complete-path.ts';
import { workingFolder } from '../../../io/files.ts';
import { writeNew } from '../../../io/own-file.ts';
import { BOARD_KIND } from '../../../io/preset-kinds.ts';
import { locatePreset, ownPresetFile, toSlug } from '../../../io/presets.ts';
import type { Env } from '../../../io/surroundings.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { isAddress } from '../../../text/documents/attachment.ts';

/** The source of the preset that has the name, in words. */
const WHOSE = { user: 'your own', 'built-in': 'built in', project: "this project's" } as const;

/**
 * Stores a panel as a preset of the person's own. If the name is taken and `replace` is not set, nothing
 * is written; the result then contains the question whether to replace the preset.
 * @throws UsageError if the name cannot be a file name, or a preset of the project has it
 * @throws DeliberateError if the file cannot be written or read back
 */
export function savePanel(env: Env, panel: PanelDraft): KeptPanel {
  const { name, replace } = panel;
  const slug = toSlug(name);
  if (slug === undefined)
    throw new UsageError(`no file name can be made of "${name}": use Latin letters or digits`);
  const file = ownPresetFile(BOARD_KIND, slug, env);
  const there = locatePreset(BOARD_KIND, slug, env);
  if (there?.origin === 'project')
    throw new UsageError(
      `this project has a board "${slug}", which goes first: choose another name`,
    );
  if (there !== undefined && !replace)
    return {
      taken: `There is a board "${slug}" already, ${WHOSE[there.origin]}: ${there.file}. ${
        there.origin === 'user' ? 'Replace it?' : 'Use yours in its place?'
      }`,
    };
  const text = boardText(panel, env);
  const { description, ...value } = BOARD_KIND.read({ file, text, slug, origin: 'user', env });
  writeNew(file, text, true);
  return { file, preset: { ...value, slug, about: description } };
}

/** Formats a preset board, with paths that are valid from any folder. */
function boardText({ name, seats, attachments, look }: PanelDraft, env: Env): string {
  const toFullPath = (path: string): string =>
    isAddress(path) ? path : resolve(workingFolder(), expandHome(path, env));
  const attach = attachments.map(({ path }) => toFullPath(path));
  const folders = look.map((folder) => `${folder.name}=${toFullPath(folder.path)}`);
  return stringify({
    name,
    description: seats.map(({ role }) => role).join(', '),
    seats: seats.map(({ role, model, effort, brief }) => ({ role, model, effort, brief })),
    ...(attach.length === 0 ? {} : { attach }),
    ...(folders.length === 0 ? {} : { look: folders }),
  });
}
