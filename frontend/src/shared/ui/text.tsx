import { shortDigest } from '../i18n/format';

/** An address to write to is a link; anything else is text. */
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

/** A researcher's plain text: blank lines part paragraphs; where there are none, line ends do (so YAML's folded texts come). */
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
