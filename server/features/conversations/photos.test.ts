import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { buildMessagePhotoPath } from '#contract/conversations.ts';
import { maxPhotoBytes, messagePhotoWidths } from '#contract/photos.ts';
import { exportPersonalData } from '#server/features/data-export/public.ts';
import { removeOrphanedPhotos } from '#server/features/photos/orphans.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { createTestPhoto } from '#server/testing/photos.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';

let testApp: TestApp;
let client: ReturnType<typeof createConversationClient>;
let seller: Person;
let buyer: Person;
let stranger: Person;
let moderator: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createConversationClient(testApp);
  // The clean-up of files compares the clock with the times of files.
  testApp.clock.set(new Date());
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
  stranger = await testApp.signIn({ fullName: 'Stella Stranger' });
  moderator = await signInToConsole(testApp, 'moderator');
});
afterAll(() => testApp.close());

const upload = async (person: Person, count = 1): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await client.uploadPhoto(person)).id);
  return ids;
};

/** Starts a conversation about a new listing and sends a photo there. */
const sendPhoto = async (sender = buyer) => {
  const { id } = await client.begin(buyer, seller);
  const [photo = ''] = await upload(sender);
  await client.send(buyer, id, 'Is it scratched?');
  const { body } = await client.sendPhotos(sender, id, [photo]);
  return { id, photo, message: body, path: buildMessagePhotoPath(id, photo) };
};

const fetchPhoto = (url: string, person?: Person) =>
  testApp.server.inject({ url, ...(person ? { headers: person.headers } : {}) });

const listMessages = async (person: Person, id: string) =>
  (await client.ask(person, 'GET', client.at(id, '/messages'))).body.items;

const listStoredKeys = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of testApp.app.files.list('message-photos')) keys.push(key);
  return keys;
};
const isStored = async (photo: string) => (await listStoredKeys()).some((key) => key.includes(photo));

