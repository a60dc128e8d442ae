import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CallShape, calls } from '#contract/calls.ts';
import type { Message } from '#contract/conversations.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { createConversation, createMessage, isSameCall } from './testing.ts';

const tab = await vi.hoisted(async () => (await import('./testing.ts')).createTab());
const request = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/session.ts', () => tab.session);
vi.mock('#web/lib/api.ts', () => ({ request }));

const loadModules = async () => ({
  ...(await import('./sending.ts')),
  ...(await import('./outbox.ts')),
  ...(await import('./drafts.ts')),
  ...(await import('#web/lib/api-error.ts')),
  ...(await import('#web/ui/toast.ts')),
});

const lamp = { id: 'lamp', listing_id: 'listing of lamp', buyer_id: 'me', seller_id: 'other' };
const hourMs = 60 * 60 * 1000;

let page: Awaited<ReturnType<typeof loadModules>>;
let toasts: string[];
/** The stored messages, in the order in which the server got them. */
let storedOnServer: Message[];
/** What the server does with the next messages, in order; the last entry repeats. */
let serverOutcomes: (() => unknown)[];

const refuseWith = (status: number, code: ErrorCode) => (): never => {
  throw new page.ApiError(status, { error: `Refused: ${code}`, code });
};
const failUnreachable = () => refuseWith(0, 'unavailable')();
const succeed = () => undefined;
/** The server stores the message, but its response is lost. */
const loseResponse = () => 'lost';

const openPage = async (): Promise<void> => {
  page = await loadModules();
  page.onToastRequest(({ title }) => toasts.push(title));
};
const reload = async (): Promise<void> => {
  tab.reload();
  await openPage();
};

const storeOnServer = (
  id: string,
  { client_id, message_text }: { client_id: string; message_text: string },
) => {
  const before = storedOnServer.find((known) => known.client_id === client_id);
  if (before) return before;
  const own = { conversation_id: id, sender_id: 'me', client_id, message_text };
  const next = createMessage(storedOnServer.length + 1, own);
  storedOnServer.push(next);
  return next;
};

beforeEach(async () => {
  tab.open();
  toasts = [];
  storedOnServer = [];
  serverOutcomes = [succeed];
  request.mockReset();
  request.mockImplementation(async (call, { params, body } = {}) => {
    if (isSameCall(call, calls.openConversation))
      return createConversation('lamp', { listing_id: body.listing_id });
    if (!isSameCall(call, calls.sendMessage)) return {};
    const outcome = (serverOutcomes.length > 1 ? serverOutcomes.shift() : serverOutcomes[0])?.();
    const next = storeOnServer(params.id, body);
    if (outcome === 'lost') failUnreachable();
    return next;
  });
  await openPage();
});
afterEach(() => tab.close());

const flushTimers = () => vi.advanceTimersByTimeAsync(0);
const listSentTexts = () => storedOnServer.map(({ message_text }) => message_text);
const countAttempts = () => request.mock.calls.filter(([call]) => isSameCall(call, calls.sendMessage)).length;
const listQueuedTexts = (id = 'lamp') => page.getQueue(id).entries.map(({ message_text }) => message_text);

