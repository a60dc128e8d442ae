/**
 * Records the responses of the demo campus for component tests, into web/testing/recorded-responses.json
 * (`npm run record-responses`). Needed after a change of the contract that makes `getRecorded` throw.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import { logInToDemo } from './support/sign-in.ts';

/** Lists are cut to this length, which is enough to show a list. */
const maxItems = 4;
const file = fileURLToPath(new URL('../web/testing/recorded-responses.json', import.meta.url));

const cutLists = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, maxItems).map(cutLists);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, cutLists(it)]));
};

const record = async (quad: QuadServer): Promise<Record<string, unknown>> => {
  const { access_token } = JSON.parse(await logInToDemo(quad));
  const responses: Record<string, unknown> = {};
  const read = async (name: keyof typeof calls, params: Record<string, string> = {}, query = '') => {
    const call: CallDeclaration = calls[name];
    const path = call.path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '');
    const response = await fetch(`${quad.url}${path}${query}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const body = await response.json();
    responses[name] = cutLists(body);
    return body;
  };

  await read('getMe');
  const listings = await read('listListings', {}, '?category=furniture');
  const { slug, user_id } = listings.items[1];
  await read('getListing', { slug });
  await read('listSimilar', { slug });
  await read('suggestListings', {}, '?q=desk');
  await read('getUser', { id: user_id });
  await read('listUserReviews', { id: user_id });
  const own = await read('listMyListings');
  await read('getMyListing', { id: own.items[0].id });
  await read('listInterestedPeople', { id: own.items[0].id });
  await read('listDealsOfListing', { id: own.items[0].id });
  await read('findSalePrices', {}, '?category=textbooks&title=Algorithms&isbn=9780262033848');
  await read('listMyWantedPosts');
  const wanted = await read('listWantedPosts', {}, '?category=furniture');
  await read('listListingsToAnswerWith', { id: wanted.items[0].id });
  const conversations = await read('listConversations');
  const { id } = conversations.items[0];
  await read('getConversation', { id });
  await read('listMessages', { id });
  const deals = await read('listDeals');
  await read('getDeal', { id: deals.items[0].id });
  for (const name of [
    'countUnread',
    'listMeetingSpots',
    'listGames',
    'listNotifications',
    'getNotificationSettings',
    'listPushSubscriptions',
    'listSessions',
    'listBlocks',
    'listBlockedIds',
    'listDecisions',
    'listHandovers',
    'listSavedListings',
    'listSavedIds',
    'listSavedSearches',
  ] as const)
    await read(name);
  return responses;
};

const quad = await startQuad({ QUAD_DEMO: 'on' });
try {
  writeFileSync(file, JSON.stringify(await record(quad), null, 2));
} finally {
  await quad.stop();
}
spawnSync('node_modules/.bin/biome', ['format', '--write', file], { stdio: 'inherit' });
