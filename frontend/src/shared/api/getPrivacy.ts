import { Privacy } from './privacy';
import { request } from './request';

export function getPrivacy(sha256: string): Promise<Privacy> {
  return request(Privacy, `/api/research/studies/${sha256}/privacy`);
}
