/** A list of chores for people. */

/** @param {{ title: string, done: boolean, due?: string }[]} chores */
export function listText(chores) {
  if (chores.length === 0) return 'Nothing to do.\n';
  return chores
    .map(({ title, done, due }) => `${done ? 'x' : ' '} ${title}${due ? `, due ${due}` : ''}\n`)
    .join('');
}
