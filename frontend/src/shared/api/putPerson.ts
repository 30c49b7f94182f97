import { Nothing, request } from './request';

export function putPerson(answers: Record<string, string>): Promise<undefined> {
  return request(Nothing, '/api/session/person', { method: 'PUT', json: { answers } });
}
