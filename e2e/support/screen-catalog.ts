import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listConsoleScreens } from './console-screens.ts';
import { listDealScreens } from './deal-screens.ts';
import { listMemberScreens } from './member-screens.ts';
import { listMessageScreens } from './message-screens.ts';
import { listPublicScreens } from './public-screens.ts';
import type { QuadServer } from './quad-server.ts';
import { listSafetyScreens } from './safety-screens.ts';
import type { Screen } from './screen.ts';
import { logInToDemo } from './sign-in.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The areas of the application by which its screens are grouped. */
export const screenAreas = [
  'home and categories',
  'listings, people and search',
  'account forms and articles',
  'the profile',
  'settings',
  'posting',
  'own listings',
  'saved items and notifications',
  'messages',
  'deals',
  'blocking and reporting',
  'overview and cases of the console',
  'people in the console',
  'forms in the console',
  'campus settings in the console',
  'two-step log-in and decisions',
] as const;

type ScreenArea = (typeof screenAreas)[number];

/** Takes a listing down with the administrators' command. */
const takeDownListing = (quad: QuadServer, slug: string): void => {
  const reason =
    'The photos show another thing than the description. Please write to us when you have changed them.';
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'server', 'commands', 'quad.ts'), 'listing', 'take-down', slug, '--reason', reason],
    { env: { ...process.env, QUAD_DATA_DIR: quad.dataDir }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The listing was not taken down: ${stderr}`);
};

/**
 * Prepares the demo campus; returns all its screens by area, including those that need a click or a lost
 * connection, and the session for opening the screens that are marked `signedIn`.
 */
export const prepareScreens = async (
  quad: QuadServer,
): Promise<{ session: string; screens: Record<ScreenArea, Screen[]> }> => {
  const session = await logInToDemo(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  const rentals = await (await fetch(`${quad.url}/rest/v1/listings?category=rentals`)).json();
  // Choose a seller who has several reviews.
  const seller = rentals.items.find((it: { title: string }) =>
    it.title.startsWith('Electric scooter'),
  ).user_id;
  const listOwn = async (status: 'published' | 'sold') => {
    const answer = await fetch(`${quad.url}/rest/v1/me/listings?status=${status}`, {
      headers: { authorization: `Bearer ${JSON.parse(session).access_token}` },
    });
    return (await answer.json()).items;
  };
  const own = await listOwn('published');
  const [shown, takenDown] = [own[0], own.at(-1)];
  takeDownListing(quad, takenDown.slug);
  const [sold] = await listOwn('sold');
  const { slug } = items[1];
  const screens = {
    ...listPublicScreens({ slug, seller, soldSlug: sold.slug }),
    ...listMemberScreens({ shown, takenDown }),
    messages: listMessageScreens(slug),
    deals: await listDealScreens(quad, session),
    'blocking and reporting': listSafetyScreens(slug, items[1].user_id, seller),
    ...(await listConsoleScreens(quad)),
  };
  return { session, screens };
};
