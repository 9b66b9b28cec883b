/**
 * Lists every sentence and label of `src` that a person reads, file by file, so that all texts can be read in
 * one go: `npm run wording`. Tests look for mistakes in the list.
 */
import { join, relative, sep } from 'node:path';
import {
  type Expression,
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isElementAccessExpression,
  isIdentifier,
  isImportDeclaration,
  isLiteralTypeNode,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  type Node,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

const ROOT = join(import.meta.dirname, '..');

/** Files whose texts are for a model or the database, or are answers of the stand-in. */
const NOT_FOR_PEOPLE =
  /\/prompts(?:\/|\.ts$)|\/rehearsal\/|\/store\/(?:schema|search)\.ts$|\/sql-views\.ts$|\/exam\.ts$|\/voting\/same-choice\.ts$|\/entrance\/(?:entrance|task)\.ts$/;

/** Matches the beginning of an SQL statement or of a part of one. */
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|BEGIN|WITH|FROM|WHERE|ORDER)\b/;

/** Functions whose string arguments are compared, looked up, run or told to a model. */
const NOT_SAID: ReadonlySet<string> = new Set([
  ...['describe', 'meta', 'RegExp', 'prepare', 'exec', 'pragma', 'get', 'has', 'set'],
  ...['includes', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf', 'split'],
]);

/** Members whose value is a label, even if it is a single word. */
const LABELS: ReadonlySet<string> = new Set([
  ...['title', 'label', 'note', 'about', 'hint', 'summary', 'description', 'heading', 'footer'],
  ...['subject', 'says', 'next', 'why', 'accept', 'cancel', 'next previous'],
]);

/** Functions whose first argument is a label, even if it is a single word: they define flags. */
const LABELED: ReadonlySet<string> = new Set(['text', 'worded', 'numeric', 'several']);

/** A file of `src` and the strings in it that people read. */
interface Wording {
  /** The path of the source, such as `src/cli/main.ts`. */
  readonly file: string;
  /** The strings in their order in the file. */
  readonly said: readonly string[];
}

/**
 * Returns the list of all strings that people read as Markdown, with a section for each file of `src` that
 * has some.
 */
export function wordingPage(): string {
  const files = listWordings();
  const count = files.reduce((sum, { said }) => sum + said.length, 0);
  return [
    '# Wording',
    `What a person reads, as it stands in the source: ${count} strings. `,
    ...files.map(({ file, said }) => `## ${file}\n\n~~~text\n${said.join('\n')}\n~~~`),
  ]
    .join('\n\n')
    .concat('\n');
}

function listWordings(): Wording[] {
  const api = new API({ cwd: ROOT });
  try {
    const config = join(ROOT, 'tsconfig.json');
    const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
    if (program === undefined) throw new Error(`${config} cannot be read`);
    return program
      .getSourceFileNames()
      .map((name) => ({ name, file: relative(ROOT, name).split(sep).join('/') }))
      .filter(({ file }) => file.startsWith('src/') && !NOT_FOR_PEOPLE.test(file))
      .sort((left, right) => (left.file < right.file ? -1 : 1))
      .flatMap(({ name, file }) => {
        const source = program.getSourceFile(name);
        const said = source === undefined ? [] : saidIn(source, source.text);
        return said.length === 0 ? [] : [{ file, said }];
      });
  } finally {
    api.close();
  }
}

/** Returns the strings below a node that people read, in order. A template keeps its placeholders. */
function saidIn(node: Node, text: string): string[] {
  if (isUnsaid(node)) return [];
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node))
    return isSentence(node.text) || isLabel(node) ? [toOneLine(node.text)] : [];
  if (isTemplateExpression(node)) {
    const words = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
    if (isSentence(words.map((part) => part.text).join('…')))
      return [toOneLine(text.slice(node.getStart() + 1, node.end - 1))];
  }
  const said: string[] = [];
  node.forEachChild((child) => {
    said.push(...saidIn(child, text));
  });
  return said;
}

/** Returns whether no person reads any string below a node. */
function isUnsaid(node: Node): boolean {
  if (isImportDeclaration(node) || isLiteralTypeNode(node) || isTaggedTemplateExpression(node))
    return true;
  const { parent } = node;
  if (parent === undefined) return false;
  if (isCallExpression(parent) || isNewExpression(parent))
    return parent.expression !== node && NOT_SAID.has(lastName(parent.expression));
  if (isBinaryExpression(parent)) return isStringLiteral(node) && isEquation(parent.operatorToken);
  if (isElementAccessExpression(parent)) return parent.argumentExpression === node;
  if (isPropertyAssignment(parent)) return parent.name === node;
  return isCaseClause(parent) && parent.expression === node;
}

function isEquation(operator: Node): boolean {
  return /^[!=]==$/.test(operator.getText());
}

/** Returns the last name of a called expression, such as `describe` of `z.string().describe`. */
function lastName(called: Expression): string {
  if (isPropertyAccessExpression(called)) return called.name.text;
  return isIdentifier(called) ? called.text : '';
}

/** Returns whether a string is prose and not a single word or SQL. */
function isSentence(text: string): boolean {
  return /\p{L}{2}/u.test(text) && /\S\s+\S|^\s|\s$/.test(text) && !SQL.test(text);
}

function isLabel(node: Node & { readonly text: string }): boolean {
  const { parent, text } = node;
  if (!/\p{L}/u.test(text)) return false;
  if (isCallExpression(parent)) {
    const [first]: readonly Node[] = parent.arguments;
    return first === node && LABELED.has(lastName(parent.expression));
  }
  return isPropertyAssignment(parent) && LABELS.has(parent.name.getText());
}

/** Returns a string on one line, with `⏎` for line breaks. */
function toOneLine(text: string): string {
  return text.replace(/\n\s*/g, '⏎').trim();
}

if (import.meta.main) process.stdout.write(wordingPage());
