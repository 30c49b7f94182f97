import './noDynamicStyle';

import videojs from 'video.js/core.es.js';

import { ignoreMediaKeys, refusePictureInPicture } from './locks';

type VideoJsPlayer = ReturnType<typeof videojs>;

export interface PlayerEvents {
  onReady: () => void;
  onEnded: () => void;
  /** Called when there is no picture: the browser reports an error, or decodes none. */
  onFault: () => void;
  /** Called when the browser refuses to play or continue without a user action. */
  onHeld: () => void;
}

/** Time limit for the first picture after the metadata, because some phones load none before they play. */
const firstPictureMs = 3000;

/** Unlocking may advance a film by less than a frame; seeking back would delay its start. */
const unmovedS = 0.005;

/** A player that the person cannot control: no controls, no seeking, normal speed. */
export class StimulusPlayer {
  private readonly player: VideoJsPlayer;
  readonly video: HTMLVideoElement;
  private playing = false;
  /** The last position of the film, in seconds; seeking returns to it. */
  private reachedS = 0;
  private readonly undo: (() => void)[];
  private ready = false;

  constructor(host: HTMLElement, source: string, private readonly events: PlayerEvents) {
    this.video = document.createElement('video');
    this.video.className = 'video-js';
    this.video.disablePictureInPicture = true;
    this.video.disableRemotePlayback = true;
    this.video.tabIndex = -1;
    host.replaceChildren(this.video);
    this.undo = [ignoreMediaKeys(), refusePictureInPicture(this.video), this.watchVisibility()];
    this.player = videojs(this.video, {
      controls: false,
      muted: true,
      playsinline: true,
      preload: 'auto',
      loop: false,
      // parts that are not needed without controls
      bigPlayButton: false,
      controlBar: false,
      errorDisplay: false,
      loadingSpinner: false,
      posterImage: false,
      resizeManager: false,
      textTrackDisplay: false,
      textTrackSettings: false,
      titleBar: false,
      liveTracker: false,
      inactivityTimeout: 0,
      userActions: { click: false, doubleClick: false, hotkeys: false },
      sources: [{ src: source, type: 'video/mp4' }],
    });
    // the host already has a label in the page's language; the library would add an English one
    for (const attribute of ['role', 'aria-label']) this.player.el().removeAttribute(attribute);
    this.player.one('loadeddata', () => { this.checkDecoded(); });
    this.player.one('loadedmetadata', () => {
      const timer = setTimeout(() => { this.checkDecoded(); }, firstPictureMs);
      this.undo.push(() => { clearTimeout(timer); });
    });
    this.player.on('error', () => { this.events.onFault(); });
    this.player.on('ended', () => { this.end(); });
    this.player.on('pause', () => { this.resume(); });
    this.player.on('ratechange', () => {
      if (this.player.playbackRate() !== 1) this.player.playbackRate(1);
    });
    this.player.on('timeupdate', () => {
      if (this.playing && !this.video.seeking) this.reachedS = this.video.currentTime;
    });
    this.player.on('seeking', () => { this.comeBack(); });
  }

  /** Unlocks playback within a user action, so that the film may be played after the countdown. */
  unlock(): void {
    // pausing immediately rejects the promise
    this.video.play().catch(() => undefined);
    this.video.pause();
  }

  /** Plays from the beginning; calls `onHeld` if the browser refuses. */
  play(): void {
    this.reachedS = 0;
    if (this.video.currentTime > unmovedS) this.player.currentTime(0);
    this.playing = true;
    this.ask();
  }

  /** Stops a play; the next one starts from the beginning. */
  stop(): void {
    this.playing = false;
    this.video.pause();
  }

  dispose(): void {
    this.playing = false;
    for (const undo of this.undo) undo();
    this.player.dispose();
  }

  // some browsers play a codec they cannot decode as sound without a picture, and report no error
  private checkDecoded(): void {
    if (this.ready) return;
    this.ready = true;
    if (this.video.videoWidth > 0) this.events.onReady();
    else this.events.onFault();
  }

  private end(): void {
    if (!this.playing) return;
    this.playing = false;
    if (this.video.videoWidth > 0) this.events.onEnded();
    else this.events.onFault();
  }

  // prevents seeking by system keys or the browser's menu
  private comeBack(): void {
    // timeupdate is fired at least four times a second; smaller differences are not seeks
    if (this.playing && Math.abs(this.video.currentTime - this.reachedS) > 0.5) this.video.currentTime = this.reachedS;
  }

  // a media key or the system may pause; the film resumes, and the pause is recorded
  private resume(): void {
    if (!this.playing || this.video.ended || !this.video.paused) return;
    // some browsers pause hidden videos repeatedly; resume when the page is visible
    if (document.visibilityState !== 'hidden') this.ask();
  }

  private watchVisibility(): () => void {
    const look = () => { this.resume(); };
    document.addEventListener('visibilitychange', look);
    return () => { document.removeEventListener('visibilitychange', look); };
  }

  private ask(): void {
    void Promise.resolve(this.player.play()).catch(() => {
      // rejected because of a pause, whose event handler resumes now or when the page is visible
      if (!this.playing || !this.video.paused || document.visibilityState === 'hidden') return;
      this.playing = false;
      this.events.onHeld();
    });
  }
}
