import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { createTabStore } from '#web/lib/tab-storage.ts';

const unsentSchema = z.object({ client_id: z.string(), message_text: z.string() });
const draftSchema = z.object({
  text: z.string(),
  /** The unsent message that this text came from. Sending it again under its client_id cannot duplicate it. */
  again: unsentSchema.optional(),
});
const draftsSchema = z.record(z.string(), draftSchema);

/** A message that could not be sent. */
export type UnsentMessage = z.infer<typeof unsentSchema>;
/** The text typed into a conversation but not sent yet. */
export type Draft = z.infer<typeof draftSchema>;

const emptyDraft: Draft = { text: '' };

const drafts = createTabStore('drafts', (stored) => draftsSchema.safeParse(stored).data ?? {});

/** Returns the draft of a conversation. */
export const getDraft = (conversationId: string): Draft => drafts.get()[conversationId] ?? emptyDraft;

export const setDraft = (conversationId: string, draft: Draft): void => {
  const { [conversationId]: _, ...others } = drafts.get();
  drafts.set(draft.text ? { ...others, [conversationId]: draft } : others);
};

/** Returns the draft of a conversation and its setter. Drafts survive navigation and reloads. */
export const useDraft = (conversationId: string): [Draft, (text: string) => void] => {
  const draft = useSyncExternalStore(
    drafts.subscribe,
    () => getDraft(conversationId),
    () => emptyDraft,
  );
  const change = useCallback(
    (text: string) => setDraft(conversationId, { ...getDraft(conversationId), text }),
    [conversationId],
  );
  return [draft, change];
};

/** Moves a draft to the newly created conversation, in front of the text already typed there. */
export const moveDraft = (from: string, to: string): void => {
  const draft = getDraft(from);
  if (!draft.text) return;
  const { text } = getDraft(to);
  setDraft(from, emptyDraft);
  setDraft(to, text ? { text: `${draft.text}\n${text}` } : draft);
};

/** Puts messages that could not be sent back into the draft, in front of the text typed since. */
export const returnToDraft = (conversationId: string, unsent: readonly UnsentMessage[]): void => {
  const { text: typed } = getDraft(conversationId);
  const texts = unsent.map(({ message_text }) => message_text);
  const [only] = unsent;
  setDraft(conversationId, {
    text: (typed ? [...texts, typed] : texts).join('\n'),
    ...(only && unsent.length === 1 && { again: only }),
  });
};

/** Removes a returned message from the draft when the server had stored it and only the response was lost. */
export const removeDeliveredFromDraft = (
  conversationId: string,
  arrived: readonly { client_id: string }[],
): void => {
  const { text, again } = getDraft(conversationId);
  if (!again || !arrived.some(({ client_id }) => client_id === again.client_id)) return;
  setDraft(conversationId, { text: text.trim() === again.message_text ? '' : text });
};
