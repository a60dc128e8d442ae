import { type RefObject, useState } from 'react';
import type { Conversation } from '#contract/conversations.ts';
import { listFirstAnswers } from '#contract/first-words.ts';
import { AcceptOfferChip } from '#web/deals/public.ts';
import { getMarkSoldLabel, SellListingDialog } from '#web/listings/public.ts';
import { Chip } from '#web/ui/chip.tsx';
import { useDraft } from './drafts.ts';
import type { Thread, ThreadItem } from './thread.ts';

export interface FirstAnswersProps {
  conversation: Conversation;
  ownId: string;
  thread: Thread;
  items: readonly ThreadItem[];
  /** The message input, which a chosen answer moves the focus to. */
  input: RefObject<HTMLTextAreaElement | null>;
}

/** Returns the buyer's first text of a thread that its seller has not answered yet. */
const findFirstQuestion = (thread: Thread, items: readonly ThreadItem[]): string | undefined => {
  const texts = items.filter((item) => item.kind === 'bubble');
  return thread.loaded && !thread.more && !texts.some(({ own }) => own) ? texts[0]?.text : undefined;
};

/** What a seller can answer to the first question: texts, which they can edit and send, and the step of the deal that fits. */
export function FirstAnswers({ conversation, ownId, thread, items, input }: FirstAnswersProps) {
  const [{ text: draft }, type] = useDraft(conversation.id);
  const [isSelling, setIsSelling] = useState(false);
  const question = conversation.seller_id === ownId ? findFirstQuestion(thread, items) : undefined;
  if (!question) return null;
  const { listing, listing_id: listingId, deal, other } = conversation;
  const { category, outcome, available } = listing;
  const { answers, step } = listFirstAnswers({ text: question, category, outcome, available, deal });
  const choose = (answer: string): void => {
    type(answer);
    input.current?.focus();
  };
  return (
    <>
      {draft.trim() === '' && answers.length > 0 && (
        <ul aria-label="Quick answers" className="mt-3 flex flex-wrap gap-2">
          {answers.map((answer) => (
            <li key={answer}>
              <Chip onClick={() => choose(answer)}>{answer}</Chip>
            </li>
          ))}
          {step === 'accept' && (
            <li className="empty:hidden">
              <AcceptOfferChip conversationId={conversation.id} ownId={ownId} />
            </li>
          )}
          {step === 'mark_sold' && listingId && (
            <li>
              <Chip onClick={() => setIsSelling(true)}>
                {getMarkSoldLabel({ category: category ?? null })}
              </Chip>
            </li>
          )}
        </ul>
      )}
      {isSelling && listingId && other && (
        <SellListingDialog listingId={listingId} ownId={ownId} onClose={() => setIsSelling(false)} />
      )}
    </>
  );
}
