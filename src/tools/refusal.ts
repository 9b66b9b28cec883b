/**
 * Decides which paths are never shown to a model, in whatever folder. Every refusal is a sentence that the
 * model reads.
 */

/** Thrown if a tool refuses a call. The message is written for the model. */
export class ToolRefusal extends Error {
  override readonly name = 'Refusal';
}

/** The longest path in characters. */
const LONGEST = 1_000;

/** Names of files that usually contain keys or passwords, except examples of such files. */
const SECRETS: readonly RegExp[] = [
  /^\.env(?:rc|\..+)?$/,
  /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|gpg|asc|ppk|tfstate|tfvars)$/,
  /^id_[a-z0-9]+(?:\.pub)?$/,
  /^[._]?(?:netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg|my\.cnf|s3cfg|boto)$/,
  /^(?:[a-z0-9._-]*[._-])?(?:credentials?|secrets?|passwords?)(?:\.(?:json|ya?ml|toml|ini|env|txt|xml|properties|cfg|conf))?$/,
  /^service[-_]?account.*\.json$/,
  /^\.(?:ssh|aws|azure|gnupg|kube|docker|password-store)$/,
];
const EXAMPLE = /^\.env\.(?:example|sample|template|dist)$/;

/** Returns whether the name of a file or folder suggests that it contains keys. */
export function looksSecret(name: string): boolean {
  const lower = name.toLowerCase();
  return !EXAMPLE.test(lower) && SECRETS.some((shape) => shape.test(lower));
}

/**
 * Normalises a path that a model wrote: relative to the root, with `/`, and empty for the root
 * itself.
 * @throws ToolRefusal if the path is invalid or hidden
 */
export function pathBelow(written: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a model wrote it
  if (written.length > LONGEST || /[\u0000-\u001f\u007f\\]/.test(written))
    throw new ToolRefusal('that is no path; write it with "/" as seen from the root: src/a.ts');
  if (/^(?:\/|~|[a-z]:)/i.test(written))
    throw new ToolRefusal(
      `${written} is an absolute path; paths are written as seen from the root: src/a.ts`,
    );
  const parts = written.split('/').filter((part) => part !== '' && part !== '.');
  const path = parts.join('/');
  const why = whyHidden(path);
  if (why !== undefined) throw new ToolRefusal(`${path}: ${why}`);
  return path;
}

/** Returns why a path is hidden from models; undefined if it may be shown. */
export function whyHidden(path: string): string | undefined {
  const parts = path.split('/');
  if (parts.includes('..')) return 'paths that lead out of the root by ".." are refused';
  if (parts.some((part) => part.toLowerCase() === '.git'))
    return "git's own folder is not shown; git_log, git_show and git_blame tell the history";
  const secret = parts.find(looksSecret);
  return secret === undefined
    ? undefined
    : 'it looks like a file of keys or passwords, and is not shown';
}
