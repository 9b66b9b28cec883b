/** What several subcommands of `deliberate context` say. */
import type { Invocation } from '../../app/invocation.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { toLine } from '../../text/line.ts';

/**
 * Returns a web address in the form in which the index stores it: as the URL standard writes it,
 * without the part after `#`.
 */
export function addressOf(word: string): string {
  return (URL.parse(word)?.href ?? word).replace(/#.*$/, '');
}

/**
 * Tells the person, once for each index, that searches use keywords only because there is no
 * embedding model.
 */
export function warnOfKeywordsOnly(knowledge: Knowledge, say: (text: string) => void): void {
  if (knowledge.tellOnce())
    say(
      'No embedding model: keyword search only. Name one with --embed ollama/nomic-embed-text, or set embeddings in the configuration.',
    );
}

/** Returns a function that prints a message on standard error, or nothing with `--quiet`. */
export function makeTeller({ err, flags }: Invocation): (text: string) => void {
  return (text) => {
    if (!flags.quiet) err.write(`${toLine(text)}\n`);
  };
}
