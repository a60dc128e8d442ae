-- Browsers that get push notifications. A subscription ends with its session. `p256dh` and `auth` are the keys of the browser
-- for which the content is encrypted (RFC 8291).
CREATE TABLE private.push_subscriptions (
  id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  session_id  uuid NOT NULL UNIQUE REFERENCES private.sessions ON DELETE CASCADE,
  endpoint    text NOT NULL UNIQUE,
  p256dh      text NOT NULL,
  auth        text NOT NULL,
  device_name text NOT NULL,
  created_at  timestamptz NOT NULL,
  used_at     timestamptz
);
CREATE INDEX push_subscriptions_of_user ON private.push_subscriptions (user_id);

-- What people with such a browser are about to be told, with ids instead of texts. `source` says what `subject_id` is:
-- a conversation, a notification or a deal, whose notice is named by `detail`. `kind` is a row of the settings.
CREATE TABLE due_pushes (
  user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  source     text NOT NULL,
  subject_id uuid NOT NULL,
  kind       text NOT NULL,
  detail     text NOT NULL DEFAULT '',
  due_at     timestamptz NOT NULL,
  PRIMARY KEY (user_id, source, subject_id, kind, detail)
);
CREATE INDEX due_pushes_by_time ON due_pushes (due_at);

-- The key pair that identifies this server to push services (RFC 8292). `sealed` is the private key, encrypted and
-- authenticated under the pepper in secrets.json.
CREATE TABLE private.vapid_keys (
  public_key text PRIMARY KEY,
  sealed     text NOT NULL,
  created_at timestamptz NOT NULL
);

-- 'full', or 'hidden' for push notifications that do not say what they are about.
ALTER TABLE notification_settings
  ADD COLUMN push_content text NOT NULL DEFAULT 'full' CHECK (push_content IN ('full', 'hidden'));
