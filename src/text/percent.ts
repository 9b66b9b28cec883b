/**
 * Decodes the percent-encoded characters of a text. Returns undefined if a sequence is invalid,
 * such as `%zz`.
 */
export function decodePercents(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
