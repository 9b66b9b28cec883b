/** The console of a protocol of somebody's own, of a method, or of one that this version does not know. */
import { COMMON_VIEW, type ProtocolView } from '../../console/run/protocol-view.ts';
import { TextPage } from '../../console/run/tabs/text.ts';
import { Reader } from '../../console/ui/reader.ts';
import { bodyWords } from '../../kernel/vocabulary.ts';
import { plural } from '../../text/figures.ts';
import { methodSections } from './method.ts';
import { DEBATE_PART, debateIn } from './part.ts';
import { says } from './says.ts';

/** Cells that a line of code gives up at its beginning, and that are left free at its end. */
const CODE_INDENT = 4;

export const OWN_VIEW: ProtocolView = {
  ...COMMON_VIEW,
  parts: [DEBATE_PART],
  tabs: [
    {
      id: 'method',
      place: 2,
      title: 'Method',
      shown: (run) => debateIn(run).figures.length + debateIn(run).ledgers.length > 0,
      page: (around) =>
        new TextPage(
          around,
          () => ({
            name: 'method',
            title: 'Method',
            markdown: methodSections(
              debateIn(around.runModel),
              Reader.textCells(around.size().columns) - CODE_INDENT,
            ).join('\n\n'),
          }),
          true,
        ),
    },
  ],
  lacks: {
    ...COMMON_VIEW.lacks,
    votes: 'The Method tab shows any counts.',
    answers: 'This protocol writes only one synthesis; fork the run instead.',
  },
  says: (one) => says(one) ?? bodyWords(one),
  done: ({ view }) => `Done: ${plural(Object.keys(view.calls).length, 'call')}.`,
};
