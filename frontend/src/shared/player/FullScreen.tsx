import { Trans } from '@lingui/react/macro';
import { useEffect, useSyncExternalStore } from 'react';

const KEYS = 'Alt+Enter';

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => { document.removeEventListener('fullscreenchange', listener); };
}

function isFull(): boolean {
  // undefined in some browsers, although the types say otherwise
  return (document.fullscreenElement as Element | null | undefined) != null;
}

// ignores a refusal of the browser
function toggle(): void {
  void (isFull() ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined);
}

/** Leaves full screen if it is active. */
export function leaveFullScreen(): void {
  if (isFull()) toggle();
}

/**
 * Button to enter and leave full screen, with the shortcut Alt+Enter. Escape also leaves it. It is offered only between
 * plays, because the browser covers the film with a note for some seconds.
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
