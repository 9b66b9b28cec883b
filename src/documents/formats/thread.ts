/** The worker thread that reads one document. Only the libraries for the document's kind are loaded. */
import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentKind } from '../kinds.ts';
import type { Reading } from '../read-text.ts';
import { type Input, UnreadableError } from './input.ts';

const { kind, ...input } = workerData as Input & { kind: DocumentKind };

// Do not use await at the top level: in a build, a module that is imported below may be in the same file as this
// module, and would then wait for this module to end.
void getReading().then((found) => parentPort?.postMessage(found));

async function getReading(): Promise<Reading> {
  try {
    return { read: await readInput() };
  } catch (error) {
    if (error instanceof UnreadableError) {
      const { because, message: why } = error;
      return { refused: { because, why } };
    }
    // A library failed on unexpected input. Its message would not help a person, so give a general
    // reason.
    return {
      refused: { because: 'damaged', why: 'it could not be read; the file may be damaged' },
    };
  }
}

async function readInput(): ReturnType<typeof import('./pdf.ts')['readPdf']> {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(input);
    case 'html':
      return (await import('./html.ts')).readHtml(input);
    case 'zip':
      return (await import('./office.ts')).readOffice(input);
    default:
      throw new UnreadableError('unsupported', 'documents of this kind cannot be read yet');
  }
}