describe('sending photos', () => {
  test('stores up to five with a caption, in their order, for both parties', async () => {
    const { id } = await client.begin(buyer, seller);
    await client.send(buyer, id, 'Can you send a picture?');
    const photos = await upload(seller, 5);
    const sent = await client.sendPhotos(seller, id, photos, { message_text: 'The scratch is at the back' });
    expect(sent.status).toBe(200);
    expect(calls.sendMessage.output.parse(sent.body)).toEqual(sent.body);
    expect(sent.body).toMatchObject({
      message_text: 'The scratch is at the back',
      photos: photos.map((photo) => ({ id: photo, width: 40, height: 30, thumbhash: expect.any(String) })),
    });
    expect((await listMessages(buyer, id)).at(-1)).toEqual(sent.body);
    expect((await listMessages(seller, id)).at(-1)).toEqual(sent.body);
  });

  test('reads "Photo" in the message, the inbox and to clients that know no photos when there is no caption', async () => {
    for (const form of [{}, { message_text: ' ' }]) {
      const { id } = await client.begin(buyer, seller);
      const { body } = await client.sendPhotos(buyer, id, await upload(buyer), form);
      expect(body).toMatchObject({ seq: 1, message_text: 'Photo' });
      const conversation = (await client.ask(seller, 'GET', client.at(id))).body;
      expect(conversation.last_message).toMatchObject({ message_text: 'Photo' });
    }
  });

  test('messages without photos have no such field', async () => {
    const { id } = await client.begin(buyer, seller);
    expect((await client.send(buyer, id, 'Hello')).body).not.toHaveProperty('photos');
    expect((await listMessages(buyer, id))[0]).not.toHaveProperty('photos');
  });

  test('again with the same client id returns the stored message', async () => {
    const { id } = await client.begin(buyer, seller);
    const photos = await upload(buyer);
    const form = { client_id: randomUUID() };
    const first = await client.sendPhotos(buyer, id, photos, form);
    expect(await client.sendPhotos(buyer, id, photos, form)).toEqual(first);
    expect(await listMessages(buyer, id)).toEqual([first.body]);
  });

  test('promise 20: removes the location and all other metadata', async () => {
    const bytes = await sharp(await createTestPhoto())
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '34/1 1/1 18/1' } })
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const { id } = await client.begin(buyer, seller);
    const photo = (await client.uploadPhoto(buyer, { bytes })).id;
    await client.sendPhotos(buyer, id, [photo]);
    for (const size of [undefined, ...messagePhotoWidths]) {
      const { rawPayload } = await fetchPhoto(buildMessagePhotoPath(id, photo, size), seller);
      const { exif, xmp, iptc, width } = await sharp(rawPayload).metadata();
      expect({ exif, xmp, iptc, width }).toEqual({ width: 40 });
    }
  });

  test.each([
    [
      'a file that is not an image',
      Buffer.from('no picture'),
      415,
      'Only JPG, JPEG, PNG, and WEBP images are allowed',
    ],
    [
      'a file that is too large',
      Buffer.alloc(maxPhotoBytes + 1),
      413,
      'File size must be less than 10MB (10.0MB)',
    ],
  ])('refuses %s', async (_, bytes, status, error) => {
    expect(await client.uploadPhoto(buyer, { bytes })).toMatchObject({ status, error });
  });

  test('refuses six photos, and a message with neither text nor photos', async () => {
    const { id } = await client.begin(buyer, seller);
    const six = Array.from({ length: 6 }, () => randomUUID());
    expect(await client.sendPhotos(buyer, id, six)).toMatchObject({
      status: 400,
      body: { fields: { photos: 'Maximum 5 photos allowed' } },
    });
    expect(await client.sendPhotos(buyer, id, [])).toMatchObject({
      status: 400,
      body: { fields: { message_text: 'Please enter a message' } },
    });
  });

  test('refuses photos of others, unknown ones, and ones already sent; the own ones can be sent again', async () => {
    const { id, photo: sent } = await sendPhoto();
    const [own = ''] = await upload(buyer);
    const [foreign = ''] = await upload(seller);
    const before = await listMessages(buyer, id);
    for (const photos of [
      [own, foreign],
      [own, randomUUID()],
      [own, sent],
      [own, own],
    ]) {
      expect(await client.sendPhotos(buyer, id, photos, { message_text: 'Look' })).toEqual({
        status: 422,
        body: { code: 'message_photo_gone', error: 'A photo is no longer available. Please add it again.' },
      });
    }
    expect(await listMessages(buyer, id)).toEqual(before);
    expect((await client.sendPhotos(buyer, id, [own])).body).toMatchObject({ seq: 3, photos: [{ id: own }] });
    expect((await client.sendPhotos(seller, id, [foreign])).body).toMatchObject({ seq: 4 });
  });

  test('cannot use the photo of a message for a listing or a profile, or delete it', async () => {
    const { photo } = await sendPhoto();
    const object = `message-photos/${buyer.userId}/${photo}.jpg`;
    const remove = await testApp.server.inject({
      method: 'DELETE',
      url: `/storage/v1/object/${object}`,
      headers: buyer.headers,
    });
    expect([remove.statusCode, remove.json().code]).toEqual([409, 'photo_in_use']);
    const update = await client.ask(buyer, 'PATCH', '/rest/v1/me', {
      avatar_url: `/storage/v1/object/public/${object}`,
    });
    expect(update.status).toBe(400);
  });
});

