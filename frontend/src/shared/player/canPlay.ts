/** H.264 High profile, level 4.2, in MP4: what clips are. */
const clipType = 'video/mp4; codecs="avc1.64002a"';

export function canPlayClips(): boolean {
  return document.createElement('video').canPlayType(clipType) !== '';
}
