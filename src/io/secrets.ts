/**
 * Finds secrets in a command's output: the values of the person's own variables wherever they occur, and
 * anything that looks like a key, a password or credentials in an address. All functions return positions,
 * so that a long output is not cut within a secret.
 */
import { decodePercents } from '../text/percent.ts';
import { isPublic } from './environment.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The position of a secret; the end is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text that replaces a secret. */
export const CONCEALED = '[key]';

/** The shortest secret of a variable with a secret name. Shorter values could be ordinary words. */
const SHORTEST = 4;
/** Shorter secrets are matched only as whole words: the password `root` is not found in `rootless`. */
const SHORTEST_INSIDE = 8;
/** The shortest value that counts as a key by its form, whatever its variable is called. */
const SHORTEST_OPAQUE = 20;

/** Values that mean that there is no secret. */
const NO_SECRETS: ReadonlySet<string> = new Set([
  ...['true', 'false', 'none', 'null', 'undefined', 'auto', 'default'],
]);

/** Words that mark a variable's name as secret, also at the end of a longer word: PGPASSWORD, APIKEY. */
const GLUED =
  /(?:PASS(?:WORD|WD|PHRASE|CODE)|PWD|SECRET|TOKEN|KEY|CRED|CREDENTIAL|WEBHOOK|COOKIE|BEARER)S?$/;
/** Words that mark a name as secret only as whole words: COMPAT contains PAT and is not secret. */
const WHOLE = /^(?:PASS|PW|PAT|PIN|AUTH|BASICAUTH|JWT|DSN|SALT|SIG|SIGNATURE|PRIVATE)S?$/;

/**
 * Returns whether the name of a variable or option suggests that its value is secret: MYSQL_PWD,
 * githubPat, `npm_config__authToken`.
 */
export function isSecretName(name: string): boolean {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .some((word) => GLUED.test(word) || WHOLE.test(word));
}

/** Names of long hexadecimal values that are not secret, such as commit hashes. */
const FINGERPRINT = /(?:^|_)(?:SHA\d*|COMMIT|REVISION|HASH|DIGEST)$/i;

/**
 * Patterns of keys; the secret is the group `secret` or the whole match. Every repetition is bounded or
 * consumes what it has read, since the text is untrusted and of any length. White space is listed as ASCII:
 * in bytes, half of an à would count as a space.
 */
