import { request } from './request';
import { OpenStudy } from './study';

export function getStudy(slug: string): Promise<OpenStudy> {
  return request(OpenStudy, `/api/participate/${encodeURIComponent(slug)}`);
}
