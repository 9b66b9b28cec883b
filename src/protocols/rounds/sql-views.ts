/**
 * The SQL views of a deliberation. Each view gives the same result as `fold.ts`;
 * test/protocols/views.test.ts compares them. A new field of a fact becomes a column by a line in
 * the fact's view.
 */
import type { SqlView } from '../../kernel/vocabulary.ts';
import { factField, fieldColumns, isLatest } from '../common/sql-view-parts.ts';

/** Returns columns with the names of the fact's fields. */
const selectFields = (fact: string, ...names: readonly string[]): string =>
  fieldColumns(fact, ...names.map((name) => `${name} "${name}"`));

/** Returns a condition that no later fact of the round has the same type and key. */
const isLatestOfRound = (fact: string, ...keys: readonly string[]): string =>
  isLatest(fact, 'round', ...keys);

/** Returns the last value of a field in the facts of a type within a round. */
const lastOf = (type: string, what: string): string =>
  `(SELECT ${what} FROM typed_fact one
      WHERE one.run_id = course.run_id AND one.type = '${type}' AND one.seq > course.seq
      AND ${factField('one', 'round')} = course.round ORDER BY one.seq DESC LIMIT 1)`;
const selectLast = (type: string, name: string): string => lastOf(type, factField('one', name));

/** Returns the last number of an id: 12 for `C-3-12`. */
const numberOf = (fact: string): string =>
  `CAST(substr(${factField(fact, 'id')}, length(rtrim(${factField(fact, 'id')}, '0123456789')) + 1) AS INTEGER)`;

/**
 * Returns a condition that `later` has renumbered a fact: when an id is given again, all ids with
 * higher numbers are given again, too.
 */
const isRenumbered = (fact: string, later: string): string =>
  `${later}.run_id = ${fact}.run_id AND ${later}.type = ${fact}.type AND ${later}.seq > ${fact}.seq
      AND ${factField(later, 'round')} = ${factField(fact, 'round')} AND ${numberOf(later)} <= ${numberOf(fact)}
      AND EXISTS (SELECT 1 FROM typed_fact known
        WHERE known.run_id = ${fact}.run_id AND known.type = ${fact}.type AND known.seq <= ${fact}.seq
        AND ${factField('known', 'id')} = ${factField(later, 'id')})`;

/** Returns a condition that a status change does not come from a claim that was raised again. */
const isStanding = (move: string): string =>
  `(${factField(move, 'superseded_by')} IS NULL OR NOT EXISTS (
    SELECT 1 FROM typed_fact successor CROSS JOIN typed_fact later ON ${isRenumbered('successor', 'later')}
      WHERE successor.run_id = ${move}.run_id AND successor.type = 'claim.raised' AND later.seq > ${move}.seq
      AND ${factField('successor', 'id')} = ${factField(move, 'superseded_by')}
      AND NOT EXISTS (SELECT 1 FROM typed_fact again
        WHERE again.run_id = ${move}.run_id AND again.type = 'round.started'
        AND again.seq > successor.seq AND again.seq < later.seq
        AND ${factField('again', 'round')} = ${factField('successor', 'round')})))`;

/**
 * Returns a condition that an entry no longer counts: it is about a claim of its own round, and the
 * claim was raised again later.
 */
const isLeftWith = (fact: string, id: string): string =>
  `EXISTS (SELECT 1 FROM typed_fact claim CROSS JOIN typed_fact later ON ${isRenumbered('claim', 'later')}
      WHERE claim.run_id = ${fact}.run_id AND claim.type = 'claim.raised' AND later.seq > ${fact}.seq
      AND ${factField('claim', 'id')} = ${id} AND ${factField('claim', 'round')} = ${fact}.round
      AND NOT EXISTS (SELECT 1 FROM typed_fact again
        WHERE again.run_id = ${fact}.run_id AND again.type = 'round.started'
        AND again.seq > claim.seq AND again.seq < later.seq
        AND ${factField('again', 'round')} = ${fact}.round)
      AND NOT EXISTS (SELECT 1 FROM typed_fact earlier
        WHERE earlier.seq < ${fact}.seq AND ${isRenumbered('claim', 'earlier')}))`;

/**
 * Returns a condition that the same status change was recorded again when its round was repeated.
 */
const isMadeAgain = (move: string): string =>
  `EXISTS (SELECT 1 FROM typed_fact later
      WHERE later.run_id = ${move}.run_id AND later.type = ${move}.type AND later.seq > ${move}.seq
      ${['claim', 'round', 'from', 'to', 'verification', 'superseded_by'].map((key) => `AND ${factField('later', key)} IS ${factField(move, key)}`).join(' ')})`;

