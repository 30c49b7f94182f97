import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import '../../shared/ui/participant.css';
import { getSession } from '../../shared/api/getSession';
import { getStudy } from '../../shared/api/getStudy';
import { activateLanguage } from '../../shared/i18n/language';
import { useTitle } from '../../shared/ui/useTitle';
import { Wait } from '../../shared/ui/Wait';
import { ConsentPage } from './ConsentPage';
import { LoadFault, NotOpen } from './notices';
import { isOwnSession, noteSession } from './ownSession';
import { SessionPage } from './SessionPage';
import { Shell } from './Shell';

/** A participant's whole way: the session of this browser goes on where it was; else the study asks for consent. */
export default function ParticipantPage({ slug }: { slug: string }) {
  const { t } = useLingui();
  useTitle(t`Study`);
  const cache = useQueryClient();
  const session = useQuery({ queryKey: ['session'], queryFn: getSession });
  const mine = session.data != null && isOwnSession(session.data, slug) ? session.data : null;
  const study = useQuery({ queryKey: ['study', slug], queryFn: () => getStudy(slug), enabled: session.isSuccess && mine === null });

  const language = mine?.language;
  useEffect(() => {
    if (language !== undefined) void activateLanguage(language);
  }, [language]);

  if (mine !== null) return <SessionPage key={mine.id} session={mine} />;
  const error = session.error ?? study.error;
  if (error !== null) {
    return (
      <Shell>
        <LoadFault error={error} onRetry={() => void cache.refetchQueries()} />
      </Shell>
    );
  }
  if (study.data === undefined) {
    return (
      <Shell>
        <Wait />
      </Shell>
    );
  }
  if (study.data.state !== 'open') {
    return (
      <Shell study={study.data}>
        <NotOpen state={study.data.state} />
      </Shell>
    );
  }
  return (
    <ConsentPage
      slug={slug}
      study={study.data}
      onSession={(created) => {
        noteSession(created, slug);
        cache.setQueryData(['session'], created);
      }}
      onNotOpen={() => void study.refetch()}
    />
  );
}
