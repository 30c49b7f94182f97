import ParticipantPage from '../features/participate/ParticipantPage';
import { start } from './start';

// A document of its own, without the router and the other pages: participants come by all kinds of networks and devices.
const [, slug = '', preview] = /^\/s\/([^/]*)(\/preview)?/.exec(location.pathname) ?? [];

void start(<ParticipantPage slug={decodeURIComponent(slug)} preview={preview !== undefined} />);
