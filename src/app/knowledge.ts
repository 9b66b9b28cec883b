/** The index of the project that the program was called in, opened with the models of this call. */
import { dirname } from 'node:path';
import { databaseFile, workingFolder } from '../io/files.ts';
import { newProjectFolder } from '../io/presets.ts';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { checkSpec } from '../kernel/providers/spec.ts';
import type { Knowledge, KnowledgeOptions } from '../knowledge/knowledge.ts';
import { line } from '../text/line.ts';
import type { Invocation } from './invocation.ts';
import { readConfig } from './settings/config.ts';
import { openModels } from './settings/providers.ts';

/** Longer names are no names. */
const LONGEST_NAME = 80;

/** The root of the repository, or the folder itself where it is in none. */
function projectRoot({ env }: Pick<Invocation, 'env'>): string {
  return dirname(newProjectFolder(env, workingFolder()));
}

/** Who makes vectors: by flag or setting, else whoever made those of the index. */
type Embedders = Pick<KnowledgeOptions, 'embedder' | 'remembered'>;

/** @throws UsageError where somebody was named who is no model */
export function embeddersOf(call: Invocation): Embedders {
  const config = readConfig(call);
  const models = openModels(call, config);
  const spec = config.embeddings;
  return {
    embedder: spec === undefined ? undefined : models.embedder(checkSpec(spec)),
    remembered: (model) => {
      if (call.flags.rehearse) return undefined;
      try {
        return models.embedder(model);
      } catch (error) {
        // Its provider is not among those of this call; the index has its words.
        if (error instanceof DeliberateError) return undefined;
        throw error;
      }
    },
  };
}

/** Works with the index and closes it. */
export async function withKnowledge<T>(
  call: Invocation,
  options: Pick<KnowledgeOptions, 'create' | 'rebuild'>,
  work: (knowledge: Knowledge) => Promise<T> | T,
): Promise<T> {
  const { index: name } = call.flags;
  if (name !== undefined && (line(name) !== name || name === '' || name.length > LONGEST_NAME))
    throw new UsageError(
      `--index ${name}: expected a name on one line, at most ${LONGEST_NAME} characters`,
    );
  const embedders = embeddersOf(call);
  const { openKnowledge } = await import('../knowledge/knowledge.ts');
  const knowledge = openKnowledge(databaseFile(call), projectRoot(call), {
    ...options,
    ...embedders,
    name,
  });
  try {
    knowledge.readCards();
    return await work(knowledge);
  } finally {
    knowledge.close();
  }
}
