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
