import { Nothing, request } from './request';

export function putPerson(sessionId: string, answers: Record<string, string>): Promise<undefined> {
  return request(Nothing, '/api/session/person', { method: 'PUT', json: { session_id: sessionId, answers } });
}
