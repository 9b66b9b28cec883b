/**
 * Removes known secrets from sentences and from text that arrives in pieces. A server may repeat a secret
 * in several encodings, and cut its pieces anywhere.
 */
import { providerVariables } from '../kernel/providers/names.ts';
import type { NamedServer } from '../kernel/providers/servers.ts';
import { decodePercents } from '../text/percent.ts';
import { PROXY_VARIABLES } from './network/proxy.ts';

/**
 * The shortest secret. Shorter values are words such as `none` or `ollama`, which people set for servers
 * without keys.
 */
const SHORTEST = 8;

/** Longer placeholders: an answer may contain them, and they are no secrets. */
const STAND_INS: ReadonlySet<string> = new Set([
  'anything',
  'dummy-key',
  'lm-studio',
  'no-key-required',
  'not-needed',
  'placeholder',
  'sk-no-key-required',
]);

/** The text that replaces a secret. */
export const KEY = '[key]';

/** All encodings of the secrets, such as plain and Base64, longer ones first. */
export type Forms = readonly string[];

/**
 * Secrets that became known in this process: keys of named servers, the output of key commands, and values
 * of headers. Nothing is ever removed from the list, so that no known secret is shown later.
 */
const learned = new Set<string>();

/** Adds a secret to those that are masked in everything that is shown or stored. */
export function learnSecret(secret: string): void {
  learned.add(secret);
}

/**
 * Adds the key of a named server and the secrets in its headers to those that are masked in everything that
 * is shown or stored. `env` holds the key.
 */
export function learnServer(
  { keyEnv, headers = {} }: NamedServer,
  env: Readonly<Record<string, string | undefined>>,
): void {
  for (const variable of keyEnv) learnSecret(env[variable] ?? '');
  for (const [name, value] of Object.entries(headers))
    for (const secret of secretsInHeader(name, value)) learnSecret(secret);
}

/** Names of headers whose value is always a secret. */
const SECRET_HEADER = /auth|key|token|secret|cookie|pass|cred|sign|session/i;

/**
 * Returns the secrets in a header's value: the whole value, and the part after a scheme such as
 * `Bearer`. Returns none for a plain word in a header with an ordinary name, such as
 * `X-Team: platform`: secrets are masked wherever they occur, and answers contain such words.
 */
export function secretsInHeader(name: string, value: string): string[] {
  const isOpaque = /\d/.test(value) && /^\S{12,}$/.test(value);
  if (!SECRET_HEADER.test(name) && !isOpaque && !/^\S{24,}$/.test(value)) return [];
  return [value, /^\w+\s+(\S.*)$/.exec(value)?.[1] ?? ''];
}

/**
 * Makes a function that returns the encodings of all secrets, as `formsOfAll` does: of those in `env`, and those
 * that this process has learnt up to the call.
 */
export function makeSecretFormsReader(
  env: Readonly<Record<string, string | undefined>>,
): () => Forms {
  const own = secretsOf(env);
  let seen = -1;
  let forms: Forms = [];
  return () => {
    if (seen !== learned.size) forms = formsOfAll([...own, ...learned]);
    seen = learned.size;
    return forms;
  };
}

/** Returns every key, token and password in the environment, those in addresses included. */
function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return [
    ...providerVariables('secrets').map((variable) => env[variable] ?? ''),
    ...[...providerVariables('addresses'), ...PROXY_VARIABLES].flatMap((variable) =>
      credentialsIn(env[variable]),
    ),
  ];
}

/** Returns the encodings of the secrets, leaving out placeholders and short values. */
export function formsOfAll(secrets: readonly string[]): Forms {
  const real = secrets
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= SHORTEST && !STAND_INS.has(secret.toLowerCase()));
  // One encoding of a secret may be part of another one. The longer one must be masked first, or else the rest of
  // it would stay readable.
  return [...new Set(real.flatMap(formsOf))].sort((left, right) => right.length - left.length);
}

