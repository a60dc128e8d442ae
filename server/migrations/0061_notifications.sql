-- Notifications refer to rows by id; their texts are created when they are read. `subject_id` is
-- the id of a listing, a deal or a saved search, depending on the event, and random for security events. Unread
-- events of the same kind about the same subject share a row, which counts them. `job_id` is the id
-- of the job that stored the latest event, so that a repeated job does not count it twice.
-- `email_due_at` is when the email about the notification is due; null when there is none, or when
-- it was sent.
CREATE TABLE notifications (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind         text NOT NULL,
  event        text NOT NULL,
  subject_id   uuid NOT NULL,
  facts        jsonb NOT NULL,
  count        int NOT NULL DEFAULT 1,
  job_id       uuid NOT NULL,
  created_at   timestamptz NOT NULL,
  read_at      timestamptz,
  email_due_at timestamptz
);
CREATE UNIQUE INDEX unread_notifications ON notifications (user_id, event, subject_id) WHERE read_at IS NULL;
CREATE INDEX notifications_by_time ON notifications (user_id, created_at DESC, id DESC);
CREATE INDEX notifications_to_email ON notifications (email_due_at) WHERE email_due_at IS NOT NULL;

-- Settings of people who have changed them. `channels_off` lists channels, such as
-- `saved_listings.email`. Whether emails about messages are sent is in users.email_messages.
CREATE TABLE notification_settings (
  user_id      uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  channels_off text[] NOT NULL DEFAULT '{}',
  quiet_from   smallint NOT NULL DEFAULT 22,
  quiet_until  smallint NOT NULL DEFAULT 8,
  digest_hour  smallint NOT NULL DEFAULT 8,
  -- 'full', or 'brief' for emails without quotes.
  digest_content text NOT NULL DEFAULT 'full' CHECK (digest_content IN ('full', 'brief'))
);
