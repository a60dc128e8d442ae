import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { z } from 'zod';
import { declareCall } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import type { Conversation, Message, MessagePhoto } from '#contract/conversations.ts';
import { createUnavailableError, toApiError } from '#web/lib/api-error.ts';
import type { TopicHandlers } from '#web/lib/socket.ts';
import { createTestApi, type TestRequest } from '#web/testing/api.ts';
import { listViolations } from '#web/testing/axe.ts';
import { createConversation, createMessage, otherName, ownId } from '#web/testing/conversations.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { toQuotedMessage } from './thread.ts';
import { ThreadView } from './thread-view.tsx';

vi.mock('#web/lib/socket.ts', () => ({
  subscribeToTopic: (_: string, _handlers: TopicHandlers) => () => undefined,
}));
const upload = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/photo-upload.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/photo-upload.ts')>()),
  uploadMessagePhoto: upload,
}));

const readPhoto = declareCall({
  method: 'GET',
  path: '/rest/v1/conversations/{id}/photos/{photo_id}',
  summary: 'A photo of a message',
  access: 'user',
  output: z.never(),
  errors: [],
});

const createPicture = async (color = '#990000', width = 40, height = 30): Promise<Blob> => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/jpeg' });
};
const toId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const createStoredPhoto = (number: number): MessagePhoto => ({
  id: toId(number),
  width: 40,
  height: 30,
  thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
});

const api = createTestApi();
let conversation: Conversation;
let stored: Message[];

api.answer(calls.listMessages, () => ({ items: stored, more: false }));
api.answer(calls.markRead, { conversation_id: createConversation(1).id, unread_count: 0, unread_total: 0 });
api.answer(calls.listDeals, { items: [], next_cursor: null });
api.answer(readPhoto, async () => {
  throw new Response(await createPicture());
});
api.answer(calls.sendMessage, ({ body }: TestRequest): Message => {
  const { client_id, message_text, photos } = body as {
    client_id: string;
    message_text: string;
    photos?: string[];
  };
  const message = createMessage(stored.length + 1, message_text || 'Photo', {
    conversation_id: conversation.id,
    sender_id: ownId,
    client_id,
    ...(photos ? { photos: photos.map((id) => ({ ...createStoredPhoto(1), id })) } : {}),
  });
  stored.push(message);
  return message;
});

let uploadCount = 0;
beforeEach(() => {
  signIn();
  localStorage.removeItem('quad.saved');
  uploadCount = 0;
  upload.mockReset().mockImplementation(async () => {
    uploadCount += 1;
    return toId(100 + uploadCount);
  });
  conversation = createConversation(crypto.getRandomValues(new Uint16Array(1))[0] ?? 1, { buyer_id: null });
  stored = [createMessage(1, 'Can you send a picture?', { conversation_id: conversation.id })];
});

const open = (width = 360) =>
  openScreen('/', {
    '/': () => (
      <div className="flex flex-col" style={{ width, height: 640 }}>
        <ThreadView conversation={conversation} ownId={ownId} />
      </div>
    ),
  });
const strip = page.getByRole('list', { name: 'Photos of your message' });
const input = page.getByPlaceholder('Type your message...');
const send = page.getByRole('button', { name: 'Send' });
const pick = async (...files: File[]): Promise<void> => {
  await page.getByLabelText('Choose photos').upload(files);
};
const createFile = async (name = 'scratch.jpg'): Promise<File> =>
  new File([await createPicture()], name, { type: 'image/jpeg' });

