/** How a board's facts are queried in the database, as `fold.ts` reads them. */
import type { View } from '../../kernel/vocabulary.ts';

export const VIEWS: readonly View[] = [
  {
    name: 'ballots',
    select: `SELECT
    ballot.run_id,
    json_extract(ballot.body, '$.question') AS question,
    json_extract(ballot.body, '$.seat') AS seat,
    json_extract(ballot.body, '$.model') AS model,
    json_extract(ballot.body, '$.position') AS position,
    json_extract(ballot.body, '$.option') AS option,
    json_extract(ballot.body, '$.confidence') AS confidence,
    json_extract(ballot.body, '$.step') AS step,
    ballot.at,
    ballot.seq
  FROM typed_fact ballot WHERE ballot.type = 'ballot.cast' AND NOT EXISTS (
    SELECT 1 FROM typed_fact later WHERE later.run_id = ballot.run_id AND later.type = ballot.type
      AND later.seq > ballot.seq
      AND json_extract(later.body, '$.question') = json_extract(ballot.body, '$.question')
      AND json_extract(later.body, '$.seat') = json_extract(ballot.body, '$.seat'))`,
  },
];
