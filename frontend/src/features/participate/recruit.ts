import type { Invitation } from '../../shared/api/forms';
import { recall, remember } from '../../shared/lib/storage';

const keyOf = (sessionId: string) => `eyelevel.recruit.${sessionId}`;

/** Who this person is to their recruiter, as the link says; nothing where nobody recruits, or the link lacks it. */
export function recruitOf(study: Invitation, search: string): { recruit?: { id: string } } {
  if (study.id_parameter == null) return {};
  const id = new URLSearchParams(search).get(study.id_parameter);
  return id === null || id === '' ? {} : { recruit: { id } };
}

/** Keeps in this browser whose session it is: others may open their own links here. */
export function rememberRecruit(sessionId: string, id: string): void {
  remember(keyOf(sessionId), id);
}

export function wasRecruitedAs(sessionId: string, id: string): boolean {
  return recall(keyOf(sessionId)) === id;
}
