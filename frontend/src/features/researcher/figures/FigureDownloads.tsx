import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { RefObject } from 'react';

import { saveFile } from '../../../shared/api/download';
import { csvOf, type DataRow, drawingOf, fileNameOf, pngOf } from './exportFigure';
import { useSource } from './source';

interface Props {
  svg: RefObject<SVGSVGElement | null>;
  title: string;
  reading: string;
  /** The last part of the file's name. */
  name: string;
  rows: readonly DataRow[];
}

type Format = 'SVG' | 'PNG' | 'CSV';

/** Buttons that save a figure as SVG or PNG, and the data behind it as CSV. */
export function FigureDownloads({ svg, title, reading, name, rows }: Props) {
  const { t } = useLingui();
  const source = useSource();
  const labels: Record<Format, string> = { SVG: t`SVG: ${title}`, PNG: t`PNG: ${title}`, CSV: t`CSV: ${title}` };
  const drawing = () => {
    if (svg.current === null) throw new Error('The figure is not drawn yet.');
    return drawingOf(svg.current, { title, description: [reading, source.words].filter((part) => part !== '').join(' ') });
  };
  const contentOf = async (format: Format) => {
    switch (format) {
      case 'SVG':
        return new Blob([drawing().text], { type: 'image/svg+xml' });
      case 'PNG':
        return await pngOf(drawing());
      case 'CSV':
        return new Blob([csvOf(rows)], { type: 'text/csv' });
    }
  };
  const { mutate, isError } = useMutation({
    mutationFn: async (format: Format) => { saveFile({ name: `${fileNameOf([source.prefix, name])}.${format.toLowerCase()}`, content: await contentOf(format) }); },
  });
  const formats: readonly Format[] = rows.length > 0 ? ['SVG', 'PNG', 'CSV'] : ['SVG', 'PNG'];
  return (
    <div className="figure__downloads" role="group" aria-label={t`Downloads: ${title}`}>
      <span className="facts">
        <Trans>Download</Trans>
      </span>
      {formats.map((format) => (
        <button key={format} type="button" className="figure__download" aria-label={labels[format]} onClick={() => { mutate(format); }}>
          {format}
        </button>
      ))}
      {isError && (
        <span role="alert" className="field-error">
          <Trans>The browser could not make this file.</Trans>
        </span>
      )}
    </div>
  );
}
