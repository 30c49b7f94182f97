import type { OpenStudy } from '../../shared/api/study';

/** Who this person is to their recruiter, as the link says; nothing where nobody recruits, or the link lacks it. */
export function recruitOf(study: OpenStudy, search: string): { recruit?: { id: string } } {
  if (study.id_parameter == null) return {};
  const id = new URLSearchParams(search).get(study.id_parameter);
  return id === null || id === '' ? {} : { recruit: { id } };
}
