import { exportedDealSchema, exportedListingSchema } from '#contract/data-export.ts';

/**
 * Classifies a database column: whether it contains data about a person, where the data export contains it, and what
 * remains after the account is deleted. `server/features/data-export/personal-data.test.ts` fails for unclassified columns.
 */
export type ColumnClassification =
  /** Path of the personal data in the export; `[]` stands for each element of an array. */
  | { exported: string; remains?: string }
  /** Why the export leaves out this personal data. */
  | { withheld: string; remains?: string }
  /** Why the column is not personal data. */
  | { impersonal: string };

export interface TableClassification {
  /** SQL condition for the rows about an account. `$1` is the account's id, and `$2` is its email address. */
  rows: string;
  /** Columns that identify a row. */
  key: string[];
  /**
   * `rows go` means that deleting the account deletes the rows. `rows stay` means that it keeps the rows and
   * clears their personal columns, except those whose `remains` says why they are kept.
   */
  deletion: 'rows go' | 'rows stay';
  columns: Record<string, ColumnClassification>;
}

const exportedColumn = (path: string, remains?: string): ColumnClassification => ({
  exported: path,
  ...(remains ? { remains } : {}),
});
const withheldColumn = (why: string, remains?: string): ColumnClassification => ({
  withheld: why,
  ...(remains ? { remains } : {}),
});
const impersonalColumn = (why: string): ColumnClassification => ({ impersonal: why });

const accountIdColumn = withheldColumn('the account itself, in the export as profile.id');
const credentialColumn = withheldColumn('a credential of the account, or the hash of one');
const shortLivedColumn = withheldColumn('state of a code or link, removed within a day after it expires');
const deletionStateColumn = withheldColumn('state of a deleted listing, whose row is removed a moment later');
const randomIdColumn = impersonalColumn('a random identifier of the row');
const derivedColumn = withheldColumn('computed from exported columns');
const duePushColumn = withheldColumn(
  'what is pushed to the person a moment later, or after their quiet hours',
);
const mailDueTimeColumn = withheldColumn('when a mail about unread messages is due');
const sharedConversationColumn = impersonalColumn('about the conversation, which belongs to both sides');
const messageCountColumn = withheldColumn('counts the messages, which are exported');
const keptForOtherPersonReason = 'the other person can still read it, under "Deleted user"';
const otherReadersOfReviewReason = 'others can still read the review, under "Deleted user"';
const supportMailReason =
  'messages to the campus are kept without a link to the account, as the privacy page states';
const keptAsEvidenceReason =
  'removed 90 days after the event, so that events before a deletion can still be investigated';

const keptForCaseReason =
  'moderators need what was reported to protect others; removed two years after the case was resolved';
const caseColumn = withheldColumn(
  'about what others reported; revealing it could reveal who did, or help to evade the rules',
  keptForCaseReason,
);

const classifyParticipantColumns = (name: 'buyer' | 'seller'): Record<string, ColumnClassification> => ({
  [`${name}_id`]: withheldColumn('says which side the person is, in the export as conversations[].you_are'),
  [`${name}_read_seq`]: exportedColumn('conversations[].read_messages'),
  [`${name}_acted_seq`]: derivedColumn,
  [`${name}_seen_at`]: exportedColumn('conversations[].last_seen_at'),
  [`${name}_waiting_since`]: mailDueTimeColumn,
  [`${name}_waiting_from`]: mailDueTimeColumn,
  [`${name}_archived_seq`]: exportedColumn('conversations[].archived_messages'),
  [`${name}_muted_until`]: exportedColumn('conversations[].muted_until'),
  [`${name}_marked_unread`]: exportedColumn(
    'conversations[].marked_unread',
    'false once the account is deleted',
  ),
});

const classifyColumnsOfQuery = (): Record<string, ColumnClassification> =>
  Object.fromEntries(
    [
      'lowered_text',
      'text_key',
      'searched_isbn',
      'location_pattern',
      'category',
      'min_price',
      'max_price',
      'condition',
      'game_date',
      'size',
      'kind',
      'seller',
      'is_verified',
      'is_available',
    ].map((column) => [column, derivedColumn]),
  );

