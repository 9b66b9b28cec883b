/**
 * Which paths a model never gets to see, whatever folder it was given. Every refusal is a sentence that
 * the model reads.
 */

/** A tool did not do what it was asked to. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Longer ones name nothing. */
const LONGEST = 1_000;

/** What keys and passwords are usually kept in. Examples of such files are none. */
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

/** Whether a file or folder of that name looks like one that keys are kept in. */
export function looksSecret(name: string): boolean {
  const lower = name.toLowerCase();
  return !EXAMPLE.test(lower) && SECRETS.some((shape) => shape.test(lower));
}

/**
 * A path as a model wrote it, as it is looked for: below the root, with `/`, empty for the root itself.
 * @throws Refusal
 */
export function pathBelow(written: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a model wrote it
  if (written.length > LONGEST || /[\u0000-\u001f\u007f\\]/.test(written))
    throw new Refusal('that is no path; write it with "/" as seen from the root: src/a.ts');
  if (/^(?:\/|~|[a-z]:)/i.test(written))
    throw new Refusal(
      `${written} is an absolute path; paths are written as seen from the root: src/a.ts`,
    );
  const parts = written.split('/').filter((part) => part !== '' && part !== '.');
  const path = parts.join('/');
  const why = whyHidden(path);
  if (why !== undefined) throw new Refusal(`${path}: ${why}`);
  return path;
}

/** Why nothing of a path is shown, whoever it belongs to; undefined where it may be. */
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
