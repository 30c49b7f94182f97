import * as v from 'valibot';

import { Invitation } from './forms';

/** Data that the platform embeds in a study's document to save requests (backend/config/study_page.py). */
const Delivered = v.object({
  slug: v.string(),
  invitation: Invitation,
  /** This browser has no session with this link. False if the server cannot know, because browsers do not send the cookie on navigation from another site. */
  is_new: v.boolean(),
  /** The document already contains the consent text. */
  shown: v.boolean(),
});
export type Delivered = v.InferOutput<typeof Delivered>;

/** Returns the embedded data for the study of this link; null without any, as from the development server. */
export function delivered(slug: string): Delivered | null {
  const text = document.getElementById('delivered')?.textContent;
  if (text == null) return null;
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Delivered), text);
  return success && output.slug === slug ? output : null;
}
