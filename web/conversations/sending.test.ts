import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import type { Message } from '#contract/conversations.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { createConversation, createMessage, hasSameMethodAndPath } from './testing.ts';

const browserTab = await vi.hoisted(async () => (await import('./testing.ts')).createBrowserTab());
const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/session.ts', () => browserTab.session);
vi.mock('#web/lib/api.ts', () => ({ request: requestMock }));

const loadModules = async () => ({
  ...(await import('./sending.ts')),
  ...(await import('./outbox.ts')),
  ...(await import('./drafts.ts')),
  ...(await import('./conversation-cache.ts')),
  ...(await import('#web/lib/api-error.ts')),
  ...(await import('#web/ui/toast.ts')),
});

const lampConversation = { id: 'lamp', listing_id: 'listing of lamp', buyer_id: 'me', seller_id: 'other' };
const hourMs = 60 * 60 * 1000;

let loadedModules: Awaited<ReturnType<typeof loadModules>>;
let toastTitles: string[];
/** The messages that the simulated server has stored, in the order in which they arrived. */
let serverMessages: Message[];
/**
 * How the simulated server responds to the next messages, in order; the last entry also applies to all
 * later messages.
 */
let serverOutcomes: (() => unknown)[];

const refuseWith = (status: number, code: ErrorCode) => (): never => {
  throw new loadedModules.ApiError(status, { error: `Refused: ${code}`, code });
};
const throwUnreachable = () => refuseWith(0, 'unavailable')();
const acceptMessage = () => undefined;
/** The server stores the message, but its response is lost. */
const loseResponse = () => 'lost';

const openPage = async (): Promise<void> => {
  loadedModules = await loadModules();
  loadedModules.onToastRequest(({ title }) => toastTitles.push(title));
};
const reloadPage = async (): Promise<void> => {
  browserTab.reload();
  await openPage();
};

const storeMessageOnServer = (
  id: string,
  { client_id, message_text }: { client_id: string; message_text: string },
) => {
  const before = serverMessages.find((known) => known.client_id === client_id);
  if (before) return before;
  const own = { conversation_id: id, sender_id: 'me', client_id, message_text };
  const next = createMessage(serverMessages.length + 1, own);
  serverMessages.push(next);
  return next;
};

beforeEach(async () => {
  browserTab.open();
  toastTitles = [];
  serverMessages = [];
  serverOutcomes = [acceptMessage];
  requestMock.mockReset();
  requestMock.mockImplementation(async (call, { params, body } = {}) => {
    if (hasSameMethodAndPath(call, calls.openConversation))
      return createConversation('lamp', { listing_id: body.listing_id });
    if (hasSameMethodAndPath(call, calls.findConversation))
      return { conversation: createConversation('lamp', { listing_id: params.id }) };
    if (hasSameMethodAndPath(call, calls.listMessages)) return { items: serverMessages, more: false };
    if (!hasSameMethodAndPath(call, calls.sendMessage)) return {};
    const outcome = (serverOutcomes.length > 1 ? serverOutcomes.shift() : serverOutcomes[0])?.();
    const next = storeMessageOnServer(params.id, body);
    if (outcome === 'lost') throwUnreachable();
    return next;
  });
  await openPage();
});
afterEach(() => browserTab.close());

const flushTimers = () => vi.advanceTimersByTimeAsync(0);
const listSentTexts = () => serverMessages.map(({ message_text }) => message_text);
const countSendAttempts = () =>
  requestMock.mock.calls.filter(([call]) => hasSameMethodAndPath(call, calls.sendMessage)).length;
const listQueuedTexts = (id = 'lamp') =>
  loadedModules.getOutgoingQueue(id).entries.map(({ message_text }) => message_text);

