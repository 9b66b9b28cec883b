/**
 * The kinds of presets and their schemas: roles, boards, casts, staffs, specialists, questions and methods.
 */
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { DeliberateError } from '../kernel/errors.ts';
import { isAgent } from '../kernel/providers/names.ts';
import { hasSpecForm, withModel } from '../kernel/providers/spec.ts';
import { isAddress } from '../text/documents/attachment.ts';
import { toLine } from '../text/line.ts';
import { slugOf } from '../text/slug.ts';
import { cardsSchema, clusterName } from './cards.ts';
import { EFFORTS } from './efforts.ts';
import { hasPreset, listSlugs, type PresetKind, readPreset, type Source } from './presets.ts';
import type { Env } from './surroundings.ts';
import { BadFile, readYaml, splitFrontmatter } from './yaml-file.ts';

const about = {
  name: z.string().min(1).describe('What it is called.'),
  description: z.string().describe('What it is good for, in one line.'),
};

/**
 * Schema of a model's name, such as `ollama/qwen3:8b`. The name of a known coding agent may stand alone;
 * the schema then adds `/default`.
 */
export const modelSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/.+)?$/,
    'expected PROVIDER/MODEL, such as ollama/qwen3:8b',
  )
  .refine(
    (text) => text.includes('/') || isAgent(text),
    'expected PROVIDER/MODEL, such as ollama/qwen3:8b',
  )
  .overwrite(withModel)
  .refine(hasSpecForm, 'a model name needs visible characters')
  .describe('PROVIDER/MODEL: ollama/qwen3:8b; or a coding agent: claude-code.');

/** The model of a seat in a preset. Its provider may be left out and is then found when the run begins. */
const presetModelSchema = z
  .string()
  .refine(
    (text) =>
      text.includes('/') ? hasSpecForm(text) : /^\S+$/.test(text) && toLine(text) === text,
    { error: 'expected a model, such as ollama/qwen3:8b or qwen3:8b' },
  )
  .overwrite((text) => (isAgent(text) ? withModel(text) : text))
  .describe(
    'PROVIDER/MODEL: ollama/qwen3:8b; or MODEL alone, if only one server has it; or a coding agent.',
  );

const slugSchema = z.string().regex(/^[\w-]+$/, {
  error: ({ input }) => `"${input}": expected a file name without its extension`,
});

/** Schema of a level of effort, that is how long a seat's model thinks before it answers. */
export const effortSchema = z
  .enum(EFFORTS)
  .describe('How hard its model is to think, as far as it knows such a level.');

/**
 * Schema of the frontmatter of a role's file. A role is what a seat stands for, such as a critic.
 */
export const roleSchema = z.strictObject({
  ...about,
  colour: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'expected a color such as "#4caf50"')
    .describe('The color of its column: "#4caf50".')
    .optional(),
  model: presetModelSchema.optional(),
  temperature: z.number().min(0).max(2).optional(),
  effort: effortSchema.optional(),
});

/** A role that a seat can have, such as a critic, as read from its file. */
export interface Role extends z.infer<typeof roleSchema> {
  /** The file's name without its extension: `devils-advocate`. */
  readonly slug: string;
  /** The instructions to the seat: the text below the frontmatter. */
  readonly brief: string;
}

const FULL_PATH = 'expected a path from / or ~/';

function isFullPath(path: string): boolean {
  return isAbsolute(path) || path.startsWith('~/');
}

/** Schema of a preset board: the seats to ask, each a role with or without a model. */
export const boardSchema = z.strictObject({
  ...about,
  seats: z
    .array(
      z.strictObject({
        role: slugSchema.describe('The role: the name of its file.'),
        model: presetModelSchema.optional(),
        effort: effortSchema.optional(),
        brief: z.string().min(1).describe("Instead of its role's own brief.").optional(),
      }),
    )
    .min(1, 'expected at least one seat')
    .max(26, 'expected at most 26 seats'),
  attach: z
    .array(z.string().refine((path) => isAddress(path) || isFullPath(path), FULL_PATH))
    .max(100)
    .describe('Files and web pages that every seat reads; only your own presets may name them.')
    .optional(),
  look: z
    .array(z.string().refine((wish) => isFullPath(wish.replace(/^[\w.-]+=/, '')), FULL_PATH))
    .max(20)
    .describe('Folders that seats may read, each a PATH or NAME=PATH; in your own presets alone.')
    .optional(),
});
type BoardPreset = z.infer<typeof boardSchema>;

