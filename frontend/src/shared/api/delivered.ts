import * as v from 'valibot';

import { Invitation } from './forms';

/** What the platform puts into a study's document, so that the page does not have to ask (backend/config/study_page.py). */
const Delivered = v.object({
  slug: v.string(),
  invitation: Invitation,
  /** This browser has no session by this link. False where the server cannot know: the cookie stays at home on the way from another site. */
  is_new: v.boolean(),
  /** The consent's text stands in the document already. */
  shown: v.boolean(),
});
export type Delivered = v.InferOutput<typeof Delivered>;

/** What came with this document for the study of this link; null where it came without, as from the development server. */
export function delivered(slug: string): Delivered | null {
  const text = document.getElementById('delivered')?.textContent;
  if (text == null) return null;
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Delivered), text);
  return success && output.slug === slug ? output : null;
}
