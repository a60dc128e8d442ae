import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { createTabStore } from '#web/lib/tab-storage.ts';

const unsentSchema = z.object({ client_id: z.string(), message_text: z.string() });
const draftSchema = z.object({
  text: z.string(),
  /** The unsent message that this text was. Sending it again under its client_id cannot duplicate it. */
  again: unsentSchema.optional(),
});
const draftsSchema = z.record(z.string(), draftSchema);

/** A text that could not be sent, with its client_id. */
export type Unsent = z.infer<typeof unsentSchema>;
/** What was typed into a conversation and not sent yet. */
export type Draft = z.infer<typeof draftSchema>;

const nothing: Draft = { text: '' };

const drafts = createTabStore('drafts', (stored) => draftsSchema.safeParse(stored).data ?? {});

/** What was typed into a conversation. */
export const draftOf = (conversationId: string): Draft => drafts.get()[conversationId] ?? nothing;

export const setDraft = (conversationId: string, draft: Draft): void => {
  const { [conversationId]: _, ...others } = drafts.get();
  drafts.set(draft.text ? { ...others, [conversationId]: draft } : others);
};

/** Returns what the person has typed so far. It survives a change of conversation or screen, and a reload. */
export const useDraft = (conversationId: string): [Draft, (text: string) => void] => {
  const draft = useSyncExternalStore(
    drafts.subscribe,
    () => draftOf(conversationId),
    () => nothing,
  );
  const change = useCallback(
    (text: string) => setDraft(conversationId, { ...draftOf(conversationId), text }),
    [conversationId],
  );
  return [draft, change];
};

/** Moves what was typed before a conversation existed into the conversation, before what was typed there. */
export const moveDraft = (from: string, to: string): void => {
  const draft = draftOf(from);
  if (!draft.text) return;
  const { text } = draftOf(to);
  setDraft(from, nothing);
  setDraft(to, text ? { text: `${draft.text}\n${text}` } : draft);
};

/** Returns texts that could not be sent to the input, before what has been typed since. */
export const giveBack = (conversationId: string, unsent: readonly Unsent[]): void => {
  const { text: typed } = draftOf(conversationId);
  const texts = unsent.map(({ message_text }) => message_text);
  const [only] = unsent;
  setDraft(conversationId, {
    text: (typed ? [...texts, typed] : texts).join('\n'),
    ...(only && unsent.length === 1 && { again: only }),
  });
};

/** Removes a returned text once it turns out to be stored because only the response was lost. */
export const takeBack = (conversationId: string, arrived: readonly { client_id: string }[]): void => {
  const { text, again } = draftOf(conversationId);
  if (!again || !arrived.some(({ client_id }) => client_id === again.client_id)) return;
  setDraft(conversationId, { text: text.trim() === again.message_text ? '' : text });
};
