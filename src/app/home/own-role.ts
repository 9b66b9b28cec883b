/** Lets a person write a role in their editor from the home screen ("a role of my own…") and keeps it. */
import type { RoleOffer } from '../../console/home/offer.ts';
import type { Drafts } from '../../io/drafts.ts';
import { writeNew } from '../../io/own-file.ts';
import { ROLE_KIND } from '../../io/preset-kinds.ts';
import { locatePreset, ownPresetFile, toSlug } from '../../io/presets.ts';
import type { Env } from '../../io/surroundings.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { readTemplate } from '../new-file.ts';

/** The name of the draft that holds a role's text that was not accepted. */
const DRAFT = 'role';

/** Returns the text with which the editor opens for a new role. */
export function roleTemplate(): string {
  return readTemplate('roles.md', 'Role of my own');
}

/**
 * Opens an editor for a new role and stores the role in the person's own folder. A text that is
 * refused is shown again next time.
 *
 * @returns undefined if the template was left unchanged or was emptied
 * @throws DeliberateError that says what is wrong with the text, or that the name is in use
 */
export async function writeRole(env: Env, drafts: Drafts): Promise<RoleOffer | undefined> {
  const { editText } = await import('../../io/editor.ts');
  const template = roleTemplate();
  const text = await editText(drafts.read(DRAFT) || template, env, 'role');
  const isWritten = text.trim() !== '' && text.trim() !== template.trim();
  drafts.keep(DRAFT, isWritten ? text : '');
  if (!isWritten) return undefined;
  try {
    const role = keepRole(text, env);
    drafts.keep(DRAFT, '');
    return role;
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    throw new DeliberateError(
      error.code,
      `${error.message}. Your text is kept: Enter goes on with it`,
    );
  }
}

function keepRole(text: string, env: Env): RoleOffer {
  const read = { file: 'role.md', text, slug: '', origin: 'user', env } as const;
  const { name, description, model, brief } = ROLE_KIND.read(read);
  const slug = toSlug(name);
  if (slug === undefined)
    throw new UsageError(
      `role.md: no file name can be made of "${name}": use Latin letters or digits`,
    );
  const there = locatePreset(ROLE_KIND, slug, env);
  if (there !== undefined)
    throw new UsageError(
      `there is already a role "${slug}" (${there.origin}): choose another name`,
    );
  writeNew(ownPresetFile(ROLE_KIND, slug, env), text, false);
  return { slug, name, about: description, model, brief };
}
