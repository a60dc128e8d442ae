import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CallShape, calls } from '#contract/calls.ts';
import type { Message } from '#contract/conversations.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { conversation, message, sameCall } from './testing.ts';

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
const hour = 60 * 60 * 1000;

let page: Awaited<ReturnType<typeof loadModules>>;
let toasts: string[];
/** The stored messages, in the order in which the server got them. */
let storedOnServer: Message[];
/** What the server does with the next message; the last entry stays. */
let server: (() => unknown)[];

const refuse = (status: number, code: ErrorCode) => (): never => {
  throw new page.ApiError(status, { error: `Refused: ${code}`, code });
};
const lost = () => refuse(0, 'unavailable')();
const works = () => undefined;
/** Stores the message, but its response is lost. */
const losesResponse = () => 'lost';

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
  const next = message(storedOnServer.length + 1, own);
  storedOnServer.push(next);
  return next;
};

beforeEach(async () => {
  tab.open();
  toasts = [];
  storedOnServer = [];
  server = [works];
  request.mockReset();
  request.mockImplementation(async (call, { params, body } = {}) => {
    if (sameCall(call, calls.openConversation)) return conversation('lamp', { listing_id: body.listing_id });
    if (!sameCall(call, calls.sendMessage)) return {};
    const outcome = (server.length > 1 ? server.shift() : server[0])?.();
    const next = storeOnServer(params.id, body);
    if (outcome === 'lost') lost();
    return next;
  });
  await openPage();
});
afterEach(() => tab.close());

const settled = () => vi.advanceTimersByTimeAsync(0);
const sentTexts = () => storedOnServer.map(({ message_text }) => message_text);
const attempts = () => request.mock.calls.filter(([call]) => sameCall(call, calls.sendMessage)).length;
const queued = (id = 'lamp') => page.queueOf(id).entries.map(({ message_text }) => message_text);

