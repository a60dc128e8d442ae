import type { RefObject } from 'react';
import { Chip } from '#web/ui/chip.tsx';
import type { MessageTarget } from './composer.tsx';
import { useDraft } from './drafts.ts';

export interface FirstWordsProps {
  conversation: MessageTarget;
  /** What a buyer can ask first; none for a seller. */
  questions: readonly string[];
  /** The message input, which a chosen question moves the focus to. */
  input: RefObject<HTMLTextAreaElement | null>;
}

/** An empty thread. Buyers get first questions, which they can edit and send. */
export function FirstWords({ conversation, questions, input }: FirstWordsProps) {
  const [{ text }, type] = useDraft(conversation.id);
  const choose = (question: string): void => {
    type(question);
    input.current?.focus();
  };
  return (
    <div className="flex min-h-full flex-col items-center justify-end gap-3 p-4 text-center">
      <p className="font-semibold">No messages yet. Start the conversation!</p>
      {questions.length > 0 && text.trim() === '' && (
        <ul className="flex flex-wrap justify-center gap-2">
          {questions.map((question) => (
            <li key={question}>
              <Chip onClick={() => choose(question)}>{question}</Chip>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