const SHAPES: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{6,}/g,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[opsur]_[A-Za-z0-9]{16,}|\bgithub_pat_[A-Za-z0-9_]{16,}|\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[a-z]-[A-Za-z0-9-]{10,}|\bhooks\.slack\.com\/(?<secret>[^ \t-\r"'<>]{8,})/g,
  /\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}|\bpypi-[A-Za-z0-9_-]{16,}|\bhf_[A-Za-z0-9]{20,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,128}\.[A-Za-z0-9_-]{16,}|\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,1024}\.[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]*/g,
  /\b(?:Bearer|Authorization["']?:[ \t]{0,8}["']?Basic)[ \t]{1,8}(?<secret>[^ \t-\r"',;]{6,})/gi,
  /\b(?:x-api-key|api[_-]?key|(?:access|auth|refresh|id)[_-]?token|client[_-]?secret|private[_-]?key|passw(?:or)?d|passphrase)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<secret>[^ \t-\r"',;&\0]{4,})/gi,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?<secret>(?:(?!-----END)[\s\S]){1,16384})/g,
  // Match `scheme://user:password@` up to the last @ before a slash, because a password may contain an @.
  /\b[a-z][a-z0-9+.-]{0,30}:\/\/(?!git@)(?<secret>[^ \t-\r/"'<>\0]{1,1024})@/gi,
  // Match the tokens and passwords for registries in the settings of npm, such as `:_authToken=…`.
  /:_(?:auth(?:Token)?|password)[ \t]{0,8}=[ \t]{0,8}(?<secret>[^ \t-\r"']{4,})/g,
];

/** An assignment as `env` and settings files contain it. The name is checked by `isSecretName`. */
const ASSIGNED =
  /(?<![A-Za-z0-9_])(?<name>[A-Z][A-Z0-9_]{2,80})=(?<secret>"[^"\n]{4,1024}"|'[^'\n]{4,1024}'|[^ \t-\r"'\0]{4,})/g;

/**
 * Finds secrets in texts: values of the person's secret environment variables, and whatever looks like a key or
 * a password.
 */
export class Secrets {
  /** All encodings of all values, the longest first. */
  readonly #values: readonly { readonly form: string; readonly whole: boolean }[];

  constructor(env: Env) {
    const forms = new Map<string, boolean>();
    for (const [name, value] of Object.entries(env))
      for (const secret of value === undefined || isPublic(name) ? [] : secretsOf(name, value))
        for (const form of formsOf(secret)) forms.set(form, secret.length < SHORTEST_INSIDE);
    this.#values = [...forms]
      .map(([form, whole]) => ({ form, whole }))
      .sort((left, right) => right.form.length - left.form.length);
  }

  /**
   * The length in characters of the longest value of a secret variable, in the longest of its encodings; 0 if
   * there is none. Secrets that are recognized by their form can be longer.
   */
  get longest(): number {
    return this.#values[0]?.form.length ?? 0;
  }

  /**
   * Returns the positions of secrets in a text, in order and without overlaps.
   *
   * @param as `bytes` if `text` contains bytes as Latin-1 characters; positions are then those of
   *   bytes
   */
  find(text: string, as: 'text' | 'bytes' = 'text'): Span[] {
    const spans: Span[] = [];
    for (const { form, whole } of this.#values) {
      const wanted = as === 'text' ? form : Buffer.from(form).toString('latin1');
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
        const end = at + wanted.length;
        if (!whole || (!isLetter(text[at - 1]) && !isLetter(text[end])))
          spans.push({ start: at, end });
      }
    }
    for (const shape of SHAPES)
      for (const match of text.matchAll(shape)) spans.push(secretIn(match));
    for (const match of text.matchAll(ASSIGNED))
      if (!isPublic(match.groups?.name ?? '') && isSecretName(match.groups?.name ?? ''))
        spans.push(secretIn(match));
    return mergeSpans(spans);
  }

  /** Returns the text with every secret replaced by `[key]`. */
  conceal(text: string): string {
    return replaceSpans(text, this.find(text));
  }
}

/**
 * Replaces parts of a text by `[key]`.
 *
 * @param spans the positions of the parts, in order and without overlaps
 */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  let end = 0;
  const parts = spans.map((span) => {
    const part = text.slice(end, span.start) + CONCEALED;
    end = span.end;
    return part;
  });
  return parts.join('') + text.slice(end);
}

/**
 * Returns the secret parts of a variable's value: all of it, credentials of addresses in it, or nothing.
 */
function secretsOf(name: string, value: string): string[] {
  const whole = value.trim();
  const parts = [...credentialsIn(whole), ...findAssigned(whole)];
  const isOpaque =
    whole.length >= SHORTEST_OPAQUE &&
    /^[A-Za-z0-9+/=_.~-]+$/.test(whole) &&
    /\d/.test(whole) &&
    /[A-Za-z]/.test(whole) &&
    !/^[./~]/.test(whole) &&
    !FINGERPRINT.test(name);
  if (isSecretName(name) || isOpaque) parts.push(whole);
  return parts.filter((secret) => secret.length >= SHORTEST && !NO_SECRETS.has(secret));
}

/** Returns credentials in addresses, as written and decoded. */
function credentialsIn(value: string): string[] {
  const written = [
    ...value.matchAll(/:\/\/([^\s"'<>/@]{1,1024})@/g),
    // Match credentials up to the last @, since a password may contain slashes and @.
    ...value.matchAll(/:\/\/([^\s"'<>]{1,4096})@/g),
    // Match addresses without a scheme: user:password@host.
    ...value.matchAll(/^([^\s/@:]{1,256}:[^\s/]{1,1024})@/g),
  ].map((match) => match[1] ?? '');
  return written
    .flatMap((pair) => [pair, decodePercents(pair) ?? pair])
    .flatMap((pair) => {
      const colon = pair.indexOf(':');
      // A user name without a password may be a token. Treat it as a secret if it is long enough for one.
      if (colon < 0) return pair.length >= SHORTEST_INSIDE ? [pair] : [];
      return [pair, pair.slice(colon + 1)];
    });
}

/**
 * Returns values inside a value that have a secret name: `host=db password=…`, `Server=…;Pwd=…`,
 * `?token=…`.
 */
function findAssigned(value: string): string[] {
  return [...value.matchAll(/([A-Za-z][\w-]{0,60})=([^\s;&"']{1,4096})/g)].flatMap(
    ([, name = '', secret = '']) =>
      isSecretName(name) ? [secret, decodePercents(secret) ?? secret] : [],
  );
}

/**
 * Returns a secret in the encodings in which programs may repeat it. In base64 it may begin at three
 * offsets.
 */
function formsOf(secret: string): string[] {
  const plain = [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ];
  if (secret.length < SHORTEST_INSIDE) return [...new Set(plain)];
  const bytes = Buffer.from(secret);
  const inside = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice(offset === 0 ? 0 : offset + 1).replace(/.?={0,2}$/, '');
  });
  const forms = [
    ...inside,
    ...inside.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  const whole = (['base64', 'base64url', 'hex'] as const).map((as) => bytes.toString(as));
  return [...new Set([...plain, ...whole, ...forms])];
}

function secretIn(match: RegExpExecArray): Span {
  const secret = match.groups?.secret ?? match[0];
  const start = match.index + match[0].lastIndexOf(secret);
  return { start, end: start + secret.length };
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /[A-Za-z0-9_]/.test(char);
}

function mergeSpans(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((left, right) => left.start - right.start);
  const kept: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = kept.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else kept.push({ start, end });
  }
  return kept;
}