describe('photos of the own message', () => {
  test('are sent with a caption, and displayed with their sizes from the start', async () => {
    await open();
    await pick(await createFile(), await createFile('other.jpg'));
    await expect.element(strip.getByRole('img', { name: 'Photo 2 of 2' })).toBeVisible();
    await input.fill('The scratch');
    await send.click();
    await expect
      .element(page.getByRole('img', { name: /^Photo 1 of 2 from you, \d+:\d\d [AP]M: The scratch$/ }))
      .toBeVisible();
    await expect
      .poll(() => api.listRequests(calls.sendMessage)[0]?.body)
      .toMatchObject({
        message_text: 'The scratch',
        photos: [toId(101), toId(102)],
      });
    await expect.element(strip).not.toBeInTheDocument();
    await expect.element(input).toHaveValue('');
  });

  test('need no caption', async () => {
    await open();
    await expect.element(send).toBeDisabled();
    await pick(await createFile());
    await expect.element(send).toBeEnabled();
    await send.click();
    await expect.element(page.getByRole('img', { name: /^Photo from you, \d+:\d\d [AP]M$/ })).toBeVisible();
    expect(page.getByText('Photo', { exact: true }).query()).toBeNull();
  });

  test('can be removed before they are sent', async () => {
    await open();
    await pick(await createFile(), await createFile('other.jpg'));
    await page.getByRole('button', { name: 'Remove photo 1' }).click();
    await page.getByRole('button', { name: 'Remove photo 1' }).click();
    await expect.element(strip).not.toBeInTheDocument();
    await expect.element(send).toBeDisabled();
  });

  test('are at most five, and pictures only; each refusal says why', async () => {
    await open();
    await pick(new File(['text'], 'notes.txt', { type: 'text/plain' }));
    await expect.element(page.getByText('Only JPG, JPEG, PNG, and WEBP images are allowed')).toBeVisible();
    const files = await Promise.all(Array.from({ length: 6 }, (_, index) => createFile(`${index}.jpg`)));
    await pick(...files);
    await expect.element(page.getByText('Maximum 5 photos allowed')).toBeVisible();
    await expect.element(strip.getByRole('img', { name: 'Photo 5 of 5' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Add photos' }).first()).toBeDisabled();
  });

  test('show their progress, and return to the message when they are canceled', async () => {
    upload.mockImplementation(
      ({ onProgress, signal }) =>
        new Promise((_, reject) => {
          onProgress(40);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    await open();
    await pick(await createFile());
    await input.fill('The scratch');
    await send.click();
    await expect
      .element(page.getByRole('progressbar', { name: 'Uploading photos' }))
      .toHaveAttribute('aria-valuenow', '40');
    await expect.element(page.getByText('Sending…')).toBeVisible();
    await page.getByRole('button', { name: 'Don’t send' }).click();
    await expect.element(strip.getByRole('img', { name: 'Photo 1 of 1' })).toBeVisible();
    await expect.element(input).toHaveValue('The scratch');
    expect(api.listRequests(calls.sendMessage)).toEqual([]);
    upload.mockImplementation(async () => toId(100));
    await send.click();
    await expect.element(page.getByRole('img', { name: /^Photo from you, .*: The scratch$/ })).toBeVisible();
  });

  test('return to the message with a sentence when the server refuses one', async () => {
    upload.mockRejectedValue(
      toApiError(422, {
        code: 'photo_truncated',
        error: 'A part of this image is missing. Please choose it again.',
      }),
    );
    await open();
    await pick(await createFile());
    await input.fill('The scratch');
    await send.click();
    await expect
      .element(page.getByText('A part of this image is missing. Please choose it again.'))
      .toBeVisible();
    await expect.element(strip.getByRole('img', { name: 'Photo 1 of 1' })).toBeVisible();
    await expect.element(input).toHaveValue('The scratch');
    expect(api.listRequests(calls.sendMessage)).toEqual([]);
  });

  test('are uploaded again when a first attempt failed', async () => {
    upload.mockRejectedValueOnce(createUnavailableError(503));
    await open();
    await pick(await createFile());
    await send.click();
    await expect.element(page.getByRole('img', { name: /^Photo from you/ })).toBeVisible();
    await expect.poll(() => upload.mock.calls.length).toBe(2);
    await expect.poll(() => stored.length).toBe(2);
  });
});

describe('photos of the other person', () => {
  const receive = (count: number, text = 'Photo') => {
    const photos = Array.from({ length: count }, (_, index) => createStoredPhoto(index + 1));
    stored.push(createMessage(2, text, { conversation_id: conversation.id, photos }));
  };

  test('are opened full screen, where one can be enlarged', async () => {
    receive(3, 'Three of them');
    await open();
    await page.getByRole('button', { name: new RegExp(`^Photo 2 of 3 from ${otherName}`) }).click();
    const viewer = page.getByRole('dialog');
    await expect.element(viewer.getByRole('status')).toHaveTextContent('Photo 2 of 3');
    await viewer.getByRole('button', { name: 'Zoom in' }).click();
    await expect.element(viewer.getByRole('button', { name: 'Zoom out' })).toBeVisible();
    await viewer.getByRole('button', { name: 'Next photo' }).click();
    await expect.element(viewer.getByRole('status')).toHaveTextContent('Photo 3 of 3');
    await expect.element(viewer.getByRole('button', { name: 'Zoom in' })).toBeVisible();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(viewer.getByRole('status')).toHaveTextContent('Photo 2 of 3');
    await userEvent.keyboard('{Escape}');
    await expect.element(viewer).not.toBeInTheDocument();
  });

  test('are seen in the quote of a message, and in the reply to it', async () => {
    const quoted = { ...createMessage(1, 'Photo', { photos: [createStoredPhoto(1)] }) };
    const reply_to = toQuotedMessage(quoted);
    stored = [createMessage(2, 'Which one?', { conversation_id: conversation.id, reply_to })];
    await open();
    const quote = page.getByRole('button', { name: /In reply to/ });
    await expect.poll(() => quote.element().querySelectorAll('img').length).toBe(1);
    expect(api.listRequests(readPhoto).map(({ params }) => params.photo_id)).toEqual([toId(1)]);
    expect(quote.element().textContent).toBe(`In reply to ${otherName}Photo`);
    expect(await listViolations()).toEqual([]);
  });

  test('are loaded when they come near the window, and again when the server was unavailable', async () => {
    stored = Array.from({ length: 30 }, (_, index) =>
      createMessage(index + 1, 'Photo', {
        conversation_id: conversation.id,
        photos: [createStoredPhoto(index + 1)],
      }),
    );
    let failures = 1;
    api.answer(readPhoto, async () => {
      failures -= 1;
      throw failures < 0 ? new Response(await createPicture()) : new Response(null, { status: 503 });
    });
    await open();
    await expect.poll(() => document.querySelectorAll('section img').length).toBeGreaterThan(3);
    const listLoaded = () => api.listRequests(readPhoto).map(({ params }) => params.photo_id);
    expect(listLoaded()).toContain(toId(30));
    expect(listLoaded()).not.toContain(toId(1));
    page
      .getByRole('button', { name: new RegExp(`^Photo from ${otherName}`) })
      .first()
      .element()
      .scrollIntoView();
    await expect.poll(listLoaded).toContain(toId(1));
    await expect.poll(() => listLoaded().length - new Set(listLoaded()).size).toBe(1);
  });

  test('keep their place while they load, and when they cannot be loaded', async () => {
    const held = api.hold(readPhoto, () => {
      throw new Response(null, { status: 404 });
    });
    receive(1);
    await open();
    const photo = page.getByRole('img', { name: new RegExp(`^Photo from ${otherName}`) });
    await expect.element(photo).toBeVisible();
    const before = photo.element().getBoundingClientRect();
    expect(Math.round((before.width / before.height) * 30)).toBe(40);
    held.release();
    await expect.poll(() => document.querySelector('section [role=img] svg')).not.toBeNull();
    const after = page
      .getByRole('img', { name: new RegExp(`^Photo from ${otherName}`) })
      .element()
      .getBoundingClientRect();
    expect([after.width, after.height]).toEqual([before.width, before.height]);
  });
});
