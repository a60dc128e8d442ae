import { randomUUID } from 'node:crypto';
import { defaultCampus } from '#contract/campus.ts';
import type { Message } from '#contract/conversations.ts';
import { type DealEventLine, formatEventLine } from '#contract/deal-event-lines.ts';
import { createDealEventLine } from '#contract/testing.ts';
import {
  announceEventLine,
  appendEventLine as appendLine,
  type NewEventLine,
} from '#server/features/conversations/public.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { type Bus, createInProcessBus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import type { TestApp } from './app.ts';

/**
 * Returns the data of an automatic message which states that the offer from `createDealEventLine` has
 * expired.
 */
export const createOfferExpiryLine = (): DealEventLine =>
  createDealEventLine({
    number: 2,
    transition: 'expire',
    by: null,
    from: 'offered',
    state: 'expired',
    turn: null,
    deadline_at: null,
  });

type AppendedLine = Pick<NewEventLine, 'conversationId' | 'actorId'> &
  Partial<Pick<NewEventLine, 'clientId' | 'data' | 'messageText'>>;

/**
 * Stores a transition of a deal as a message in its conversation, in a separate transaction, and publishes the
 * message on the bus. By default it is an offer or, if `actorId` is null, the expiry of an offer.
 */
export const appendEventLine = async (
  testApp: Pick<TestApp, 'app' | 'mails'> & { clock: Pick<Clock, 'now'> },
  { conversationId, actorId, clientId = randomUUID(), ...line }: AppendedLine,
  bus: Bus = createInProcessBus(),
): Promise<Message> => {
  const send: Mailer['send'] = async (_tx, mail) => void testApp.mails.push(mail);
  const app = { ...testApp.app, bus, mail: { ...testApp.app.mail, send } };
  const data = line.data ?? (actorId === null ? createOfferExpiryLine() : createDealEventLine());
  const text = formatEventLine(data, 'anyone', { otherName: '', campus: defaultCampus });
  const stored = await runInTransaction(app.sql, (tx) =>
    appendLine(app, tx, {
      ...{ conversationId, actorId, clientId, text, data, isAutomatic: false, silentFor: null },
      messageText: line.messageText,
      now: testApp.clock.now(),
    }),
  );
  await announceEventLine(app, stored);
  return stored;
};
