import { expect, type Page, type Route } from '@playwright/test';
import { messagingErrorMessages } from '../../contract/conversations.ts';
import { openSignedInBrowser } from '../support/students.ts';
import { intercept } from '../support/test.ts';
import {
  buildNumberedStrings,
  getConversationId,
  getConversationRows,
  getMessageInput,
  getMessageTexts,
  getThreadRegion,
  test,
  typeAndSend,
} from './screen.ts';

/**
 * Returns whether a frame is the server's reply to a successful channel join. Only in such a reply,
 * `join_ref` and `ref` are equal.
 */
const isSuccessfulJoinReply = (frame: string): boolean => {
  const [joinRef, ref, , event, payload] = JSON.parse(frame);
  return event === 'phx_reply' && ref === joinRef && payload.status === 'ok';
};

/** Returns true for a frame that sends a newer access token on a channel that is already joined. */
const isTokenUpdateFrame = (frame: string): boolean =>
  frame.includes('"access_token"') && !frame.includes('phx_join');

/** Refreshes the session, as another tab would do; returns the new access token. */
const renewSessionElsewhere = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const stored = JSON.parse(localStorage.getItem('quad.session') ?? '{}');
    const answer = await fetch('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: stored.refresh_token }),
    });
    const renewed = await answer.json();
    localStorage.setItem('quad.session', JSON.stringify(renewed));
    window.dispatchEvent(new StorageEvent('storage', { key: 'quad.session' }));
    return renewed.access_token;
  });

test('promise 29: 500 messages that arrived while offline all appear once, in order', async ({
  meet,
  open,
  writeAll,
}) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], ['before']);
  const { context, page, errors } = await open(ada);
  await expect(getThreadRegion(page).getByText('before', { exact: true })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('What you send now goes out when you are back online.')).toBeVisible();
  await writeAll(ben, talks[0], buildNumberedStrings(500));
  expect(await getMessageTexts(page)).toEqual(['before']);
  await context.setOffline(false);
  await expect
    .poll(async () => (await getMessageTexts(page)).length, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(501);
  expect(await getMessageTexts(page)).toEqual(['before', ...buildNumberedStrings(500)]);
  await expect(page.getByText(/when you are back online/)).toHaveCount(0);
  await expect(page).toHaveTitle('Messages · Quad');
  expect(errors).toEqual([]);
});

