import { useEffect, useState } from 'react';

import { decodesClips, type Decoding, knownDecoding } from './decodes';
import { playerCode } from './playerCode';

/** Whether this browser decodes clips; null until it is known. Also preloads the player's code. */
export function useDecoding(): Decoding | null {
  const [decoding, setDecoding] = useState(knownDecoding);
  useEffect(() => {
    void decodesClips().then((result) => {
      setDecoding(result);
      if (result !== 'no') void playerCode.fetch();
    });
  }, []);
  return decoding;
}
