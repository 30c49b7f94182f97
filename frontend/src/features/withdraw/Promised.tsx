import { Trans } from '@lingui/react/macro';

import type { Promises } from '../../shared/api/contract.gen';
import { textIn, useLanguage } from '../../shared/i18n/language';
import { PageHeading } from '../../shared/ui/page';
import { Paragraphs } from '../../shared/ui/text';

interface Props {
  terms: Promises;
  onGo: () => void;
  onOther: () => void;
}

/** Shows the consent and retention texts before confirmation. */
export function Promised({ terms, onGo, onOther }: Props) {
  return (
    <>
      <PageHeading>
        <Trans>Withdraw and have your answers erased</Trans>
      </PageHeading>
      {terms.promises.map((promise, index) => (
        <ConsentTexts key={index} promise={promise} />
      ))}
      <div className="actions">
        <button type="button" className="button" onClick={onGo}>
          <Trans>Continue</Trans>
        </button>
        <button type="button" className="button button--quiet" onClick={onOther}>
          <Trans>Use another completion code</Trans>
        </button>
      </div>
    </>
  );
}

function ConsentTexts({ promise }: { promise: Promises['promises'][number] }) {
  const language = useLanguage();
  const title = textIn(promise.title, language);
  const { consent_version: version } = promise;
  return (
    <>
      <p>
        <Trans>
          You took part in “{title}” and agreed to version {version} of the consent:
        </Trans>
      </p>
      <section className="withdraw__promise">
        <Paragraphs text={textIn(promise.consent, language)} />
        {promise.retention !== null && (
          <>
            <h2>
              <Trans>How long data is stored</Trans>
            </h2>
            <Paragraphs text={textIn(promise.retention, language)} />
          </>
        )}
      </section>
    </>
  );
}
