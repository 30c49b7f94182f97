import probeUrl from './probe.mp4';

/** The type of clips: H.264 High profile, level 4.2, in MP4. */
const clipType = 'video/mp4; codecs="avc1.64002a"';
const patienceMs = 8000;

/** `unknown`: the probe could not be fetched or played, or the browser needs a user action to play. */
export type Decoding = 'yes' | 'no' | 'unknown';

let asked: Promise<Decoding> | null = null;
let known: Decoding | null = null;

/** Returns the result of the probe; null until it is known. */
export function knownDecoding(): Decoding | null {
  return known;
}

/** Plays a tiny hidden film of the same type as clips when the page is visible; once per page. */
export function decodesClips(): Promise<Decoding> {
  asked ??= ask().then((decoding) => (known = decoding));
  return asked;
}

async function ask(): Promise<Decoding> {
  const video = document.createElement('video');
  if (video.canPlayType(clipType) === '') return 'no';
  let blob: Blob;
  try {
    const response = await fetch(probeUrl);
    if (!response.ok) return 'unknown';
    blob = new Blob([await response.arrayBuffer()], { type: 'video/mp4' });
  } catch {
    return 'unknown';
  }
  await seen();
  const url = URL.createObjectURL(blob);
  try {
    return await tryOut(video, url);
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

// browsers delay playback in a tab that has not been visible yet
function seen(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}

// some browsers play a codec they cannot decode as sound without a picture, and report no error
function tryOut(video: HTMLVideoElement, url: string): Promise<Decoding> {
  return new Promise((resolve) => {
    const pictured = (): Decoding => (video.videoWidth > 0 ? 'yes' : 'no');
    const timer = setTimeout(() => { resolve(video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? pictured() : 'unknown'); }, patienceMs);
    const settle = (decoding: Decoding) => {
      clearTimeout(timer);
      resolve(decoding);
    };
    video.muted = true;
    video.playsInline = true;
    video.addEventListener('error', () => { settle('no'); });
    video.addEventListener('ended', () => { settle(pictured()); });
    video.src = url;
    video.play().catch((error: unknown) => {
      // a browser in power-saving mode may refuse autoplay
      if (error instanceof DOMException && error.name === 'NotAllowedError') settle('unknown');
    });
  });
}
