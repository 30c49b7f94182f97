import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';

import type { FigureOut } from '../../../shared/api/contract.gen';
import { saveFile } from '../../../shared/api/download';
import { csvOf } from '../export/csv';
import { useFileName } from '../export/fileNames';
import { pngOf } from './png';

const formats = ['SVG', 'PNG', 'CSV'] as const;
type Format = (typeof formats)[number];

/** Buttons that save a figure as SVG or PNG, and the table behind it as CSV. */
export function FigureDownloads({ figure }: { figure: FigureOut }) {
  const { t } = useLingui();
  const { title, svg, table } = figure;
  const fileName = useFileName(figure.name);
  const labels: Record<Format, string> = { SVG: t`SVG: ${title}`, PNG: t`PNG: ${title}`, CSV: t`CSV: ${title}` };
  const contentOf = async (format: Format) => {
    switch (format) {
      case 'SVG':
        return new Blob([svg], { type: 'image/svg+xml' });
      case 'PNG':
        return await pngOf(svg);
      case 'CSV':
        return new Blob([csvOf(table)], { type: 'text/csv' });
    }
  };
  const { mutate, isError } = useMutation({
    mutationFn: async (format: Format) => { saveFile({ name: `${fileName}.${format.toLowerCase()}`, content: await contentOf(format) }); },
  });
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
          <Trans>The browser could not create this file.</Trans>
        </span>
      )}
    </div>
  );
}
