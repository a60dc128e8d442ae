import { toCampusDay } from '#contract/campus.ts';
import { availabilityAnswers } from '#contract/listings.ts';
import { listEnabledNotificationKinds } from '#contract/notifications.ts';
import { buildPhotoCopyUrl } from '#contract/photos.ts';
import { formatPrice } from '#contract/prices.ts';
import { normalizeLine } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import {
  buildAvailabilityUrl,
  type ListingQuestion,
  type MailOf,
  type NotificationDigest,
} from '#server/mail/public.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './email-repository.ts';
import type { NotificationFacts } from './events.ts';
import { toCurrentNotification } from './relevance.ts';
import { listNotificationsForEmail, type NotificationRow } from './repository.ts';
import { findNotificationSettings, isInQuietHours } from './settings-repository.ts';
import type { CampusInstant } from './sql.ts';
import { renderNotification } from './texts.ts';

/** Number of people that one statement reads. */
const peoplePerBatch = 200;

const queueEmails = (app: App, userId: string, moment: CampusInstant): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const taken = await repository.takeNotificationsToEmail(tx, userId, moment);
    const recipient = await repository.findEmailRecipient(tx, userId);
    const settings = await findNotificationSettings(tx, userId);
    if (!recipient || !settings) return;
    const wanted = listEnabledNotificationKinds('email', settings.channelsOff);
    for (const [kind, items] of Map.groupBy(taken, (it) => it.kind))
      if (wanted.includes(kind))
        await app.mail.send(tx, {
          kind: 'notifications',
          to: recipient.email,
          userId,
          about: kind,
          ids: items.map(({ id }) => id),
          newCounts: items.map(({ new_count: count }) => count),
        });
  });

/**
 * Queues due emails: one for each person and kind. One transaction queues the emails and marks them as sent. A failure for
 * one person does not delay the others: it is thrown at the end, and the next run tries again.
 */
export const queueNotificationEmails = async (app: App): Promise<void> => {
  const { sql, clock, config } = app;
  const failures = new Map<string, unknown>();
  for (;;) {
    const moment = { now: clock.now(), campus: config.campus };
    const people = await repository.listPeopleToEmail(sql, {
      ...moment,
      limit: peoplePerBatch,
      except: [...failures.keys()],
    });
    for (const userId of people)
      await queueEmails(app, userId, moment).catch((error: unknown) => failures.set(userId, error));
    if (people.length < peoplePerBatch) break;
  }
  if (failures.size > 0)
    throw new AggregateError(failures.values(), 'Failed to queue emails about notifications for some people');
};

const answerLabels = { yes: 'Yes', sold: 'Sold', hide: 'Hide' } as const;

/** Width of the copy of a photo that an email shows, in pixels. */
const emailPhotoWidth = 320;

/** Returns the listings that a person is asked about, each with links that answer. */
const toEmailQuestions = (
  { config: { campus, publicUrl }, secrets: { pepper } }: App,
  userId: string,
  rows: readonly NotificationRow[],
): ListingQuestion[] =>
  rows.flatMap(({ questions, facts }) => {
    const askedAt = new Date((facts as NotificationFacts<'availability_asked'>).asked_at);
    return (questions ?? []).map(({ listing_id: listingId, title, price, cover }) => ({
      title: normalizeLine(title),
      price: formatPrice(campus, price),
      photoUrl: cover ? `${publicUrl}${buildPhotoCopyUrl(cover.url, emailPhotoWidth, 'jpeg')}` : undefined,
      answers: availabilityAnswers.map((answer) => ({
        label: answerLabels[answer],
        url: buildAvailabilityUrl({ userId, listingId, askedAt }, answer, { publicUrl, pepper }),
      })),
    }));
  });

/**
 * Returns the notifications of an email that are still unread and true, and security events even if they were read.
 * Returns undefined when there are none, or when the recipient no longer exists, is suspended or has unsubscribed. An
 * email that would be sent in quiet hours becomes due again when the quiet hours end.
 */
export const findNotificationDigest = async (
  app: App,
  { userId, about, ids, newCounts }: MailOf<'notifications'>,
): Promise<NotificationDigest | undefined> => {
  const {
    sql,
    clock,
    config: { campus },
  } = app;
  const [recipient, settings] = [
    await repository.findEmailRecipient(sql, userId),
    await findNotificationSettings(sql, userId),
  ];
  if (!recipient || !settings || !listEnabledNotificationKinds('email', settings.channelsOff).includes(about))
    return undefined;
  const now = clock.now();
  if (about !== 'security' && (await isInQuietHours(sql, userId, { now, campus }))) {
    await repository.postponeNotificationEmail(sql, { userId, ids, newCounts, dueAt: now });
    return undefined;
  }
  const rows = (await listNotificationsForEmail(sql, { userId, ids, today: toCampusDay(campus, now) }))
    .map((row) => ({ ...row, count: newCounts?.[ids.indexOf(row.id)] ?? row.count }))
    .flatMap((row) => toCurrentNotification(row, campus) ?? []);
  if (rows.length === 0) return undefined;
  const items = rows.map((row) => {
    const rendered = renderNotification(row, userId, campus);
    return settings.digest_content === 'brief' && about !== 'security' ? { ...rendered, text: '' } : rendered;
  });
  const readerName = recipient.display_name;
  if (about !== 'availability') return { readerName, about, items };
  const questions = toEmailQuestions(app, userId, rows);
  return { readerName, about, items, availability: { questions, pauseDays: app.config.listingPauseDays } };
};

/**
 * Marks all notifications as emailed after a restore, because the server from which the backup came
 * has already sent the emails.
 */
export const skipDueNotificationEmails = (sql: Queryable): Promise<void> =>
  repository.cancelAllNotificationEmails(sql);
