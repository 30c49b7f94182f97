import { shortDigest } from '../i18n/format';

/** A contact as text, or as a mailto link if it contains an e-mail address. */
export function Contact({ contact }: { contact: string }) {
  const address = /[^\s<>]+@[^\s<>]+/.exec(contact)?.[0];
  if (address === undefined) return <span>{contact}</span>;
  return <a href={`mailto:${address}`}>{contact}</a>;
}

export function Digest({ sha256 }: { sha256: string }) {
  return (
    <code className="digest" title={sha256}>
      {shortDigest(sha256)}
    </code>
  );
}

/** Splits a researcher's plain text into paragraphs at blank lines, or at line ends if there are none, as in YAML's folded texts. */
export function paragraphsOf(text: string): string[] {
  const parts = text.trim().split(/\n[^\S\n]*\n\s*/);
  return parts.length > 1 ? parts : text.trim().split('\n');
}

export function Paragraphs({ text }: { text: string }) {
  return (
    <div className="prose">
      {paragraphsOf(text).map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
    </div>
  );
}
