import { Trans } from '@lingui/react/macro';
import { type ReactNode, type RefCallback, useCallback, useState } from 'react';

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

/** The width of an element in CSS pixels, kept up to date; 0 before it is known. */
export function useWidth(): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback<RefCallback<HTMLElement>>((element) => {
    if (element === null) return;
    const observer = new ResizeObserver((entries) => {
      for (const entry of entries) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => { observer.disconnect(); };
  }, []);
  return [ref, width];
}