test('messages written offline stay visible, survive a reload, and are sent once, in order, when online', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ada, talks[0], ['lamp']);
  await writeAll(ada, talks[1], ['shelf']);
  const { context, page, errors } = await open(ben);
  await expect(getThreadRegion(page).getByText('shelf', { exact: true })).toBeVisible();
  await getConversationRows(page).nth(1).click();
  await expect(getThreadRegion(page).getByText('lamp', { exact: true })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('What you send now goes out when you are back online.')).toBeVisible();
  const written = ['one', 'two', 'two', 'three'];
  for (const text of written) await typeAndSend(page, text);
  await expect(getThreadRegion(page).getByText('Waiting for connection')).toHaveCount(4);
  expect(await getMessageTexts(page)).toEqual(['lamp', ...written]);
  await expect(getMessageInput(page)).toHaveValue('');

  await test.step('another conversation and back: they still wait', async () => {
    await getConversationRows(page).nth(0).click();
    await expect(page).toHaveURL(`/messages?c=${getConversationId(talks[1])}`);
    await typeAndSend(page, 'for the shelf');
    await expect(getThreadRegion(page).getByText('Waiting for connection')).toHaveCount(1);
    await expect(page.getByText('5 messages go out when you are back online.')).toBeVisible();
    await getConversationRows(page).nth(1).click();
    await expect(getThreadRegion(page).getByText('Waiting for connection')).toHaveCount(4);
  });

  await test.step('the connection is back with a reload: everything is sent, once', async () => {
    // Block loading and sending messages until the reloaded page shows the messages that were not sent.
    const path = '**/rest/v1/conversations/*/messages*';
    const abort = (route: Route) => route.abort();
    await intercept(page, path, abort);
    await context.setOffline(false);
    await page.reload();
    await expect(getThreadRegion(page).getByText('three', { exact: true })).toBeVisible();
    const loadError = page.getByRole('alert').filter({ hasText: messagingErrorMessages.loadOne });
    await expect(loadError).toBeVisible();
    // Now block only the loading of messages. Add this route before removing the previous one, so that no
    // request to load messages gets through in between.
    await intercept(page, path, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.fallback(),
    );
    await page.unroute(path, abort);
    await expect(getThreadRegion(page).getByText(/Waiting|Sending/)).toHaveCount(0);
    await expect(loadError).toBeVisible();
    await page.unroute(path);
    await loadError.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => getMessageTexts(page), { timeout: 20_000 }).toEqual(['lamp', ...written]);
    await expect(getThreadRegion(page).getByText(/Waiting|Sending/)).toHaveCount(0);
    await page.reload();
    await expect.poll(() => getMessageTexts(page)).toEqual(['lamp', ...written]);
    await getConversationRows(page).filter({ hasText: 'Oak bookshelf' }).click();
    await expect.poll(() => getMessageTexts(page)).toEqual(['shelf', 'for the shelf']);
    expect(await page.evaluate(() => sessionStorage.getItem('quad.outbox'))).not.toContain('three');
  });

  await test.step('the tab is closed while it waits: another one sends it, once, whether it is open already or opened later', async () => {
    await context.setOffline(true);
    await typeAndSend(page, 'from a closed tab');
    await expect(getThreadRegion(page).getByText('Waiting for connection')).toHaveCount(1);
    await page.close();
    await context.setOffline(false);
    const next = await context.newPage();
    await next.goto(`/messages?c=${getConversationId(talks[1])}`);
    const expected = ['shelf', 'for the shelf', 'from a closed tab'];
    await expect.poll(() => getMessageTexts(next)).toEqual(expected);
    await expect(getThreadRegion(next).getByText(/Waiting|Sending/)).toHaveCount(0);
    expect(
      await next.evaluate(() => Object.keys(localStorage).filter((it) => it.includes('outbox'))),
    ).toEqual([]);
    await next.reload();
    await expect.poll(() => getMessageTexts(next)).toEqual(expected);

    const open = await context.newPage();
    await open.goto(next.url());
    await expect.poll(() => getMessageTexts(open)).toEqual(expected);
    await context.setOffline(true);
    await typeAndSend(next, 'for a tab that is open');
    await expect(getThreadRegion(next).getByText('Waiting for connection')).toHaveCount(1);
    await next.close();
    await context.setOffline(false);
    await expect.poll(() => getMessageTexts(open)).toEqual([...expected, 'for a tab that is open']);
  });
  expect(errors).toEqual([]);
});

test('while the server is down, messages wait and are sent after it restarts', async ({
  quad,
  meet,
  open,
  writeAll,
}) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ada, talks[0], ['hello']);
  const { page } = await open(ben);
  await expect(getThreadRegion(page)).toBeVisible();
  await quad.kill();
  await expect(page.getByText('Connection lost. Reconnecting…')).toBeVisible();
  await typeAndSend(page, 'are you there?');
  await expect(getThreadRegion(page).getByText('Waiting for connection')).toBeVisible();
  await quad.start();
  await expect(getThreadRegion(page).getByText('Waiting for connection')).toHaveCount(0, { timeout: 30_000 });
  await expect(page.getByText('Connection lost. Reconnecting…')).toHaveCount(0, { timeout: 30_000 });
  expect(await getMessageTexts(page)).toEqual(['hello', 'are you there?']);
});

