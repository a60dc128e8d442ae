import type { Page } from '@playwright/test';
import type { Deal } from '#contract/deals.ts';
import type { QuadServer } from './quad-server.ts';
import {
  closeDialog,
  createDialogOpener,
  openListingMenu,
  type Screen,
  startLaterSession,
} from './screen.ts';
import { logInToDemo } from './sign-in.ts';

const fetchAs = async (quad: QuadServer, session: string, path: string) => {
  const answer = await fetch(`${quad.url}${path}`, {
    headers: { authorization: `Bearer ${JSON.parse(session).access_token}` },
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
};

/** Lists all deals of the account to which a session belongs, newest first. */
const listDeals = async (quad: QuadServer, session: string): Promise<Deal[]> => {
  const deals: Deal[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await fetchAs(quad, session, `/rest/v1/deals${cursor && `?cursor=${cursor}`}`);
    deals.push(...page.items);
    cursor = page.next_cursor;
  }
  return deals;
};

const waitForDialog = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

const openDealMenu = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: 'More actions for this deal' }).click();
  await page.getByRole('menuitem', { name: item }).click();
  await waitForDialog(page);
};

/** Opens the offers for the first listing in the person's own list. */
const openOffers = async (page: Page): Promise<void> => {
  await openListingMenu(page);
  await page
    .getByRole('menuitem', { name: 'Offers' })
    .or(page.getByRole('button', { name: /^Offers/ }))
    .first()
    .click();
  await waitForDialog(page);
};

const waitForDeal = (page: Page): Promise<void> =>
  page.getByRole('region', { name: 'Deal', exact: true }).waitFor();

const waitForNextHandover = (page: Page): Promise<void> =>
  page.getByRole('region', { name: 'Next handover' }).waitFor();

/**
 * Returns functions that find a conversation or a listing of the demo campus by the beginning of the
 * listing's title.
 */
const createFinder = async (quad: QuadServer, session: string) => {
  const deals = await listDeals(quad, session);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?limit=100`)).json();
  const find = <Item extends { title: string }>(list: readonly Item[], beginning: string): Item => {
    const found = list.find(({ title }) => title.startsWith(beginning));
    if (!found) throw new Error(`The demo campus has no '${beginning}'`);
    return found;
  };
  return {
    toThread: (title: string) => `/messages?c=${find(deals, title).conversation_id}`,
    toListing: (title: string) => `/listing/${find<{ title: string; slug: string }>(items, title).slug}`,
  };
};

/**
 * Lists the screens of deals that both tests and screenshots visit. A dialog is listed as a further screen of
 * the page that opens it.
 */
export const listDealScreens = async (quad: QuadServer, session: string): Promise<Screen[]> => {
  const { toThread, toListing } = await createFinder(quad, session);
  const signedIn = true;
  return [
    {
      name: 'deal',
      path: toThread('Mirrorless camera'),
      signedIn,
      prepare: waitForDeal,
      further: [
        { name: 'deal-handover', prepare: createDialogOpener('Suggest a new time') },
        {
          name: 'deal-cancel',
          prepare: async (page) => {
            await closeDialog(page);
            await openDealMenu(page, 'Cancel');
          },
        },
      ],
    },
    {
      name: 'deal-review',
      path: toThread('Leftover spiral notebooks'),
      signedIn,
      prepare: createDialogOpener('5 stars'),
    },
    {
      name: 'handovers',
      path: '/handovers',
      signedIn,
      prepare: (page) => page.getByRole('button', { name: /to calendar$/ }).waitFor(),
    },
    {
      name: 'home-handover',
      path: '/',
      signedIn,
      ownContext: true,
      prepare: waitForNextHandover,
      further: [
        {
          name: 'home-handover-returning',
          prepare: async (page) => {
            await startLaterSession(page);
            await waitForNextHandover(page);
          },
        },
      ],
    },
    {
      name: 'listing-deal',
      path: toListing('Standing whiteboard'),
      signedIn,
      prepare: (page) => page.getByRole('link', { name: /^View your/ }).waitFor(),
    },
    {
      name: 'listing-offer',
      path: toListing('Noise cancelling headphones'),
      signedIn,
      prepare: createDialogOpener('Make an offer'),
    },
    {
      name: 'listing-days',
      path: toListing('Two-person tent'),
      signedIn,
      prepare: createDialogOpener('Choose days'),
    },
    {
      name: 'my-listings-on-hold',
      path: '/my-listings?tab=on-hold',
      signedIn,
      further: [{ name: 'deal-queue', prepare: openOffers }],
    },
  ];
};

/** Maps the short names of the demo accounts, such as `maya`, to their email addresses. */
const listAccounts = (quad: QuadServer): Map<string, string> =>
  new Map(
    [...quad.output().matchAll(/"msg":"(demo\.(\w+)@\S+)/g)].map(([, email = '', name = '']) => [
      name,
      email,
    ]),
  );

/**
 * Returns the same text for all deals whose conversations look the same, so that one screenshot is enough for
 * them.
 */
const getAppearance = ({ kind, state, turn, waiting, handover, transitions, requested_last_day }: Deal) =>
  JSON.stringify([
    kind,
    state,
    turn,
    waiting,
    handover?.agreed,
    handover?.proposal?.by,
    transitions,
    requested_last_day !== null,
  ]);

/**
 * Lists screens of the conversations about the first demo account's deals, as both parties see them. Includes
 * only one of several deals that look the same. These screens are for screenshots only, because opening all
 * of them would take too long in tests.
 */
export const listDealConversationScreens = async (quad: QuadServer, session: string): Promise<Screen[]> => {
  const accounts = listAccounts(quad);
  const me = JSON.parse(session).user.id;
  const seen = new Set<string>();
  const screens: Screen[] = [];
  const sessions = new Map<string, string>();
  for (const deal of await listDeals(quad, session)) {
    const party = deal.buyer_id === me ? 'buyer' : 'seller';
    const appearance = party + getAppearance(deal);
    if (seen.has(appearance)) continue;
    seen.add(appearance);
    const email = accounts.get(deal.other?.name.split(' ')[0]?.toLowerCase() ?? '');
    if (!email) continue;
    if (!sessions.has(email)) sessions.set(email, await logInToDemo(quad, email));
    const name = `deal-${deal.state}-${deal.kind}-${seen.size}`;
    const screen = { path: `/messages?c=${deal.conversation_id}`, signedIn: true, prepare: waitForDeal };
    screens.push({ ...screen, name: `${name}-${party}` });
    screens.push({ ...screen, name: `${name}-other`, session: sessions.get(email) });
  }
  return screens;
};
