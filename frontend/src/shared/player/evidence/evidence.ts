import type { Span } from '../../api/forms';

export interface Size {
  width_px: number;
  height_px: number;
}

/**
 * Playback telemetry of one play: pipeline/eyelevel_core/contracts/play-evidence.1.schema.json.
 * Times are ms since the play's start; null is unknown.
 */
export interface PlayEvidence {
  version: 1;
  /** How far the clip played, and how long that took. */
  media_ms: number;
  wall_ms: number;
  /** The worst departure of the wall's clock from the clip's own. */
  off_speed_ms: number | null;
  /** By more than one frame of the clip. */
  off_speed: boolean;
  frames_presented: number | null;
  frames_dropped: number | null;
  stalls: Span[];
  hidden: Span[];
  unfocused: Span[];
  pauses: Span[];
  window: Size;
  screen: Size;
  device_pixel_ratio: number;
  zoom: number | null;
  /** The film on the page in CSS pixels, and CSS and device pixels per captured pixel: each the smallest during the play. */
  shown: Size & { scale: number; device_scale: number };
  refresh_hz: number | null;
  /** Frames were reported by requestVideoFrameCallback. Without it, times are those of repaints and coarser. */
  frame_callback: boolean;
  /** The clip came to its end. */
  complete: boolean;
}

/** One playback as it is sent. */
export interface PlayRecord {
  started_at: string;
  ended_at: string;
  evidence: PlayEvidence;
}
