/** "a role of my own…" on the home screen: written in the person's editor, kept with their roles. */
import type { RoleOffer } from '../../console/home/offer.ts';
import type { Drafts } from '../../io/drafts.ts';
import { writeNew } from '../../io/own-file.ts';
import { ROLE_KIND } from '../../io/preset-kinds.ts';
import { locatePreset, ownPresetFile, slugFor } from '../../io/presets.ts';
import type { Env } from '../../io/surroundings.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { readTemplate } from '../new-file.ts';

/** The draft under which a role is kept that could not be taken. */
const DRAFT = 'role';

/** Returns the text that the editor shows for a new role. If it is left unchanged, no role is made. */
export function roleTemplate(): string {
  return readTemplate('roles.md', 'Role of my own');
}

/**
 * Lets the person write a role and keeps it as a file of theirs. A text that cannot be taken is what the
 * editor shows the next time.
 *
 * @returns undefined where the template was left as it is, or emptied
 * @throws DeliberateError saying what is wrong with the text, or that the name is taken
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
  const slug = slugFor(name);
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
