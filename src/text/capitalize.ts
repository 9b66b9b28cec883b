/** Makes the first letter upper case: `the panel held` → `The panel held` */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
