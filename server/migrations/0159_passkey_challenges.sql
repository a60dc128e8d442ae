-- Challenges that a passkey has to sign, each once and within a few minutes. `session_id` is the session in which a passkey is
-- being added, and null for a log-in.
CREATE TABLE private.passkey_challenges (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  challenge  bytea NOT NULL,
  session_id uuid REFERENCES private.sessions ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_by_expiry ON private.passkey_challenges (expires_at);
CREATE INDEX passkey_challenges_of_session ON private.passkey_challenges (session_id) WHERE session_id IS NOT NULL;
