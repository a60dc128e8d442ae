-- People, and the private data that only the server may read.

CREATE SCHEMA private;

CREATE TABLE users (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email          text NOT NULL UNIQUE,
  full_name      text,
  role           text,
  bio            text,
  avatar_url     text,
  usc_verified   boolean NOT NULL DEFAULT false,
  show_full_name boolean NOT NULL DEFAULT true,
  email_messages boolean NOT NULL DEFAULT true,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  -- The display name: the full name if the person shows it, otherwise the part of the email address
  -- before the at-sign.
  display_name   text NOT NULL GENERATED ALWAYS AS (
    coalesce(CASE WHEN show_full_name THEN full_name END, nullif(split_part(email, '@', 1), ''), 'User')) STORED,
  CONSTRAINT users_email_canonical CHECK (email = lower(btrim(email)) AND char_length(email) <= 254),
  CONSTRAINT users_full_name_length CHECK (char_length(full_name) BETWEEN 1 AND 100),
  CONSTRAINT users_role_known CHECK (role IN ('Student', 'Alumni', 'Staff')),
  CONSTRAINT users_bio_length CHECK (char_length(bio) <= 500)
);

-- password_hash is null while the account has no trusted password; confirmed_at is null until the
-- person has entered a code.
CREATE TABLE private.credentials (
  user_id       uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  password_hash text,
  confirmed_at  timestamptz,
  updated_at    timestamptz NOT NULL
);
CREATE INDEX credentials_unconfirmed ON private.credentials (updated_at) WHERE confirmed_at IS NULL;

CREATE TABLE private.sessions (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  method       text NOT NULL,
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
CREATE INDEX sessions_of_user ON private.sessions (user_id);
CREATE INDEX sessions_by_use ON private.sessions (last_used_at);

-- Only hashes are stored. The successor of a replaced token is derived from the token itself and
-- the salt, so only a caller who has the old token can get the same successor again, for example
-- after a lost response.
CREATE TABLE private.refresh_tokens (
  token_hash     bytea PRIMARY KEY,
  session_id     uuid NOT NULL REFERENCES private.sessions ON DELETE CASCADE,
  successor_salt bytea NOT NULL,
  created_at     timestamptz NOT NULL,
  replaced_at    timestamptz
);
CREATE INDEX refresh_tokens_of_session ON private.refresh_tokens (session_id);

-- One row per email address, with or without an account: cooldown, attempts and the daily limit
-- outlive each code.
CREATE TABLE private.codes (
  email         text PRIMARY KEY,
  code_hash     bytea,
  purpose       text NOT NULL CHECK (purpose IN ('signup', 'otp')),
  attempts      int NOT NULL DEFAULT 0,
  sent_at       timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  day_started   timestamptz NOT NULL,
  day_attempts  int NOT NULL DEFAULT 0,
  day_codes     int NOT NULL DEFAULT 0
);
CREATE INDEX codes_by_age ON private.codes (sent_at);

-- One valid link per person: a new link replaces the previous one.
CREATE TABLE private.reset_tokens (
  user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);

CREATE TABLE private.auth_passwords (
  password_hash bytea PRIMARY KEY,
  user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  method        text NOT NULL,
  expires_at    timestamptz NOT NULL
);
CREATE INDEX auth_passwords_of_user ON private.auth_passwords (user_id);
CREATE INDEX auth_passwords_by_expiry ON private.auth_passwords (expires_at);
