/** Opens the document index of the current project with the models of this call. */
import { dirname } from 'node:path';
import { databaseFile, workingFolder } from '../io/files.ts';
import { newProjectFolder } from '../io/presets.ts';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { checkSpec } from '../kernel/providers/spec.ts';
import type { Knowledge, KnowledgeOptions } from '../knowledge/knowledge.ts';
import { toLine } from '../text/line.ts';
import type { Invocation } from './invocation.ts';
import { readConfig } from './settings/config.ts';
import { openModels } from './settings/providers.ts';

/** The longest name of an embedding model that is stored. */
const LONGEST_NAME = 80;

/** Returns the root of the repository, or the current folder if it is in no repository. */
function projectRoot({ env }: Pick<Invocation, 'env'>): string {
  return dirname(newProjectFolder(env, workingFolder()));
}

/** The model that makes vectors: from flag or setting, otherwise the one that made the index. */
type Embedders = Pick<KnowledgeOptions, 'embedder' | 'remembered'>;

/**
 * Returns the embedding models, which convert texts to vectors for searches in documents. `embedder` is the
 * configured model; undefined if none is configured. `remembered` finds the model that made an index, by name;
 * it returns undefined with `--rehearse`, or if this call has no settings for that model.
 *
 * @throws DeliberateError if the provider of the configured model does not exist or has no embeddings
 */
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
        // The present configuration cannot use the model that made the index, so search without vectors.
        if (error instanceof DeliberateError) return undefined;
        throw error;
      }
    },
  };
}

/**
 * Opens the index of the project's documents that `--index` names, calls `work` with it, and closes it.
 * @throws UsageError if the name of the index is not valid
 */
export async function withKnowledge<T>(
  call: Invocation,
  options: Pick<KnowledgeOptions, 'create' | 'rebuild'>,
  work: (knowledge: Knowledge) => Promise<T> | T,
): Promise<T> {
  const { index: name } = call.flags;
  if (name !== undefined && (toLine(name) !== name || name === '' || name.length > LONGEST_NAME))
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
