import { clsx } from 'clsx';
import { type Message, photoMessageText } from '#contract/conversations.ts';

export interface QuotedMessagesProps {
  messages: readonly Message[];
  reportedId: string;
  otherName: string;
  ownId: string;
}

const toQuotedText = ({ message_text: text, photos }: Message): string =>
  photos && text !== photoMessageText ? `${photoMessageText}: ${text}` : text;

export function QuotedMessages({ messages, reportedId, otherName, ownId }: QuotedMessagesProps) {
  return (
    <section aria-labelledby="quoted-messages">
      <h3 id="quoted-messages" className="mb-1.5 font-semibold text-sm">
        These messages are sent with your report
      </h3>
      <ol className="rounded-md border border-line bg-sunken p-3 text-sm">
        {messages.map((message) => {
          const isReported = message.id === reportedId;
          const author = message.sender_id === ownId ? 'You' : otherName;
          return (
            <li
              key={message.id}
              className={clsx(
                'rounded-sm px-2 py-1 [overflow-wrap:anywhere]',
                isReported ? 'bg-danger-soft text-danger' : 'text-ink-muted',
              )}
            >
              {message.kind === 'text' && (
                <span className="font-semibold">
                  <bdi>{author}</bdi>:{' '}
                </span>
              )}
              <span dir="auto">{toQuotedText(message)}</span>
              {isReported && <span className="sr-only"> (the reported message)</span>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
