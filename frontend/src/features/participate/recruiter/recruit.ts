import type { Recruiter, StudyText } from '../../../shared/api/forms';
import { recall, remember } from '../../../shared/lib/storage';

const keyOf = (sessionId: string) => `eyelevel.recruit.${sessionId}`;

// limits of the server
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const MOST_PARAMETERS = 20;
const LONGEST_VALUE = 256;

// placeholders that the recruiter did not replace, as in backend/ratings/recruitment.py
const UNFILLED = /[{}]|%\w+%|^ASSIGNMENT_ID_NOT_AVAILABLE$/;

/** The recruiter's id of this person from the link; empty if the study has no recruiter, or the link has no usable id. */
export function recruitOf({ recruiter }: Pick<StudyText, 'recruiter'>, search: string): { recruit?: { id: string } } {
  if (recruiter === null) return {};
  const [id = '', ...others] = new Set(new URLSearchParams(search).getAll(recruiter.id_parameter));
  return others.length > 0 || id.trim() === '' || UNFILLED.test(id) ? {} : { recruit: { id } };
}

/** The parameters of the link. Parameters with invalid names, and long or empty values, are dropped, so that they do not block anybody. */
export function parametersOf(search: string): Record<string, string> {
  const sent = [...new URLSearchParams(search)].filter(([name, value]) => NAME.test(name) && value !== '' && value.length <= LONGEST_VALUE && !/\p{C}/u.test(value));
  return Object.fromEntries(sent.slice(0, MOST_PARAMETERS));
}

/** The recruiter's URL with the id and the link's parameters filled in, percent-encoded; missing parameters become empty. */
export function filledUrl(url: string, recruiter: Recruiter, search: string): string {
  const parameters = new URLSearchParams(search);
  return url.replace(/\{([A-Za-z][A-Za-z0-9_.-]{0,63})\}/g, (_, name: string) => encodeURIComponent(parameters.get(name === 'id' ? recruiter.id_parameter : name) ?? ''));
}

/** Stores the recruiter's id of a session in this browser, because other people may open their own links here. */
export function rememberRecruit(sessionId: string, id: string): void {
  remember(keyOf(sessionId), id);
}

export function wasRecruitedAs(sessionId: string, id: string): boolean {
  return recall(keyOf(sessionId)) === id;
}
