-- Submitted forms of the static pages.
CREATE TABLE private.forms (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind       text NOT NULL CHECK (kind IN ('report', 'contact', 'application', 'deletion-request')),
  user_id    uuid REFERENCES users ON DELETE SET NULL,
  email      text,
  content    jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX forms_by_age ON private.forms (kind, created_at DESC);

-- Emails of a development server, which are displayed on its mailbox page instead of being sent.
CREATE TABLE private.mailbox (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recipient  text NOT NULL,
  subject    text NOT NULL,
  text_body  text NOT NULL,
  html_body  text NOT NULL,
  created_at timestamptz NOT NULL
);

-- Counters of the rate limiter, in the layout of rate-limiter-flexible. Losing them in a crash is harmless.
CREATE UNLOGGED TABLE private.rate_limits (
  key    varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_by_expiry ON private.rate_limits (expire);
