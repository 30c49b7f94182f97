import ParticipantPage from '../features/participate/ParticipantPage';
import { start } from './start';

// A separate document, without the router and the other pages, because participants use all kinds of networks and devices.
const [, slug = '', preview] = /^\/s\/([^/]*)(\/preview)?/.exec(location.pathname) ?? [];

void start(<ParticipantPage slug={decodeURIComponent(slug)} preview={preview !== undefined} />);