/** Returns a secret in the encodings in which servers and programs may repeat it. */
function formsOf(secret: string): string[] {
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const encoded = Buffer.from(secret);
  return [...forms, encoded.toString('base64'), encoded.toString('base64url')];
}

/** Masks every encoding of a secret in a text. */
export function withoutSecrets(text: string, forms: Forms): string {
  let clean = text;
  for (const form of forms) clean = clean.replaceAll(form, KEY);
  return clean;
}

/**
 * Masks secrets in text that arrives in pieces. If a piece ends in what may be the beginning of a
 * secret, that end is held back until the next piece, even if it contains a shorter secret; all other
 * text passes at once.
 */
export class SecretFilter {
  /** Whether any secret was masked. */
  found = false;
  private readonly find: () => Forms;
  private held = '';

  /**
   * `forms` are the encodings to mask; a function, if secrets may become known while the text
   * arrives.
   */
  constructor(forms: Forms | (() => Forms)) {
    this.find = typeof forms === 'function' ? forms : () => forms;
  }

  private get forms(): Forms {
    return this.find();
  }

  /** Adds a piece. Returns the text that can be shown now. */
  push(piece: string): string {
    return this.forms.length === 0 ? piece : this.pass(this.held + piece, false);
  }

  /** Ends the text. Returns what was held back. */
  end(): string {
    return this.pass(this.held, true);
  }

  private pass(text: string, over: boolean): string {
    const places = new Places(text, this.forms);
    let out = '';
    let at = 0;
    for (;;) {
      const hold = over ? text.length : this.openAt(text, at);
      const match = places.from(at);
      if (!match || match.start >= hold) {
        this.held = text.slice(hold);
        return out + text.slice(at, hold);
      }
      out += text.slice(at, match.start) + KEY;
      at = match.end;
      this.found = true;
    }
  }

  /** Returns the position from which the end of `text` may be the beginning of a secret. */
  private openAt(text: string, from: number): number {
    let open = text.length;
    for (const form of this.forms) {
      const first = form.charAt(0);
      let at = text.indexOf(first, Math.max(from, text.length - form.length + 1));
      while (at >= 0 && at < open) {
        if (form.startsWith(text.slice(at))) open = at;
        else at = text.indexOf(first, at + 1);
      }
    }
    return open;
  }
}

/**
 * The positions of all forms in one text. Each is searched once, so that a server that repeats a key many
 * times costs linear time.
 */
class Places {
  private readonly text: string;
  private readonly forms: Forms;
  private readonly next: number[];

  constructor(text: string, forms: Forms) {
    this.text = text;
    this.forms = forms;
    this.next = forms.map((form) => findForm(text, form, 0));
  }

  /**
   * Returns the first secret at or after `at`, the longest if several begin there. `at` never decreases.
   */
  from(at: number): { readonly start: number; readonly end: number } | undefined {
    let best: { readonly start: number; readonly end: number } | undefined;
    for (const [index, form] of this.forms.entries()) {
      let start = this.next[index] ?? Number.POSITIVE_INFINITY;
      if (start < at) {
        start = findForm(this.text, form, at);
        this.next[index] = start;
      }
      // `forms` lists longer encodings of secrets first. So if two of them begin at the same position of the text,
      // the longer one is kept.
      if (start < (best?.start ?? Number.POSITIVE_INFINITY))
        best = { start, end: start + form.length };
    }
    return best;
  }
}

function findForm(text: string, form: string, from: number): number {
  const at = text.indexOf(form, from);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** Returns the credentials in an address, as written, decoded, and as sent in a header. */
function credentialsIn(address: string | undefined): string[] {
  const written = /^(?:[a-z]+:\/\/)?([^/]+)@/i.exec(address ?? '')?.[1];
  if (written === undefined) return [];
  return [written, decodePercents(written) ?? written].flatMap((pair) => {
    const colon = pair.indexOf(':');
    return colon < 0 ? [pair] : [pair.slice(colon + 1), pair];
  });
}
