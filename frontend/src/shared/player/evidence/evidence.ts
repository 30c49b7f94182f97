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
  /** Position of the clip at the end, and elapsed time. */
  media_ms: number;
  wall_ms: number;
  /** The largest deviation of elapsed time from the clip position. */
  off_speed_ms: number | null;
  /** The deviation was larger than one frame of the clip. */
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
  /** Size of the film on the page in CSS pixels, and CSS and device pixels per captured pixel; the minimum during the play. */
  shown: Size & { scale: number; device_scale: number };
  refresh_hz: number | null;
  /** Frames were reported by requestVideoFrameCallback. Without it, times are those of repaints, which are coarser. */
  frame_callback: boolean;
  /** The clip played to its end. */
  complete: boolean;
}

/** The record of a play that is sent to the server. */
export interface PlayRecord {
  started_at: string;
  ended_at: string;
  evidence: PlayEvidence;
}