const playerSchema = z.string().min(1);

/**
 * Schema of a preset cast, which says who plays each of the four roles of a deliberation in rounds:
 * action, guardian, observer and critic. The program proposes first the cast that fits the question best by
 * the words of its name, `topics` and description.
 */
export const castSchema = z.strictObject({
  ...about,
  topics: z
    .array(z.string().min(1))
    .describe('Words of the questions that it fits: it is then proposed first.')
    .optional(),
  cast: z
    .strictObject({
      action: playerSchema,
      guardian: playerSchema,
      observer: playerSchema,
      critic: playerSchema,
    })
    .describe('Who plays each role.'),
});
type CastPreset = z.infer<typeof castSchema>;

/** Schema of the frontmatter of a preset question; the question is the text below it. */
export const questionSchema = z.strictObject(about);

interface QuestionPreset extends z.infer<typeof questionSchema> {
  /** The text below the frontmatter. */
  readonly question: string;
}

/**
 * Schema of the frontmatter of a specialist: a role that sees only the documents of its clusters
 * (domains of a project's knowledge).
 */
export const specialistSchema = z.strictObject({
  ...roleSchema.shape,
  clusters: z
    .array(clusterName)
    .max(40)
    .describe('The clusters whose documents it is shown; with none, it is called in by name only.'),
});

/** A role that sees only the documents of its clusters, as read from its file. */
export interface Specialist extends z.infer<typeof specialistSchema> {
  /** The file's name without its extension. */
  readonly slug: string;
  /** The instructions to the seat: the text below the frontmatter. */
  readonly brief: string;
}

/** The schema of a preset staff: the specialists from whom a plan may choose. */
export const staffSchema = z.strictObject({
  ...about,
  specialists: z
    .array(slugSchema)
    .min(1, 'expected at least one specialist')
    .max(24, 'expected at most 24 specialists')
    .describe('Who can be called in: the names of their files.'),
  clusters: cardsSchema.shape.clusters.describe(
    'The clusters of a project that lists none of its own.',
  ),
});
type StaffPreset = z.infer<typeof staffSchema>;

/**
 * Schema of a person's own variant of a method of debate: the method's name and changed settings, seats and
 * texts.
 */
export const methodPresetSchema = z.strictObject({
  ...about,
  method: slugSchema.describe('The method that these are values for.'),
  settings: z
    .record(z.string(), z.unknown())
    .describe('Its settings, as --set would change them.')
    .optional(),
  seats: z
    .array(
      z.strictObject({
        role: slugSchema.describe('A role of the method: seat, judge.'),
        title: z.string().min(1).max(40).describe('What the seat is called.').optional(),
        brief: z.string().min(1).describe("Instead of the role's own brief.").optional(),
        model: presetModelSchema.optional(),
      }),
    )
    .max(26, 'expected at most 26 seats')
    .describe('Who sits; a role that is named nowhere here has its usual seats.')
    .optional(),
  texts: z
    .record(z.string(), z.string().min(1))
    .describe('Instructions of the method, worded otherwise.')
    .optional(),
});
/** A person's own variant of a method of debate: the method's name and changed settings, seats and texts. */
export type MethodPreset = z.infer<typeof methodPresetSchema>;

/** The kind of presets that are roles: the folder and file extension of their files, and a function that parses one. */
export const ROLE_KIND: PresetKind<Role> = {
  noun: 'role',
  folder: 'roles',
  ending: '.md',
  read: (source) => {
    const { front, body } = readMarkdown(
      source,
      roleSchema,
      'the brief: instructions for this role',
    );
    return { slug: source.slug, ...front, brief: body };
  },
};

/**
 * The kind of presets that are boards: the folder and file extension of their files, and a function that
 * parses one. The function also checks that the roles exist, and refuses files and folders (`attach`, `look`)
 * in a board of the project.
 */
export const BOARD_KIND: PresetKind<BoardPreset> = {
  noun: 'preset board',
  folder: 'boards',
  ending: '.yaml',
  read: ({ file, text, origin, env }) => {
    const { value, place } = readYaml(file, text, boardSchema);
    const missing = value.seats.flatMap(({ role }, index) =>
      hasPreset(ROLE_KIND, role, env)
        ? []
        : [
            `${place(['seats', index, 'role'])}: seats.${index}.role: there is no role "${role}". The roles are ${listSlugs(ROLE_KIND, env).join(', ')}.`,
          ],
    );
    // A project may come from somebody else, so its presets must not choose which of the person's files are sent
    // to models.
    const files = (['attach', 'look'] as const)
      .filter((key) => origin === 'project' && value[key] !== undefined)
      .map(
        (key) => `${place([key])}: ${key}: only a preset of your own may name files and folders`,
      );
    const [first, ...more] = [...missing, ...files];
    if (first !== undefined) throw new BadFile([first, ...more]);
    return value;
  },
};

