/** Searches for secrets in every form in which a careless program could write them. */

/** Returns the forms that a secret may have in bytes. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Base64 encodes bytes in groups of three. A secret inside a longer text may begin at any of the three positions
  // in a group.
  const inside = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const whole = encoded.slice(
      Math.ceil((offset * 8) / 6),
      Math.floor(((offset + bytes.length) * 8) / 6),
    );
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret),
      json,
      JSON.stringify(json).slice(1, -1),
      ...inside,
    ]),
  ];
}

/**
 * Returns a function that searches a text for secrets: as they are, URL-encoded, escaped as in JSON once or
 * twice, and in base64. For each form of a secret, the function returns the first place in the text with its
 * surroundings. The list is empty if the text contains no secret.
 */
export function makeSecretSearch(secrets: readonly string[]): (text: string) => string[] {
  const forms = secrets.flatMap(formsOf);
  return (text) =>
    forms.flatMap((form) => {
      const at = text.indexOf(form);
      return at < 0 ? [] : [text.slice(Math.max(0, at - 80), at + form.length + 20)];
    });
}
