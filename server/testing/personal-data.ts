import { exportedListingSchema } from '#contract/own-data.ts';

/**
 * Classifies a database column: whether it contains data about a person, where the data export contains it, and what
 * remains after the account is deleted. `server/data-export/personal-data.test.ts` fails for unclassified columns.
 */
export type Column =
  /** Personal data, contained in the export at this path; `[]` stands for each element of an array. */
  | { exported: string; remains?: string }
  /** Personal data that the export leaves out, for this reason. */
  | { withheld: string; remains?: string }
  /** Contains no personal data, for this reason. */
  | { impersonal: string };

export interface Table {
  /** SQL condition for the rows about an account; `$1` is its id, `$2` its email address. */
  rows: string;
  /** Columns that identify a row. */
  key: string[];
  /** Whether deleting the account removes the rows, or keeps them and clears personal columns that have no `remains`. */
  deletion: 'rows go' | 'rows stay';
  columns: Record<string, Column>;
}

const exported = (path: string, remains?: string): Column => ({
  exported: path,
  ...(remains ? { remains } : {}),
});
const withheld = (why: string, remains?: string): Column => ({
  withheld: why,
  ...(remains ? { remains } : {}),
});
const impersonal = (why: string): Column => ({ impersonal: why });

const ownAccountId = withheld('the account itself, in the export as profile.id');
const credential = withheld('a credential of the account, or the hash of one');
const shortLived = withheld('state of a code or link, removed within a day after it expires');
const randomName = impersonal('a random identifier of the row');
const derived = withheld('computed from exported columns');
const mailDueTime = withheld('when a mail about unread messages is due');
const sharedRow = impersonal('about the conversation, which belongs to both sides');
const messageCount = withheld('counts the messages, which are exported');
const otherReaders = 'the other person can still read it, under "Deleted user"';
const supportMail =
  'messages to the campus are kept without a link to the account, as the privacy page states';
const evidence =
  'removed 90 days after the event, so that events before a deletion can still be investigated';

const classifyColumnsOf = (name: 'buyer' | 'seller'): Record<string, Column> => ({
  [`${name}_id`]: withheld('says which side the person is, in the export as conversations[].you_are'),
  [`${name}_read_seq`]: exported('conversations[].read_messages'),
  [`${name}_seen_at`]: exported('conversations[].last_seen_at'),
  [`${name}_waiting_since`]: mailDueTime,
  [`${name}_waiting_from`]: mailDueTime,
});

