-- Passkeys with which people log in (WebAuthn credentials). `counter` is the signature counter of the last log-in; it stays 0 for
-- authenticators that do not count. `transports` are hints for the browser.
CREATE TABLE private.passkeys (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) <= 1023),
  public_key    bytea NOT NULL,
  counter       bigint NOT NULL,
  transports    text[] NOT NULL,
  name          text NOT NULL CHECK (char_length(name) <= 120),
  created_at    timestamptz NOT NULL,
  last_used_at  timestamptz
);
CREATE INDEX passkeys_of_user ON private.passkeys (user_id);
