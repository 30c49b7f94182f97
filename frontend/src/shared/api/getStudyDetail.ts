import { request } from './request';
import { StudyDetail } from './studies';

export function getStudyDetail(sha256: string): Promise<StudyDetail> {
  return request(StudyDetail, `/api/research/studies/${sha256}`);
}