describe('promise 97: a photo of a message', () => {
  test('is read by both parties, in every size, and never cached', async () => {
    const { id, photo } = await sendPhoto();
    for (const person of [buyer, seller]) {
      for (const size of [undefined, ...messagePhotoWidths]) {
        const response = await fetchPhoto(buildMessagePhotoPath(id, photo, size), person);
        expect(response.statusCode).toBe(200);
        expect(response.headers).toMatchObject({
          'cache-control': 'private, no-store',
          'content-type': size ? 'image/webp' : 'image/jpeg',
          'x-content-type-options': 'nosniff',
        });
      }
    }
  });

  test('looks to everybody else like an address that does not exist', async () => {
    const { id, photo, path } = await sendPhoto();
    const other = await sendPhoto(seller);
    const elsewhere = await client.begin(stranger, seller);
    const addresses = [
      path,
      `${path}?size=320`,
      buildMessagePhotoPath(elsewhere.id, photo),
      buildMessagePhotoPath(id, randomUUID()),
    ];
    for (const person of [stranger, moderator, undefined]) {
      const unknown = await fetchPhoto(buildMessagePhotoPath(randomUUID(), randomUUID()), person);
      expect(unknown.statusCode).toBe(person ? 404 : 401);
      for (const address of addresses) {
        const response = await fetchPhoto(address, person);
        expect([response.statusCode, response.body]).toEqual([unknown.statusCode, unknown.body]);
      }
    }
    for (const address of [
      buildMessagePhotoPath(other.id, photo),
      `${path}?size=7`,
      `/rest/v1/conversations/${id}/photos/nothing`,
    ])
      expect((await fetchPhoto(address, buyer)).json().code).toBe('object_not_found');
  });

  test('has no public address', async () => {
    const { photo } = await sendPhoto();
    for (const person of [buyer, seller, stranger, moderator, undefined]) {
      const read = (bucket: string) =>
        fetchPhoto(`/storage/v1/object/public/${bucket}/${buyer.userId}/${photo}.jpg`, person);
      const [response, unknown] = [await read('message-photos'), await read('nothing')];
      expect([response.statusCode, response.body]).toEqual([unknown.statusCode, unknown.body]);
      expect(response.statusCode).toBe(404);
    }
  });

  test('is not readable before it is sent, not even for its owner', async () => {
    const { id } = await sendPhoto();
    const [photo = ''] = await upload(buyer);
    expect((await fetchPhoto(buildMessagePhotoPath(id, photo), buyer)).statusCode).toBe(404);
  });

  test('can be read as long as the thread, also after a block, which stops new ones', async () => {
    const { id, path } = await sendPhoto();
    const [next = ''] = await upload(buyer);
    await client.ask(seller, 'PUT', `/rest/v1/me/blocks/${buyer.userId}`);
    expect((await client.sendPhotos(buyer, id, [next])).body.code).toBe('contact_refused');
    for (const person of [buyer, seller]) {
      expect((await client.ask(person, 'GET', client.at(id, '/messages'))).status).toBe(200);
      expect((await fetchPhoto(path, person)).statusCode).toBe(200);
    }
    await client.ask(seller, 'DELETE', `/rest/v1/me/blocks/${buyer.userId}`);
    expect((await client.sendPhotos(buyer, id, [next])).status).toBe(200);
  });

  test('cannot be read after logging out', async () => {
    const { path } = await sendPhoto();
    const leaver = await testApp.signIn();
    const own = await client.begin(leaver, seller);
    const [photo = ''] = await upload(leaver);
    await client.sendPhotos(leaver, own.id, [photo]);
    const address = buildMessagePhotoPath(own.id, photo);
    expect((await fetchPhoto(address, leaver)).statusCode).toBe(200);
    await testApp.server.inject({ method: 'POST', url: '/auth/v1/logout', headers: leaver.headers });
    expect((await fetchPhoto(address, leaver)).statusCode).toBe(401);
    expect((await fetchPhoto(path, leaver)).statusCode).toBe(401);
  });

  test('cannot be read, uploaded or sent while suspended; the other party keeps what was sent', async () => {
    const suspended = await testApp.signIn();
    const { id } = await client.begin(suspended, seller);
    const [photo = '', unsent = ''] = await upload(suspended, 2);
    await client.sendPhotos(suspended, id, [photo]);
    await suspendByCommand(testApp.app, suspended.userId);
    const address = buildMessagePhotoPath(id, photo);
    expect((await fetchPhoto(address, suspended)).statusCode).toBe(401);
    expect((await client.uploadPhoto(suspended)).status).toBe(401);
    expect((await client.sendPhotos(suspended, id, [unsent])).status).toBe(401);
    expect((await fetchPhoto(address, seller)).statusCode).toBe(200);
    expect(await listMessages(seller, id)).toHaveLength(1);
  });

  test('is copied into the case when its message is reported, where a moderator reads it', async () => {
    const reported = await testApp.signIn({ fullName: 'Rick Reported' });
    const { id } = await client.begin(reported, seller);
    const [photo = ''] = await upload(reported);
    const [answer = ''] = await upload(seller);
    const { body } = await client.sendPhotos(reported, id, [photo], { message_text: 'Look at this' });
    await client.sendPhotos(seller, id, [answer]);
    const report = { subject: 'message', subject_id: body.id, reason: 'harassment', text: 'A nasty photo' };
    expect((await client.ask(seller, 'POST', '/rest/v1/reports', report)).status).toBe(200);
    await testApp.jobs.runAll();
    const [quote] = await testApp.sql<{ id: string; photo_count: number; content: { messages: object[] } }[]>`
      SELECT q.id, q.photo_count, q.content FROM private.moderation_quotes q
      JOIN private.moderation_cases c ON c.id = q.case_id WHERE c.person_id = ${reported.userId}`;
    expect(quote).toMatchObject({
      photo_count: 1,
      content: { messages: [{ text: 'Photo: Look at this', is_reported: true }, { text: 'Photo' }] },
    });
    await createAccountClient(testApp).deleteAccount(reported);
    await testApp.jobs.runAll();
    const copy = `/rest/v1/moderation/quotes/${quote?.id}/photos/0`;
    expect((await fetchPhoto(copy, moderator)).statusCode).toBe(200);
    for (const person of [seller, stranger]) expect((await fetchPhoto(copy, person)).statusCode).toBe(403);
  });
});

