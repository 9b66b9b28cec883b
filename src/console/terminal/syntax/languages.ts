/** The languages whose code is colored. Each is loaded when its first block is drawn. */
import type { LanguageFn } from 'highlight.js/lib/core';

type Load = () => Promise<{ readonly default: LanguageFn }>;

/** A language whose code is colored. */
export interface Language {
  readonly name: string;
  /** Loads the language's grammar for highlight.js. */
  readonly load: Load;
  /** Languages that can occur within its code, such as CSS in HTML. */
  readonly within?: readonly Language[];
}

const css: Language = { name: 'css', load: () => import('highlight.js/lib/languages/css') };
const javascript: Language = {
  name: 'javascript',
  load: () => import('highlight.js/lib/languages/javascript'),
};
const xml: Language = {
  name: 'xml',
  load: () => import('highlight.js/lib/languages/xml'),
  within: [css, javascript],
};
const bash: Language = { name: 'bash', load: () => import('highlight.js/lib/languages/bash') };

/** Languages with other names that models write after a fence, in lower case. */
const NAMED: readonly (readonly [Language, ...string[]])[] = [
  [bash, 'sh', 'zsh'],
  [{ name: 'c', load: () => import('highlight.js/lib/languages/c') }, 'h'],
  [{ name: 'cpp', load: () => import('highlight.js/lib/languages/cpp') }, 'c++', 'cc', 'hpp'],
  [{ name: 'csharp', load: () => import('highlight.js/lib/languages/csharp') }, 'cs', 'c#'],
  [css],
  [
    { name: 'dockerfile', load: () => import('highlight.js/lib/languages/dockerfile') },
    'docker',
    'containerfile',
  ],
  [{ name: 'elixir', load: () => import('highlight.js/lib/languages/elixir') }, 'ex', 'exs'],
  [{ name: 'go', load: () => import('highlight.js/lib/languages/go') }, 'golang'],
  [{ name: 'graphql', load: () => import('highlight.js/lib/languages/graphql') }, 'gql'],
  [{ name: 'haskell', load: () => import('highlight.js/lib/languages/haskell') }, 'hs'],
  [{ name: 'ini', load: () => import('highlight.js/lib/languages/ini') }, 'toml'],
  [{ name: 'java', load: () => import('highlight.js/lib/languages/java') }],
  [javascript, 'js', 'jsx', 'mjs', 'cjs'],
  [{ name: 'json', load: () => import('highlight.js/lib/languages/json') }, 'jsonc', 'json5'],
  [{ name: 'kotlin', load: () => import('highlight.js/lib/languages/kotlin') }, 'kt', 'kts'],
  [{ name: 'lua', load: () => import('highlight.js/lib/languages/lua') }],
  [{ name: 'makefile', load: () => import('highlight.js/lib/languages/makefile') }, 'make', 'mk'],
  [{ name: 'nginx', load: () => import('highlight.js/lib/languages/nginx') }],
  [{ name: 'perl', load: () => import('highlight.js/lib/languages/perl') }, 'pl'],
  [{ name: 'php', load: () => import('highlight.js/lib/languages/php') }],
  [
    { name: 'powershell', load: () => import('highlight.js/lib/languages/powershell') },
    'ps1',
    'pwsh',
  ],
  [{ name: 'protobuf', load: () => import('highlight.js/lib/languages/protobuf') }, 'proto'],
  [{ name: 'python', load: () => import('highlight.js/lib/languages/python') }, 'py', 'python3'],
  [{ name: 'r', load: () => import('highlight.js/lib/languages/r') }],
  [{ name: 'ruby', load: () => import('highlight.js/lib/languages/ruby') }, 'rb'],
  [{ name: 'rust', load: () => import('highlight.js/lib/languages/rust') }, 'rs'],
  [{ name: 'scala', load: () => import('highlight.js/lib/languages/scala') }],
  [{ name: 'scss', load: () => import('highlight.js/lib/languages/scss') }, 'sass'],
  [
    {
      name: 'shell',
      load: () => import('highlight.js/lib/languages/shell'),
      within: [bash],
    },
    'console',
    'shell-session',
  ],
  [
    { name: 'sql', load: () => import('highlight.js/lib/languages/sql') },
    'sqlite',
    'mysql',
    'postgres',
    'postgresql',
  ],
  [{ name: 'swift', load: () => import('highlight.js/lib/languages/swift') }],
  [
    { name: 'typescript', load: () => import('highlight.js/lib/languages/typescript') },
    'ts',
    'tsx',
    'mts',
    'cts',
  ],
  [xml, 'html', 'svg', 'xhtml', 'vue'],
  [{ name: 'yaml', load: () => import('highlight.js/lib/languages/yaml') }, 'yml'],
];

/** The languages whose code is colored, by each of their names. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  NAMED.flatMap(([language, ...others]) =>
    [language.name, ...others].map((name) => [name, language] as const),
  ),
);
