import { request } from './request';
import { Promises } from './withdrawals';

export function lookUpPromises(completionCode: string): Promise<Promises> {
  return request(Promises, '/api/withdrawals/lookup', { method: 'POST', json: { completion_code: completionCode } });
}
