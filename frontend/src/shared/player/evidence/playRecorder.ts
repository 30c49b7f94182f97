import type { PlayEvidence, PlayRecord, Size } from './evidence';
import { type FrameSample, isStall, offSpeedMs, standstills } from './frames';
import { rounded, since, SpanLog, union, without } from './spans';
import { shownAs, smaller, surroundings } from './surroundings';

export interface ClipFacts extends Size {
  frame_rate: number;
}

/** Records the playback telemetry of one play, from the call of play(). Times are in performance.now(). */
export class PlayRecorder {
  private readonly undo: (() => void)[] = [];
  private readonly frameMs: number;
  private readonly asked = performance.now();
  private readonly askedAt = Date.now();
  /** The time of the first `playing` event, which is the play's start. */
  private zero: number | null = null;
  private readonly samples: FrameSample[] = [];
  private readonly waits = new SpanLog();
  private readonly pauses = new SpanLog();
  private readonly hidden = new SpanLog();
  private readonly unfocused = new SpanLog();
  private readonly quality: VideoPlaybackQuality | null;
  private readonly frameCallback: boolean;
  private shown: PlayEvidence['shown'];

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly clip: ClipFacts,
    private readonly refreshHz: number | null,
  ) {
    this.frameMs = 1000 / clip.frame_rate;
    this.quality = qualityOf(video);
    this.frameCallback = 'requestVideoFrameCallback' in video;
    this.shown = shownAs(video, clip);
    this.watchPlayback();
    this.watchPerson();
    if (this.frameCallback) this.watchFrames();
    else this.watchRepaints();
  }

  /** Stops recording and returns the record. `complete`: the clip played to its end. */
  finish(complete: boolean): PlayRecord {
    this.cancel();
    this.measure();
    const end = performance.now();
    const zero = this.zero ?? this.asked;
    return {
      started_at: new Date(this.askedAt + zero - this.asked).toISOString(),
      ended_at: new Date(this.askedAt + end - this.asked).toISOString(),
      evidence: this.evidence(zero, end, complete),
    };
  }

  /** Whether playback has started. */
  hasBegun(): boolean {
    return this.zero !== null;
  }

  cancel(): void {
    for (const undo of this.undo.splice(0)) undo();
  }

  private evidence(zero: number, end: number, complete: boolean): PlayEvidence {
    const mediaMs = this.video.currentTime * 1000;
    const offMs = offSpeedMs(this.samples);
    const pauses = this.pauses.until(end);
    const hidden = this.hidden.until(end);
    // a hidden or paused picture is not a stall
    const stood = without(standstills(this.framesUntil(end, mediaMs, complete), this.frameMs), [...pauses, ...hidden]).filter(isStall);
    return {
      version: 1,
      media_ms: rounded(mediaMs),
      wall_ms: this.zero === null ? 0 : rounded(end - zero),
      off_speed_ms: offMs === null ? null : rounded(offMs),
      off_speed: offMs !== null && offMs > this.frameMs,
      ...this.frames(),
      stalls: since(zero, end, union([...this.waits.until(end), ...stood])),
      hidden: since(zero, end, hidden),
      unfocused: since(zero, end, this.unfocused.until(end)),
      pauses: since(zero, end, pauses),
      ...surroundings(),
      shown: this.shown,
      refresh_hz: this.refreshHz,
      frame_callback: this.frameCallback,
      complete,
    };
  }

  /** Adds the clip's end as a last frame, so that a standstill before it is detected. */
  private framesUntil(end: number, mediaMs: number, complete: boolean): FrameSample[] {
    const last = this.samples.at(-1);
    if (!complete || last === undefined) return this.samples;
    const dueMs = Math.max(0, mediaMs - last.media_ms);
    return [...this.samples, { wall_ms: end - dueMs, media_ms: mediaMs, presented: null }];
  }

  private on(target: EventTarget, event: string, listener: () => void): void {
    target.addEventListener(event, listener);
    this.undo.push(() => { target.removeEventListener(event, listener); });
  }

  private watchPlayback(): void {
    const { video } = this;
    this.on(video, 'playing', () => {
      const now = performance.now();
      this.zero ??= now;
      this.waits.end(now);
      this.pauses.end(now);
    });
    this.on(video, 'waiting', () => {
      // `waiting` is also fired at the start
      if (this.zero !== null) this.waits.begin(performance.now());
    });
    this.on(video, 'pause', () => {
      // `pause` is also fired at the end
      if (!video.ended) this.pauses.begin(performance.now());
    });
    this.on(window, 'resize', () => { this.measure(); });
  }

  /** Updates the smallest size of the film during this play. */
  private measure(): void {
    this.shown = smaller(this.shown, shownAs(this.video, this.clip));
  }

  private watchPerson(): void {
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') this.hidden.begin(performance.now());
      else this.hidden.end(performance.now());
    };
    this.on(document, 'visibilitychange', onVisibility);
    this.on(window, 'blur', () => { this.unfocused.begin(performance.now()); });
    this.on(window, 'focus', () => { this.unfocused.end(performance.now()); });
    onVisibility();
    if (!document.hasFocus()) this.unfocused.begin(this.asked);
  }

  private watchFrames(): void {
    const { video } = this;
    let handle = 0;
    const onFrame: VideoFrameRequestCallback = (_now, { presentationTime, mediaTime, presentedFrames }) => {
      this.samples.push({ wall_ms: presentationTime, media_ms: mediaTime * 1000, presented: presentedFrames });
      handle = video.requestVideoFrameCallback(onFrame);
    };
    handle = video.requestVideoFrameCallback(onFrame);
    this.undo.push(() => { video.cancelVideoFrameCallback(handle); });
  }

  private watchRepaints(): void {
    let handle = 0;
    const onRepaint = (now: number) => {
      const media_ms = this.video.currentTime * 1000;
      // skip repaints without progress
      if (media_ms > 0 && media_ms !== this.samples.at(-1)?.media_ms) this.samples.push({ wall_ms: now, media_ms, presented: null });
      handle = requestAnimationFrame(onRepaint);
    };
    handle = requestAnimationFrame(onRepaint);
    this.undo.push(() => { cancelAnimationFrame(handle); });
  }

  private frames(): Pick<PlayEvidence, 'frames_presented' | 'frames_dropped'> {
    const [first, last] = [this.samples[0]?.presented ?? null, this.samples.at(-1)?.presented ?? null];
    const counted = first === null || last === null ? null : last - first + 1;
    const after = qualityOf(this.video);
    const dropped = after === null || this.quality === null ? -1 : after.droppedVideoFrames - this.quality.droppedVideoFrames;
    const total = after === null || this.quality === null ? -1 : after.totalVideoFrames - this.quality.totalVideoFrames;
    // a browser may reset its counters with each play
    if (dropped < 0 || total < dropped) return { frames_presented: counted, frames_dropped: null };
    return { frames_presented: counted ?? total - dropped, frames_dropped: dropped };
  }
}

function qualityOf(video: HTMLVideoElement): VideoPlaybackQuality | null {
  return 'getVideoPlaybackQuality' in video ? video.getVideoPlaybackQuality() : null;
}
