import { useLingui } from '@lingui/react/macro';

import type { InDepthTableOut } from '../../../shared/api/contract.gen';

/** What a row of each table in depth is about, in the language of the page. */
export function useTableTitle({ name, title }: InDepthTableOut): string {
  const { t } = useLingui();
  const titles: Record<string, string> = {
    scores: t`Votes by score`,
    'good-or-better': t`Good or better, poor or worse`,
    'mos-bootstrap': t`MOS with two-way bootstrap intervals`,
    contexts: t`MOS by context`,
    'context-differences': t`Differences between contexts`,
    'group-mos': t`MOS by group`,
    'group-offsets': t`Groups compared`,
    'group-effects': t`Effect of the stack by group`,
    'ordinal-effects': t`Effects by an ordinal mixed model`,
    reliability: t`Agreement of participants`,
    sos: t`Spread of scores against MOS`,
    subjects: t`Bias and inconsistency of participants`,
    'subject-clips': t`MOS by subject models`,
    'straight-lining': t`Participants who give one answer to everything`,
    sensitivity: t`MOS without participants who may be careless`,
    order: t`Effects of order`,
    sides: t`Side bias of comparisons`,
    multiverse: t`Effects under each combination of rules`,
    'multiverse-summary': t`Effects over all combinations of rules`,
    leaderboard: t`Metrics against MOS`,
    'noise-ceilings': t`Noise ceilings`,
    'best-metrics': t`Metrics that may agree best with people`,
    'metric-differences': t`Differences between metrics`,
    mappings: t`Mappings from metrics to MOS`,
    signs: t`Metrics against the majority of comparisons`,
    'pair-components': t`Fits of worths`,
    worths: t`Worths of stacks`,
    jod: t`Just objectionable differences`,
    slopes: t`Answers against the ratio of Speed Indexes`,
    thresholds: t`Thresholds of discrimination and indifference`,
    detection: t`Sensitivity d' of comparisons`,
    sureness: t`Sureness by answer`,
    'sureness-means': t`Mean sureness by answer`,
    'sureness-differences': t`Sureness of decided answers and of no difference`,
    replays: t`Replays by answer`,
    'recalled-correlations': t`Correlations over single votes, as in 2019`,
    'recalled-anova': t`Analysis of variance by stack, as in 2019`,
  };
  return titles[name] ?? title;
}
