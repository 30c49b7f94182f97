import { compare } from './compare';
import type { TrialKind } from './kind';
import { rate } from './rate';

/** All kinds of trial. A new kind is a folder beside these and a line here. */
const kinds: readonly TrialKind[] = [rate, compare];

export function trialKind(kind: string, version: number): TrialKind | null {
  return kinds.find((known) => known.kind === kind && known.version === version) ?? null;
}
