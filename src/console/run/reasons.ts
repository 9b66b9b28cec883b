/** Why a key does nothing here, in one short sentence: silence would look like a broken key. */
import type { Command, Keymap } from '../keys/keymap.ts';
import type { Condition, Situation } from '../keys/situation.ts';

export function reasonFor(keymap: Keymap, command: Command, situation: Situation): string {
  return whyNot(keymap.run[command].where, situation);
}

function whyNot(condition: Condition, s: Situation): string {
  const acts = [
    'live',
    'notes heeded',
    'plays',
    'rounds live',
    'suspected',
    'seat speaks',
    'seat silent',
    'seat rests',
    'board answers',
    'weighable',
    'answers',
    'unfinished',
    'acting',
  ];
  if (s.replaying && acts.includes(condition))
    return 'This is a replay: nothing is asked and nothing changes.';
  if (!s.acting && acts.includes(condition))
    return 'The run is only watched here: keys that act on it work where it was started.';
  const never = s.lacks[condition];
  if (never !== undefined) return never;
  switch (condition) {
    case 'notes heeded':
      return whyNot('live', s);
    case 'replaying':
      return 'That is for a replay: deliberate replay RUN.';
    case 'plays':
    case 'live':
      return s.stopping
        ? 'The run is being stopped already.'
        : 'The run rests: nothing is going on.';
    case 'rounds live':
      return s.stopping ? 'The run is being stopped already.' : 'The run rests: no round follows.';
    case 'suspected':
      return s.suspected ? 'The run rests: no round follows.' : 'No failure mode is suspected.';
    case 'seat speaks':
      return s.tab === 'columns'
        ? 'This seat is not being asked.'
        : 'Seats are stopped one by one in the Columns tab.';
    case 'seat silent':
      if (s.tab !== 'columns') return 'Seats are asked again in the Columns tab.';
      return s.focusCanRetry
        ? 'Too late for this sitting: the seat can be asked again when the run rests.'
        : 'Only a seat that failed or was stopped can be asked again.';
    case 'seat rests':
      if (!s.atNewest) return 'Only answers to the latest question can be asked for again.';
      if (s.tab !== 'columns' || s.focus !== 'seat')
        return 'Go to a seat in the Columns tab first.';
      return 'The run goes on: this seat can have another model when it rests.';
    case 'board answers':
      return s.live
        ? 'The run goes on: ask when it rests.'
        : 'No seat has answered: there is nothing to go on from.';
    case 'weighable':
      if (s.live) return 'The run goes on: a synthesis can be weighed when it rests.';
      return 'Only a synthesis of several seats can be weighed.';
    case 'votes':
      return 'No ballot was cast: there is no vote to show.';
    case 'earlier question':
      return s.questions > 1 ? 'This is the first question.' : 'There is only one question so far.';
    case 'later question':
      return s.questions > 1
        ? 'This is the latest question.'
        : 'There is only one question so far.';
    case 'answers':
      return s.live
        ? 'The run goes on: another synthesis can be made when it rests.'
        : 'No seat has answered: nothing to synthesise.';
    case 'unfinished':
      return s.live
        ? 'The run is going on already.'
        : 'Nothing is left to do: the run is finished.';
    case 'panes':
    case 'columns':
      return s.tab === 'columns' && s.columns > 0
        ? 'There is only one column.'
        : 'That is for the Columns tab.';
    case 'versions':
      return s.tab === 'columns'
        ? 'There is only one synthesis so far.'
        : 'That is for the Columns tab.';
    case 'tabs':
      return 'There are no other tabs.';
    case 'matches':
      return 'No search is going on.';
    case 'opens':
      return 'There is nothing to open here.';
    case 'retraces':
      return 'No link was followed: there is no way back.';
    case 'filters':
      return 'That filters the list of claims.';
    case 'finds':
      return 'There is nothing to search here.';
    case 'zooms':
      return 'Nothing here can be zoomed.';
    case 'thought':
      return s.tab === 'columns'
        ? 'No thinking has come from this seat.'
        : 'That is for the Columns tab.';
    case 'attached':
      return s.attached
        ? 'There is no text here that could cite.'
        : 'Nothing was attached to this run.';
    case 'text':
      return 'There is no text to take here.';
    case 'always':
    case 'acting':
      return '';
  }
}
