/** The folders and settings that all commands of a run share. */
import { join } from 'node:path';
import type { Env } from '../../io/tools.ts';

/** The folders and environment with which a run's commands work. */
export interface RunFolders {
  /** The run's own bare copy of the repository. */
  readonly gitDir: string;
  /** The run's own folder, which contains everything that commands create. */
  readonly folder: string;
  /** The person's checkout, from which provided files are copied. */
  readonly repository: string;
  readonly run: string;
  readonly env: Env;
  /** Removes secrets from the output of programs. */
  readonly conceal?: ((text: string) => string) | undefined;
  /** What a person provides to a coding agent's program so that it can sign in; absent: nothing. */
  readonly agent?:
    | {
        /** The names of the person's environment variables that the agent's program gets. */
        readonly pass: readonly string[];
        /** Files and folders of the person's home that are copied into the agent's: `.config/agent`. */
        readonly home: readonly string[];
      }
    | undefined;
}

/** Returns the folder in which working trees are made, one for each command. */
export const workIn = ({ folder }: Pick<RunFolders, 'folder'>): string => join(folder, 'work');
/** Returns the folder that contains the copies of provided files. */
export const providedIn = ({ folder }: Pick<RunFolders, 'folder'>): string =>
  join(folder, 'provided');
