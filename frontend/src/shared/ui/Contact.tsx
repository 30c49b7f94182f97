/** An address to write to is a link; anything else is text. */
export function Contact({ contact }: { contact: string }) {
  const address = /[^\s<>]+@[^\s<>]+/.exec(contact)?.[0];
  if (address === undefined) return <span>{contact}</span>;
  return <a href={`mailto:${address}`}>{contact}</a>;
}
