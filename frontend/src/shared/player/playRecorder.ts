export interface PlayRecord {
  started_at: string;
  ended_at: string;
  events: { at_ms: number; what: string }[];
  frames: { presented: number; dropped: number } | null;
}

/** More events than this say nothing new, and a body has a limit. */
const eventsAtMost = 200;

/** Watches one playback: stalls, pauses, and whether the person was looking. */
export class PlayRecorder {
  private readonly events: PlayRecord['events'] = [];
  private readonly undo: (() => void)[] = [];
  private readonly startedAt = new Date();
  private readonly zero = performance.now();
  private readonly qualityBefore: VideoPlaybackQuality | null;
  private begun = false;
  private presentedFirst: number | null = null;
  private presentedLast = 0;

  constructor(private readonly video: HTMLVideoElement) {
    this.qualityBefore = qualityOf(video);
    for (const what of ['waiting', 'stalled', 'playing', 'pause', 'ratechange', 'error']) this.watch(video, what, what);
    this.watch(window, 'blur', 'blur');
    this.watch(window, 'focus', 'focus');
    this.watch(window, 'resize', 'resize');
    const onVisibility = () => { this.note(document.visibilityState === 'hidden' ? 'hidden' : 'visible'); };
    document.addEventListener('visibilitychange', onVisibility);
    this.undo.push(() => { document.removeEventListener('visibilitychange', onVisibility); });
    if (document.visibilityState === 'hidden') this.note('hidden');
    this.watchFrames();
  }

  note(what: string): void {
    if (this.events.length < eventsAtMost) this.events.push({ at_ms: Math.round(performance.now() - this.zero), what });
  }

  finish(): PlayRecord {
    this.cancel();
    return { started_at: this.startedAt.toISOString(), ended_at: new Date().toISOString(), events: this.events, frames: this.frames() };
  }

  cancel(): void {
    for (const undo of this.undo.splice(0)) undo();
  }

  private watch(target: EventTarget, event: string, what: string): void {
    const listener = () => {
      // the end of a video is announced as a pause, too
      if (what === 'pause' && this.video.ended) return;
      // and its beginning as waiting
      if (what === 'waiting' && !this.begun) return;
      if (what === 'playing') this.begun = true;
      this.note(what);
    };
    target.addEventListener(event, listener);
    this.undo.push(() => { target.removeEventListener(event, listener); });
  }

  private watchFrames(): void {
    if (!('requestVideoFrameCallback' in this.video)) return;
    let handle = 0;
    const onFrame: VideoFrameRequestCallback = (_now, metadata) => {
      this.presentedFirst ??= metadata.presentedFrames;
      this.presentedLast = metadata.presentedFrames;
      handle = this.video.requestVideoFrameCallback(onFrame);
    };
    handle = this.video.requestVideoFrameCallback(onFrame);
    this.undo.push(() => { this.video.cancelVideoFrameCallback(handle); });
  }

  private frames(): PlayRecord['frames'] {
    const after = qualityOf(this.video);
    if (after === null || this.qualityBefore === null) return null;
    const dropped = after.droppedVideoFrames - this.qualityBefore.droppedVideoFrames;
    const total = after.totalVideoFrames - this.qualityBefore.totalVideoFrames;
    // a browser may start its counters anew with each play
    if (dropped < 0 || total < 0) return null;
    const presented = this.presentedFirst === null ? total - dropped : this.presentedLast - this.presentedFirst + 1;
    return { presented: Math.max(0, presented), dropped };
  }
}

function qualityOf(video: HTMLVideoElement): VideoPlaybackQuality | null {
  return 'getVideoPlaybackQuality' in video ? video.getVideoPlaybackQuality() : null;
}
