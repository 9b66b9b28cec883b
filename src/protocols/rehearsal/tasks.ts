/** Chooses the stand-in's answer by the request's task: forms by the task's name, prose by the task's data. */
import { entryOf } from '../../kernel/entry.ts';
import { toLine } from '../../text/line.ts';
import * as agents from './agents.ts';
import { answerLines } from './answer-line.ts';
import * as board from './board.ts';
import * as clusters from './clusters.ts';
import * as contest from './contest.ts';
import * as debate from './debate.ts';
import * as decisions from './decisions.ts';
import { joinTemplates, type Template } from './fill.ts';
import { makeSchemaValue } from './json.ts';
import * as plan from './plan.ts';
import * as rounds from './rounds.ts';
import { fillText, fillWords, REHEARSAL_LINE, type Scene } from './scene.ts';
import { correctShapes } from './shapes.ts';
import { writeBoardSynthesis, writeRehearsedReport } from './synthesis.ts';
import { writeProse } from './talk.ts';
import * as team from './team.ts';
import { AGAIN } from './words/board.ts';
import { ROLES } from './words/roles.ts';
import { FORMS } from './words/rounds.ts';
import { AS_ROLE, COMMON, STOCK } from './words/talk.ts';

type Form = Template | ((scene: Scene) => unknown);

/** Answers by task. Other tasks are filled in from their schema alone. */
const ANSWERS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ...Object.entries(FORMS),
  ['board/agreement', board.drawPositions],
  ['board/comparison', board.compareCourses],
  ['board/options', board.findSame],
  ['rounds/options', board.findSame],
  ['rounds/stance-alone', board.voteAlone],
  ['rounds/stance', board.voteAmongPeers],
  ...['action', 'guardian', 'observer', 'critic'].map((role): [string, Form] => [
    `rounds/artifact/${role}`,
    rounds.chooseArtifactMaker(role),
  ]),
  ['rounds/exam', rounds.sitExam],
  ['rounds/reading', rounds.read],
  ['rounds/second-look', rounds.lookAgain],
  ['rounds/check', rounds.check],
  ['rounds/bearings', rounds.weigh],
  ['rounds/assessment', rounds.decide],
  ['rounds/drift', rounds.answerDriftCheck],
  ['rounds/prediction', rounds.predict],
  ['rounds/signature', rounds.compare],
  ['decision/draft', decisions.draftPredictions],
  ['decision/forecast', decisions.forecastPredictions],
  ['agent/route', agents.chooseRoute],
  ['agent/supervise', agents.supervise],
  ['context/assign', clusters.assign],
  ['plan/staff', plan.chooseSpecialists],
  ['plan/questions', plan.askAboutProject],
  ['plan/look-up', plan.lookUp],
  ['plan/research', plan.research],
  ['plan/carries', plan.judgeSupport],
  ['plan/speak', plan.stateNeeds],
  ['plan/control', plan.writePlanControl],
  ['plan/conflicts', plan.findPlanConflicts],
  ['plan/answer', plan.answer],
  ['plan/must', plan.judgeMust],
  ['plan/reread', plan.findNoMisreading],
  ['plan/told', plan.findNoContradiction],
  ['plan/carried', plan.judgeCitation],
  ['plan/compared', plan.findPlantedContradiction],
  ['plan/synthesis', plan.writePlan],
  ['delphi/measure', debate.MEASURE],
  ['delphi/estimate', debate.estimate],
  ['delphi/revise', debate.revise],
  ['tradeoff/frame', debate.proposeOptions],
  ['tradeoff/options', debate.findNoEqualWordings],
  ['tradeoff/criteria', debate.findNoEqualWordings],
  ['tradeoff/weigh', debate.weigh],
  ['tradeoff/score', debate.score],
  ['brainstorm/think', debate.collectIdeas],
  ['brainstorm/build', debate.buildOnIdeas],
  ['brainstorm/ideas', debate.findNoEqualWordings],
  ['brainstorm/rate', debate.rate],
  ['standard/answer', debate.answer],
  ['standard/answer-options', debate.findNoEqualWordings],
  ['standard/critique', debate.dispute],
  ['standard/turn', debate.reply],
  ['standard/position', debate.takeLastPosition],
  ['advocate/answer', debate.answer],
  ['advocate/answer-options', debate.findNoEqualWordings],
  ['advocate/consensus', contest.findClaims],
  ['advocate/question', contest.questionClaims],
  ['advocate/defend', contest.defend],
  ['advocate/verdict', contest.decide],
  ['socratic/thesis', contest.stateThesis],
  ['socratic/question', contest.questionThesis],
  ['socratic/answer', contest.answerQuestion],
  ['socratic/impasse', contest.agreeToImpasse],
  ['oxford/before', contest.voteBefore],
  ['oxford/opening', contest.argue],
  ['oxford/rebuttal', contest.rebut],
  ['oxford/after', contest.voteAfter],
  ['team/plan', team.plan],
  ['team/critique', team.critique],
  ['team/graph', team.divideIntoTasks],
  ['team/tests', team.writeTeamTests],
  ['team/work', team.doTeamTask],
  ['team/verify', team.verify],
  ['team/look-again', team.verify],
  ['team/accept', team.accept],
]);

/**
 * Returns the stand-in's whole answer to a request: a JSON text if the request has a schema or is a task of a team,
 * otherwise prose.
 */
export function answerTo(scene: Scene): string {
  const { schema, task } = scene;
  const form = ANSWERS.get(task);
  // If a request has no schema, the stand-in answers in prose. Only in tasks of a team does it write JSON without a
  // schema, because the prompts of these tasks ask for JSON in words.
  if (schema === undefined && !(form !== undefined && task.startsWith('team/')))
    return wordsOf(scene) + answerLines(scene);
  const value =
    typeof form === 'function'
      ? form(scene)
      : form === undefined
        ? correctShapes(
            makeSchemaValue(schema ?? {}, scene.topic, scene.chance),
            scene.heard,
            scene.model === 'invents',
          )
        : fillWords(scene, form);
  return JSON.stringify(value, null, 2);
}

function wordsOf(scene: Scene): string {
  const { task, about, model } = scene;
  const vote = about.ending === 'vote' ? agents.writeVoteLine(scene) : '';
  if (task === 'board/synthesis') return writeBoardSynthesis(scene);
  if (about.headings !== undefined) return writeRehearsedReport(scene, about.headings);
  if (model === 'looping') return fillText(scene, AGAIN) + vote;
  if (about.words !== undefined) return writeProse(scene, about.words) + vote;
  return writeSpeech(scene) + vote;
}

/** The most characters of a role's name, which a person may have written. */
const MOST_OF_A_ROLE = 60;

/** Returns a text in the form of its role. */
function writeSpeech(scene: Scene): string {
  const slug = scene.role.toLowerCase().replace(/[^a-z]+/g, '-');
  const words = entryOf(ROLES, slug) ?? [AS_ROLE, joinTemplates([...STOCK, ...COMMON], 3)];
  const role = toLine(scene.role).slice(0, MOST_OF_A_ROLE) || 'a seat';
  const paragraphs = fillWords(scene, words, { role });
  const ballot = scene.about.ending === 'ballot' ? [board.writeBallot(scene)] : [];
  return [
    ...(Array.isArray(paragraphs) ? paragraphs : [paragraphs]),
    ...ballot,
    REHEARSAL_LINE,
  ].join('\n\n');
}
