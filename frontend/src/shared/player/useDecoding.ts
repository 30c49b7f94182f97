import { useEffect, useState } from 'react';

import { decodesClips, type Decoding } from './decodes';

/** Whether this browser shows clips; null until it is known. */
export function useDecoding(): Decoding | null {
  const [decoding, setDecoding] = useState<Decoding | null>(null);
  useEffect(() => { void decodesClips().then(setDecoding); }, []);
  return decoding;
}
