import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { useWidth } from './useWidth';

interface Props {
  /** What the figure shows, for those who do not see it. */
  label: string;
  caption?: ReactNode;
  /** Draws the figure for a width in CSS pixels. */
  draw: (width: number) => { height: number; content: ReactNode };
  /** The same figures as a table. */
  table?: ReactNode;
}

/** A drawing as wide as its place, its caption, and its table behind a fold. */
export function Figure({ label, caption, draw, table }: Props) {
  const [ref, width] = useWidth();
  const drawn = width > 0 ? draw(width) : null;
  return (
    <figure className="figure" ref={ref}>
      {caption !== undefined && <figcaption>{caption}</figcaption>}
      {drawn !== null && (
        <svg role="img" aria-label={label} width={width} height={drawn.height} viewBox={`0 0 ${String(width)} ${String(drawn.height)}`}>
          {drawn.content}
        </svg>
      )}
      {table !== undefined && (
        <details>
          <summary>
            <Trans>As a table</Trans>
          </summary>
          {table}
        </details>
      )}
    </figure>
  );
}
