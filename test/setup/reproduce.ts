/**
 * Returns the shell command that runs one test by itself, or a whole file.
 *
 * @param file the path below the project's folder
 * @param name the test's full name as reporters give it, its suites joined by " > "; all tests if absent
 */
export function formatCommand(file: string, name?: string): string {
  const command = `npm run test:all -- ${quote(file)}`;
  if (name === undefined) return command;
  // Reports join the names of suites by " > ", and Vitest compares names that are joined by a space, so the
  // pattern allows both.
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' > ', ' (> )?');
  return `${command} -t ${quote(`^${pattern}$`)}`;
}

/** Quotes a word for a POSIX shell. A line break cannot be matched literally, so any character may stand there. */
function quote(word: string): string {
  const oneLine = word.replace(/[\r\n]/g, '.');
  return /^[\w./@:=-]+$/.test(oneLine) ? oneLine : `'${oneLine.replaceAll("'", "'\\''")}'`;
}