test('a token renewed while channels are joining is sent only after the joins succeed', async ({
  browser,
  quad,
  meet,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], ['hello']);
  const context = await openSignedInBrowser(browser, quad, ada);
  const page = await context.newPage();
  const told: string[] = [];
  const held: (() => void)[] = [];
  let holding = true;
  await page.routeWebSocket(/\/realtime\//, (client) => {
    const server = client.connectToServer();
    client.onMessage((frame) => {
      if (isTokenUpdateFrame(String(frame))) told.push(String(frame));
      server.send(frame);
    });
    server.onMessage((frame) => {
      if (holding && isSuccessfulJoinReply(String(frame))) held.push(() => client.send(frame));
      else client.send(frame);
    });
  });
  await page.goto('/messages');
  await expect(getThreadRegion(page)).toBeVisible();
  await expect.poll(() => held.length).toBe(2);
  const token = await renewSessionElsewhere(page);
  expect(told).toEqual([]);
  holding = false;
  for (const release of held) release();
  await expect.poll(() => told.length).toBe(2);
  for (const frame of told) expect(frame).toContain(token);
  await context.close();
});

// The page must not depend on a script that is loaded later, because some browsers do not retry a failed
// import on the same page.
test('the live connection does not depend on the Phoenix script, which loads after the screen', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ada, talks[0], ['hello']);
  const { page } = await open(ben, { path: '/about' });
  await intercept(page, /assets\/phoenix-/, (route) => route.abort());
  const joined = page.waitForEvent('websocket');
  await page.goto('/messages');
  await expect(getThreadRegion(page)).toBeVisible();
  await joined;
  await expect(page.getByText('Connection lost. Reconnecting…')).toHaveCount(0);
});

/** Makes the page record the times at which it creates WebSockets and at which they close. */
const recordSocketTimes = (): void => {
  const times = { created: [] as number[], closed: [] as number[] };
  Object.assign(window, { socketTimes: times });
  window.WebSocket = class extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args);
      times.created.push(performance.now());
      this.addEventListener('close', () => times.closed.push(performance.now()));
    }
  };
};

/** Returns the time in ms from the close of the page's first WebSocket until the next one was created. */
const getFirstReconnectDelayMs = (): number => {
  const { created, closed } = (window as unknown as { socketTimes: { created: number[]; closed: number[] } })
    .socketTimes;
  return (created[1] ?? 0) - (closed[0] ?? 0);
};

test('channels get renewed tokens, and rejoin with the newest one after a lost connection', async ({
  browser,
  quad,
  meet,
  writeAll,
}) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], ['hello']);
  const context = await openSignedInBrowser(browser, quad, ada);
  const page = await context.newPage();
  const frames: string[] = [];
  let joined = 0;
  await page.addInitScript(recordSocketTimes);
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => frames.push(String(payload)));
    socket.on('framereceived', ({ payload }) => {
      if (isSuccessfulJoinReply(String(payload))) joined += 1;
    });
  });
  await page.goto('/messages');
  await expect(getThreadRegion(page)).toBeVisible();
  const joins = (topic: string) => frames.filter((it) => it.includes(topic) && it.includes('phx_join'));
  await expect.poll(() => joins('conversation:').length).toBe(1);
  expect(joins('conversation:')[0]).toContain('"after_seq":1');

  await test.step('a renewed token goes into each channel', async () => {
    await expect.poll(() => joined).toBe(2);
    await renewSessionElsewhere(page);
    await expect.poll(() => frames.filter(isTokenUpdateFrame).length).toBe(2);
  });

  await test.step('after a break it joins again from where it was, with the newest token', async () => {
    await writeAll(ben, talks[0], ['second']);
    await expect(getThreadRegion(page).getByText('second', { exact: true })).toBeVisible();
    const token = await page.evaluate(
      () => JSON.parse(localStorage.getItem('quad.session') ?? '{}').access_token,
    );
    await quad.kill();
    await expect(page.getByText('Connection lost. Reconnecting…')).toBeVisible();
    await quad.start();
    await expect.poll(() => joins('conversation:').length, { timeout: 30_000 }).toBe(2);
    const [, again] = joins('conversation:');
    expect(again).toContain('"after_seq":2');
    expect(again).toContain(token);
    expect(await page.evaluate(getFirstReconnectDelayMs)).toBeGreaterThan(990);
    await writeAll(ben, talks[0], ['third']);
    await expect.poll(() => getMessageTexts(page)).toEqual(['hello', 'second', 'third']);
  });
  await context.close();
});
