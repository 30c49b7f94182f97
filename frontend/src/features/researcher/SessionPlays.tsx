import { useLingui } from '@lingui/react/macro';

import type { WatchedOut } from '../../shared/api/contract.gen';

/** A session's plays, and what was wrong with some of them. */
export function SessionPlays({ watched: { played, off_speed, stalled, dropped, unknown } }: { watched: WatchedOut }) {
  const { t } = useLingui();
  const faults = [
    { count: off_speed, words: t`off true speed` },
    { count: stalled, words: t`with a stall` },
    { count: dropped, words: t`with dropped frames` },
    { count: unknown, words: t`speed not known` },
  ];
  return (
    <>
      {played}
      <ul className="reasons">
        {faults
          .filter(({ count }) => count > 0)
          .map(({ count, words }) => (
            <li key={words}>
              {count} {words}
            </li>
          ))}
      </ul>
    </>
  );
}
