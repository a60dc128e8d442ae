import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageList } from '#contract/conversations.ts';
import { findRecordedTransition } from '#contract/deal-event-lines.ts';
import type { Deal } from '#contract/deals.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { connectToEmbeddedDatabase } from '#server/platform/postgres/embedded-connection.ts';
import { silentLog } from '#server/platform/process/log.ts';
import type { QuadServer } from '../support/quad-server.ts';
import { callApi, postListing, type Student } from '../support/students.ts';
import type { TestConversation } from './test-conversations.ts';
import { repeatUntilAcknowledged } from './writers-and-readers.ts';

/** An offer whose deadline passes while the server is stopped. */
export interface ExpiringOffer {
  deal: Deal;
  buyer: Student;
}

/**
 * Maximum time until the server has applied a deadline that has passed. The job that does this is scheduled
 * once a minute, and a worker looks for due jobs every 30 s.
 */
const jobTimeoutMs = 120_000;

/**
 * Posts a listing with `number` in its title. Then makes one offer for it as the buyer of each conversation.
 */
export const makeOffers = async (
  quad: QuadServer,
  talks: readonly TestConversation[],
  number: number,
): Promise<ExpiringOffer[]> => {
  const [seller] = talks[0]?.parties ?? [];
  if (!seller) throw new Error('There is no conversation');
  const { id } = await repeatUntilAcknowledged(() =>
    postListing(quad, seller, `Lamp without an answer, number ${number}`),
  );
  return Promise.all(
    talks.map(async ({ parties: [, buyer] }) => {
      const body = { client_id: randomUUID(), listing_id: id };
      const { token } = buyer;
      const deal = await repeatUntilAcknowledged(() =>
        callApi<Deal>(quad, '/rest/v1/deals', { token, body }),
      );
      return { buyer, deal };
    }),
  );
};

/**
 * Moves the deadlines of offers into the past while the server is stopped. Also queues the job that applies
 * deadlines, as if its scheduled time had come in the meantime.
 */
export const moveDeadlinesIntoPast = async (
  quad: QuadServer,
  offers: readonly ExpiringOffer[],
): Promise<void> => {
  const { url } = await connectToEmbeddedDatabase({ dataDir: quad.dataDir, log: silentLog });
  const sql = openDatabase(url, { max: 1 });
  const ids = offers.map(({ deal }) => deal.id);
  const { count } =
    await sql`UPDATE deals SET deadline_at = now() - interval '1 minute' WHERE id = ANY (${ids}) AND state = 'offered'`;
  await sql`INSERT INTO pgboss.job (name) VALUES ('apply-deal-deadlines')`;
  await sql.end();
  if (count !== offers.length) throw new Error(`Only ${count} of ${offers.length} offers were open`);
};

/**
 * Waits until an offer has expired. Throws unless its conversation contains exactly two event lines: the
 * offer and its expiry.
 */
export const checkOfferExpired = async (quad: QuadServer, { deal, buyer }: ExpiringOffer): Promise<void> => {
  const { token } = buyer;
  const begun = performance.now();
  for (;;) {
    const { state } = await callApi<Deal>(quad, `/rest/v1/deals/${deal.id}`, { token });
    if (state === 'expired') break;
    if (state !== 'offered' || performance.now() - begun > jobTimeoutMs)
      throw new Error(`deal ${deal.id} is ${state} although its deadline has passed`);
    await delay(200);
  }
  const path = `/rest/v1/conversations/${deal.conversation_id}/messages`;
  const { items } = await callApi<MessageList>(quad, path, { token });
  const lines = items.map(({ seq, kind, data }) => {
    const step = findRecordedTransition(data);
    return `${seq} ${kind} ${step?.transition} ${step?.number}`;
  });
  if (lines.join() !== '1 deal offer 1,2 system expire 2')
    throw new Error(`conversation ${deal.conversation_id} contains ${lines.join()}`);
};
