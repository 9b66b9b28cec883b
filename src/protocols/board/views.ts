/** How a board's facts are queried in the database, as `fold.ts` reads them. */
import type { View } from '../../kernel/vocabulary.ts';

/** The step in which the seat of a ballot answers, without its turns: see `answerStep`. */
const ANSWER = `(CASE json_extract(ballot.body, '$.question') WHEN 1 THEN ''
      ELSE 'question-' || json_extract(ballot.body, '$.question') || '/' END
      || 'seat/' || json_extract(ballot.body, '$.seat'))`;

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
    SELECT 1 FROM call_end again WHERE again.run_id = ballot.run_id AND again.seq > ballot.seq
      AND (again.step = ${ANSWER} OR substr(again.step, 1, length(${ANSWER}) + 6) = ${ANSWER} || '/turn-'))
  AND NOT EXISTS (
    SELECT 1 FROM typed_fact later WHERE later.run_id = ballot.run_id AND later.type = ballot.type
      AND later.seq > ballot.seq
      AND json_extract(later.body, '$.question') = json_extract(ballot.body, '$.question')
      AND json_extract(later.body, '$.seat') = json_extract(ballot.body, '$.seat'))`,
  },
];
