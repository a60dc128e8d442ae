import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { Message } from '#contract/conversations.ts';
import { quotedMessagesPerSide } from '#contract/reports.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import type { BlockablePerson } from '#web/blocks/public.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PersonReportDialog } from '#web/reports/public.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { getCachedThread } from './conversation-cache.ts';
import { QuotedMessages } from './quoted-messages.tsx';
import { formatMessageTime } from './times.ts';

export interface MessageReportDialogProps {
  conversationId: string;
  /** The person who wrote the messages that can be reported. */
  person: BlockablePerson;
  ownId: string;
  onClose: () => void;
}

/**
 * A dialog for reporting a message of the other party. The person first chooses a message, then sees
 * which messages the report will contain.
 */
export function MessageReportDialog({ conversationId, person, ownId, onClose }: MessageReportDialogProps) {
  const [chosen, setChosen] = useState<Message>();
  if (!chosen) {
    const { stored } = getCachedThread(ownId, conversationId);
    const messages = stored.filter(
      ({ kind, sender_id: sender, unsent_number: number }) =>
        kind === 'text' && sender === person.id && number === undefined,
    );
    return <MessageChoice person={person} messages={messages} onChoose={setChosen} onClose={onClose} />;
  }
  return <ChosenMessageReport message={chosen} person={person} ownId={ownId} onClose={onClose} />;
}

interface MessageChoiceProps {
  person: BlockablePerson;
  messages: readonly Message[];
  onChoose: (message: Message) => void;
  onClose: () => void;
}

function MessageChoice({ person, messages, onChoose, onClose }: MessageChoiceProps) {
  const campus = useCampus();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Report a message"
      description={
        messages.length > 0
          ? 'Which one? Earlier messages are listed here once you have scrolled to them in the conversation.'
          : `There is no message of ${isolateDirection(person.name)} in this conversation.`
      }
    >
      <ul className="flex flex-col gap-2">
        {messages.toReversed().map((message) => (
          <li key={message.id}>
            <Button
              variant="secondary"
              wide
              className="justify-start! py-2! text-left font-normal!"
              onClick={() => onChoose(message)}
            >
              <span className="min-w-0 flex-1">
                <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
                  {message.message_text}
                </span>
                <time dateTime={message.created_at} className="figures block text-ink-muted text-xs">
                  {formatMessageTime(message.created_at, campus)}
                </time>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface ChosenMessageReportProps extends Omit<MessageReportDialogProps, 'conversationId'> {
  message: Message;
}

/** The form for reporting a message, which shows the messages that the report contains: this one and those around it. */
function ChosenMessageReport({ message, person, ownId, onClose }: ChosenMessageReportProps) {
  const { data, isError, refetch } = useQuery(
    {
      queryKey: ['quoted-messages', ownId, message.id],
      queryFn: ({ signal }) =>
        request(calls.listMessages, {
          params: { id: message.conversation_id },
          query: {
            after_seq: Math.max(0, message.seq - quotedMessagesPerSide - 1),
            limit: quotedMessagesPerSide * 2 + 1,
          },
          signal,
        }),
    },
    queryClient,
  );
  const around = data?.items.filter(({ seq }) => Math.abs(seq - message.seq) <= quotedMessagesPerSide);
  const renderQuote = () => {
    if (isError)
      return <LoadFailed onRetry={() => void refetch()}>Failed to load the messages around it</LoadFailed>;
    if (!around) return <Skeleton className="h-40 w-full" />;
    return <QuotedMessages messages={around} reportedId={message.id} otherName={person.name} ownId={ownId} />;
  };
  return (
    <PersonReportDialog
      person={person}
      ownId={ownId}
      // Messages that arrive while the form is open are not in the quote.
      message={{ id: message.id, quote: renderQuote(), untilSeq: around?.at(-1)?.seq ?? message.seq }}
      onClose={onClose}
    />
  );
}
