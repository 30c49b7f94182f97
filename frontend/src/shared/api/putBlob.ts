import { errorOf, unreachable } from './error';
import { csrfToken } from './request';

/** Sends one file of a batch. By XMLHttpRequest, because fetch does not tell how far a body has gone. */
export function putBlob(batch: string, digest: string, blob: Blob, onProgress: (sent_bytes: number) => void): Promise<void> {
  const path = `/api/batches/${batch}/blobs/${digest}`;
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('PUT', path);
    call.setRequestHeader('Content-Type', 'application/octet-stream');
    const token = csrfToken();
    if (token !== null) call.setRequestHeader('X-CSRFToken', token);
    call.upload.onprogress = (event) => { onProgress(event.loaded); };
    call.onload = () => {
      if (call.status >= 200 && call.status < 300) resolve();
      else reject(errorOf(path, call.status, parsed(call.responseText)));
    };
    call.onerror = () => { reject(unreachable()); };
    call.send(blob);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
