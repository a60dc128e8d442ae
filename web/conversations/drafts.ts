import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { type QuotedMessage, quotedMessageSchema } from '#contract/conversations.ts';
import { createListeners } from '#web/lib/listeners.ts';
import { getSessionSnapshot, onSessionChange } from '#web/lib/session.ts';
import { declareStoredValue } from '#web/lib/stored-values.ts';
import { type OutgoingPhoto, outgoingPhotoSchema, rentalStepSchema } from './outgoing-message.ts';

const unsentMessageSchema = z.object({
  client_id: z.string(),
  message_text: z.string(),
  photos: z.array(outgoingPhotoSchema).optional(),
  rental: rentalStepSchema.optional(),
  reply_to: quotedMessageSchema.optional(),
});
const draftSchema = z
  .object({
    text: z.string(),
    photos: z.array(outgoingPhotoSchema).optional(),
    reply_to: quotedMessageSchema.optional(),
    unsent: z.array(unsentMessageSchema).optional(),
    /** The unsent message of a draft that version 0.5 has saved. */
    again: unsentMessageSchema.optional(),
  })
  .transform(({ again, unsent = again && [again], ...draft }) => ({ ...draft, unsent }));
/** A message that could not be sent. */
export type UnsentMessage = z.infer<typeof unsentMessageSchema>;
/** What was typed into a conversation, or added to it, but not sent yet. */
export interface Draft {
  text: string;
  /** The photos added to it. */
  photos?: readonly OutgoingPhoto[] | undefined;
  /** The message that it replies to. */
  reply_to?: QuotedMessage | undefined;
  /**
   * The unsent messages whose texts were put back at the beginning of this draft, one below the other. The
   * `client_id` is reused when one of the texts is sent again, so the retry cannot create a duplicate.
   */
  unsent?: readonly UnsentMessage[] | undefined;
}

const emptyDraft: Draft = { text: '' };

const savedDrafts = declareStoredValue({
  name: 'message',
  scope: 'device',
  parse: (stored): Draft | undefined => draftSchema.safeParse(stored).data,
});

/**
 * Drafts that were typed in this tab, by conversation. They take precedence over drafts that other tabs
 * have saved.
 */
const writtenDrafts = new Map<string, Draft>();
let writerId = getSessionSnapshot().user?.id;
const { subscribe, notify } = createListeners('storage');

onSessionChange(() => {
  const userId = getSessionSnapshot().user?.id;
  if (userId !== writerId) writtenDrafts.clear();
  writerId = userId;
  notify();
});

const findSavedDraft = (conversationId: string): Draft | undefined => {
  const { user } = getSessionSnapshot();
  return user ? savedDrafts.find(user.id, conversationId) : undefined;
};

export const getDraft = (conversationId: string): Draft =>
  writtenDrafts.get(conversationId) ?? findSavedDraft(conversationId) ?? emptyDraft;

export const setDraft = (conversationId: string, draft: Draft): void => {
  const { user } = getSessionSnapshot();
  if (!user) return;
  const isSavedHere = findSavedDraft(conversationId)?.text === getDraft(conversationId).text;
  writtenDrafts.set(conversationId, draft);
  if (draft.text || draft.photos?.length || draft.reply_to) savedDrafts.save(user.id, draft, conversationId);
  // Remove the saved draft only if this tab saved it: another tab may have saved a different one in the
  // meantime.
  else if (isSavedHere) savedDrafts.remove(user.id, conversationId);
  notify();
};

const emptySnapshot = JSON.stringify(emptyDraft);

/**
 * Returns the draft of a conversation and a function that sets its text. Drafts are saved on this device.
 * Until the person types in this tab, it displays the draft that another tab has saved.
 */
export const useDraft = (conversationId: string): [Draft, (text: string) => void] => {
  // React compares snapshots by identity, so the snapshot is a JSON string.
  const snapshot = useSyncExternalStore(
    subscribe,
    () => JSON.stringify(getDraft(conversationId)),
    () => emptySnapshot,
  );
  const change = useCallback(
    (text: string) => setDraft(conversationId, { ...getDraft(conversationId), text }),
    [conversationId],
  );
  return [JSON.parse(snapshot) as Draft, change];
};

