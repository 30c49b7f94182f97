import { Trans } from '@lingui/react/macro';

/** Asks to imagine the context; the label completes the sentence ("at work", "on a plane"). */
export function ContextLead({ context }: { context: string | null }) {
  if (context === null) return null;
  return (
    <p className="trial__lead">
      <Trans>
        Imagine you are <strong>{context}</strong> and open this website.
      </Trans>
    </p>
  );
}
