/** A researcher's plain text: blank lines part paragraphs. */
export function Paragraphs({ text }: { text: string }) {
  return (
    <div className="prose">
      {text
        .trim()
        .split(/\n\s*\n/)
        .map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
    </div>
  );
}
