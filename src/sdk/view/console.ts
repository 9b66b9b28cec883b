/**
 * The console view of users' own protocols, of methods, and of protocols that this version does not know.
 */
import { COMMON_VIEW, type ProtocolView } from '../../console/run/protocol-view.ts';
import { TextPage } from '../../console/run/tabs/text.ts';
import { Reader } from '../../console/ui/reader.ts';
import { formatFactBody } from '../../kernel/vocabulary.ts';
import { sectionsText } from '../../plain/blocks-text.ts';
import { recordsPage } from '../../record-kinds/tab.ts';
import { attachmentsOf } from '../../text/documents/attachment.ts';
import { formatCount } from '../../text/numbers.ts';
import { methodSections } from './method.ts';
import { SDK_PART, sdkViewIn } from './part.ts';
import { RECORDED, RECORDED_PART } from './recorded.ts';
import { formatSdkFact } from './says.ts';

/** Cells of indentation of a line of code, and cells left free at its end. */
const CODE_INDENT = 4;

/** How the console shows a run of a user's own protocol. */
export const OWN_VIEW: ProtocolView = {
  ...COMMON_VIEW,
  parts: [SDK_PART, RECORDED_PART],
  tabs: [
    {
      id: 'method',
      place: 2,
      title: 'Method',
      shown: (run) => sdkViewIn(run).figures.length + sdkViewIn(run).ledgers.length > 0,
      page: (around) =>
        new TextPage(
          around,
          () => ({
            name: 'method',
            title: 'Method',
            markdown: sectionsText(
              methodSections(
                sdkViewIn(around.runModel),
                Reader.textCells(around.size().columns) - CODE_INDENT,
                attachmentsOf(around.runModel.view.config),
              ),
            ).join('\n\n'),
          }),
          true,
        ),
    },
    {
      id: 'records',
      // Put the tab last: it appears while the run goes on, and the numbers of the other tabs must
      // not change.
      place: 8,
      title: 'Records',
      shown: (run) => RECORDED_PART.viewIn(run).length > 0,
      page: (around) => recordsPage(around, RECORDED, RECORDED_PART),
    },
  ],
  lacks: {
    ...COMMON_VIEW.lacks,
    votes: 'The Method tab shows any counts.',
    answers: 'This protocol writes only one synthesis; fork the run instead.',
  },
  says: (fact) => formatSdkFact(fact) ?? formatFactBody(fact),
  done: ({ view }) => `Done: ${formatCount(Object.keys(view.calls).length, 'call')}.`,
};