/** Classification of every column in the database schema, by table. */
export const personalData: Record<string, Table> = {
  'public.users': {
    rows: 'id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: exported('profile.id'),
      email: exported('profile.email'),
      full_name: exported('profile.full_name'),
      role: exported('profile.role'),
      bio: exported('profile.bio'),
      avatar_url: exported('profile.avatar_url'),
      usc_verified: exported('profile.usc_verified'),
      show_full_name: exported('settings.show_full_name'),
      email_messages: exported('settings.email_messages'),
      created_at: exported('profile.created_at'),
      updated_at: exported('profile.updated_at'),
      display_name: derived,
    },
  },
  'private.credentials': {
    rows: 'user_id = $1',
    key: ['user_id'],
    deletion: 'rows go',
    columns: {
      user_id: ownAccountId,
      password_hash: credential,
      confirmed_at: exported('account.confirmed_at'),
      suspended_at: exported('account.suspended_at'),
      updated_at: exported('account.credentials_changed_at'),
      signup_device: credential,
    },
  },
  'private.sessions': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomName,
      user_id: ownAccountId,
      method: exported('sessions[].method'),
      created_at: exported('sessions[].began_at'),
      last_used_at: exported('sessions[].last_used_at'),
    },
  },
  'private.refresh_tokens': {
    rows: 'session_id IN (SELECT id FROM private.sessions WHERE user_id = $1)',
    key: ['token_hash'],
    deletion: 'rows go',
    columns: {
      token_hash: credential,
      session_id: ownAccountId,
      successor_salt: credential,
      created_at: withheld('when the session was used, in the export as its last use'),
      replaced_at: withheld('when the session was used, in the export as its last use'),
    },
  },
  'private.known_devices': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      id: randomName,
      device_hash: credential,
      user_id: ownAccountId,
      first_used_at: exported('devices[].first_used_at'),
      last_used_at: exported('devices[].last_used_at'),
      day_started: shortLived,
      day_failures: shortLived,
      day_requests: shortLived,
    },
  },
  'private.codes': {
    rows: 'email = $2',
    key: ['email'],
    deletion: 'rows go',
    columns: {
      email: withheld('the address, in the export as profile.email'),
      code_hash: credential,
      purpose: shortLived,
      attempts: shortLived,
      sent_at: shortLived,
      expires_at: shortLived,
      day_started: shortLived,
      day_attempts: shortLived,
      day_codes: shortLived,
    },
  },
  'private.reset_tokens': {
    rows: 'user_id = $1',
    key: ['user_id'],
    deletion: 'rows go',
    columns: { user_id: ownAccountId, token_hash: credential, expires_at: shortLived },
  },
  'private.auth_passwords': {
    rows: 'user_id = $1',
    key: ['password_hash'],
    deletion: 'rows go',
    columns: { password_hash: credential, user_id: ownAccountId, method: shortLived, expires_at: shortLived },
  },
  'public.listings': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows go',
    columns: {
      ...Object.fromEntries(
        Object.keys(exportedListingSchema.shape).map((column) => [column, exported(`listings[].${column}`)]),
      ),
      user_id: ownAccountId,
      hidden_with: withheld(
        'whether the account or the listing was hidden, which suspended_at and hidden_reason also tell',
      ),
      client_id: randomName,
      search_text: derived,
    },
  },
  'private.objects': {
    rows: 'owner_id = $1',
    key: ['bucket', 'path'],
    deletion: 'rows go',
    columns: {
      bucket: exported('photos[].bucket'),
      path: derived,
      url: exported('photos[].url'),
      owner_id: ownAccountId,
      width: exported('photos[].width'),
      height: exported('photos[].height'),
      thumbhash: derived,
      bytes: derived,
      created_at: exported('photos[].uploaded_at'),
    },
  },
  'private.uploads_under_way': {
    rows: 'user_id = $1',
    key: ['user_id', 'place'],
    deletion: 'rows go',
    columns: {
      user_id: ownAccountId,
      place: impersonal('one of four upload slots'),
      until: withheld('a lease of two minutes'),
    },
  },
  'public.conversations': {
    rows: 'buyer_id = $1 OR seller_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: exported('conversations[].id', otherReaders),
      listing_id: sharedRow,
      listing_title: exported('conversations[].listing', otherReaders),
      ...classifyColumnsOf('buyer'),
      ...classifyColumnsOf('seller'),
      last_seq: sharedRow,
      seller_told_at: sharedRow,
      created_at: exported('conversations[].began_at', otherReaders),
      updated_at: sharedRow,
    },
  },
  'public.messages': {
    rows: 'sender_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      conversation_id: sharedRow,
      seq: { ...messageCount, remains: otherReaders },
      id: randomName,
      sender_id: withheld('in the export as messages[].from'),
      client_id: randomName,
      message_text: exported('conversations[].messages[].text', otherReaders),
      created_at: exported('conversations[].messages[].sent_at', otherReaders),
    },
  },
  'private.forms': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: randomName,
      kind: exported('forms[].kind', supportMail),
      user_id: ownAccountId,
      email: withheld('part of the content', supportMail),
      content: exported('forms[].content', supportMail),
      created_at: exported('forms[].sent_at', supportMail),
      done_at: exported('forms[].done_at', supportMail),
      done_by: impersonal('names the administrator'),
    },
  },
  'private.mailbox': {
    rows: 'recipient = $2',
    key: ['id'],
    deletion: 'rows go',
    columns: Object.fromEntries(
      ['id', 'recipient', 'subject', 'text_body', 'html_body', 'created_at'].map((name) => [
        name,
        withheld('copies of sent mail, in development only'),
      ]),
    ),
  },
  'private.rate_limits': {
    rows: `key LIKE '%:u:' || $1::text`,
    key: ['key'],
    deletion: 'rows go',
    columns: {
      key: withheld('a rate-limit counter, which expires by itself'),
      points: withheld('a rate-limit counter, which expires by itself'),
      expire: withheld('a rate-limit counter, which expires by itself'),
    },
  },
  'private.security_events': {
    rows: 'user_id = $1',
    key: ['id'],
    deletion: 'rows stay',
    columns: {
      id: randomName,
      at: exported('security_events[].at', evidence),
      event: exported('security_events[].event', evidence),
      user_id: withheld('the account itself, in the export as profile.id', evidence),
      client: withheld('a keyed hash of an address, which only the server can compare', evidence),
      request_id: impersonal('identifies a request in the log'),
      detail: exported('security_events[].detail', evidence),
      actor: withheld('the person, or an administrator, whose name is not disclosed', evidence),
      reason: withheld('an internal note, which may be about others', evidence),
    },
  },
  'private.search_words': {
    rows: 'false',
    key: ['word'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['word', 'stem'].map((name) => [
        name,
        impersonal('a word of any published listing, removed within a day'),
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
        impersonal('keys of the server'),
      ]),
    ),
  },
  'private.checked_texts': {
    rows: 'false',
    key: ['table_name'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['table_name', 'checked_to'].map((name) => [name, impersonal('progress of a job')]),
    ),
  },
  'public.schema_migrations': {
    rows: 'false',
    key: ['id'],
    deletion: 'rows stay',
    columns: Object.fromEntries(
      ['id', 'name', 'run_on'].map((name) => [name, impersonal('versions of the schema')]),
    ),
  },
};