/**
 * A condition that a verdict in the synthesis changed a claim, which only happens before edition 2
 * of the rules.
 */
const isSettled = `basis IS NULL AND ${factField('verdict', 'check')} <> 'executed_test' AND 'synthesis' =
      (SELECT ${factField('entered', 'phase')} FROM typed_fact entered
        WHERE entered.run_id = verdict.run_id AND entered.type IN ('phase.entered', 'round.started')
        AND entered.seq < moved.seq AND ${factField('entered', 'round')} = moved.round ORDER BY entered.seq DESC LIMIT 1)`;

const ofMoves = (what: string): string =>
  `(SELECT json_group_array(${what}) FROM (SELECT move.* FROM claim_move move
      WHERE move.run_id = verdict.run_id AND move.verification = ${factField('verdict', 'id')}
      ORDER BY move.raised, move.seq) moved)`;

/** A condition that a claim has superseded the one that it contradicts. */
const hasWon = `EXISTS (SELECT 1 FROM claim_move won
      WHERE won.run_id = raised.run_id AND won.claim = ${factField('raised', 'challenges')}
      AND won.superseded_by = raised.id)`;

/** A condition that the round's assessment was repeated later. */
const isAssessedAgain = `EXISTS (SELECT 1 FROM call_end later
      WHERE later.run_id = made.run_id AND later.type = 'call.completed' AND later.seq > made.seq
      AND (later.step = 'round-' || made.round || '/G/assessment'
        OR later.step = 'round-' || made.round || '/G/assessment/again'))`;

/** SQL that is true if the round in `begun` was dropped: a synthesis of only the earlier rounds began afterwards. */
const isDropped = `EXISTS (SELECT 1 FROM typed_fact ending
      WHERE ending.run_id = begun.run_id AND ending.type = 'phase.entered' AND ending.seq > begun.seq
      AND ${factField('ending', 'phase')} = 'synthesis' AND ${factField('ending', 'round')} < ${factField('begun', 'round')})`;

/**
 * A condition that a result of a reading test no longer counts. A model that is tested again loses its earlier result,
 * and all results after that are dropped as well.
 */
const isExamDropped = `EXISTS (SELECT 1 FROM typed_fact known CROSS JOIN typed_fact later
      ON later.run_id = known.run_id AND later.type = known.type
      AND ${factField('later', 'model')} = ${factField('known', 'model')}
      WHERE known.run_id = exam.run_id AND known.type = exam.type
      AND known.seq <= exam.seq AND later.seq > exam.seq
      AND NOT EXISTS (SELECT 1 FROM typed_fact again WHERE again.run_id = exam.run_id AND again.type = exam.type
        AND ${factField('again', 'model')} = ${factField('exam', 'model')}
        AND again.seq <= known.seq AND known.seq < exam.seq))`;