/** Classification of every column in the database schema, by table. */
export const columnClassificationByTable: Record<string, TableClassification> = {
  'public.users': {
    rows: 'id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: exportedColumn('profile.id'),
      email: exportedColumn('profile.email'),
      full_name: exportedColumn('profile.full_name'),
      role: exportedColumn('profile.role'),
      bio: exportedColumn('profile.bio'),
      is_bio_public: exportedColumn('profile.is_bio_public'),
      avatar_url: exportedColumn('profile.avatar_url'),
      usc_verified: exportedColumn('profile.usc_verified'),
      show_full_name: exportedColumn('settings.show_full_name'),
      email_messages: exportedColumn('settings.email_messages'),
      created_at: exportedColumn('profile.created_at'),
      updated_at: exportedColumn('profile.updated_at'),
      display_name: derivedColumn,
      rating: withheldColumn('the average of reviews_received'),
      review_count: withheldColumn('the number of reviews_received'),
      away_until: exportedColumn('settings.away_until'),
      show_seen: exportedColumn('settings.show_seen'),
      show_typing: exportedColumn('settings.show_typing'),
    },
  },
  'public.reviews': {
    rows: 'author_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: randomIdColumn,
      deal_id: impersonalColumn('about the deal, which belongs to both sides'),
      author_party: withheldColumn('the side of the author in the deal', otherReadersOfReviewReason),
      author_id: withheldColumn('the author of reviews_written is the person'),
      author_key: withheldColumn('random; groups the reviews of one author', otherReadersOfReviewReason),
      subject_id: impersonalColumn('the person reviewed, who is somebody else'),
      rating: exportedColumn('reviews_written[].rating', otherReadersOfReviewReason),
      tags: exportedColumn('reviews_written[].tags', otherReadersOfReviewReason),
      review_text: exportedColumn('reviews_written[].text', otherReadersOfReviewReason),
      public_at: exportedColumn('reviews_written[].public_at', otherReadersOfReviewReason),
      is_counted: impersonalColumn('whether the rating of the person reviewed includes the review'),
      removed_at: exportedColumn('reviews_written[].removed_at', otherReadersOfReviewReason),
      created_at: exportedColumn('reviews_written[].written_at', otherReadersOfReviewReason),
      updated_at: exportedColumn('reviews_written[].changed_at', otherReadersOfReviewReason),
    },
  },
  'public.blocks': {
    rows: 'user_id = $1',
    key: ['user_id', 'blocked_id'],
    deletion: 'rows go',
    columns: {
      user_id: accountIdColumn,
      blocked_id: exportedColumn('blocked_people[].user_id'),
      created_at: exportedColumn('blocked_people[].blocked_at'),
    },
  },
  'public.saved_listings': {
    rows: 'user_id = $1',
    key: ['user_id', 'listing_id'],
    deletion: 'rows go',
    columns: {
      user_id: accountIdColumn,
      listing_id: exportedColumn('saved_listings[].listing_id'),
      title: exportedColumn('saved_listings[].title'),
      price: exportedColumn('saved_listings[].price'),
      rental_period: exportedColumn('saved_listings[].rental_period'),
      saved_at: exportedColumn('saved_listings[].saved_at'),
    },
  },
  'public.saved_searches': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: exportedColumn('saved_searches[].id'),
      user_id: accountIdColumn,
      name: exportedColumn('saved_searches[].name'),
      query: exportedColumn('saved_searches[].query'),
      alert: exportedColumn('saved_searches[].alert'),
      created_at: exportedColumn('saved_searches[].created_at'),
      visited_at: exportedColumn('saved_searches[].visited_at'),
      announced_at: exportedColumn('saved_searches[].announced_at'),
      deleted_at: withheldColumn('when a search was deleted; removed with it within two minutes'),
      ...classifyColumnsOfQuery(),
    },
  },
  'public.wanted_posts': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomIdColumn,
      user_id: accountIdColumn,
      client_id: randomIdColumn,
      title: exportedColumn('wanted_posts[].title'),
      category: exportedColumn('wanted_posts[].category'),
      max_price: exportedColumn('wanted_posts[].max_price'),
      words: derivedColumn,
      isbns: derivedColumn,
      text_key: derivedColumn,
      until: exportedColumn('wanted_posts[].until'),
      created_at: exportedColumn('wanted_posts[].created_at'),
      updated_at: exportedColumn('wanted_posts[].updated_at'),
      closed_at: exportedColumn('wanted_posts[].closed_at'),
      hidden_at: exportedColumn('wanted_posts[].hidden_at'),
      hidden_reason: exportedColumn('wanted_posts[].hidden_reason'),
    },
  },
  'public.wanted_alerts': {
    rows: 'user_id = $1',
    key: ['listing_id', 'user_id'],
    deletion: 'rows go',
    columns: {
      listing_id: withheldColumn(
        'the listing of a notification, in the export as notifications[].subject_id',
      ),
      user_id: accountIdColumn,
      told_at: derivedColumn,
    },
  },
  'public.saved_search_matches': {
    rows: 'search_id IN (SELECT id FROM saved_searches WHERE user_id = $1)',
    key: ['search_id', 'listing_id'],
    deletion: 'rows go',
    columns: {
      search_id: derivedColumn,
      listing_id: derivedColumn,
      matched_at: derivedColumn,
      announce_at: derivedColumn,
    },
  },
  'public.listings_to_match': {
    rows: 'listing_id IN (SELECT id FROM listings WHERE user_id = $1)',
    key: ['listing_id'],
    deletion: 'rows go',
    columns: {
      listing_id: withheldColumn('a listing, which is exported'),
      before: withheldColumn(
        'what a listing was like before an edit, or before the person was away; removed about a minute after the edit or return',
      ),
      due_at: withheldColumn(
        'when a listing is compared with saved searches, a minute after an edit or return',
      ),
    },
  },
  'public.listing_prices': {
    rows: 'listing_id IN (SELECT id FROM listings WHERE user_id = $1)',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: impersonalColumn('a number'),
      listing_id: withheldColumn('a listing, which is exported'),
      price: withheldColumn(
        'what everybody could see during the last 30 days; kept to recognize lower prices',
      ),
      rental_period: withheldColumn('the period of the price'),
      until: withheldColumn('when the price was last in effect'),
    },
  },
  'public.away_periods': {
    rows: 'user_id = $1',
    key: ['user_id', 'began_at'],
    deletion: 'rows go',
    columns: {
      user_id: accountIdColumn,
      began_at: withheldColumn('when the person was away, which response times leave out'),
      ends_at: withheldColumn('until when the person was away, which response times leave out'),
    },
  },
  'public.saved_listing_changes': {
    rows: 'listing_id IN (SELECT id FROM listings WHERE user_id = $1)',
    key: ['listing_id', 'change'],
    deletion: 'rows go',
    columns: {
      listing_id: withheldColumn('a listing, which is exported'),
      change: withheldColumn('what changed; removed about a minute after it'),
      due_at: withheldColumn('when the people who saved the listing are notified'),
    },
  },
  'public.notifications': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: withheldColumn('a random id'),
      user_id: accountIdColumn,
      kind: exportedColumn('notifications[].kind'),
      event: exportedColumn('notifications[].event'),
      subject_id: exportedColumn('notifications[].subject_id'),
      facts: exportedColumn('notifications[].facts'),
      count: exportedColumn('notifications[].count'),
      job_id: withheldColumn('a random id'),
      created_at: exportedColumn('notifications[].created_at'),
      read_at: exportedColumn('notifications[].read_at'),
      email_due_at: withheldColumn('when the email about it is due; the email itself has reached the person'),
      emailed_count: withheldColumn(
        'how many of the events were emailed; the emails have reached the person',
      ),
    },
  },
  'public.notification_settings': {
    rows: 'user_id = $1',
    key: ['user_id'],
    deletion: 'rows go',
    columns: {
      user_id: accountIdColumn,
      channels_off: exportedColumn('settings.notifications.channels_off'),
      quiet_from: exportedColumn('settings.notifications.quiet_hours.from'),
      quiet_until: exportedColumn('settings.notifications.quiet_hours.until'),
      digest_hour: exportedColumn('settings.notifications.digest_hour'),
      digest_content: exportedColumn('settings.notifications.digest_content'),
      push_content: exportedColumn('settings.notifications.push_content'),
    },
  },
  'public.due_pushes': {
    rows: 'user_id = $1',
    key: ['user_id', 'source', 'subject_id', 'kind', 'detail'],
    deletion: 'rows go',
    columns: {
      user_id: accountIdColumn,
      source: duePushColumn,
      subject_id: duePushColumn,
      kind: duePushColumn,
      detail: duePushColumn,
      due_at: duePushColumn,
    },
  },
  'private.push_subscriptions': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomIdColumn,
      user_id: accountIdColumn,
      session_id: withheldColumn('the session, in the export under sessions'),
      endpoint: exportedColumn('push_devices[].endpoint'),
      p256dh: withheldColumn('a random key of the browser, which only it can use'),
      auth: credentialColumn,
      device_name: exportedColumn('push_devices[].device_name'),
      created_at: exportedColumn('push_devices[].created_at'),
      used_at: exportedColumn('push_devices[].last_used_at'),
    },
  },
  'private.credentials': {
    rows: 'user_id = $1',
    key: ['user_id'],
    deletion: 'rows go',
    columns: {
      user_id: accountIdColumn,
      password_hash: credentialColumn,
      confirmed_at: exportedColumn('account.confirmed_at'),
      suspended_at: exportedColumn('account.suspended_at'),
      suspended_until: exportedColumn('account.suspended_until'),
      suspended_by: randomIdColumn,
      badge_removed_at: exportedColumn('account.badge_removed_at'),
      console_role: exportedColumn('profile.console_role'),
      updated_at: exportedColumn('account.credentials_changed_at'),
      signup_device: credentialColumn,
      availability_asked_at: withheldColumn(
        'when the person was last asked about listings, in the export as asked_at',
      ),
    },
  },
  'private.sessions': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomIdColumn,
      user_id: accountIdColumn,
      method: exportedColumn('sessions[].method'),
      created_at: exportedColumn('sessions[].began_at'),
      last_used_at: exportedColumn('sessions[].last_used_at'),
      second_factor_at: exportedColumn('sessions[].second_factor_at'),
      second_factor_method: exportedColumn('sessions[].second_factor_method'),
      reauthenticated_at: exportedColumn('sessions[].reauthenticated_at'),
      device_name: exportedColumn('sessions[].device_name'),
    },
  },
  'private.second_factors': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomIdColumn,
      user_id: accountIdColumn,
      kind: exportedColumn('second_factors[].kind'),
      name: exportedColumn('second_factors[].name'),
      sealed_secret: credentialColumn,
      created_at: exportedColumn('second_factors[].created_at'),
      verified_at: exportedColumn('second_factors[].verified_at'),
      updated_at: exportedColumn('second_factors[].updated_at'),
      last_used_step: withheldColumn('when the last code was used, in the export under security_events'),
      wrong_codes: shortLivedColumn,
      last_wrong_at: shortLivedColumn,
    },
  },
  'private.suspended_addresses': {
    rows: 'false',
    key: ['address_hash'],
    deletion: 'rows stay',
    columns: {
      address_hash: withheldColumn('a keyed hash of an address whose account was deleted'),
      until: withheldColumn('when nobody is refused under this address any more'),
    },
  },
  'private.recovery_codes': {
    rows: 'factor_id IN (SELECT id FROM private.second_factors WHERE user_id = $1)',
    key: ['factor_id', 'code_hash'],
    deletion: 'rows go',
    columns: { factor_id: accountIdColumn, code_hash: credentialColumn },
  },
  'private.factor_challenges': {
    rows: 'session_id IN (SELECT id FROM private.sessions WHERE user_id = $1)',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomIdColumn,
      session_id: accountIdColumn,
      factor_id: accountIdColumn,
      created_at: shortLivedColumn,
    },
  },
  'private.refresh_tokens': {
    rows: 'session_id IN (SELECT id FROM private.sessions WHERE user_id = $1)',
    key: ['token_hash'],
    deletion: 'rows go',
    columns: {
      token_hash: credentialColumn,
      session_id: accountIdColumn,
      successor_salt: credentialColumn,
      created_at: withheldColumn('when the session was used, in the export as its last use'),
      replaced_at: withheldColumn('when the session was used, in the export as its last use'),
    },
  },
  'private.known_devices': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomIdColumn,
      device_hash: credentialColumn,
      user_id: accountIdColumn,
      first_used_at: exportedColumn('devices[].first_used_at'),
      last_used_at: exportedColumn('devices[].last_used_at'),
      day_started: shortLivedColumn,
      day_failures: shortLivedColumn,
      day_requests: shortLivedColumn,
    },
  },
  'private.campus_addresses': {
    rows: 'user_id = $1',
    key: ['user_id'],
    deletion: 'rows go',
    columns: {
      user_id: accountIdColumn,
      email: exportedColumn('profile.campus_address.email'),
      requested_at: exportedColumn('profile.campus_address.requested_at'),
      verified_at: exportedColumn('profile.campus_address.verified_at'),
    },
  },
  'private.memberships': {
    rows: 'user_id = $1',
    key: ['user_id'],
    deletion: 'rows go',
    columns: {
      user_id: accountIdColumn,
      confirmed_at: exportedColumn('membership.confirmed_at'),
      confirmed_with: exportedColumn('membership.confirmed_with'),
      due_on: exportedColumn('membership.due_on'),
      questions: withheldColumn(
        'how many questions before this day were asked; the emails have reached the person',
      ),
      ends_on: exportedColumn('membership.ends_on'),
      notices: withheldColumn(
        'how many notices before this day were sent; the emails have reached the person',
      ),
      ended_at: exportedColumn('membership.ended_at'),
      is_denied: exportedColumn('membership.is_denied'),
      had_badge: exportedColumn('membership.had_badge'),
      link_mailed_at: withheldColumn('when the person last asked for a link, which they received'),
    },
  },
  'private.identities': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomIdColumn,
      user_id: accountIdColumn,
      issuer: exportedColumn('identities[].issuer'),
      subject: exportedColumn('identities[].subject'),
      email: exportedColumn('identities[].email'),
      role: exportedColumn('identities[].role'),
      created_at: exportedColumn('identities[].connected_at'),
      last_used_at: exportedColumn('identities[].last_used_at'),
    },
  },
  'private.passkeys': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomIdColumn,
      user_id: accountIdColumn,
      credential_id: credentialColumn,
      public_key: credentialColumn,
      counter: credentialColumn,
      transports: credentialColumn,
      name: exportedColumn('passkeys[].name'),
      created_at: exportedColumn('passkeys[].created_at'),
      last_used_at: exportedColumn('passkeys[].last_used_at'),
    },
  },
  'private.passkey_challenges': {
    rows: 'session_id IN (SELECT id FROM private.sessions WHERE user_id = $1)',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: shortLivedColumn,
      challenge: shortLivedColumn,
      session_id: shortLivedColumn,
      expires_at: shortLivedColumn,
    },
  },
  'private.sign_on_flows': {
    rows: 'session_id IN (SELECT id FROM private.sessions WHERE user_id = $1)',
    key: ['token_hash'],
    deletion: 'rows go',
    columns: Object.fromEntries(
      [
        'token_hash',
        'stage',
        'browser_hash',
        'code_challenge',
        'redirect_to',
        'session_id',
        'identity',
        'expires_at',
      ].map((name) => [name, shortLivedColumn]),
    ),
  },
  'private.codes': {
    rows: `email = $2 OR email = 'campus ' || $1::text`,
    key: ['email'],
    deletion: 'rows go',
    columns: {
      email: withheldColumn(
        'the log-in address or the account itself, in the export as profile.email and profile.id',
      ),
      code_hash: credentialColumn,
      purpose: shortLivedColumn,
      attempts: shortLivedColumn,
      sent_at: shortLivedColumn,
      expires_at: shortLivedColumn,
      day_started: shortLivedColumn,
      day_attempts: shortLivedColumn,
      day_codes: shortLivedColumn,
    },
  },
  'private.reset_tokens': {
    rows: 'user_id = $1',
    key: ['user_id'],
    deletion: 'rows go',
    columns: { user_id: accountIdColumn, token_hash: credentialColumn, expires_at: shortLivedColumn },
  },
  'private.auth_passwords': {
    rows: 'user_id = $1',
    key: ['password_hash'],
    deletion: 'rows go',
    columns: {
      password_hash: credentialColumn,
      user_id: accountIdColumn,
      method: shortLivedColumn,
      expires_at: shortLivedColumn,
      authenticated_at: shortLivedColumn,
    },
  },
  'public.listings': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      ...Object.fromEntries(
        Object.keys(exportedListingSchema.shape).map((column) => [
          column,
          exportedColumn(`listings[].${column}`),
        ]),
      ),
      user_id: accountIdColumn,
      hidden_with: withheldColumn(
        'whether the account or the listing was hidden, which suspended_at and hidden_reason also tell',
      ),
      held_at: withheldColumn(
        'since when it waits for a moderator, which the status and updated_at also tell',
      ),
      wording_approved_at: withheldColumn('a note of the moderators, so that they need not decide twice'),
      sold_to: withheldColumn('the account of another person, whom the owner chose'),
      drawn_at: withheldColumn(
        'when the order of a draw was determined, which the owner sees in the conversations',
      ),
      deleted_at: deletionStateColumn,
      status_before_deletion: deletionStateColumn,
      client_id: randomIdColumn,
      copied_from: withheldColumn('the id of another listing of the person, which is exported'),
      search_text: derivedColumn,
      folded_text: derivedColumn,
      away_until: withheldColumn('copied from the account'),
    },
  },
  'private.objects': {
    rows: 'owner_id = $1',
    key: ['bucket', 'path'],
    deletion: 'rows go',
    columns: {
      bucket: exportedColumn('photos[].bucket'),
      path: derivedColumn,
      url: exportedColumn('photos[].url'),
      owner_id: accountIdColumn,
      width: exportedColumn('photos[].width'),
      height: exportedColumn('photos[].height'),
      thumbhash: derivedColumn,
      bytes: derivedColumn,
      created_at: exportedColumn('photos[].uploaded_at'),
      message_id: randomIdColumn,
      deal_id: randomIdColumn,
      deal_step: impersonalColumn('the text of the message says it, too'),
    },
  },
  'private.uploads_under_way': {
    rows: 'user_id = $1',
    key: ['user_id', 'place'],
    deletion: 'rows go',
    columns: {
      user_id: accountIdColumn,
      place: impersonalColumn('one of four upload slots'),
      until: withheldColumn('a lease of 45 seconds'),
    },
  },
  'public.conversations': {
    rows: 'buyer_id = $1 OR seller_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: exportedColumn('conversations[].id', keptForOtherPersonReason),
      listing_id: sharedConversationColumn,
      listing_title: exportedColumn('conversations[].listing', keptForOtherPersonReason),
      ...classifyParticipantColumns('buyer'),
      ...classifyParticipantColumns('seller'),
      last_seq: sharedConversationColumn,
      folded_seq: sharedConversationColumn,
      seller_told_at: sharedConversationColumn,
      is_started_by_seller: sharedConversationColumn,
      created_at: exportedColumn('conversations[].began_at', keptForOtherPersonReason),
      updated_at: sharedConversationColumn,
    },
  },
  'public.message_texts': {
    rows: 'conversation_id IN (SELECT id FROM conversations WHERE buyer_id = $1 OR seller_id = $1)',
    key: ['conversation_id', 'block'],
    deletion: 'rows stay',
    columns: {
      conversation_id: sharedConversationColumn,
      block: impersonalColumn('a number'),
      to_seq: { ...messageCountColumn, remains: keptForOtherPersonReason },
      folded_text: withheldColumn('the messages as searches compare them', keptForOtherPersonReason),
    },
  },
  'public.deals': {
    rows: 'buyer_id = $1 OR seller_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      ...Object.fromEntries(
        Object.keys(exportedDealSchema.omit({ you_are: true }).shape).map((column) => [
          column,
          exportedColumn(`deals[].${column}`, keptForOtherPersonReason),
        ]),
      ),
      listing_id: impersonalColumn('about the listing, which the deal names by its title'),
      buyer_id: withheldColumn('says which side the person is, in the export as deals[].you_are'),
      seller_id: withheldColumn('says which side the person is, in the export as deals[].you_are'),
      spot_id: impersonalColumn('a meeting spot, in the export by its name'),
      agreed_spot_id: impersonalColumn('a meeting spot, in the export by its name'),
      calendar_sequence: impersonalColumn('counts the calendar files of the deal'),
      next_notice_at: impersonalColumn('when the next email about the deal is due'),
      ticket_price_cap: impersonalColumn('the rule of the campus when the deal began'),
    },
  },
  'public.pending_listing_changes': {
    rows: 'listing_id IN (SELECT id FROM listings WHERE user_id = $1)',
    key: ['deal_id'],
    deletion: 'rows go',
    columns: {
      deal_id: impersonalColumn('about the deal'),
      listing_id: impersonalColumn('about the listing'),
      before: withheldColumn(
        'what a listing was before a change, for the minute until its buyers are informed',
      ),
    },
  },
  'public.messages': {
    rows: 'sender_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      conversation_id: sharedConversationColumn,
      seq: { ...messageCountColumn, remains: keptForOtherPersonReason },
      id: randomIdColumn,
      sender_id: withheldColumn('in the export as messages[].from'),
      client_id: randomIdColumn,
      message_text: exportedColumn('conversations[].messages[].text', keptForOtherPersonReason),
      created_at: exportedColumn('conversations[].messages[].sent_at', keptForOtherPersonReason),
      kind: exportedColumn('conversations[].messages[].kind', keptForOtherPersonReason),
      data: exportedColumn('conversations[].messages[].step', keptForOtherPersonReason),
      photos: impersonalColumn(
        'random identifiers of the photos, which are exported, and go with the account',
      ),
      unsent_number: withheldColumn(
        'in the export as conversations[].messages[].is_unsent',
        keptForOtherPersonReason,
      ),
      reply_to_seq: exportedColumn('conversations[].messages[].reply_to', keptForOtherPersonReason),
    },
  },
  'private.forms': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: randomIdColumn,
      kind: exportedColumn('forms[].kind', supportMailReason),
      user_id: accountIdColumn,
      email: withheldColumn('part of the content', supportMailReason),
      content: exportedColumn('forms[].content', supportMailReason),
      created_at: exportedColumn('forms[].sent_at', supportMailReason),
      done_at: exportedColumn('forms[].done_at', supportMailReason),
      done_by: impersonalColumn('names the administrator'),
    },
  },
  'private.form_answers': {
    rows: 'author_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: randomIdColumn,
      form_id: impersonalColumn('the form, which somebody else sent'),
      author_id: withheldColumn('the administrator who answered'),
      author_name: impersonalColumn('the user of a command, who is somebody else'),
      answer_text: impersonalColumn('an answer of the site, which was mailed to the sender of the form'),
      created_at: impersonalColumn('when the site answered'),
    },
  },
  'private.moderation_cases': {
    rows: 'person_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: randomIdColumn,
      subject: caseColumn,
      subject_id: caseColumn,
      person_id: accountIdColumn,
      title: caseColumn,
      risk: caseColumn,
      report_count: caseColumn,
      opened_at: caseColumn,
      updated_at: caseColumn,
      resolved_at: caseColumn,
      assigned_to: withheldColumn('the moderator who works on the case'),
      assigned_until: caseColumn,
      reopened_at: caseColumn,
    },
  },
  'private.moderation_quotes': {
    rows: 'case_id IN (SELECT id FROM private.moderation_cases WHERE person_id = $1)',
    key: ['id'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['id', 'case_id', 'content', 'photo_count', 'quoted_at'].map((name) => [name, caseColumn]),
    ),
  },
  'private.moderation_signals': {
    rows: 'case_id IN (SELECT id FROM private.moderation_cases WHERE person_id = $1)',
    key: ['case_id', 'kind'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['case_id', 'kind', 'quote_id', 'detail', 'count', 'raised_at'].map((name) => [name, caseColumn]),
    ),
  },
  'private.moderation_reports': {
    rows: 'reporter_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: randomIdColumn,
      case_id: impersonalColumn('the case, which is about somebody else'),
      quote_id: impersonalColumn('what somebody else wrote'),
      reporter_id: accountIdColumn,
      reason: exportedColumn('reports[].reason', keptForCaseReason),
      report_text: exportedColumn('reports[].text', keptForCaseReason),
      created_at: exportedColumn('reports[].reported_at', keptForCaseReason),
    },
  },
  'private.moderation_actions': {
    rows: `applied_at IS NOT NULL AND action <> 'dismiss'
      AND case_id IN (SELECT id FROM private.moderation_cases WHERE person_id = $1)`,
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: randomIdColumn,
      case_id: caseColumn,
      action: exportedColumn('decisions[].action', keptForCaseReason),
      reason: exportedColumn('decisions[].reason', keptForCaseReason),
      days: exportedColumn('decisions[].days', keptForCaseReason),
      template: impersonalColumn('the name of a prepared text'),
      actor_id: impersonalColumn('the moderator, who is somebody else'),
      actor_role: impersonalColumn('the role of the moderator, who is somebody else'),
      actor_name: impersonalColumn('the user of a command, who is somebody else'),
      chosen_at: caseColumn,
      takes_effect_at: caseColumn,
      applied_at: exportedColumn('decisions[].decided_at', keptForCaseReason),
      undone_at: caseColumn,
      restored_at: exportedColumn('decisions[].reversed_at', keptForCaseReason),
      appeal_hash: withheldColumn('the hash of a credential in an email', keptForCaseReason),
      failure: caseColumn,
      listing_version: caseColumn,
      listing_status: caseColumn,
    },
  },
  'private.moderation_appeals': {
    rows: 'person_id = $1',
    key: ['action_id'],
    deletion: 'rows stay',
    columns: {
      action_id: caseColumn,
      person_id: accountIdColumn,
      appeal_text: exportedColumn('decisions[].appeal.text', keptForCaseReason),
      created_at: exportedColumn('decisions[].appeal.sent_at', keptForCaseReason),
      decided_at: exportedColumn('decisions[].appeal.decided_at', keptForCaseReason),
      is_granted: exportedColumn('decisions[].appeal.is_granted', keptForCaseReason),
    },
  },
  'private.mailbox': {
    rows: 'recipient = $2 OR recipient = (SELECT email FROM private.campus_addresses WHERE user_id = $1)',
    key: ['id'],
    deletion: 'rows go',
    columns: Object.fromEntries(
      ['id', 'recipient', 'subject', 'text_body', 'html_body', 'attachments', 'created_at'].map((name) => [
        name,
        withheldColumn('copies of sent mail, in development only'),
      ]),
    ),
  },
  'private.rate_limits': {
    rows: `key LIKE '%:u:' || $1::text`,
    key: ['key'],
    deletion: 'rows go',
    columns: {
      key: withheldColumn('a rate-limit counter, which expires by itself'),
      points: withheldColumn('a rate-limit counter, which expires by itself'),
      expire: withheldColumn('a rate-limit counter, which expires by itself'),
    },
  },
  'private.security_events': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: randomIdColumn,
      at: exportedColumn('security_events[].at', keptAsEvidenceReason),
      event: exportedColumn('security_events[].event', keptAsEvidenceReason),
      user_id: withheldColumn('the account itself, in the export as profile.id', keptAsEvidenceReason),
      client: withheldColumn(
        'a keyed hash of an address, which only the server can compare',
        keptAsEvidenceReason,
      ),
      request_id: impersonalColumn('identifies a request in the log'),
      detail: exportedColumn('security_events[].detail', keptAsEvidenceReason),
      actor: withheldColumn(
        'the person, or an administrator, whose name is not disclosed',
        keptAsEvidenceReason,
      ),
      reason: withheldColumn('an internal note, which may be about others', keptAsEvidenceReason),
    },
  },
  'public.sale_price_ranges': {
    rows: 'false',
    key: ['key'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['key', 'low', 'high', 'deals_until', 'is_shown'].map((name) => [
        name,
        impersonalColumn('about the deals of at least four sellers, rounded'),
      ]),
    ),
  },
  'private.search_words': {
    rows: 'false',
    key: ['word'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['word', 'stem'].map((name) => [
        name,
        impersonalColumn('a word of any published listing, removed within a day'),
      ]),
    ),
  },
  'private.vapid_keys': {
    rows: 'false',
    key: ['public_key'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['public_key', 'sealed', 'created_at'].map((name) => [name, impersonalColumn('a key of the server')]),
    ),
  },
  'private.replication_heartbeats': {
    rows: 'false',
    key: ['writer'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['writer', 'beat', 'written_at'].map((name) => [
        name,
        impersonalColumn('about a process of the server'),
      ]),
    ),
  },
  'private.socket_hosts': {
    rows: 'false',
    key: ['host'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['host', 'renewals'].map((name) => [name, impersonalColumn('about a host of the server')]),
    ),
  },
  'private.socket_counts': {
    rows: 'false',
    key: ['key', 'host'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['key', 'host', 'count'].map((name) => [
        name,
        impersonalColumn('a number of open sockets under a hash; gone when they are closed'),
      ]),
    ),
  },
  'private.signing_keys': {
    rows: 'false',
    key: ['kid'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['kid', 'sealed', 'signs_from', 'verifies_until'].map((name) => [
        name,
        impersonalColumn('keys of the server'),
      ]),
    ),
  },
  'private.first_availability_check': {
    rows: 'false',
    key: ['is_only'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['is_only', 'check_days', 'started_at'].map((name) => [name, impersonalColumn('about a job')]),
    ),
  },
  'private.campus_currency': {
    rows: 'false',
    key: ['is_only'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['is_only', 'currency'].map((name) => [name, impersonalColumn('a setting of the campus')]),
    ),
  },
  'private.checked_texts': {
    rows: 'false',
    key: ['table_name'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['table_name', 'checked_to'].map((name) => [name, impersonalColumn('progress of a job')]),
    ),
  },
  'public.books': {
    rows: 'false',
    key: ['isbn'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['isbn', 'title', 'authors', 'edition', 'published_year'].map((name) => [
        name,
        impersonalColumn('a published book, from a catalog that administrators import'),
      ]),
    ),
  },
  'public.courses': {
    rows: 'false',
    key: ['code'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['code', 'title', 'term'].map((name) => [name, impersonalColumn('a course of the campus')]),
    ),
  },
  'public.course_books': {
    rows: 'false',
    key: ['course', 'isbn'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['course', 'isbn'].map((name) => [name, impersonalColumn('a book of a course of the campus')]),
    ),
  },
  'private.book_imports': {
    rows: 'false',
    key: ['file_hash'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['file_hash', 'position', 'progress'].map((name) => [name, impersonalColumn('progress of an import')]),
    ),
  },
  'public.games': {
    rows: 'false',
    key: ['day', 'name'],
    deletion: 'rows stay',
    columns: {
      day: impersonalColumn('the public schedule of games'),
      name: impersonalColumn('the public schedule of games'),
    },
  },
  'public.meeting_spots': {
    rows: 'false',
    key: ['id'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      [
        ...['id', 'name', 'landmark', 'is_indoors', 'is_lit', 'has_camera_or_phone', 'opening_hours'],
        ...['confirmed_at', 'removed_at'],
      ].map((name) => [name, impersonalColumn('a public place, entered by administrators')]),
    ),
  },
  'private.announcement': {
    rows: 'false',
    key: ['is_only'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['is_only', 'text', 'begins_at', 'ends_at'].map((name) => [
        name,
        impersonalColumn('a public text, entered by administrators'),
      ]),
    ),
  },
  'public.schema_migrations': {
    rows: 'false',
    key: ['id'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['id', 'name', 'run_on'].map((name) => [name, impersonalColumn('versions of the schema')]),
    ),
  },
};
