import { Send } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, type SubmitEvent, useEffect } from 'react';
import { type Conversation, messageLength, messageTextSchema } from '#contract/conversations.ts';
import { maxPhotosPerMessage } from '#contract/photos.ts';
import { countCharacters } from '#contract/text.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { AttachButton } from './attach-button.tsx';
import { DraftPhotos } from './draft-photos.tsx';
import { setDraftReply, useDraft } from './drafts.ts';
import { maxQueuedMessages, useOutgoingQueue } from './outbox.ts';
import { ReplyBar } from './reply-bar.tsx';
import { sendDraft } from './sending.ts';
import { announceTyping } from './typing.ts';
import { useAttachPhotos } from './use-attach-photos.ts';

/** Message length, in characters, from which the composer displays a character counter. */
const lengthCounterThreshold = messageLength.max - 200;

/** The conversation that a message is sent to: an existing one, or one that the server creates with its first message. */
export type MessageTarget = Pick<Conversation, 'id' | 'listing_id' | 'buyer_id' | 'seller_id'>;

export interface MessageComposerProps {
  conversation: MessageTarget;
  otherName: string;
  loading: boolean;
  autoFocus?: boolean | undefined;
  input: RefObject<HTMLTextAreaElement | null>;
}

/** The message input of a conversation, with the photos to be sent. Each conversation has its own draft. */
export function MessageComposer({
  conversation,
  otherName,
  loading,
  autoFocus,
  input,
}: MessageComposerProps) {
  const [{ text, photos = [], reply_to }, type] = useDraft(conversation.id);
  const { add, preparing } = useAttachPhotos(conversation.id);
  const { entries, waiting } = useOutgoingQueue(conversation.id);
  const parsed = messageTextSchema.safeParse(text);
  const isBlank = text.trim() === '';
  const problem = isBlank ? undefined : parsed.error?.issues[0]?.message;
  const length = countCharacters(text.trim());
  const full = entries.length >= maxQueuedMessages;
  // Photos take a while, so the next message need not wait for them.
  const sending = entries.some((entry) => !entry.photos) && !waiting;
  const isSendable = (parsed.success || (isBlank && photos.length > 0)) && preparing === 0 && !full;

  useEffect(() => {
    if (autoFocus && !loading) input.current?.focus({ preventScroll: true });
  }, [autoFocus, loading, input]);

  // Messages are queued, so the person can send another one while earlier messages are still in transit.
  const submit = (): void => {
    if (!isSendable) return;
    sendDraft(conversation, parsed.data ?? '');
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    // In Safari, the key that confirms an input method's candidate has only this key code (WebKit bug 165004).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  };

  const onPaste = (event: ClipboardEvent): void => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    add(pasted);
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    submit();
  };

  return (
    <form onSubmit={onSubmit} className="border-line border-t bg-surface">
      {reply_to && (
        <ReplyBar
          conversationId={conversation.id}
          quoted={reply_to}
          otherName={otherName}
          onCancel={() => {
            setDraftReply(conversation.id, undefined);
            input.current?.focus();
          }}
        />
      )}
      <DraftPhotos conversationId={conversation.id} photos={photos} preparing={preparing} />
      <div className="flex items-end gap-2 px-3 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom)-var(--bottom-bar))] md:px-5">
        <AttachButton
          disabled={loading || photos.length + preparing >= maxPhotosPerMessage}
          onPick={(files) => {
            add(files);
            input.current?.focus();
          }}
        />
        <Field
          label="Message"
          hideLabel
          className="flex-1"
          error={problem}
          hint={
            full ? 'Many messages are waiting for the connection. Send more once they are gone.' : undefined
          }
          aside={length >= lengthCounterThreshold ? `${length}/${messageLength.max}` : undefined}
        >
          <Textarea
            ref={input}
            rows={1}
            value={text}
            placeholder="Type your message..."
            enterKeyHint="send"
            autoComplete="off"
            className="max-h-40! resize-none!"
            onChange={(event) => {
              type(event.target.value);
              if (event.target.value.trim()) announceTyping(conversation.id);
            }}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          />
        </Field>
        <Button
          type="submit"
          disabled={!isSendable || sending || loading}
          icon={<Send aria-hidden="true" className="size-5" />}
        >
          <span className="max-sm:sr-only">Send</span>
        </Button>
      </div>
    </form>
  );
}
