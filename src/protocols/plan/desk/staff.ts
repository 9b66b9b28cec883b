/** Finds who can be called in: specialists and their clusters, from the project or from a preset staff. */
import type { Invocation } from '../../../app/invocation.ts';
import type { Card } from '../../../io/cards.ts';
import { SPECIALIST_KIND, type Specialist, STAFF_KIND } from '../../../io/preset-kinds.ts';
import { type FoundPreset, listPresets, loadPreset, projectFolder } from '../../../io/presets.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import { toLine } from '../../../text/line.ts';
import { slugOf } from '../../../text/slug.ts';
import { CHAIR, PERSON, RESEARCHER } from '../config.ts';

/** The preset staff of projects without specialists. */
const DEFAULT_STAFF = 'software-product';

/** The specialists who can be chosen for a plan. */
export interface Staff {
  readonly specialists: readonly Specialist[];
  /**
   * Descriptions of the staff's clusters, for projects that describe none of their own; empty if the
   * specialists are the project's own.
   */
  readonly cards: readonly Card[];
}

/**
 * Returns the specialists of the staff that `--preset` names, otherwise the project's own, otherwise
 * those of the built-in staff for software products.
 * @throws UsageError if the staff or one of its specialists does not exist
 * @throws DeliberateError if, without `--preset`, a file of the project's specialists cannot be read
 */
export function findStaff(call: Invocation, repository: string): Staff {
  const { env, err, flags } = call;
  const { presets, problems } = listPresets(SPECIALIST_KIND, env, repository);
  const own = presets.filter(({ origin }) => origin === 'project');
  // Without `--preset`, stop if a file of one of the project's specialists cannot be read: the project has
  // specialists of its own, and the default staff must not replace them. Ignore problems with other files.
  const project = projectFolder(env, repository);
  const broken = problems.filter((problem) => project !== undefined && problem.startsWith(project));
  if (flags.preset === undefined && broken.length > 0)
    throw new DeliberateError('bad-preset', broken.join('\n'), 'See deliberate presets check.');
  if (flags.preset === undefined && own.length > 0) {
    if (!flags.quiet)
      err.write(
        `${toLine(`specialists of this project: ${own.map(({ slug }) => slug).join(', ')}`)}\n`,
      );
    return { specialists: own.map(({ value }) => value), cards: [] };
  }
  const name = flags.preset ?? DEFAULT_STAFF;
  const { specialists, clusters } = loadPreset(STAFF_KIND, name, call);
  if (flags.preset === undefined && !flags.quiet)
    err.write(`this project has no specialists; using the staff ${name} (--preset)\n`);
  return {
    specialists: specialists.map((slug) => specialistNamed(slug, presets)),
    cards: clusters,
  };
}

function specialistNamed(slug: string, presets: readonly FoundPreset<Specialist>[]): Specialist {
  const specialist = presets.find((preset) => preset.slug === slug);
  if (specialist === undefined) throw new UsageError(`there is no specialist "${slug}"`);
  return specialist.value;
}

/** A specialist who can be chosen for a plan of this project. */
export interface Member {
  readonly specialist: Specialist;
  /** The clusters (domains of documents) of the specialist, by their names in the index. */
  readonly clusters: readonly string[];
  /** True if the person named the specialist, who then takes part in any case. */
  readonly called?: true;
}

/**
 * Returns the specialists who can be chosen for a plan: those who have clusters in this project,
 * and those whom the person named with `--call-in`. The latter need no clusters.
 * @throws UsageError if nobody is left, a specialist that `--call-in` names does not exist, or a specialist has
 * a reserved name
 */
export function membersOf(call: Invocation, staff: Staff, cards: readonly Card[]): Member[] {
  const { err, flags } = call;
  const names = new Map(cards.map(({ name }) => [slugOf(name), name]));
  const slugs = staff.specialists.map(({ slug }) => slug);
  for (const slug of flags.callIn)
    if (!slugs.includes(slug))
      throw new UsageError(
        `--call-in ${slug}: no such specialist`,
        `The specialists are ${slugs.join(', ')}.`,
      );
  const reserved = slugs.find((slug) => [CHAIR, RESEARCHER, PERSON].includes(slug));
  if (reserved !== undefined)
    throw new UsageError(`a specialist cannot be called ${reserved}: the name is reserved`);
  const members = staff.specialists.flatMap((specialist): Member[] => {
    const { slug } = specialist;
    const clusters = specialist.clusters.flatMap((name) => names.get(slugOf(name)) ?? []);
    const unknown = specialist.clusters.filter((name) => !names.has(slugOf(name)));
    if (unknown.length > 0 && !flags.quiet)
      err.write(`${toLine(`${slug}: this project has no cluster ${unknown.join(', ')}`)}\n`);
    if (flags.callIn.includes(slug)) return [{ specialist, clusters, called: true }];
    return clusters.length === 0 ? [] : [{ specialist, clusters }];
  });
  if (members.length === 0)
    throw new UsageError(
      'no specialist covers a cluster of this project',
      `Its clusters are ${[...names.values()].join(', ') || 'none'}. List clusters in .deliberate/clusters.yaml, and assign them to specialists in .deliberate/specialists.`,
    );
  return members;
}
