import {
  makeDocument,
  makeFact,
  makeFlaw,
  makeMissing,
  makeOmission,
  makeOpen,
  makePadding,
  makeRunnable,
} from '../document.ts';

/** A test document about rebuilding a search index, with statements of which it is known whether they are true. */
export const searchRebuild = makeDocument(
  {
    name: 'search-rebuild.md',
    domain: 'software',
    question: 'Should the catalog search be rebuilt nightly as this design proposes?',
  },
  `
# A search index that is made anew every night
## Background
The catalog lists 48 million items from 2,600 libraries.
Search runs on an index that has been patched in place since 2019.
Editors report that about 4 percent of their corrections never show up in results.
The cause was looked for twice, for six weeks in all, and not found.
Members of the public make 70 queries a second in the afternoon and 3 at night.
The index takes 210 gigabytes on each of five nodes.
## Proposal
Every night a new index is made from the catalog, and in the morning it takes the place of the old one.
Patching in place ends: what an editor corrects today is found tomorrow.
The builder reads items in batches of 5,000, turns them into documents and writes segments.
Segments are copied to the nodes, which open them and close the old ones.
A node keeps the old index on disk until the new one has answered 1,000 queries.
Words are cut by one analyzer for all languages, with a list of 340 exceptions for Finnish and Hungarian.
Synonyms come from a file that the editors keep themselves; it has 11,200 lines.
## The window
Libraries close their systems between 01:00 and 05:00, and only then may the catalog be read at full speed.
The builder turns 1,500 items a second into documents on the machine that was bought for it.
One builder works alone, because the license of the catalog allows one reader at a time.
The build therefore fits into the window of four hours.
Copying the segments takes 25 minutes over the network that links the nodes.
## Freshness
A correction by an editor is visible in results within ten minutes; this is what the contract with the libraries says.
We keep that promise unchanged.
Loans and returns are not in the index; the result page asks for them at another service.
The number of copies shown beside a title may be two days old.
## Memory and disks
Each node has 512 gigabytes of disk and 96 gigabytes of memory.
During the exchange a node holds two indexes side by side.
Query caches are emptied at the exchange and are warm again after about 20 minutes.
For these 20 minutes the slowest queries take up to 3 seconds instead of 0.8.
The exchange is made node by node, ten minutes apart, so that four of five nodes are warm at any time.
## Ranking
Ranking stays as it is: title before author before subject, newest edition first.
Two ranking rules for children's books are dropped because nobody could say what they do.
A sample of 300 real queries is scored by three librarians before and after.
If the mean score falls by more than 0.2 points of 5, the change of analyzer is withdrawn.
## People and time
Two engineers work on it for ten weeks; one of them spends half of her time on support.
The editors' office gives one day a week for the list of synonyms.
The machine for the builder was paid from last year's budget and stands in the rack.
The old patching program will be deleted when the first nightly index is in use.
The monitoring page gains three charts: build time, items skipped, and queries without any result.
Items that cannot be read are skipped and counted; up to 500 a night are accepted.
`,
  makeFlaw(
    'The nightly build cannot end in its window: 48 million items at 1,500 a second need almost nine hours.',
    'There is room for the whole build between one and five at night, with one reader.',
    'The catalog lists 48 million items from 2,600 libraries.',
    'The builder turns 1,500 items a second into documents',
    'One builder works alone',
  ),
  makeFlaw(
    'The promise of ten minutes for corrections is broken by design, since an editor’s change is only found the next day.',
    'Editors will see their corrections as fast as their contract demands.',
    'A correction by an editor is visible in results within ten minutes',
    'what an editor corrects today is found tomorrow.',
  ),
  makeOmission(
    'It is not said what readers search in when a nightly build breaks off or yields a damaged index.',
    'There is a described procedure for a night in which the build breaks off.',
    'build fails',
    'failed build',
    'abort',
    'previous night',
  ),
  makeFact(
    'Two complete indexes fit on the disk of a node at the same time.',
    'A node’s disk is too small to hold two indexes during the exchange.',
    'Each node has 512 gigabytes of disk',
    'The index takes 210 gigabytes on each of five nodes.',
  ),
  makeFact(
    'The reason for lost corrections is unknown after two investigations.',
    'Investigators traced the lost corrections to the way caches expire.',
    'The cause was looked for twice, for six weeks in all, and not found.',
  ),
  makeFact(
    'Whether a book is on loan is not answered by the index.',
    'Loan status is stored as a field of every indexed document.',
    'Loans and returns are not in the index',
  ),
  makeFact(
    'Every language passes through the same analyzer.',
    'Finnish and Hungarian each get an analyzer of their own.',
    'Words are cut by one analyzer for all languages',
  ),
  makeFact(
    'A fall of 0.3 points in the librarians’ scores would undo the analyzer change.',
    'A fall of 0.3 points in the librarians’ scores would still be tolerated.',
    'If the mean score falls by more than 0.2 points of 5, the change of analyzer is withdrawn.',
  ),
  makeFact(
    'After an exchange the worst queries become almost four times slower for a while.',
    'Exchanging the index leaves the slowest queries as quick as before.',
    'the slowest queries take up to 3 seconds instead of 0.8.',
  ),
  makeRunnable(
    'true',
    'The current machine reads 5,000-item batches without timeouts at night.',
    'Run: ./builder --dry-run --batches 200 --at 02:00',
  ),
  makeRunnable(
    'false',
    'Fewer than 500 items are unreadable in today’s catalog.',
    'Count them: ./builder --verify --count-unreadable',
  ),
  makeRunnable(
    'true',
    'Four warm nodes alone carry 70 queries a second.',
    'Load them: ./loadtest --nodes 4 --rate 70 --minutes 20',
  ),
  makeOpen(
    'Members of the public would rather have fresher results than faster ones.',
    'Survey 400 members on the result page.',
  ),
  makeOpen(
    'Editors will go on keeping the synonym list once the novelty is over.',
    'Look at the number of edits after one year.',
  ),
  makeMissing(
    'true',
    'Nothing is said about how queries in right-to-left scripts are handled.',
    'Arabic',
    'Hebrew',
    'right-to-left',
  ),
  makeMissing(
    'undecided',
    'Two libraries have already refused to sign the next contract.',
    'refuse',
    'cancel',
    'terminat',
  ),
  makePadding('Search runs on an index that has been patched in place since 2019.'),
  makePadding('Ranking stays as it is: title before author before subject, newest edition first.'),
);
