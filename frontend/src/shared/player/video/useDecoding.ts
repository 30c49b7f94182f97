import { useEffect, useState } from 'react';

import { decodesClips, type Decoding } from './decodes';
import { playerCode } from './playerCode';

/** Whether this browser shows clips; null until it is known. While people read, the player comes too. */
export function useDecoding(): Decoding | null {
  const [decoding, setDecoding] = useState<Decoding | null>(null);
  useEffect(() => {
    void decodesClips().then((found) => {
      setDecoding(found);
      if (found !== 'no') void playerCode.fetch();
    });
  }, []);
  return decoding;
}