describe('the photos of a person', () => {
  test('are in the data export, with addresses that both parties can open', async () => {
    const { id, photo, path } = await sendPhoto();
    const [unsent = ''] = await upload(buyer);
    const own = (await createAccountClient(testApp).download(buyer)).json();
    const url = `http://quad.test${path}`;
    expect(own.photos).toContainEqual(expect.objectContaining({ bucket: 'message-photos', url }));
    expect(own.photos).toContainEqual(expect.objectContaining({ bucket: 'message-photos', url: null }));
    expect(JSON.stringify(own)).not.toContain(unsent);
    const received = (await createAccountClient(testApp).download(seller)).json();
    const conversation = received.conversations.find((one: { id: string }) => one.id === id);
    expect(conversation.messages.at(-1)).toMatchObject({ from: 'other', text: 'Photo', photos: [url] });
    expect(await isStored(photo)).toBe(true);
  });

  test('are deleted with the account; the other party keeps the message without them', async () => {
    const leaver = await testApp.signIn();
    const { id } = await client.begin(leaver, seller);
    const [photo = ''] = await upload(leaver);
    const [answer = ''] = await upload(seller);
    await client.sendPhotos(leaver, id, [photo], { message_text: 'My desk' });
    await client.sendPhotos(seller, id, [answer]);
    await createAccountClient(testApp).deleteAccount(leaver);
    await testApp.jobs.runAll();
    const [first, second] = await listMessages(seller, id);
    expect(first).toMatchObject({ message_text: 'My desk', sender_id: null });
    expect(first).not.toHaveProperty('photos');
    expect(second).toMatchObject({ photos: [{ id: answer }] });
    expect((await fetchPhoto(buildMessagePhotoPath(id, photo), seller)).statusCode).toBe(404);
    expect((await fetchPhoto(buildMessagePhotoPath(id, answer), seller)).statusCode).toBe(200);
    expect([await isStored(photo), await isStored(answer)]).toEqual([false, true]);
    const exported = (await createAccountClient(testApp).download(seller)).json();
    expect(JSON.stringify(exported)).not.toContain(photo);
  });

  test('are in the download as links, but not in the export of a person who cannot log in', async () => {
    const buyer = await testApp.signIn();
    const { id } = await client.begin(buyer, seller);
    const [photo = ''] = await upload(buyer);
    await client.sendPhotos(buyer, id, [photo], { message_text: 'My desk' });
    const url = `${testApp.app.config.publicUrl}${buildMessagePhotoPath(id, photo)}`;
    const downloaded = (await createAccountClient(testApp).download(buyer)).json();
    expect(downloaded.photos).toMatchObject([{ url }]);
    let text = '';
    for await (const chunk of await exportPersonalData(testApp.app, buyer.userId)) text += chunk;
    const exported = JSON.parse(text);
    expect(exported.photos).toMatchObject([{ url: null, bucket: 'message-photos' }]);
    expect(exported.conversations[0].messages.at(-1)).toMatchObject({ text: 'My desk', photos: [] });
    expect(text).not.toContain(photo);
  });

  test('are gone from the store when both accounts, and with them the conversation, are deleted', async () => {
    const [one, two] = [await testApp.signIn(), await testApp.signIn()];
    const { id } = await client.begin(one, two);
    const photos = [...(await upload(one)), ...(await upload(two))];
    await client.sendPhotos(one, id, photos.slice(0, 1));
    await client.sendPhotos(two, id, photos.slice(1));
    for (const person of [one, two]) await createAccountClient(testApp).deleteAccount(person);
    await testApp.jobs.runAll();
    expect(await testApp.sql`SELECT FROM conversations WHERE id = ${id}`).toEqual([]);
    for (const photo of photos) expect(await isStored(photo)).toBe(false);
  });
});

