import { Nothing, request } from './request';

/** The answer to a control question; its key makes a repeat harmless. */
export interface ControlBody {
  key: string;
  choice: string;
}

export function putControl(sessionId: string, { key, choice }: ControlBody): Promise<undefined> {
  return request(Nothing, `/api/session/controls/${encodeURIComponent(key)}`, { method: 'PUT', json: { session_id: sessionId, choice } });
}
