import { csrfToken } from '../../../shared/api/client';
import { errorOf, unreachable } from '../../../shared/api/error';

/** Sends a file unchanged and returns the parsed body of the response, or null without one. Uses XMLHttpRequest, because fetch does not report upload progress. There is no time limit, because a file may take long. */
export function sendFile(method: 'POST' | 'PUT', path: string, file: Blob, type: string, onProgress: (sent_bytes: number) => void = () => undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open(method, path);
    call.setRequestHeader('Accept', 'application/json');
    call.setRequestHeader('Content-Type', type);
    const token = csrfToken();
    if (token !== null) call.setRequestHeader('X-CSRFToken', token);
    call.upload.onprogress = (event) => { onProgress(event.loaded); };
    call.onload = () => {
      const body = parsed(call.responseText);
      if (call.status >= 200 && call.status < 300) resolve(body);
      else reject(errorOf(call.status, body));
    };
    call.onerror = () => { reject(unreachable()); };
    call.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
