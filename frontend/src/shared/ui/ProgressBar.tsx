interface Props {
  label: string;
  /** From 0 to 1. */
  share: number;
  /** Shown beside the bar. */
  text?: string;
}

export function ProgressBar({ label, share, text }: Props) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div className="progress">
      <progress aria-label={label} max={100} value={percent} />
      <span className="progress__text" aria-hidden="true">
        {text ?? `${String(percent)} %`}
      </span>
    </div>
  );
}