/** Adds a photo to the draft of a conversation. */
export const addDraftPhoto = (conversationId: string, photo: OutgoingPhoto): void => {
  const draft = getDraft(conversationId);
  setDraft(conversationId, { ...draft, photos: [...(draft.photos ?? []), photo] });
};

/** Removes a photo from the draft of a conversation. */
export const removeDraftPhoto = (conversationId: string, id: string): void => {
  const draft = getDraft(conversationId);
  setDraft(conversationId, { ...draft, photos: draft.photos?.filter((photo) => photo.id !== id) });
};

/** Makes the draft of a conversation a reply to a message, or no reply. */
export const setDraftReply = (conversationId: string, reply_to: QuotedMessage | undefined): void =>
  setDraft(conversationId, { ...getDraft(conversationId), reply_to });

/** Moves a draft to a newly created conversation and inserts it before any text already typed there. */
export const moveDraft = (from: string, to: string): void => {
  const draft = getDraft(from);
  if (!draft.text && !draft.photos?.length) return;
  const { text, photos = [], unsent = [] } = getDraft(to);
  setDraft(from, emptyDraft);
  setDraft(to, {
    text: [draft.text, text].filter(Boolean).join('\n'),
    photos: [...(draft.photos ?? []), ...photos],
    unsent: [...(draft.unsent ?? []), ...unsent],
  });
};

/**
 * Moves messages that could not be sent back into the draft of their conversation, before any text typed
 * since.
 */
export const moveMessagesToDraft = (conversationId: string, unsent: readonly UnsentMessage[]): void => {
  const { text: typed, photos: added = [], reply_to, unsent: earlier = [] } = getDraft(conversationId);
  const texts = unsent.map(({ message_text }) => message_text);
  setDraft(conversationId, {
    text: [...texts, typed].filter(Boolean).join('\n'),
    photos: [...unsent.flatMap(({ photos = [] }) => photos), ...added],
    reply_to: reply_to ?? unsent.find((message) => message.reply_to)?.reply_to,
    unsent: [...unsent, ...earlier],
  });
};

/** Returns the text after its first lines, or undefined if it does not begin with these lines. */
const removeFirstLines = (text: string, lines: string): string | undefined => {
  if (text.trim() === lines) return '';
  return text.startsWith(`${lines}\n`) ? text.slice(lines.length + 1) : undefined;
};

/**
 * Removes unsent messages from the draft when it turns out that the server has stored them and only the
 * response was lost. Text that the person has changed stays.
 */
export const removeDeliveredMessagesFromDraft = (
  conversationId: string,
  arrived: readonly { client_id: string }[],
): void => {
  const { text, photos = [], reply_to, unsent = [] } = getDraft(conversationId);
  const arrivedIds = new Set(arrived.map(({ client_id }) => client_id));
  const left = unsent.filter(({ client_id }) => !arrivedIds.has(client_id));
  if (left.length === unsent.length) return;
  let kept = '';
  let rest = text;
  let hasRemoved = false;
  for (const { client_id, message_text } of unsent) {
    if (message_text === '') continue;
    const after = removeFirstLines(rest, message_text);
    if (after === undefined) continue;
    if (arrivedIds.has(client_id)) hasRemoved = true;
    else kept += `${message_text}\n`;
    rest = after;
  }
  const remaining = rest === '' ? kept.slice(0, -1) : kept + rest;
  const sentPhotoIds = new Set(
    unsent
      .filter(({ client_id }) => arrivedIds.has(client_id))
      .flatMap((message) => message.photos?.map(({ id }) => id) ?? []),
  );
  const isReplySent = unsent.some(
    (message) => arrivedIds.has(message.client_id) && message.reply_to?.id === reply_to?.id,
  );
  setDraft(conversationId, {
    text: hasRemoved ? remaining : text,
    reply_to: isReplySent ? undefined : reply_to,
    photos: photos.filter(({ id }) => !sentPhotoIds.has(id)),
    unsent: left,
  });
};