describe('the queue of unsent messages', () => {
  test('sends one message at a time, in the order of writing', async () => {
    let answer: (message: unknown) => void = () => undefined;
    server = [works];
    request.mockImplementationOnce((_call, { params, body }) => {
      return new Promise((resolve) => {
        answer = () => resolve(storeOnServer(params.id, body));
      });
    });
    for (const text of ['one', 'two', 'three']) page.send(lamp, text);
    await settled();
    expect(attempts()).toBe(1);
    expect(queued()).toEqual(['one', 'two', 'three']);
    answer(undefined);
    await settled();
    expect(sentTexts()).toEqual(['one', 'two', 'three']);
    expect(queued()).toEqual([]);
  });

  test('retries a failing server after 0.7 and 2 seconds', async () => {
    server = [refuse(503, 'unavailable'), refuse(500, 'internal'), works];
    page.send(lamp, 'one');
    await vi.advanceTimersByTimeAsync(699);
    expect(attempts()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(attempts()).toBe(2);
    await vi.advanceTimersByTimeAsync(1999);
    expect(attempts()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(sentTexts()).toEqual(['one']);
    expect(toasts).toEqual([]);
  });

  test('returns the whole queue to the input after the third failure', async () => {
    server = [refuse(503, 'unavailable')];
    page.send(lamp, 'one');
    page.send(lamp, 'two');
    page.setDraft('lamp', { text: 'typed since' });
    await vi.advanceTimersByTimeAsync(2700);
    expect(attempts()).toBe(3);
    expect(queued()).toEqual([]);
    expect(page.draftOf('lamp').text).toBe('one\ntwo\ntyped since');
    expect(toasts).toEqual(['Failed to send message']);
  });

  test('returns a refused message immediately, with the reason until another one is stored', async () => {
    server = [refuse(429, 'rate_limited'), works];
    page.send(lamp, 'one');
    await settled();
    expect(attempts()).toBe(1);
    expect(page.draftOf('lamp').text).toBe('one');
    expect(page.queueOf('lamp').refusal?.code).toBe('rate_limited');
    page.send(lamp, 'two');
    expect(page.queueOf('lamp').refusal?.code).toBe('rate_limited');
    await settled();
    expect(page.queueOf('lamp').refusal).toBeUndefined();
  });

  test('forgets the reason when the conversation leaves the screen', async () => {
    server = [refuse(429, 'rate_limited')];
    page.send(lamp, 'one');
    await settled();
    page.forgetRefusal('lamp');
    expect(page.queueOf('lamp').refusal).toBeUndefined();
  });

  test('waits for an unreachable server and sends as soon as it is back', async () => {
    server = [lost];
    tab.setOnline(false);
    page.send(lamp, 'one');
    await settled();
    expect(page.queueOf('lamp').waiting).toBe(true);
    // Far more attempts than a failing server gets.
    await vi.advanceTimersByTimeAsync(hour);
    expect(attempts()).toBeGreaterThan(10);
    expect(queued()).toEqual(['one']);
    server = [works];
    const before = attempts();
    tab.setOnline(true);
    await settled();
    expect(attempts()).toBe(before + 1);
    expect(sentTexts()).toEqual(['one']);
    expect(page.queueOf('lamp').waiting).toBe(false);
    expect(toasts).toEqual([]);
  });

  test('asks before the tab closes only while messages wait', async () => {
    const isHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isHeld()).toBe(false);
    server = [lost];
    tab.setOnline(false);
    page.send(lamp, 'one');
    await settled();
    expect(isHeld()).toBe(true);
    server = [works];
    tab.setOnline(true);
    await settled();
    expect(isHeld()).toBe(false);
  });

  test('returns a message to the input that waited longer than twelve hours', async () => {
    server = [lost];
    tab.setOnline(false);
    page.send(lamp, 'one');
    await vi.advanceTimersByTimeAsync(12 * hour - 60_000);
    expect(queued()).toEqual(['one']);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(queued()).toEqual([]);
    expect(page.draftOf('lamp').text).toBe('one');
  });

  test('stores a message once when its response was lost', async () => {
    server = [losesResponse, works];
    page.send(lamp, 'one');
    await vi.advanceTimersByTimeAsync(700);
    expect(attempts()).toBe(2);
    expect(sentTexts()).toEqual(['one']);
  });

  test('stops retrying a message that the live channel delivered', async () => {
    server = [losesResponse, works];
    page.send(lamp, 'one');
    page.send(lamp, 'two');
    await settled();
    page.settle('lamp', storedOnServer);
    await vi.advanceTimersByTimeAsync(700);
    expect(sentTexts()).toEqual(['one', 'two']);
    expect(attempts()).toBe(2);
  });

  test('continues after a reload with the same client ids', async () => {
    server = [lost];
    tab.setOnline(false);
    page.send(lamp, 'one');
    await settled();
    const [before] = page.queueOf('lamp').entries;
    tab.setOnline(true);
    await reload();
    server = [works];
    page.resumeOutbox();
    await settled();
    expect(storedOnServer.map(({ client_id }) => client_id)).toEqual([before?.client_id]);
    expect(queued()).toEqual([]);
  });

  test('discards what is unsent when the session ends, and says so', async () => {
    server = [lost];
    tab.setOnline(false);
    page.send(lamp, 'one');
    await settled();
    tab.logIn(undefined);
    expect(toasts).toEqual(['Failed to send message']);
    tab.logIn('somebody else');
    expect(queued()).toEqual([]);
    tab.setOnline(true);
    await vi.advanceTimersByTimeAsync(hour);
    expect(storedOnServer).toEqual([]);
  });

  test('sends a returned text under its old client id, and a changed one under a new id', async () => {
    server = [losesResponse, lost, lost];
    page.send(lamp, 'one');
    await vi.advanceTimersByTimeAsync(2700);
    const { text, again } = page.draftOf('lamp');
    expect(text).toBe('one');
    server = [works];
    page.send(lamp, 'one', again);
    await settled();
    expect(sentTexts()).toEqual(['one']);
    page.send(lamp, 'One!', again);
    await settled();
    expect(sentTexts()).toEqual(['one', 'One!']);
  });
});

describe('the first message about a listing', () => {
  const address = () => ({
    id: page.newConversationKey('desk'),
    listing_id: 'desk',
    buyer_id: 'me',
    seller_id: 'other',
  });
  const callsOf = (call: CallShape) => request.mock.calls.filter(([made]) => sameCall(made, call)).length;

  test('creates the conversation, takes the rest of the queue along, and announces itself once', async () => {
    page.send(address(), 'Is it free?');
    page.send(address(), 'Hello?');
    page.setDraft(address().id, { text: 'typed' });
    await settled();
    expect(callsOf(calls.openConversation)).toBe(1);
    expect(
      storedOnServer.map(({ conversation_id, message_text }) => [conversation_id, message_text]),
    ).toEqual([
      ['lamp', 'Is it free?'],
      ['lamp', 'Hello?'],
    ]);
    expect(queued(address().id)).toEqual([]);
    expect(page.draftOf(address().id).text).toBe('');
    expect(page.draftOf('lamp').text).toBe('typed');
    expect(callsOf(calls.notifySellerNewMessage)).toBe(1);
  });

  test('stays with the listing when it is refused', async () => {
    server = [refuse(429, 'rate_limited')];
    page.send(address(), 'Is it free?');
    await settled();
    expect(page.draftOf(address().id).text).toBe('Is it free?');
    expect(page.queueOf(address().id).refusal?.code).toBe('rate_limited');
  });

  test('continues in the conversation that another tab started', async () => {
    server = [lost];
    tab.setOnline(false);
    page.send(address(), 'Is it free?');
    page.setDraft(address().id, { text: 'typed' });
    await settled();
    server = [works];
    page.adopt(address().id, conversation('lamp'));
    tab.setOnline(true);
    await settled();
    expect(sentTexts()).toEqual(['Is it free?']);
    expect(page.draftOf('lamp').text).toBe('typed');
  });
});
