/** Where a run's commands work: what every part of this room is told. */
import { join } from 'node:path';
import type { Env } from '../../io/tools.ts';

export interface Place {
  /** The run's own copy of the repository, a bare one. */
  readonly gitDir: string;
  /** The run's own folder; everything that is made here lies below it. */
  readonly folder: string;
  /** The person's checkout: what is provided is copied from there. Nothing is written to it. */
  readonly repository: string;
  readonly run: string;
  readonly env: Env;
  /** Takes secrets out of what programs print. */
  readonly conceal?: ((text: string) => string) | undefined;
  /** What a person has named for a coding agent's program, which has to sign in somewhere. */
  readonly agent?:
    | {
        /** Variables of theirs that it is told. */
        readonly pass: readonly string[];
        /** Files and folders of their home that are copied into its own: `.config/agent`. */
        readonly home: readonly string[];
      }
    | undefined;
}

/** Working trees, each for one command. */
export const workIn = ({ folder }: Pick<Place, 'folder'>): string => join(folder, 'work');
/** What is provided for all of them. */
export const providedIn = ({ folder }: Pick<Place, 'folder'>): string => join(folder, 'provided');
