// video.js otherwise writes style elements into the page, which the content security policy forbids.
// It reads this flag while it is loaded, so this module must be imported before it.
Object.assign(window, { VIDEOJS_NO_DYNAMIC_STYLE: true });