describe('the queue of unsent messages', () => {
  test('sends one message at a time, in the order of writing', async () => {
    let answer: (message: unknown) => void = () => undefined;
    serverOutcomes = [acceptMessage];
    requestMock.mockImplementationOnce((_call, { params, body }) => {
      return new Promise((resolve) => {
        answer = () => resolve(storeMessageOnServer(params.id, body));
      });
    });
    for (const text of ['one', 'two', 'three']) loadedModules.queueMessage(lampConversation, text);
    await flushTimers();
    expect(countSendAttempts()).toBe(1);
    expect(listQueuedTexts()).toEqual(['one', 'two', 'three']);
    answer(undefined);
    await flushTimers();
    expect(listSentTexts()).toEqual(['one', 'two', 'three']);
    expect(listQueuedTexts()).toEqual([]);
  });

  test('retries a failing server after 0.7 and 2 seconds', async () => {
    serverOutcomes = [refuseWith(503, 'unavailable'), refuseWith(500, 'internal'), acceptMessage];
    loadedModules.queueMessage(lampConversation, 'one');
    await vi.advanceTimersByTimeAsync(699);
    expect(countSendAttempts()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(countSendAttempts()).toBe(2);
    await vi.advanceTimersByTimeAsync(1999);
    expect(countSendAttempts()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(listSentTexts()).toEqual(['one']);
    expect(toastTitles).toEqual([]);
  });

  test('returns the whole queue to the input after the third failure', async () => {
    serverOutcomes = [refuseWith(503, 'unavailable')];
    loadedModules.queueMessage(lampConversation, 'one');
    loadedModules.queueMessage(lampConversation, 'two');
    loadedModules.setDraft('lamp', { text: 'typed since' });
    await vi.advanceTimersByTimeAsync(2700);
    expect(countSendAttempts()).toBe(3);
    expect(listQueuedTexts()).toEqual([]);
    expect(loadedModules.getDraft('lamp').text).toBe('one\ntwo\ntyped since');
    expect(toastTitles).toEqual(['Failed to send message']);
  });

  test('returns a refused message to the input at once, and keeps the reason until another message is stored', async () => {
    serverOutcomes = [refuseWith(429, 'rate_limited'), acceptMessage];
    loadedModules.queueMessage(lampConversation, 'one');
    await flushTimers();
    expect(countSendAttempts()).toBe(1);
    expect(loadedModules.getDraft('lamp').text).toBe('one');
    expect(loadedModules.getOutgoingQueue('lamp').refusal?.code).toBe('rate_limited');
    loadedModules.queueMessage(lampConversation, 'two');
    expect(loadedModules.getOutgoingQueue('lamp').refusal?.code).toBe('rate_limited');
    await flushTimers();
    expect(loadedModules.getOutgoingQueue('lamp').refusal).toBeUndefined();
  });

  test('forgets the reason for a refusal when the conversation leaves the screen', async () => {
    serverOutcomes = [refuseWith(429, 'rate_limited')];
    loadedModules.queueMessage(lampConversation, 'one');
    await flushTimers();
    loadedModules.clearSendError('lamp');
    expect(loadedModules.getOutgoingQueue('lamp').refusal).toBeUndefined();
  });

  test('waits for an unreachable server and sends as soon as it is back', async () => {
    serverOutcomes = [throwUnreachable];
    browserTab.setOnline(false);
    loadedModules.queueMessage(lampConversation, 'one');
    await flushTimers();
    expect(loadedModules.getOutgoingQueue('lamp').waiting).toBe(true);
    // The limit of three attempts applies only to server failures, not while the server is
    // unreachable.
    await vi.advanceTimersByTimeAsync(hourMs);
    expect(countSendAttempts()).toBeGreaterThan(10);
    expect(listQueuedTexts()).toEqual(['one']);
    serverOutcomes = [acceptMessage];
    const before = countSendAttempts();
    browserTab.setOnline(true);
    await flushTimers();
    expect(countSendAttempts()).toBe(before + 1);
    expect(listSentTexts()).toEqual(['one']);
    expect(loadedModules.getOutgoingQueue('lamp').waiting).toBe(false);
    expect(toastTitles).toEqual([]);
  });

  test('reports how far the author had read when writing, even if a message is sent later or after a reload', async () => {
    const listSeenSeqs = () =>
      requestMock.mock.calls.flatMap(([call, { body }]) =>
        hasSameMethodAndPath(call, calls.sendMessage) ? [body.seen_seq] : [],
      );
    const messages = [1, 2, 3].map((seq) => createMessage(seq));
    loadedModules.updateCachedThread('me', 'lamp', { kind: 'loaded', messages, more: false });
    serverOutcomes = [throwUnreachable];
    browserTab.setOnline(false);
    loadedModules.queueMessage(lampConversation, 'one');
    loadedModules.queueMessage({ ...lampConversation, id: 'desk' }, 'Is it wide?');
    await flushTimers();
    expect(listSeenSeqs()).toEqual([3, 0]);
    // Message 4 has not arrived.
    const later = { kind: 'arrived' as const, messages: [createMessage(5)] };
    loadedModules.updateCachedThread('me', 'lamp', later);
    loadedModules.queueMessage(lampConversation, 'two');
    browserTab.setOnline(true);
    await reloadPage();
    requestMock.mockClear();
    serverOutcomes = [acceptMessage];
    loadedModules.resumeOutbox('me');
    await flushTimers();
    expect(listSeenSeqs()).toEqual([3, 0, 3]);
  });

  test('asks for confirmation before the tab closes only while messages are queued', async () => {
    const isHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isHeld()).toBe(false);
    serverOutcomes = [throwUnreachable];
    browserTab.setOnline(false);
    loadedModules.queueMessage(lampConversation, 'one');
    await flushTimers();
    expect(isHeld()).toBe(true);
    serverOutcomes = [acceptMessage];
    browserTab.setOnline(true);
    await flushTimers();
    expect(isHeld()).toBe(false);
  });

  test('returns a message to the input after it has waited for twelve hours', async () => {
    serverOutcomes = [throwUnreachable];
    browserTab.setOnline(false);
    loadedModules.queueMessage(lampConversation, 'one');
    await vi.advanceTimersByTimeAsync(12 * hourMs - 60_000);
    expect(listQueuedTexts()).toEqual(['one']);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(listQueuedTexts()).toEqual([]);
    expect(loadedModules.getDraft('lamp').text).toBe('one');
  });

  test.each(['lamp', 'about listing of lamp'])(
    'after twelve hours, returns only those messages of %s to the input that were not stored',
    async (id) => {
      serverOutcomes = [loseResponse];
      loadedModules.sendDraft({ ...lampConversation, id }, 'one');
      loadedModules.sendDraft({ ...lampConversation, id }, 'two');
      await flushTimers();
      vi.setSystemTime(Date.now() + 13 * hourMs);
      await reloadPage();
      loadedModules.resumeOutbox('me');
      await flushTimers();
      expect(listSentTexts()).toEqual(['one']);
      expect(loadedModules.getDraft(id).text).toBe('two');
      expect(toastTitles).toEqual(['Failed to send message']);
    },
  );

  test('after twelve hours, reports no failure for a message that was stored', async () => {
    serverOutcomes = [loseResponse];
    loadedModules.sendDraft(lampConversation, 'one');
    await flushTimers();
    vi.setSystemTime(Date.now() + 13 * hourMs);
    await reloadPage();
    loadedModules.resumeOutbox('me');
    await flushTimers();
    expect(listQueuedTexts()).toEqual([]);
    expect(loadedModules.getDraft('lamp').text).toBe('');
    expect(toastTitles).toEqual([]);
  });

  test('stores a message once when its response was lost', async () => {
    serverOutcomes = [loseResponse, acceptMessage];
    loadedModules.queueMessage(lampConversation, 'one');
    await vi.advanceTimersByTimeAsync(700);
    expect(countSendAttempts()).toBe(2);
    expect(listSentTexts()).toEqual(['one']);
  });

  test('stops retrying a message that the live channel delivered', async () => {
    serverOutcomes = [loseResponse, acceptMessage];
    loadedModules.queueMessage(lampConversation, 'one');
    loadedModules.queueMessage(lampConversation, 'two');
    await flushTimers();
    loadedModules.removeDeliveredMessages('lamp', serverMessages);
    await vi.advanceTimersByTimeAsync(700);
    expect(listSentTexts()).toEqual(['one', 'two']);
    expect(countSendAttempts()).toBe(2);
  });

  test('continues after a reload with the same client ids', async () => {
    serverOutcomes = [throwUnreachable];
    browserTab.setOnline(false);
    loadedModules.queueMessage(lampConversation, 'one');
    await flushTimers();
    const [before] = loadedModules.getOutgoingQueue('lamp').entries;
    browserTab.setOnline(true);
    await reloadPage();
    serverOutcomes = [acceptMessage];
    loadedModules.resumeOutbox('me');
    await flushTimers();
    expect(serverMessages.map(({ client_id }) => client_id)).toEqual([before?.client_id]);
    expect(listQueuedTexts()).toEqual([]);
  });

  test('discards unsent messages when the session ends, and shows an error', async () => {
    serverOutcomes = [throwUnreachable];
    browserTab.setOnline(false);
    loadedModules.queueMessage(lampConversation, 'one');
    await flushTimers();
    browserTab.logIn(undefined);
    expect(toastTitles).toEqual(['Failed to send message']);
    browserTab.logIn('somebody else');
    expect(listQueuedTexts()).toEqual([]);
    browserTab.setOnline(true);
    await vi.advanceTimersByTimeAsync(hourMs);
    expect(serverMessages).toEqual([]);
  });

  test('sends waiting messages when the person logs in again after a lost session', async () => {
    const request = async (_name: string, ...rest: unknown[]) => (rest.at(-1) as () => unknown)();
    vi.stubGlobal('navigator', { onLine: true, locks: { request } });
    serverOutcomes = [throwUnreachable];
    browserTab.setOnline(false);
    loadedModules.queueMessage(lampConversation, 'one');
    await flushTimers();
    browserTab.logIn(undefined);
    expect(toastTitles).toEqual(['Log in again to send your messages']);
    browserTab.logIn('me');
    browserTab.setOnline(true);
    serverOutcomes = [acceptMessage];
    loadedModules.resumeOutbox('me');
    await flushTimers();
    expect(serverMessages.map(({ message_text }) => message_text)).toEqual(['one']);
    expect(listQueuedTexts()).toEqual([]);
  });

  test('promise 59: sends a message after the next log-in if the session was lost during sending', async () => {
    const request = async (_name: string, ...rest: unknown[]) => (rest.at(-1) as () => unknown)();
    vi.stubGlobal('navigator', { onLine: true, locks: { request } });
    requestMock.mockImplementationOnce(async () => {
      await Promise.resolve();
      browserTab.logIn(undefined);
      refuseWith(401, 'not_authenticated')();
    });
    loadedModules.sendDraft(lampConversation, 'one');
    loadedModules.sendDraft(lampConversation, 'two');
    await flushTimers();
    expect(toastTitles).toEqual(['Log in again to send your messages']);
    browserTab.logIn('me');
    loadedModules.resumeOutbox('me');
    await flushTimers();
    expect(listSentTexts()).toEqual(['one', 'two']);
  });

  test('sends the text of a failed message again under its old client id, and a changed text under a new id', async () => {
    serverOutcomes = [loseResponse, throwUnreachable, throwUnreachable];
    loadedModules.queueMessage(lampConversation, 'one');
    await vi.advanceTimersByTimeAsync(2700);
    const { text, unsent } = loadedModules.getDraft('lamp');
    expect(text).toBe('one');
    serverOutcomes = [acceptMessage];
    loadedModules.queueMessage(lampConversation, 'one', unsent);
    await flushTimers();
    expect(listSentTexts()).toEqual(['one']);
    loadedModules.queueMessage(lampConversation, 'One!', unsent);
    await flushTimers();
    expect(listSentTexts()).toEqual(['one', 'One!']);
  });

  test('promise 26: removes a stored message from those returned to the input, so that it is not sent again', async () => {
    serverOutcomes = [loseResponse, refuseWith(502, 'unavailable')];
    loadedModules.queueMessage(lampConversation, 'one');
    loadedModules.queueMessage(lampConversation, 'two');
    await vi.advanceTimersByTimeAsync(2700);
    expect(loadedModules.getDraft('lamp').text).toBe('one\ntwo');
    loadedModules.removeDeliveredMessages('lamp', serverMessages);
    serverOutcomes = [acceptMessage];
    loadedModules.sendDraft(lampConversation, loadedModules.getDraft('lamp').text);
    await flushTimers();
    expect(listSentTexts()).toEqual(['one', 'two']);
  });

  test('promise 27: the same text typed again while a failed message is being resent becomes a second message', async () => {
    serverOutcomes = [refuseWith(429, 'rate_limited'), acceptMessage];
    loadedModules.queueMessage(lampConversation, 'one');
    await flushTimers();
    loadedModules.sendDraft(lampConversation, 'one');
    expect(loadedModules.getDraft('lamp').text).toBe('');
    loadedModules.setDraft('lamp', { ...loadedModules.getDraft('lamp'), text: 'one' });
    loadedModules.sendDraft(lampConversation, 'one');
    await flushTimers();
    expect(listSentTexts()).toEqual(['one', 'one']);
    expect(listQueuedTexts()).toEqual([]);
  });
});

describe('a reply', () => {
  const quotedId = '00000000-0000-4000-8000-000000000001';
  const quoted = {
    id: quotedId,
    seq: 1,
    sender_id: null,
    message_text: 'A secret',
    has_photos: false,
    photo_id: null,
    is_unsent: false,
  };
  const listReplies = () =>
    requestMock.mock.calls.flatMap(([call, { body } = { body: {} }]) =>
      hasSameMethodAndPath(call, calls.sendMessage) ? [body.reply_to] : [],
    );

  test('waits in the draft and in the queue, across reloads, and is sent as a reply', async () => {
    loadedModules.setDraft('lamp', { text: 'Really?' });
    loadedModules.setDraftReply('lamp', quoted);
    await reloadPage();
    expect(loadedModules.getDraft('lamp')).toMatchObject({ text: 'Really?', reply_to: quoted });
    serverOutcomes = [throwUnreachable];
    browserTab.setOnline(false);
    loadedModules.sendDraft(lampConversation, 'Really?');
    await flushTimers();
    expect(loadedModules.getDraft('lamp').reply_to).toBeUndefined();
    await reloadPage();
    serverOutcomes = [acceptMessage];
    browserTab.setOnline(true);
    loadedModules.resumeOutbox('me');
    await flushTimers();
    expect(listSentTexts()).toEqual(['Really?']);
    expect(new Set(listReplies())).toEqual(new Set([quotedId]));
  });

  test('returns to the draft as a reply when it is refused, and forgets the text that was unsent', async () => {
    serverOutcomes = [refuseWith(429, 'rate_limited')];
    loadedModules.setDraftReply('lamp', quoted);
    loadedModules.sendDraft(lampConversation, 'Really?');
    await flushTimers();
    expect(loadedModules.getDraft('lamp')).toMatchObject({ text: 'Really?', reply_to: quoted });
    const unsent = createMessage(1, { id: quotedId, message_text: 'Message unsent', unsent_number: 1 });
    loadedModules.updateQuotes('lamp', [unsent]);
    await reloadPage();
    expect(loadedModules.getDraft('lamp').reply_to).toMatchObject({
      message_text: 'Message unsent',
      is_unsent: true,
    });
  });
});

test('a message that waits for the connection can be removed from the device', async () => {
  serverOutcomes = [throwUnreachable];
  browserTab.setOnline(false);
  for (const text of ['one', 'two']) loadedModules.queueMessage(lampConversation, text);
  await flushTimers();
  const [first] = loadedModules.getOutgoingQueue('lamp').entries;
  loadedModules.discardMessage(first?.client_id ?? '');
  serverOutcomes = [acceptMessage];
  browserTab.setOnline(true);
  await flushTimers();
  expect(listSentTexts()).toEqual(['two']);
});

describe('the first message about a listing', () => {
  const address = () => ({
    id: loadedModules.toNewConversationKey('desk'),
    listing_id: 'desk',
    buyer_id: 'me',
    seller_id: 'other',
  });
  const callsOf = (call: CallDeclaration) =>
    requestMock.mock.calls.filter(([made]) => hasSameMethodAndPath(made, call)).length;

  test('creates the conversation, moves the rest of the queue there, and is announced once', async () => {
    loadedModules.queueMessage(address(), 'Is it free?');
    loadedModules.queueMessage(address(), 'Hello?');
    loadedModules.setDraft(address().id, { text: 'typed' });
    await flushTimers();
    expect(callsOf(calls.openConversation)).toBe(1);
    expect(
      serverMessages.map(({ conversation_id, message_text }) => [conversation_id, message_text]),
    ).toEqual([
      ['lamp', 'Is it free?'],
      ['lamp', 'Hello?'],
    ]);
    expect(listQueuedTexts(address().id)).toEqual([]);
    expect(loadedModules.getDraft(address().id).text).toBe('');
    expect(loadedModules.getDraft('lamp').text).toBe('typed');
    expect(callsOf(calls.notifySellerNewMessage)).toBe(1);
  });

  test('stays with the listing when it is refused', async () => {
    serverOutcomes = [refuseWith(429, 'rate_limited')];
    loadedModules.queueMessage(address(), 'Is it free?');
    await flushTimers();
    expect(loadedModules.getDraft(address().id).text).toBe('Is it free?');
    expect(loadedModules.getOutgoingQueue(address().id).refusal?.code).toBe('rate_limited');
  });

  test('continues in the conversation that another tab started', async () => {
    serverOutcomes = [throwUnreachable];
    browserTab.setOnline(false);
    loadedModules.queueMessage(address(), 'Is it free?');
    loadedModules.setDraft(address().id, { text: 'typed' });
    await flushTimers();
    serverOutcomes = [acceptMessage];
    loadedModules.moveAndSendQueue(address().id, createConversation('lamp'));
    browserTab.setOnline(true);
    await flushTimers();
    expect(listSentTexts()).toEqual(['Is it free?']);
    expect(loadedModules.getDraft('lamp').text).toBe('typed');
  });
});
