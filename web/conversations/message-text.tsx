import { splitAtLinks } from './message-links.ts';

/** The text of a message, in which URLs and email addresses are links. */
export function MessageText({ text }: { text: string }) {
  return splitAtLinks(text).map((part, index) => {
    if (typeof part === 'string') return part;
    const { text: shown, href } = part;
    return (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
        key={index}
        href={href}
        rel="noopener nofollow ugc"
        target={href.startsWith('mailto:') ? undefined : '_blank'}
        // Displays the link left to right and isolated, so that right-to-left letters in it cannot
        // reorder the text around its host.
        dir="ltr"
        className="underline underline-offset-2"
      >
        {shown}
      </a>
    );
  });
}