/** The SQL views of the facts of rounds. */
export const SQL_VIEWS: readonly SqlView[] = [
  {
    name: 'round_course',
    select: `SELECT begun.run_id, ${factField('begun', 'round')} AS round, begun.seq, begun.at, begun.body
  FROM typed_fact begun WHERE begun.type = 'round.started' AND ${isLatestOfRound('begun')}
    AND NOT ${isDropped}`,
  },
  {
    // This view has the facts of each round. If a round was started again, facts before its latest start are left out.
    name: 'round_fact',
    select: `SELECT one.run_id, course.round, one.seq, one.at, one.type, one.body
  FROM typed_fact one CROSS JOIN round_course course ON course.run_id = one.run_id
    AND course.round = ${factField('one', 'round')} AND course.seq < one.seq`,
  },
  {
    name: 'claim_raised',
    select: `SELECT raised.run_id, raised.seq, raised.round, raised.body, ${factField('raised', 'id')} AS id
  FROM round_fact raised WHERE raised.type = 'claim.raised'
    AND NOT EXISTS (SELECT 1 FROM typed_fact later WHERE ${isRenumbered('raised', 'later')})`,
  },
  {
    // The valid status changes of claims. If a claim was raised again, its earlier changes are left out.
    name: 'claim_move',
    select: `SELECT move.run_id, move.seq, raised.id AS claim, raised.seq AS raised,
    ${selectFields('move', 'round', 'from', 'to', 'verification', 'superseded_by', 'stance', 'bearing')},
    ${selectFields('move', 'basis', 'refs', 'quotes', 'why')}
  FROM typed_fact move CROSS JOIN claim_raised raised ON raised.run_id = move.run_id
    AND raised.id = ${factField('move', 'claim')} AND raised.seq < move.seq
  WHERE move.type = 'claim.moved' AND ${isStanding('move')} AND NOT ${isMadeAgain('move')}`,
  },
  {
    name: 'rounds',
    select: `SELECT
    course.run_id,
    course.round,
    ${selectFields('course', 'lead', 'absent')},
    course.at AS started_at,
    ${selectLast('phase.entered', 'phase')} AS phase,
    ${lastOf('round.closed', '1')} IS NOT NULL AS closed,
    ${selectLast('round.closed', 'tensions')} AS tensions,
    ${selectLast('round.closed', 'impact')} AS impact,
    ${selectLast('round.closed', 'answer')} AS answer,
    ${selectLast('drift.checked', 'verdict')} AS drift,
    ${selectLast('drift.checked', 'deviation_score')} AS deviation_score,
    ${selectLast('signals.read', 'satisfied')} AS satisfied,
    ${selectLast('signals.read', 'recommendation')} AS recommendation,
    ${selectLast('signals.read', 'why')} AS why,
    ${selectLast('signals.read', 'alarm')} AS alarm,
    (SELECT json_group_array(id) FROM (SELECT ${factField('mode', 'id')} AS id FROM typed_fact mode
      WHERE mode.run_id = course.run_id AND mode.type = 'failure-mode.suspected'
      AND ${factField('mode', 'round')} = course.round
      AND mode.seq > coalesce(${lastOf('signals.read', 'one.seq')}, course.seq) ORDER BY mode.seq)) AS suspected
  FROM round_course course`,
  },
  {
    name: 'artifacts',
    select: `SELECT
    made.run_id,
    made.round,
    ${selectFields('made', 'role', 'path', 'markdown', 'step')}
  FROM round_fact made WHERE made.type = 'artifact.produced' AND ${isLatestOfRound('made', 'role')}`,
  },
  {
    name: 'claims',
    select: `SELECT
    raised.run_id,
    raised.id,
    raised.round,
    ${selectFields('raised', 'raised_by')},
    coalesce((SELECT ${factField('edit', 'text')} FROM typed_fact edit
      WHERE edit.run_id = raised.run_id AND edit.type = 'claim.edited' AND edit.seq > raised.seq
      AND ${factField('edit', 'claim')} = raised.id ORDER BY edit.seq DESC LIMIT 1), ${factField('raised', 'text')}) AS text,
    ${selectFields('raised', 'testable_as')},
    coalesce((SELECT ${factField('move', 'to')} FROM typed_fact move
      WHERE move.run_id = raised.run_id AND move.type = 'claim.moved' AND move.seq > raised.seq
      AND ${factField('move', 'claim')} = raised.id AND ${isStanding('move')}
      ORDER BY move.seq DESC LIMIT 1), 'pending') AS status,
    CASE WHEN ${hasWon} THEN ${factField('raised', 'challenges')} ELSE ${factField('raised', 'supersedes')} END AS supersedes,
    ${selectFields('raised', 'raised_at_artifact', 'decided_by', 'says', 'about', 'if_false')},
    CASE WHEN NOT ${hasWon} THEN ${factField('raised', 'challenges')} END AS challenges,
    (SELECT move.round FROM claim_move move
      WHERE move.run_id = raised.run_id AND move.claim = raised.id AND move."to" = 'superseded'
      ORDER BY move.seq DESC LIMIT 1) AS superseded_in,
    ${selectFields('raised', 'step')}
  FROM claim_raised raised`,
  },
  {
    name: 'verifications',
    select: `SELECT
    verdict.run_id,
    ${selectFields('verdict', 'id', 'round', 'check', 'result', 'evidence_refs', 'notes')},
    (SELECT json_group_array(claim) FROM (
      SELECT claim, min(place) AS first, min(raised) AS raised, min(test) AS test FROM (
        SELECT move.claim AS claim, 1 AS place, move.raised AS raised, NULL AS test FROM claim_move move
          WHERE move.run_id = verdict.run_id AND move.verification = ${factField('verdict', 'id')}
        UNION ALL
        SELECT ${factField('test', 'claim')}, 2, NULL, ${factField('test', 'id')} FROM round_fact test
          WHERE test.run_id = verdict.run_id AND test.type = 'evidence.recorded' AND test.round = verdict.round
          AND ${factField('test', 'verification')} = ${factField('verdict', 'id')} AND ${isLatestOfRound('test', 'id')})
      GROUP BY claim ORDER BY first, raised, test)) AS claims_affected,
    ${ofMoves(`json_patch(
        json_object('claim_id', claim, 'from', "from", 'to', "to", 'stance', stance, 'bearing', bearing),
        json_object('basis', basis, 'refs', json(refs), 'quotes', json(quotes),
          'why', CASE WHEN basis IS NOT NULL THEN why END,
          'round', CASE WHEN ${isSettled} THEN (SELECT course.round + 1 FROM round_course course
            WHERE course.run_id = verdict.run_id ORDER BY course.seq DESC LIMIT 1) END))`)} AS claim_status_changes,
    ${selectFields('verdict', 'degraded', 'step')}
  FROM round_fact verdict WHERE verdict.type = 'verification.recorded' AND ${isLatestOfRound('verdict', 'id')}`,
  },
  {
    name: 'decisions',
    select: `SELECT
    made.run_id,
    ${selectFields('made', 'id', 'round', 'text', 'cites', 'conditions', 'made_by', 'round_artifact_refs', 'step')}
  FROM round_fact made WHERE made.type = 'decision.made' AND NOT ${isAssessedAgain}
    AND NOT EXISTS (SELECT 1 FROM typed_fact later WHERE ${isRenumbered('made', 'later')})`,
  },
  {
    name: 'readings',
    select: `SELECT
    exam.run_id, 'entrance' AS kind, NULL AS round,
    ${selectFields('exam', 'model', 'passed', 'items', 'errors', 'called_true', 'source')},
    ${selectFields('exam', 'claim', 'finding', 'quotes', 'sought', 'second', 'counts')},
    ${selectFields('exam', 'text', 'key', 'said', 'right', 'why')}
  FROM typed_fact exam WHERE exam.type = 'reader.examined'
    AND NOT ${isExamDropped}
  UNION ALL SELECT
    found.run_id, CASE found.type WHEN 'claim.read' THEN 'finding' ELSE 'control' END, found.round,
    ${selectFields('found', 'model', 'passed', 'items', 'errors', 'called_true', 'source')},
    ${selectFields('found', 'claim', 'finding', 'quotes', 'sought', 'second', 'counts')},
    ${selectFields('found', 'text', 'key', 'said', 'right', 'why')}
  FROM round_fact found
  WHERE found.type = 'claim.read' AND ${isLatestOfRound('found', 'claim')}
    AND NOT ${isLeftWith('found', factField('found', 'claim'))}
    OR found.type = 'reader.controlled' AND ${isLatestOfRound('found', 'text')}`,
  },
  {
    name: 'refusals',
    select: `SELECT
    refused.run_id,
    ${selectFields('refused', 'round', 'kind', 'by', 'id', 'text', 'why')}
  FROM round_fact refused WHERE refused.type = 'refusal.recorded'
    AND NOT EXISTS (SELECT 1 FROM typed_fact later
      WHERE later.run_id = refused.run_id AND later.seq > refused.seq AND later.type = refused.type
      ${['round', 'kind', 'by', 'id', 'text'].map((key) => `AND ${factField('later', key)} IS ${factField('refused', key)}`).join(' ')})
    AND NOT (${factField('refused', 'kind')} = 'verdict' AND EXISTS (SELECT 1 FROM typed_fact again
      WHERE again.run_id = refused.run_id AND again.seq > refused.seq AND again.type = 'verification.recorded'
      AND ${factField('again', 'round')} = refused.round AND ${factField('again', 'id')} = ${factField('refused', 'id')}))
    AND NOT (${factField('refused', 'kind')} = 'call' AND EXISTS (SELECT 1 FROM call_end answered
      WHERE answered.run_id = refused.run_id AND answered.seq > refused.seq
      AND answered.type = 'call.completed' AND answered.step = ${factField('refused', 'text')}))
    AND NOT ${isLeftWith('refused', factField('refused', 'id'))}`,
  },
  {
    // One row for each signal of each round, from the round's latest reading of the signals.
    name: 'signals',
    select: `SELECT
    reading.run_id,
    reading.round,
    json_extract(signal.value, '$.id') AS id,
    json_extract(signal.value, '$.name') AS name,
    json_extract(signal.value, '$.state') AS state,
    json_extract(signal.value, '$.value') AS value,
    json_extract(signal.value, '$.threshold') AS threshold,
    json_extract(signal.value, '$.why') AS why
  FROM round_fact reading, json_each(reading.body, '$.signals') signal
  WHERE reading.type = 'signals.read' AND ${isLatestOfRound('reading')}`,
  },
  {
    name: 'stances',
    select: `SELECT
    taken.run_id,
    ${selectFields('taken', 'round', 'seat', 'model', 'position', 'option', 'confidence', 'cites', 'peers', 'again', 'step')}
  FROM round_fact taken WHERE taken.type = 'stance.taken' AND ${isLatestOfRound('taken', 'step')}`,
  },
];
