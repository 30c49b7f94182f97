const actions: MediaSessionAction[] = ['play', 'pause', 'stop', 'seekbackward', 'seekforward', 'seekto', 'previoustrack', 'nexttrack'];

/** Media keys and headsets steer what plays in a page; here they do nothing. Returns what takes that back. */
export function ignoreMediaKeys(): () => void {
  // absent in some browsers, whatever the types say
  const session = navigator.mediaSession as MediaSession | undefined;
  const setAll = (handler: (() => void) | null) => {
    for (const action of actions) {
      try {
        session?.setActionHandler(action, handler);
      } catch {
        // this browser does not know the action, so no key does it
      }
    }
  };
  setAll(() => undefined);
  return () => { setAll(null); };
}

/** Some browsers offer their own button for a small window of its own; the film comes back from there at once. */
export function refusePictureInPicture(video: HTMLVideoElement): () => void {
  const comeBack = () => { void document.exitPictureInPicture().catch(() => undefined); };
  video.addEventListener('enterpictureinpicture', comeBack);
  return () => { video.removeEventListener('enterpictureinpicture', comeBack); };
}
