/** Returns a text of at most `most` UTF-16 units: a longer one is cut, without blanks before its ellipsis. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}
