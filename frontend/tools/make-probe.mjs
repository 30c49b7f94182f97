// Makes src/shared/player/video/probe.mp4: a film of 0.2 s in the format of clips, with which a page tests whether the browser decodes them.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const to = fileURLToPath(new URL('../src/shared/player/video/probe.mp4', import.meta.url));
execFileSync('ffmpeg', [
  ...['-loglevel', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=30:duration=0.2'],
  ...['-c:v', 'libx264', '-profile:v', 'high', '-level:v', '4.2', '-pix_fmt', 'yuv420p', '-bf', '0', '-crf', '30'],
  ...['-bsf:v', 'filter_units=remove_types=6', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-movflags', '+faststart', to],
]);
