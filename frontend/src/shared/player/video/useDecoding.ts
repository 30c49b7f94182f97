import { useEffect, useState } from 'react';

import { decodesClips, type Decoding, knownDecoding } from './decodes';
import { playerCode } from './playerCode';

/** Whether this browser shows clips; null until it is known. While people read, the player comes too. */
export function useDecoding(): Decoding | null {
  const [decoding, setDecoding] = useState(knownDecoding);
  useEffect(() => {
    void decodesClips().then((found) => {
      setDecoding(found);
      if (found !== 'no') void playerCode.fetch();
    });
  }, []);
  return decoding;
}
