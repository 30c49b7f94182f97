import { useLingui } from '@lingui/react/macro';

import type { ReasonOut } from '../../../shared/api/contract.gen';
import { decimal, integer, percent } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';

/** Returns a function that explains why a figure is unknown, without a full stop. */
export function useReasonWords(): (reason: ReasonOut) => string {
  const { t } = useLingui();
  const language = useLanguage();
  return ({ code, values }) => {
    const whole = (name: string) => integer(values[name] ?? NaN, language);
    const exact = (name: string) => decimal(values[name] ?? null, 2, language);
    const [clips, sites, participants, metrics, least] = [whole('clips'), whole('sites'), whole('participants'), whole('metrics'), whole('least')];
    const [all, share] = [whole('all'), percent((values['percent'] ?? NaN) / 100, language)];
    const [ratio, low, high] = [exact('ratio'), exact('low'), exact('high')];
    switch (code) {
      case 'all_none':
        return t`every answer is “no difference”, or all pairs are equally fast on both sides`;
      case 'beyond_ratio':
        return t`it would need a ratio of Speed Indexes above ${ratio}, the greatest one observed`;
      case 'constant':
        return t`metric or mean opinion score is the same for all clips within each of the groups in which it is centred`;
      case 'few_clips':
        return t`too few clips: ${clips} of at least ${least}`;
      case 'few_clips_for_mapping':
        return t`at least 10 clips of 5 sites are needed, but there are only ${clips} clips of ${sites} sites`;
      case 'few_metrics':
        return t`too few metrics to compare: ${metrics} of at least ${least}`;
      case 'few_participants':
        return t`too few participants: ${participants} of at least ${least}`;
      case 'few_participants_for_slope':
        return t`too few participants for an interval of the slope: ${participants}`;
      case 'few_sites':
        return t`too few sites: ${sites} of at least ${least}`;
      case 'known_for_few':
        return t`known for ${clips} of ${all} clips; to be compared, a metric has to be known for ${share}`;
      case 'no_clips':
        return t`no clips are given`;
      case 'no_margin':
        return t`the plan states no margin`;
      case 'no_pair_with_si':
        return t`no pair has both Speed Indexes`;
      case 'no_rated_clips':
        return t`no clip was rated whose metrics are known`;
      case 'no_ratio':
        return t`no ratio of Speed Indexes makes the shares differ by 100 percentage points`;
      case 'no_si_of_pairs':
        return t`the Speed Indexes of the pairs are unknown`;
      case 'not_falling':
        return t`mean opinion scores do not fall as the Speed Index rises`;
      case 'same_si':
        return t`all clips have the same Speed Index`;
      case 'separated':
        return t`the answers are separated completely by the ratio or the side, so no finite estimate exists`;
      case 'slope_contains_0':
        return t`the interval of the slope, ${low} to ${high}, contains 0`;
      case 'slower_chosen':
        return t`the slower side is chosen more often`;
    }
  };
}
