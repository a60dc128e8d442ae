import { Send } from 'lucide-react';
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { messageLength, messageTextSchema, messagingSentences } from '#contract/conversations.ts';
import { characters } from '#contract/text.ts';
import { ApiError } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { toast } from '#web/ui/toast.ts';
import type { ReturnedText } from './thread.ts';

/** From here on the remaining length is worth saying. */
const countFrom = messageLength.max - 200;

export interface ComposerProps {
  /** A text that could not be sent: it is put back here. */
  returned: ReturnedText | null;
  sending: boolean;
  /** The thread is not there yet. */
  loading: boolean;
  onSend: (text: string, again: ReturnedText | null) => Promise<unknown>;
  autoFocus?: boolean | undefined;
}

export function Composer({ returned, sending, loading, onSend, autoFocus }: ComposerProps) {
  const [text, setText] = useState('');
  const [again, setAgain] = useState<ReturnedText | null>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const parsed = messageTextSchema.safeParse(text);
  const length = characters(text.trim());
  const tooLong = length > messageLength.max;
  const blocked = !parsed.success || sending || loading;

  useEffect(() => {
    if (returned) {
      setAgain(returned);
      setText((typed) => (typed ? `${returned.message_text}\n${typed}` : returned.message_text));
    }
  }, [returned]);

  // It was stored after all, and only the answer got lost: take the given-back text away again.
  useEffect(() => {
    if (returned || !again || sending) return;
    setText((typed) => (typed.trim() === again.message_text ? '' : typed));
    setAgain(null);
  }, [returned, again, sending]);

  useEffect(() => {
    if (autoFocus && !loading) input.current?.focus({ preventScroll: true });
  }, [autoFocus, loading]);

  const submit = async (): Promise<void> => {
    if (!parsed.success || blocked) return;
    setText('');
    input.current?.focus();
    try {
      await onSend(parsed.data, again);
    } catch (error) {
      const limited = error instanceof ApiError && error.code === 'rate_limited';
      toast.error(messagingSentences.send, limited ? error.message : undefined);
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void submit();
  };

  return (
    <form
      onSubmit={onSubmit}
      className="flex items-end gap-2 border-line border-t bg-surface px-3 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-5"
    >
      <Field
        label="Message"
        hideLabel
        className="flex-1"
        error={tooLong ? messagingSentences.long : undefined}
        aside={length >= countFrom ? `${length}/${messageLength.max}` : undefined}
      >
        <Textarea
          ref={input}
          rows={1}
          value={text}
          placeholder="Type your message..."
          enterKeyHint="send"
          autoComplete="off"
          className="max-h-40! resize-none!"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      <Button type="submit" disabled={blocked} icon={<Send aria-hidden="true" className="size-5" />}>
        <span className="max-sm:sr-only">Send</span>
      </Button>
    </form>
  );
}
