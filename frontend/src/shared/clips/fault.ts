/** Why a clip cannot be had. `gone`: this session may not (or no longer) fetch it; the rest is tried again. */
export type ClipFault = 'unreachable' | 'incomplete' | 'damaged' | 'gone';

export class ClipError extends Error {
  override readonly name = 'ClipError';

  constructor(readonly fault: ClipFault) {
    super(`clip: ${fault}`);
  }
}
