import type { PlayBody } from '../shared/api/putPlay';
import type { VoteBody } from '../shared/api/putVote';
import type { PlayEvidence } from '../shared/player/evidence';

const size = { width_px: 1440, height_px: 900 };

/** A play in which nothing went wrong. */
export const cleanEvidence: PlayEvidence = {
  version: 1,
  media_ms: 3550,
  wall_ms: 3561.2,
  off_speed_ms: 4.2,
  off_speed: false,
  frames_presented: 213,
  frames_dropped: 0,
  stalls: [],
  hidden: [],
  unfocused: [],
  pauses: [],
  window: size,
  screen: size,
  device_pixel_ratio: 1,
  zoom: 1,
  shown: { width_px: 1280, height_px: 720, scale: 1 },
  refresh_hz: 60,
  frame_callback: true,
  complete: true,
};

export const playBody: PlayBody = {
  position: 1,
  started_at: '2026-01-01T12:00:00.000Z',
  ended_at: '2026-01-01T12:00:03.561Z',
  replay: false,
  evidence: cleanEvidence,
};

export const voteBody: VoteBody = {
  position: 1,
  clip_sha256: '',
  kind: 'rate',
  kind_version: 1,
  data: {},
  replays: 0,
  answer_ms: 1,
  media_ms: 3550,
  away: [],
  answered_at: '2026-01-01T12:00:05.000Z',
};
