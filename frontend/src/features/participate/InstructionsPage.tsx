import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';

import type { StudyText } from '../../shared/api/study';
import { textIn, useLanguage } from '../../shared/i18n/language';
import { canPlayClips } from '../../shared/player/canPlay';
import { Notice } from '../../shared/ui/Notice';
import { PageHeading } from '../../shared/ui/PageHeading';
import { Paragraphs } from '../../shared/ui/Paragraphs';

export function InstructionsPage({ study, count, onDone }: { study: StudyText; count: number; onDone: () => void }) {
  const language = useLanguage();
  const { minutes } = study;
  const playable = useMemo(() => canPlayClips(), []);
  if (!playable) {
    return (
      <Notice title={<Trans>Your browser cannot show these videos</Trans>}>
        <p>
          <Trans>
            The videos of this study are H.264 in MP4, and this browser cannot play them. Please open the same link in a current version of Chrome, Edge,
            Firefox or Safari.
          </Trans>
        </p>
      </Notice>
    );
  }
  const own = study.instructions == null ? '' : textIn(study.instructions, language);
  return (
    <>
      <PageHeading>
        <Trans>How it works</Trans>
      </PageHeading>
      <p className="facts">
        <Trans>
          {count} short videos, about {minutes} minutes
        </Trans>
      </p>
      {own !== '' && <Paragraphs text={own} />}
      <ul className="prose">
        {own === '' && (
          <>
            <li>
              <Trans>Each video shows a website while it is loading. It plays once; you may replay it.</Trans>
            </li>
            <li>
              <Trans>Then answer the question below it. There is no right or wrong answer.</Trans>
            </li>
          </>
        )}
        <li>
          <Trans>The videos have no sound.</Trans>
        </li>
        <li>
          <Trans>You can stop at any time. If the page is reloaded, you go on where you were.</Trans>
        </li>
      </ul>
      <div className="actions">
        <button type="button" className="button" onClick={onDone}>
          <Trans>To the first video</Trans>
        </button>
      </div>
    </>
  );
}
