import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calls } from '#contract/calls.ts';
import { type Message, photoMessageText } from '#contract/conversations.ts';
import { createMessage, hasSameMethodAndPath } from './testing.ts';

const browserTab = await vi.hoisted(async () => (await import('./testing.ts')).createBrowserTab());
const requestMock = vi.hoisted(() => vi.fn());
const upload = vi.hoisted(() => vi.fn());
/** The files on the device, by id. They survive a reload. */
const files = vi.hoisted(() => new Map<string, File>());
vi.mock('#web/lib/session.ts', () => browserTab.session);
vi.mock('#web/lib/api.ts', () => ({ request: requestMock }));
vi.mock('#web/lib/photo-upload.ts', () => ({ uploadMessagePhoto: upload }));
vi.mock('#web/lib/stored-files.ts', () => ({
  findFile: async (_owner: string, id: string) => files.get(id),
  removeFiles: async (_owner: string, ids: readonly string[]) => {
    for (const id of ids) files.delete(id);
  },
}));

const loadModules = async () => ({
  ...(await import('./sending.ts')),
  ...(await import('./outbox.ts')),
  ...(await import('./drafts.ts')),
  ...(await import('#web/lib/api-error.ts')),
});
let modules: Awaited<ReturnType<typeof loadModules>>;
let serverMessages: Message[];
/** The ids of uploaded photos that no message uses yet. */
let uploaded: Set<string>;
/** Runs before a message is stored. */
let beforeStoring: (isRental: boolean) => void;
let afterStoring: () => void;

const lamp = { id: 'lamp', listing_id: 'listing of lamp', buyer_id: 'me', seller_id: 'other' };
const unreachable = () => {
  throw modules.createUnavailableError();
};
const doNothing = () => undefined;

beforeEach(async () => {
  browserTab.open();
  files.clear();
  serverMessages = [];
  uploaded = new Set();
  beforeStoring = doNothing;
  afterStoring = doNothing;
  upload.mockReset().mockImplementation(async ({ file }: { file: File }) => {
    const id = `${file.name} ${upload.mock.calls.length}`;
    uploaded.add(id);
    return id;
  });
  requestMock.mockReset().mockImplementation(async (call, { body } = {}) => {
    const isRental = hasSameMethodAndPath(call, calls.addRentalPhotos);
    if (!isRental && !hasSameMethodAndPath(call, calls.sendMessage)) return {};
    beforeStoring(isRental);
    const known = serverMessages.find(({ client_id }) => client_id === body.client_id);
    const photos: string[] = body.photos ?? [];
    if (!known && photos.some((id) => !uploaded.delete(id)))
      throw new modules.ApiError(422, { error: 'Gone', code: 'message_photo_gone' });
    const message =
      known ??
      createMessage(serverMessages.length + 1, {
        client_id: body.client_id,
        sender_id: 'me',
        message_text: isRental ? `Photos of ${body.step}` : body.message_text || photoMessageText,
        photos: photos.map((id) => ({ id, width: 4, height: 3, thumbhash: '' })),
      });
    if (!known) serverMessages.push(message);
    afterStoring();
    return message;
  });
  modules = await loadModules();
});
afterEach(() => browserTab.close());

const addPhotos = (...ids: string[]): void => {
  for (const id of ids) {
    files.set(id, new File(['picture'], id));
    modules.addDraftPhoto('lamp', { id, width: 4, height: 3 });
  }
};
const flushTimers = () => vi.advanceTimersByTimeAsync(0);
const listSent = () =>
  serverMessages.map(({ message_text, photos }) => [message_text, photos?.map(({ id }) => id.split(' ')[0])]);

test('photos wait for the connection like texts, in their order, and survive a reload', async () => {
  browserTab.setOnline(false);
  upload.mockImplementation(unreachable);
  addPhotos('one', 'two');
  modules.sendDraft(lamp, 'The scratch');
  modules.sendDraft(lamp, 'Is that fine?');
  expect(modules.getDraft('lamp')).toMatchObject({ text: '' });
  await flushTimers();
  expect(modules.getOutgoingQueue('lamp')).toMatchObject({ waiting: true, entries: [{}, {}] });
  browserTab.reload();
  modules = await loadModules();
  upload.mockImplementation(async ({ file }: { file: File }) => {
    uploaded.add(file.name);
    return file.name;
  });
  browserTab.setOnline(true);
  modules.resumeOutbox('me');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(listSent()).toEqual([
    ['The scratch', ['one', 'two']],
    ['Is that fine?', []],
  ]);
  expect(files.size).toBe(0);
});

test('promise 98: a photo whose upload arrived is not uploaded again when sending is repeated', async () => {
  let attempts = 0;
  beforeStoring = () => {
    attempts += 1;
    if (attempts === 1) throw modules.createUnavailableError(503);
  };
  addPhotos('one');
  modules.sendDraft(lamp, '');
  await vi.advanceTimersByTimeAsync(1000);
  expect(upload).toHaveBeenCalledOnce();
  expect(listSent()).toEqual([['Photo', ['one']]]);
});

