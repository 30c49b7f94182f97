/** A researcher's plain text. A line break parts paragraphs: a folded text of YAML has one for each blank line. */
export function Paragraphs({ text }: { text: string }) {
  return (
    <div className="prose">
      {text
        .trim()
        .split(/\s*\n\s*/)
        .map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
    </div>
  );
}
