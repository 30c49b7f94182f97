import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { createSession } from '../../shared/api/createSession';
import { ApiError } from '../../shared/api/error';
import type { Session } from '../../shared/api/session';
import type { OpenStudy } from '../../shared/api/study';
import { activateLanguage, textIn, useLanguage } from '../../shared/i18n/language';
import { Undecodable } from '../../shared/player/Undecodable';
import { useDecoding } from '../../shared/player/useDecoding';
import { LanguageSwitch } from '../../shared/ui/LanguageSwitch';
import { PageHeading } from '../../shared/ui/PageHeading';
import { Paragraphs } from '../../shared/ui/Paragraphs';
import { Shell } from './Shell';

interface Props {
  slug: string;
  study: OpenStudy;
  onSession: (session: Session) => void;
  onNotOpen: () => void;
}

export function ConsentPage({ slug, study, onSession, onNotOpen }: Props) {
  const { t } = useLingui();
  const language = useLanguage();
  const { trial_count: count, minutes } = study;
  const [agreed, setAgreed] = useState(false);
  const decoding = useDecoding();
  const begin = useMutation({
    mutationFn: () =>
      createSession(slug, {
        language,
        consent_version: study.consent.version,
        screen: { width_px: window.innerWidth, height_px: window.innerHeight, device_pixel_ratio: window.devicePixelRatio },
      }),
    onSuccess: onSession,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'not_open') onNotOpen();
    },
  });

  const only = study.languages.includes(language) ? undefined : study.languages[0];
  useEffect(() => {
    if (only !== undefined) void activateLanguage(only);
  }, [only]);

  return (
    <Shell study={study} aside={<LanguageSwitch offered={study.languages} />}>
      <PageHeading>{textIn(study.title, language)}</PageHeading>
      <p className="facts">
        <Trans>
          {count} short videos, about {minutes} minutes
        </Trans>
      </p>
      {/* said before anyone reads on, agrees and begins */}
      {decoding === 'no' && <Undecodable begun={false} />}
      <Paragraphs text={textIn(study.consent.text, language)} />
      <form
        className="consent"
        hidden={decoding === 'no'}
        onSubmit={(event) => {
          event.preventDefault();
          if (agreed) begin.mutate();
        }}
      >
        <label className="choice choice--check">
          <input type="checkbox" checked={agreed} required onChange={(event) => { setAgreed(event.target.checked); }} />
          <span className="choice__label">{t`I have read this and agree to take part.`}</span>
        </label>
        <div className="actions">
          <button type="submit" className="button" disabled={!agreed || begin.isPending || decoding === null}>
            <Trans>Begin</Trans>
          </button>
        </div>
        <div role="alert">
          {begin.isError && (
            <p className="field-error">
              <Trans>The study could not be started. Please try again.</Trans>
            </p>
          )}
        </div>
      </form>
    </Shell>
  );
}
