import type { Session, StudyText, Trial } from '../../../shared/api/forms';
import type { Size } from '../../../shared/player/evidence/evidence';
import { hasRoom, type Needs, needsOf, roomFor, type Viewport } from '../../../shared/player/evidence/scale';
import { zoomOf } from '../../../shared/player/evidence/surroundings';

/** A film that does not fit in this window. */
export interface Lacking {
  clip: Size;
  needs: Needs;
}

/** How to make room: turn the phone, enlarge the window, or also reduce the browser's zoom; null if nothing helps. */
export type Remedy = 'turn' | 'enlarge' | 'unzoom' | null;

/** Properties of the device that shows the window. */
export interface Device {
  /** In CSS pixels without zoom. */
  screen: Size;
  zoom: number;
  /** The device can be turned, such as a phone. */
  turns: boolean;
}

export function thisDevice(): Device {
  return {
    screen: { width_px: screen.availWidth, height_px: screen.availHeight },
    zoom: zoomOf(window.outerWidth, window.innerWidth, 1) ?? 1,
    turns: window.matchMedia('(pointer: coarse)').matches,
  };
}

export function remedyFor(lacking: readonly Lacking[], viewport: Viewport, { screen, zoom, turns }: Device): Remedy {
  const { width_px, height_px, device_pixel_ratio } = viewport;
  const helps = (size: Size, ratio: number) => lacking.every(({ clip, needs }) => hasRoom(clip, needs, { ...size, device_pixel_ratio: ratio }));
  if (turns && helps({ width_px: height_px, height_px: width_px }, device_pixel_ratio)) return 'turn';
  if (helps({ width_px: screen.width_px / zoom, height_px: screen.height_px / zoom }, device_pixel_ratio)) return 'enlarge';
  if (zoom > 1 && helps(screen, device_pixel_ratio / zoom)) return 'unzoom';
  return null;
}

/** The smallest window that fits all of them. */
export function neededFor(lacking: readonly Lacking[], { device_pixel_ratio }: Viewport): Size {
  const sizes = lacking.map(({ clip, needs }) => roomFor(clip, needs, device_pixel_ratio));
  return { width_px: Math.max(...sizes.map((size) => size.width_px)), height_px: Math.max(...sizes.map((size) => size.height_px)) };
}

/** The film of a trial that does not fit in this window; null if it fits. */
export function lackingOf({ clip, params }: Pick<Trial, 'clip' | 'params'>, viewport: Viewport): Lacking | null {
  const needs = needsOf(params);
  return hasRoom(clip, needs, viewport) ? null : { clip, needs };
}

/** Number and duration of the trials that fit in this window. */
export interface Extent {
  count: number;
  minutes: number;
  /** `count` is an upper bound, because it is not known yet whether each control video fits in this window. */
  atMost: boolean;
  /** Number of videos left out in this window; `lacking` has their required sizes. */
  leftOut: number;
  lacking: readonly Lacking[];
  /** Films without whose room nobody can start. */
  required: readonly Lacking[];
}

/** The extent before a session, from the study's blocks. */
export function extentOf(study: StudyText, viewport: Viewport): Extent {
  const without = study.room.filter(({ clip, ...needs }) => !hasRoom(clip, needs, viewport));
  const skipped = without.filter(({ skippable }) => skippable);
  const lacking = (rooms: StudyText['room']): Lacking[] => rooms.map(({ clip, ...needs }) => ({ clip, needs }));
  // a person who would see no video at all should not start
  const required = skipped.length === study.room.length ? without : without.filter(({ skippable }) => !skippable);
  const controlled = study.room.filter(({ controls }) => controls > 0);
  const unsure = controlled.filter((room) => skipped.includes(room));
  // the block of each control video is drawn per session; if none of these blocks fits, all control videos are left out
  const controls = unsure.length === controlled.length ? Math.max(0, ...unsure.map((room) => room.controls)) : 0;
  const leftOut = skipped.reduce((sum, { trials }) => sum + trials, controls);
  const controlS = controls * mean(study.room.map(({ trial_s }) => trial_s));
  const seconds = study.seconds - skipped.reduce((sum, { trials, trial_s }) => sum + trials * trial_s, controlS);
  return {
    count: study.trial_count - leftOut,
    minutes: Math.ceil(seconds / 60),
    atMost: controls === 0 && unsure.length > 0,
    leftOut,
    lacking: lacking(skipped),
    required: lacking(required),
  };
}

/** The extent within a session, from its trials. */
export function extentOfSession({ study, trials }: Session, viewport: Viewport): Pick<Extent, 'count' | 'minutes' | 'leftOut'> {
  const without = trials.filter((trial) => isLeftOut(study, trial, viewport));
  const seconds = without.reduce((sum, { kind }) => sum + (roomOf(study, kind)?.trial_s ?? 0), 0);
  return { count: trials.length - without.length, minutes: Math.ceil((study.seconds - seconds) / 60), leftOut: without.length };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Whether a trial will be skipped unless the window is made larger. */
export function isLeftOut(study: StudyText, trial: Trial, viewport: Viewport): boolean {
  return isSkippable(study, trial.kind) && lackingOf(trial, viewport) !== null;
}

/** Whether trials of this kind may be skipped where there is no room for them. */
export function isSkippable(study: StudyText, kind: string): boolean {
  return roomOf(study, kind)?.skippable ?? false;
}

function roomOf(study: StudyText, kind: string): StudyText['room'][number] | undefined {
  return study.room.find((room) => room.kind === kind);
}