describe('the queue of unsent messages', () => {
  test('sends one message at a time, in the order of writing', async () => {
    let answer: (message: unknown) => void = () => undefined;
    serverOutcomes = [succeed];
    request.mockImplementationOnce((_call, { params, body }) => {
      return new Promise((resolve) => {
        answer = () => resolve(storeOnServer(params.id, body));
      });
    });
    for (const text of ['one', 'two', 'three']) page.queueMessage(lamp, text);
    await flushTimers();
    expect(countAttempts()).toBe(1);
    expect(listQueuedTexts()).toEqual(['one', 'two', 'three']);
    answer(undefined);
    await flushTimers();
    expect(listSentTexts()).toEqual(['one', 'two', 'three']);
    expect(listQueuedTexts()).toEqual([]);
  });

  test('retries a failing server after 0.7 and 2 seconds', async () => {
    serverOutcomes = [refuseWith(503, 'unavailable'), refuseWith(500, 'internal'), succeed];
    page.queueMessage(lamp, 'one');
    await vi.advanceTimersByTimeAsync(699);
    expect(countAttempts()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(countAttempts()).toBe(2);
    await vi.advanceTimersByTimeAsync(1999);
    expect(countAttempts()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(listSentTexts()).toEqual(['one']);
    expect(toasts).toEqual([]);
  });

  test('returns the whole queue to the input after the third failure', async () => {
    serverOutcomes = [refuseWith(503, 'unavailable')];
    page.queueMessage(lamp, 'one');
    page.queueMessage(lamp, 'two');
    page.setDraft('lamp', { text: 'typed since' });
    await vi.advanceTimersByTimeAsync(2700);
    expect(countAttempts()).toBe(3);
    expect(listQueuedTexts()).toEqual([]);
    expect(page.getDraft('lamp').text).toBe('one\ntwo\ntyped since');
    expect(toasts).toEqual(['Failed to send message']);
  });

  test('returns a refused message immediately, with the reason until another one is stored', async () => {
    serverOutcomes = [refuseWith(429, 'rate_limited'), succeed];
    page.queueMessage(lamp, 'one');
    await flushTimers();
    expect(countAttempts()).toBe(1);
    expect(page.getDraft('lamp').text).toBe('one');
    expect(page.getQueue('lamp').refusal?.code).toBe('rate_limited');
    page.queueMessage(lamp, 'two');
    expect(page.getQueue('lamp').refusal?.code).toBe('rate_limited');
    await flushTimers();
    expect(page.getQueue('lamp').refusal).toBeUndefined();
  });

  test('forgets the reason when the conversation leaves the screen', async () => {
    serverOutcomes = [refuseWith(429, 'rate_limited')];
    page.queueMessage(lamp, 'one');
    await flushTimers();
    page.forgetRefusal('lamp');
    expect(page.getQueue('lamp').refusal).toBeUndefined();
  });

  test('waits for an unreachable server and sends as soon as it is back', async () => {
    serverOutcomes = [failUnreachable];
    tab.setOnline(false);
    page.queueMessage(lamp, 'one');
    await flushTimers();
    expect(page.getQueue('lamp').waiting).toBe(true);
    // An unreachable server gets far more attempts than a failing one.
    await vi.advanceTimersByTimeAsync(hourMs);
    expect(countAttempts()).toBeGreaterThan(10);
    expect(listQueuedTexts()).toEqual(['one']);
    serverOutcomes = [succeed];
    const before = countAttempts();
    tab.setOnline(true);
    await flushTimers();
    expect(countAttempts()).toBe(before + 1);
    expect(listSentTexts()).toEqual(['one']);
    expect(page.getQueue('lamp').waiting).toBe(false);
    expect(toasts).toEqual([]);
  });

  test('asks for confirmation before the tab closes only while messages are queued', async () => {
    const isHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isHeld()).toBe(false);
    serverOutcomes = [failUnreachable];
    tab.setOnline(false);
    page.queueMessage(lamp, 'one');
    await flushTimers();
    expect(isHeld()).toBe(true);
    serverOutcomes = [succeed];
    tab.setOnline(true);
    await flushTimers();
    expect(isHeld()).toBe(false);
  });

  test('returns a message to the input that waited longer than twelve hours', async () => {
    serverOutcomes = [failUnreachable];
    tab.setOnline(false);
    page.queueMessage(lamp, 'one');
    await vi.advanceTimersByTimeAsync(12 * hourMs - 60_000);
    expect(listQueuedTexts()).toEqual(['one']);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(listQueuedTexts()).toEqual([]);
    expect(page.getDraft('lamp').text).toBe('one');
  });

  test('stores a message once when its response was lost', async () => {
    serverOutcomes = [loseResponse, succeed];
    page.queueMessage(lamp, 'one');
    await vi.advanceTimersByTimeAsync(700);
    expect(countAttempts()).toBe(2);
    expect(listSentTexts()).toEqual(['one']);
  });

  test('stops retrying a message that the live channel delivered', async () => {
    serverOutcomes = [loseResponse, succeed];
    page.queueMessage(lamp, 'one');
    page.queueMessage(lamp, 'two');
    await flushTimers();
    page.removeDelivered('lamp', storedOnServer);
    await vi.advanceTimersByTimeAsync(700);
    expect(listSentTexts()).toEqual(['one', 'two']);
    expect(countAttempts()).toBe(2);
  });

  test('continues after a reload with the same client ids', async () => {
    serverOutcomes = [failUnreachable];
    tab.setOnline(false);
    page.queueMessage(lamp, 'one');
    await flushTimers();
    const [before] = page.getQueue('lamp').entries;
    tab.setOnline(true);
    await reload();
    serverOutcomes = [succeed];
    page.resumeOutbox();
    await flushTimers();
    expect(storedOnServer.map(({ client_id }) => client_id)).toEqual([before?.client_id]);
    expect(listQueuedTexts()).toEqual([]);
  });

  test('discards unsent messages when the session ends, and shows an error', async () => {
    serverOutcomes = [failUnreachable];
    tab.setOnline(false);
    page.queueMessage(lamp, 'one');
    await flushTimers();
    tab.logIn(undefined);
    expect(toasts).toEqual(['Failed to send message']);
    tab.logIn('somebody else');
    expect(listQueuedTexts()).toEqual([]);
    tab.setOnline(true);
    await vi.advanceTimersByTimeAsync(hourMs);
    expect(storedOnServer).toEqual([]);
  });

  test('sends a returned text under its old client id, and a changed one under a new id', async () => {
    serverOutcomes = [loseResponse, failUnreachable, failUnreachable];
    page.queueMessage(lamp, 'one');
    await vi.advanceTimersByTimeAsync(2700);
    const { text, again } = page.getDraft('lamp');
    expect(text).toBe('one');
    serverOutcomes = [succeed];
    page.queueMessage(lamp, 'one', again);
    await flushTimers();
    expect(listSentTexts()).toEqual(['one']);
    page.queueMessage(lamp, 'One!', again);
    await flushTimers();
    expect(listSentTexts()).toEqual(['one', 'One!']);
  });
});

describe('the first message about a listing', () => {
  const address = () => ({
    id: page.newConversationKey('desk'),
    listing_id: 'desk',
    buyer_id: 'me',
    seller_id: 'other',
  });
  const callsOf = (call: CallShape) => request.mock.calls.filter(([made]) => isSameCall(made, call)).length;

  test('creates the conversation, takes the rest of the queue along, and announces itself once', async () => {
    page.queueMessage(address(), 'Is it free?');
    page.queueMessage(address(), 'Hello?');
    page.setDraft(address().id, { text: 'typed' });
    await flushTimers();
    expect(callsOf(calls.openConversation)).toBe(1);
    expect(
      storedOnServer.map(({ conversation_id, message_text }) => [conversation_id, message_text]),
    ).toEqual([
      ['lamp', 'Is it free?'],
      ['lamp', 'Hello?'],
    ]);
    expect(listQueuedTexts(address().id)).toEqual([]);
    expect(page.getDraft(address().id).text).toBe('');
    expect(page.getDraft('lamp').text).toBe('typed');
    expect(callsOf(calls.notifySellerNewMessage)).toBe(1);
  });

  test('stays with the listing when it is refused', async () => {
    serverOutcomes = [refuseWith(429, 'rate_limited')];
    page.queueMessage(address(), 'Is it free?');
    await flushTimers();
    expect(page.getDraft(address().id).text).toBe('Is it free?');
    expect(page.getQueue(address().id).refusal?.code).toBe('rate_limited');
  });

  test('continues in the conversation that another tab started', async () => {
    serverOutcomes = [failUnreachable];
    tab.setOnline(false);
    page.queueMessage(address(), 'Is it free?');
    page.setDraft(address().id, { text: 'typed' });
    await flushTimers();
    serverOutcomes = [succeed];
    page.continueInConversation(address().id, createConversation('lamp'));
    tab.setOnline(true);
    await flushTimers();
    expect(listSentTexts()).toEqual(['Is it free?']);
    expect(page.getDraft('lamp').text).toBe('typed');
  });
});
