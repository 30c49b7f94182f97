import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import type { ResultsOut } from '../../../shared/api/contract.gen';
import { AnswersSection } from '../answers/AnswersSection';
import { ExportSection } from '../export/ExportSection';
import { PlannedLookNote } from '../plan/PlannedLookNote';
import { FoldedTable } from '../tables/FoldedTable';
import { ResultTables } from '../tables/ResultTables';
import { CorrelationSection } from './CorrelationSection';
import { ComparisonSection, MosSection } from './FigureSections';
import { InDepthSection, TablesPendingNote } from './InDepthSection';
import { SnapshotLine } from './SnapshotLine';
import { TrustSection } from './TrustSection';

interface Props {
  sha256: string;
  results: ResultsOut;
  mayExport: boolean;
  mayEdit: boolean;
  /** Whether the study's plan has hypotheses. */
  planned: boolean;
  /** Shown below the answers: the plan and departures from it. */
  below?: ReactNode;
}

export function ResultsSection({ sha256, results, mayExport, mayEdit, planned, below }: Props) {
  if (results.snapshot === null) {
    return (
      <section className="results">
        <p className="empty" role="status">
          {results.status === 'none' ? (
            <Trans>No votes yet. Figures appear here soon after the first answers arrive.</Trans>
          ) : (
            <Trans>The results are being computed …</Trans>
          )}
        </p>
        {below}
      </section>
    );
  }
  const of = { sha256, collecting: results.collecting, snapshot: results.snapshot.sha256 };
  const has = (table: string) => results.tables.some(({ name }) => name === table);
  return (
    <section className="results">
      <div className="results__head">
        <SnapshotLine results={results} snapshot={results.snapshot} />
        {mayExport && <ExportSection sha256={sha256} note={<TablesPendingNote {...of} />} />}
      </div>
      <FoldedTable table={results.counts} />
      <AnswersSection note={<PlannedLookNote results={results} />} collecting={results.collecting && planned && results.look === null} hypotheses={results.hypotheses} effects={results.effects} />
      {below}
      {has('mos') && <MosSection />}
      {has('comparisons') && <ComparisonSection />}
      {has('correlations') && <CorrelationSection />}
      <InDepthSection {...of} mayEdit={mayEdit} />
      {results.identical_all !== null && <TrustSection all={results.identical_all} />}
      <ResultTables tables={results.tables} />
    </section>
  );
}
