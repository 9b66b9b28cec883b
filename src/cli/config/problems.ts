/**
 * Finds problems of configuration files that reading alone does not report, such as unknown models and bad
 * keys.
 */
import type { Invocation } from '../../app/invocation.ts';
import { agentsOf } from '../../app/settings/coding-agents.ts';
import {
  type Config,
  configFiles,
  readConfigFile,
  readConfigText,
} from '../../app/settings/config.ts';
import { serversOf } from '../../app/settings/servers.ts';
import { rebindKeys } from '../../console/keys/key-lookup.ts';
import { KEYMAP } from '../../console/keys/keymap.ts';
import { BadFile, type Yaml } from '../../io/yaml-file.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { addAgentNames, addProviderNames } from '../../kernel/providers/names.ts';
import { isSpec, splitSpec } from '../../kernel/providers/spec.ts';

/**
 * Returns how many configuration files could be read (`read`), and the problems of all files, each once: as
 * `file:line: …`, or as a sentence if a file is missing or cannot be read.
 */
export function problemsOfFiles(call: Invocation): { read: number; problems: string[] } {
  const files: Yaml<Config>[] = [];
  const problems = configFiles(call).flatMap(({ whose, file, needed }) =>
    problemsOf(() => {
      const { yaml } = readConfigFile(whose, file, needed);
      if (yaml !== undefined) files.push(yaml);
      return [];
    }),
  );
  // Add the servers and agents of all readable files, so that `config check` knows their models.
  addAgentNames(() => files.flatMap(({ value }) => agentsOf(value)).map(({ name }) => name));
  addProviderNames(() => files.flatMap(({ value }) => serversOf(value)).map(({ name }) => name));
  return {
    read: files.length,
    problems: [...problems, ...files.flatMap((yaml) => [...unknownModels(yaml), ...badKeys(yaml)])],
  };
}

/**
 * Returns the problems that a person's configuration file would have with this text, as `file:line:
 * …`. Not reported are models of unknown servers, and a server and a coding agent with the same name.
 */
export function problemsOfText(file: string, text: string): string[] {
  return problemsOf(() => badKeys(readConfigText(file, text)));
}

function problemsOf(read: () => string[]): string[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    return error instanceof BadFile ? [...error.problems] : [error.message];
  }
}

/** Returns a problem for each model in a file whose server is unknown. */
function unknownModels({ value, place }: Yaml<Config>): string[] {
  const { model, synthesizer, verifier, embeddings } = value;
  return Object.entries({ model, synthesizer, verifier, embeddings }).flatMap(([name, spec]) =>
    spec === undefined || isSpec(spec)
      ? []
      : [`${place([name])}: ${name}: there is no server ${splitSpec(spec).provider}`],
  );
}

function badKeys({ value, place }: Yaml<Config>): string[] {
  const bound = rebindKeys(KEYMAP, value.keys ?? {});
  return bound instanceof UsageError ? [`${place(['keys'])}: ${bound.message}`] : [];
}
