import type { Size } from './evidence';

/** When the question may be answered: while the film plays, or once it has ended. */
export type AnswerFrom = 'start' | 'end';

/** What the page has around a film, in rem. participant.css leaves just that much. */
const phoneBelowRem = 44;
const besideRem = { phone: 2.5, other: 3.5 };
const aroundRem = { phone: 11, other: 9 };
const questionRem = 24;
/** A film with its question in view is made smaller for it, but not below this. */
const withQuestionAtLeast = 0.5;

interface Layout {
  answerFrom: AnswerFrom;
  /** CSS pixels */
  remPx: number;
}

/**
 * How large a film is shown, as a share of its captured size: as large as the window allows, whole in view,
 * never larger than it was captured. All sizes are CSS pixels.
 */
export function stageScale(captured: Size, window: Size, { answerFrom, remPx }: Layout): number {
  const device = window.width_px < phoneBelowRem * remPx ? 'phone' : 'other';
  const byWidth = (window.width_px - besideRem[device] * remPx) / captured.width_px;
  const byHeight = (window.height_px - aroundRem[device] * remPx) / captured.height_px;
  const withQuestion = (window.height_px - questionRem * remPx) / captured.height_px;
  const high = answerFrom === 'end' ? byHeight : Math.min(byHeight, Math.max(withQuestion, withQuestionAtLeast));
  return Math.max(0, Math.min(1, byWidth, high));
}

/** The smallest window in which a film has at least that scale; not for phones, which are turned rather than made wider. */
export function windowFor(captured: Size, scale: number, { remPx }: Pick<Layout, 'remPx'>): Size {
  return {
    width_px: Math.ceil(captured.width_px * scale + besideRem.other * remPx),
    height_px: Math.ceil(captured.height_px * scale + aroundRem.other * remPx),
  };
}
