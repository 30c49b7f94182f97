import type { Session, StudyText, Trial } from '../shared/api/forms';
import type { PlayBody, VoteBody } from '../shared/api/participant';
import type { PlayEvidence } from '../shared/player/evidence/evidence';

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
  shown: { width_px: 1280, height_px: 720, scale: 1, device_scale: 1 },
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
  clip_digest: '',
  kind: 'rate',
  kind_version: 2,
  data: {},
  layout: 'row',
  replays: 0,
  answer_ms: 1,
  media_ms: 3550,
  away: [],
  answered_at: '2026-01-01T12:00:05.000Z',
  play: null,
};

/** A study of one video in English, which says nothing but what it must. */
export const studyText: StudyText = {
  title: {},
  languages: ['en'],
  consent: { version: '1', text: {} },
  contact: 'me@example.org',
  instructions: {},
  questions: [],
  resume: 'resume',
  trial_count: 1,
  seconds: 60,
  room: [],
  ethics: null,
  retention: null,
  pay: null,
  recruiter: null,
};

export const plainTrial: Trial = {
  position: 1,
  kind: 'rate',
  kind_version: 2,
  context: { key: 'work', label: { en: 'at work' } },
  clip: { url: '/clips/x', bytes: 1, digest: '', width_px: 1, height_px: 1, frame_rate: 30, start_ms: 1000 },
  answer_from: 'end',
  training: false,
  params: {},
};

/** A session without any trial, just begun. */
export const plainSession: Session = {
  id: 's',
  state: 'started',
  language: 'en',
  study: studyText,
  person_answered: true,
  trials: [],
  answered: [],
  controls: [],
  controls_answered: [],
  preview: false,
  allows_another_person: false,
  comeback: 'resume',
};
