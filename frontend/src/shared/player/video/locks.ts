const actions: MediaSessionAction[] = ['play', 'pause', 'stop', 'seekbackward', 'seekforward', 'seekto', 'previoustrack', 'nexttrack'];

/** Disables media keys and headset buttons for the page. Returns a function that enables them again. */
export function ignoreMediaKeys(): () => void {
  // undefined in some browsers, although the types say otherwise
  const session = navigator.mediaSession as MediaSession | undefined;
  const setAll = (handler: (() => void) | null) => {
    for (const action of actions) {
      try {
        session?.setActionHandler(action, handler);
      } catch {
        // this browser does not support the action, so no key triggers it
      }
    }
  };
  setAll(() => undefined);
  return () => { setAll(null); };
}

/** Leaves picture-in-picture immediately, because some browsers offer their own button for it. */
export function refusePictureInPicture(video: HTMLVideoElement): () => void {
  const comeBack = () => { void document.exitPictureInPicture().catch(() => undefined); };
  video.addEventListener('enterpictureinpicture', comeBack);
  return () => { video.removeEventListener('enterpictureinpicture', comeBack); };
}
