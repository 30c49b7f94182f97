import { Trans } from '@lingui/react/macro';
import { type ReactNode, type RefCallback, useCallback, useRef, useState } from 'react';

import type { DataRow } from './exportFigure';
import { FigureDownloads } from './FigureDownloads';

interface Props {
  /** What the figure shows, for those who do not see it. */
  label: string;
  caption?: ReactNode;
  /** Draws the figure for a width in CSS pixels. */
  draw: (width: number) => Drawn;
  /** The same figures as a table. */
  table?: ReactNode;
  /** How to read the figure: one or two sentences. */
  reading?: string;
  /** The data behind the figure, for the CSV. */
  rows?: readonly DataRow[];
  /** What distinguishes the figure in file names; by default the label. */
  name?: string;
}

export interface Drawn {
  height: number;
  content: ReactNode;
  /** Shown in files only; on the page, several figures share one. */
  legend?: { height: number; content: ReactNode };
}

/** A drawing as wide as its place, with its caption, how to read it, its table, and downloads. */
export function Figure({ label, caption, draw, table, reading = '', rows = [], name = label }: Props) {
  const [ref, width] = useWidth();
  const svg = useRef<SVGSVGElement>(null);
  const drawn = width > 0 ? draw(width) : null;
  return (
    <figure className="figure" ref={ref}>
      {caption !== undefined && <figcaption>{caption}</figcaption>}
      {drawn !== null && (
        <svg ref={svg} role="img" aria-label={label} width={width} height={drawn.height} viewBox={`0 0 ${String(width)} ${String(drawn.height)}`}>
          {drawn.content}
          {drawn.legend !== undefined && (
            <g data-only="file" data-height={drawn.legend.height} display="none" transform={`translate(0,${String(drawn.height)})`}>
              {drawn.legend.content}
            </g>
          )}
        </svg>
      )}
      {reading !== '' && (
        <details>
          <summary>
            <Trans>How to read this</Trans>
          </summary>
          <p className="facts">{reading}</p>
        </details>
      )}
      {table !== undefined && (
        <details>
          <summary>
            <Trans>As a table</Trans>
          </summary>
          {table}
        </details>
      )}
      {drawn !== null && <FigureDownloads svg={svg} title={label} reading={reading} name={name} rows={rows} />}
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
