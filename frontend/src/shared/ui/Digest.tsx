import { shortDigest } from '../i18n/format';

export function Digest({ sha256 }: { sha256: string }) {
  return (
    <code className="digest" title={sha256}>
      {shortDigest(sha256)}
    </code>
  );
}