/** The kind of presets that are casts: the folder and file extension of their files, and a function that parses one. */
export const CAST_KIND: PresetKind<CastPreset> = {
  noun: 'preset cast',
  folder: 'casts',
  ending: '.yaml',
  read: ({ file, text }) => readYaml(file, text, castSchema).value,
};

/**
 * The kind of presets that are questions: the folder and file extension of their files, and a function that
 * parses one.
 */
export const QUESTION_KIND: PresetKind<QuestionPreset> = {
  noun: 'preset question',
  folder: 'questions',
  ending: '.md',
  read: (source) => {
    const { front, body } = readMarkdown(source, questionSchema, 'the question');
    return { ...front, question: body };
  },
};

/**
 * The kind of presets that are specialists: the folder and file extension of their files, and a function that
 * parses one.
 */
export const SPECIALIST_KIND: PresetKind<Specialist> = {
  noun: 'specialist',
  folder: 'specialists',
  ending: '.md',
  read: (source) => {
    const { front, body } = readMarkdown(
      source,
      specialistSchema,
      'the brief: what this specialist fights for',
    );
    return { slug: source.slug, ...front, brief: body };
  },
};

/**
 * The kind of presets that are staffs: the folder and file extension of their files, and a function that
 * parses one. The function also checks that the specialists exist and that the staff has their clusters.
 */
export const STAFF_KIND: PresetKind<StaffPreset> = {
  noun: 'preset staff',
  folder: 'staffs',
  ending: '.yaml',
  read: ({ file, text, env }) => {
    const { value, place } = readYaml(file, text, staffSchema);
    const known = new Set(value.clusters.map(({ name }) => slugOf(name)));
    const problems = value.specialists.flatMap((slug, index) => {
      const where = `${place(['specialists', index])}: specialists.${index}`;
      if (!hasPreset(SPECIALIST_KIND, slug, env))
        return [
          `${where}: there is no specialist "${slug}". The specialists are ${listSlugs(SPECIALIST_KIND, env).join(', ')}.`,
        ];
      return (
        clustersOf(slug, env)?.flatMap((name) =>
          known.has(slugOf(name))
            ? []
            : [`${where}: ${slug} has a cluster "${name}" without a card`],
        ) ?? [`${where}: the specialist ${slug} cannot be read`]
      );
    });
    const [first, ...more] = problems;
    if (first !== undefined) throw new BadFile([first, ...more]);
    return value;
  },
};

/**
 * The kind of presets that are variants of methods of debate: the folder and file extension of their files,
 * and a function that parses one. Whether the settings fit the method is checked later.
 */
export const METHOD_KIND: PresetKind<MethodPreset> = {
  noun: 'method',
  folder: 'methods',
  ending: '.yaml',
  read: ({ file, text }) => readYaml(file, text, methodPresetSchema).value,
};

/**
 * Returns the clusters of a specialist; undefined if its file cannot be read, which is reported for the
 * file itself.
 */
function clustersOf(slug: string, env: Env): readonly string[] | undefined {
  try {
    return readPreset(SPECIALIST_KIND, slug, env).clusters;
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    return undefined;
  }
}

/** All kinds of presets, in the order in which they are listed. */
export const KINDS: readonly PresetKind<{ readonly name: string; readonly description: string }>[] =
  [BOARD_KIND, ROLE_KIND, CAST_KIND, STAFF_KIND, SPECIALIST_KIND, QUESTION_KIND, METHOD_KIND];

/** Parses a Markdown file with frontmatter of a given schema. */
function readMarkdown<T>(
  { file, text }: Source,
  schema: z.ZodType<T>,
  expected: string,
): { front: T; body: string } {
  const { front, firstLine, body } = splitFrontmatter(file, text);
  const { value } = readYaml(file, front, schema, firstLine);
  if (body === '')
    throw new BadFile([
      `${file}:${text.split(/\r\n?|\n/).length}: expected, below the frontmatter, ${expected}`,
    ]);
  return { front: value, body };
}
