/**
 * Explains conditions of the machine that any command can meet. Imports no library, because loading one may be
 * what failed.
 */
import { missingFolderError } from '../io/files.ts';
import { DeliberateError } from '../kernel/errors.ts';

/**
 * Converts an error that any system call can raise to one with advice: a deleted current folder, or
 * too many open files. Returns undefined for other errors.
 */
export function explainSystemError(error: unknown): DeliberateError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return missingFolderError();
  if (code === 'EMFILE' || code === 'ENFILE')
    return new DeliberateError(
      'too-many-files',
      'too many open files',
      'Raise the limit, for example with: ulimit -n 1024',
    );
  return undefined;
}