describe('promise 98: message and photos arrive together', () => {
  test('a connection that is lost while they are stored leaves neither, and a retry stores both once', async () => {
    const { id } = await sendPhoto();
    const before = await listMessages(buyer, id);
    const [photo = ''] = await upload(buyer);
    const form = { client_id: randomUUID(), message_text: 'Once' };
    const interrupted = await testApp.sql.begin(async (tx) => {
      await tx`SELECT FROM private.objects WHERE path = ${`${buyer.userId}/${photo}.jpg`} FOR UPDATE`;
      const sending = client.sendPhotos(buyer, id, [photo], form);
      const isWaiting = () => testApp.sql<{ ended: boolean }[]>`
        SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%private.objects%'`;
      await expect.poll(isWaiting).not.toEqual([]);
      return sending;
    });
    expect(interrupted.status).toBeGreaterThanOrEqual(500);
    expect(await listMessages(seller, id)).toEqual(before);
    const sent = await client.sendPhotos(buyer, id, [photo], form);
    expect(sent.body).toMatchObject({ message_text: 'Once', photos: [{ id: photo }] });
    expect(await listMessages(seller, id)).toEqual([...before, sent.body]);
  });

  test('one photo sent twice at the same time is in one message', async () => {
    const { id } = await sendPhoto();
    const photos = await upload(buyer);
    const elsewhere = await client.begin(buyer, seller);
    const sent = await Promise.all([id, elsewhere.id].map((to) => client.sendPhotos(buyer, to, photos)));
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('photos that were never sent are removed after a day; sent ones stay', async () => {
    const { photo: sent } = await sendPhoto();
    const [unsent = ''] = await upload(buyer);
    await removeOrphanedPhotos(testApp.app);
    expect([await isStored(sent), await isStored(unsent)]).toEqual([true, true]);
    testApp.clock.advance(dayInSeconds + 60);
    await removeOrphanedPhotos(testApp.app);
    expect([await isStored(sent), await isStored(unsent)]).toEqual([true, false]);
  });
});
