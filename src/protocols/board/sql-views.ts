/** SQL views of a board's facts, which agree with `fold.ts`. */
import type { SqlView } from '../../kernel/vocabulary.ts';

/** The step in which a ballot's seat answers, without turns; see `getAnswerStep`. */
const ANSWER = `(CASE json_extract(ballot.body, '$.question') WHEN 1 THEN ''
      ELSE 'question-' || json_extract(ballot.body, '$.question') || '/' END
      || 'seat/' || json_extract(ballot.body, '$.seat'))`;

/** The SQL views of boards' facts. */
export const SQL_VIEWS: readonly SqlView[] = [
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
  {
    // The view `ablations` finds the syntheses of an ablation by the request of their attempt. `without`, `change`
    // and `how` are null for a version that was not compared, because the ablation was interrupted or the
    // comparison failed.
    name: 'ablations',
    select: `SELECT
    made.run_id,
    made.question,
    json_extract(asked.body, '$.request.base') AS base,
    made.version,
    json_extract(weighed.body, '$.without') AS without,
    json_extract(weighed.body, '$.change') AS change,
    json_extract(weighed.body, '$.how') AS how,
    made.at,
    made.seq
  FROM syntheses made JOIN typed_fact asked ON asked.run_id = made.run_id
    AND asked.type = 'run.resumed' AND json_extract(asked.body, '$.request.kind') = 'weigh'
    AND asked.seq = (SELECT max(seq) FROM typed_fact turn WHERE turn.run_id = made.run_id
      AND turn.type = asked.type AND turn.seq < made.seq)
  LEFT JOIN typed_fact weighed ON weighed.run_id = made.run_id
    AND weighed.type = 'influence.weighed' AND weighed.seq > made.seq
    AND json_extract(weighed.body, '$.version') = made.version
    AND json_extract(weighed.body, '$.base') = json_extract(asked.body, '$.request.base')`,
  },
];
