import { Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { deleteAccount } from '#server/features/account-deletion/public.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { endRental, listUnreturnedRentals } from '#server/features/deals/public.ts';
import { removeCasesAbout } from '#server/features/moderation/public.ts';
import { computeSalePrices } from '#server/features/sale-prices/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { deleteDemoBooks } from './demo-books.ts';
import { deleteDemoForms } from './forms.ts';
import { deriveDemoId } from './ids.ts';

/** Numbers of removed accounts, listings, photos and conversations. */
export interface DemoRemovalCounts {
  accounts: number;
  listings: number;
  conversations: number;
  photos: number;
}

interface DemoAccount {
  id: string;
  email: string;
}

/** Lists the demo accounts in this database, whatever QUAD_CAMPUS_DOMAIN they were created for. */
export const listDemoAccounts = async (sql: Queryable): Promise<DemoAccount[]> => {
  const rows = await sql<DemoAccount[]>`
    SELECT id, email FROM users WHERE email LIKE 'demo.%' ORDER BY id`;
  return rows.filter(({ id, email }) => id === deriveDemoId(email));
};

const countListingsAndPhotos = async (
  sql: Queryable,
  ids: readonly string[],
): Promise<Pick<DemoRemovalCounts, 'listings' | 'photos'>> => {
  const [row] = await sql<{ listings: number; photos: number }[]>`
    SELECT (SELECT count(*) FROM listings WHERE user_id = ANY (${ids})) AS listings,
      (SELECT count(*) FROM private.objects WHERE owner_id = ANY (${ids})) AS photos`;
  return row ?? { listings: 0, photos: 0 };
};

const listConversationIds = async (sql: Queryable, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM conversations WHERE buyer_id = ANY (${ids}) OR seller_id = ANY (${ids})`;
  return rows.map(({ id }) => id);
};

const deleteDemoAccounts = async (app: App, accounts: readonly DemoAccount[]): Promise<number> => {
  let count = 0;
  for (const { id, email } of accounts) {
    for (const rental of await listUnreturnedRentals(app, email))
      await endRental(app, rental.id, 'The demo campus is removed');
    try {
      // Delete demo accounts even if this leaves no administrator, because everybody knows the password of
      // the demo accounts.
      await deleteAccount(app, id, { mayBeLastAdministrator: true });
      count += 1;
    } catch (error) {
      // `not_authenticated` means that another process has just deleted the account.
      if (!(error instanceof Problem && error.code === 'not_authenticated')) throw error;
    }
  }
  return count;
};

export const countDemoData = async ({
  sql,
}: App): Promise<Pick<DemoRemovalCounts, 'accounts' | 'listings'>> => {
  const ids = (await listDemoAccounts(sql)).map(({ id }) => id);
  return { accounts: ids.length, listings: (await countListingsAndPhotos(sql, ids)).listings };
};

/**
 * Deletes every demo account with its listings, photos and conversations, as if its owner had deleted the
 * account. Before that, deletes the public forms and the moderation cases of the demo campus, and ends each
 * account's unreturned rentals. People outside the demo campus keep their conversations with demo accounts.
 * Returns zero counts when there is no demo campus.
 */
export const removeDemoCampus = async (app: App): Promise<DemoRemovalCounts> => {
  const { sql } = app;
  const demoAccounts = await listDemoAccounts(sql);
  const ids = demoAccounts.map(({ id }) => id);
  const owned = await countListingsAndPhotos(sql, ids);
  const conversations = await listConversationIds(sql, ids);
  await deleteDemoForms(sql);
  await deleteDemoBooks(sql);
  await removeCasesAbout(app, ids);
  const accounts = await deleteDemoAccounts(app, demoAccounts);
  await computeSalePrices(app);
  const kept = await sql`SELECT 1 FROM conversations WHERE id = ANY (${conversations})`;
  await noteSecurityEvent(app, { event: 'demo_removed', detail: `${accounts} accounts` });
  return { accounts, ...owned, conversations: conversations.length - kept.length };
};

/**
 * Takes the console roles away from the demo accounts, because their password is public. Call it on a server
 * that other people can reach.
 */
export const revokeDemoRoles = async (sql: Queryable): Promise<void> => {
  const ids = (await listDemoAccounts(sql)).map(({ id }) => id);
  await sql`
    UPDATE private.credentials SET console_role = NULL WHERE user_id = ANY (${ids}) AND console_role IS NOT NULL`;
};
