/** What percent signs stand for in an address. Undefined where one begins no character: `%zz`. */
export function decodePercents(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
