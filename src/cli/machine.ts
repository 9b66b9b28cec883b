/** Conditions of the machine that any command can meet, in words of ours. Loads nothing: there may be no way to. */
import { noWorkingFolder } from '../io/files.ts';
import { DeliberateError } from '../kernel/errors.ts';

/** What any call of the system may meet, whoever made it. */
export function ofTheMachine(error: unknown): DeliberateError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return noWorkingFolder();
  if (code === 'EMFILE' || code === 'ENFILE')
    return new DeliberateError(
      'too-many-files',
      'too many open files',
      'Raise the limit, for example with: ulimit -n 1024',
    );
  return undefined;
}