test('promise 98: a message whose response was lost is stored once, with its photos', async () => {
  afterStoring = () => {
    throw modules.createUnavailableError(502);
  };
  addPhotos('one');
  modules.sendDraft(lamp, 'Look');
  await vi.advanceTimersByTimeAsync(5000);
  expect(modules.getDraft('lamp')).toMatchObject({ text: 'Look', photos: [{ id: 'one' }] });
  afterStoring = doNothing;
  modules.sendDraft(lamp, 'Look');
  await flushTimers();
  expect(listSent()).toEqual([['Look', ['one']]]);
});

test('photos leave the draft when it turns out that their message was stored', async () => {
  afterStoring = () => {
    throw modules.createUnavailableError(502);
  };
  addPhotos('one');
  modules.sendDraft(lamp, '');
  await vi.advanceTimersByTimeAsync(5000);
  addPhotos('two');
  modules.removeDeliveredMessages('lamp', serverMessages);
  expect(modules.getDraft('lamp').photos).toMatchObject([{ id: 'two' }]);
});

test('photos that the server has removed meanwhile are uploaded again', async () => {
  let attempts = 0;
  beforeStoring = () => {
    attempts += 1;
    if (attempts > 1) return;
    uploaded.clear();
    throw modules.createUnavailableError(503);
  };
  addPhotos('one', 'two');
  modules.sendDraft(lamp, 'Look');
  await vi.advanceTimersByTimeAsync(5000);
  expect(listSent()).toEqual([['Look', ['one', 'two']]]);
});

test('a photo that is no longer on the device returns to the message with the others', async () => {
  addPhotos('one', 'two');
  files.delete('two');
  modules.sendDraft(lamp, 'Look');
  await vi.advanceTimersByTimeAsync(5000);
  expect(listSent()).toEqual([]);
  expect(modules.getDraft('lamp')).toMatchObject({ text: 'Look', photos: [{ id: 'one' }, { id: 'two' }] });
});

test('photos of a message whose response was lost, and which was unsent meanwhile, do not return', async () => {
  afterStoring = () => {
    afterStoring = doNothing;
    const { photos: _, ...message } = serverMessages[0] as Message;
    serverMessages[0] = { ...message, message_text: 'Message unsent', unsent_number: 1 };
    throw modules.createUnavailableError(502);
  };
  addPhotos('one');
  modules.sendDraft(lamp, '');
  await vi.advanceTimersByTimeAsync(2000);
  expect(modules.getOutgoingQueue('lamp').entries).toEqual([]);
  expect(modules.getDraft('lamp').photos ?? []).toEqual([]);
  expect(files.size).toBe(0);
});

test('photos of several messages that returned are sent again in messages of at most five', async () => {
  addPhotos('1', '2', '3', '4', '5', '6', '7');
  modules.sendDraft(lamp, 'All of them');
  await flushTimers();
  expect(listSent()).toEqual([
    ['All of them', ['1', '2', '3', '4', '5']],
    ['Photo', ['6', '7']],
  ]);
});

const pickUp = { deal_id: 'deal', step: 'pick_up' } as const;
const sendRentalPhoto = (): void => {
  files.set('one', new File(['picture'], 'one'));
  modules.queueMessage(lamp, 'Photos at pick-up', [], [{ id: 'one', width: 4, height: 3 }], {
    rental: pickUp,
  });
};

test('photos of a rental that could not be sent are still those of the rental when they are sent again', async () => {
  beforeStoring = () => {
    throw modules.createUnavailableError(503);
  };
  sendRentalPhoto();
  await vi.advanceTimersByTimeAsync(5000);
  const { unsent: [failed] = [] } = modules.getDraft('lamp');
  expect(failed).toMatchObject({ rental: pickUp, photos: [{ id: 'one' }] });
  beforeStoring = doNothing;
  modules.sendDraft(lamp, 'Photos at pick-up');
  await flushTimers();
  expect(serverMessages).toMatchObject([
    { client_id: failed?.client_id, message_text: 'Photos of pick_up', photos: [{}] },
  ]);
});

test('photos of a rental that came too late can be sent as those of an ordinary message', async () => {
  beforeStoring = (isRental) => {
    if (isRental) throw new modules.ApiError(409, { error: 'Too late', code: 'rental_photos_closed' });
  };
  sendRentalPhoto();
  await flushTimers();
  expect(modules.getDraft('lamp')).toMatchObject({ text: 'Photos at pick-up', photos: [{ id: 'one' }] });
  modules.sendDraft(lamp, 'Photos at pick-up');
  await flushTimers();
  expect(listSent()).toEqual([['Photos at pick-up', ['one']]]);
});
