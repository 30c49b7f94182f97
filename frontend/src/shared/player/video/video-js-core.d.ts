// The build without HLS and DASH; the package types only the full one, of which this is a part.
declare module 'video.js/core.es.js' {
  import videojs from 'video.js';
  export default videojs;
}
