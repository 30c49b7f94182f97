import { Trans } from '@lingui/react/macro';
import { useEffect, useSyncExternalStore } from 'react';

const KEYS = 'Alt+Enter';

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => { document.removeEventListener('fullscreenchange', listener); };
}

function isFull(): boolean {
  // absent in some browsers, whatever the types say
  return (document.fullscreenElement as Element | null | undefined) != null;
}

// a browser may refuse, and then the window stays as it is
function toggle(): void {
  void (isFull() ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined);
}

/** Ends the full screen, where there is one. */
export function leaveFullScreen(): void {
  if (isFull()) toggle();
}

/**
 * Shows the page on the full screen, and back; also by Alt and Enter while the button is there. Escape ends it, too. It is
 * offered between plays only, because the browser covers the film with a note for some seconds.
 */
export function FullScreenButton({ primary = false }: { primary?: boolean }) {
  const full = useSyncExternalStore(subscribe, isFull);
  const offered = document.fullscreenEnabled;
  useEffect(() => {
    if (!offered) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !event.altKey || event.repeat) return;
      event.preventDefault();
      toggle();
    };
    addEventListener('keydown', onKey);
    return () => { removeEventListener('keydown', onKey); };
  }, [offered]);
  if (!offered) return null;
  return (
    <button type="button" className={`button ${primary ? '' : 'button--quiet button--small'}`} aria-keyshortcuts={KEYS} onClick={toggle}>
      {full ? <Trans>Leave full screen</Trans> : <Trans>Full screen</Trans>}
      <span className="shortcut">
        {' '}
        (<Trans>Alt+Enter</Trans>)
      </span>
    </button>
  );
}
