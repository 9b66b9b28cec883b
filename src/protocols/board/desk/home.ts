/** Boards on the home screen. */
import type { HomePart } from '../../../app/invocation.ts';
import { DEFAULT_BOARD } from '../../../app/settings/panel.ts';
import { BOARD_KIND } from '../../../io/preset-kinds.ts';
import { listPresets } from '../../../io/presets.ts';
import { estimateRun } from '../../../kernel/estimate.ts';
import { formatEstimate } from '../../../plain/estimate.ts';
import { planBoard } from '../estimate.ts';
import { savePanel } from './save-panel.ts';

/** The part of the home screen on which a person puts a question to a board and chooses its seats. */
export const home: HomePart = {
  offer: ({ env }, { preset = DEFAULT_BOARD }) => {
    const { presets, problems } = listPresets(BOARD_KIND, env);
    return {
      id: 'board',
      title: 'Board',
      about: 'advisors answer side by side, then a synthesis',
      attaches: true,
      looks: true,
      usesTools: true,
      chair: 'Synthesizer',
      panel: {
        title: 'Board',
        presets: presets.map(({ slug, value: { description, ...value } }) => ({
          ...value,
          slug,
          about: description,
        })),
        preset,
      },
      problems,
    };
  },
  convene: async (call, config, what) => {
    const { question, chair, rehearse, seats, attachments, look } = what;
    const { convene } = await import('./convene.ts');
    const { readAttachments } = await import('../../../app/settings/attachments.ts');
    const { readBoardSettings } = await import('./settings.ts');
    const { REHEARSAL_MODEL } = await import('../../../app/settings/discovery.ts');
    const flags = {
      ...call.flags,
      rehearse,
      attach: attachments.map(({ path }) => path),
      look: look.map(({ wish }) => wish),
    };
    await convene({ ...call, flags }, config, {
      question,
      places: rehearse ? seats.map((seat) => ({ ...seat, model: REHEARSAL_MODEL })) : seats,
      synthesizer: rehearse ? REHEARSAL_MODEL : chair,
      attachments: await readAttachments({ ...call, flags }),
      settings: readBoardSettings(config, flags, seats.length),
    });
    return true;
  },
  prepare: () =>
    Promise.all([
      ...[import('./convene.ts'), import('./settings.ts'), import('../board.ts')],
      ...[import('../view/console.ts'), import('../../../app/settings/attachments.ts')],
    ]),
  savePanel: ({ env }, panel) => savePanel(env, panel),
  // Returns a text such as `4 calls, 2.1k–5.2k tokens in, 1.0k–4.8k out, $0.012–$0.048`.
  estimate: (
    { question, seats, chair, attachments, rehearse },
    { vote = true, predict = 0 },
    price,
  ) => {
    const unknown = rehearse ? 'rehearsal/panel' : 'any model found';
    const modelOf = (model: string | undefined): string =>
      rehearse ? unknown : (model ?? unknown);
    const sit = seats.map(({ role, model, brief = '' }) => ({
      id: role,
      role,
      title: role,
      model: modelOf(model),
      brief,
    }));
    const planned = planBoard({
      question,
      seats: sit,
      predict,
      synthesizer: modelOf(chair),
      attachments: attachments.map(({ text }) => text),
      vote,
    });
    return formatEstimate(estimateRun(planned, { price, window: () => undefined }));
  },
};
