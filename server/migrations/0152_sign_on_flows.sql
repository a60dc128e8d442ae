-- Log-ins by the university's sign-on that have not ended. Each step replaces the token: `started` has the state that was
-- sent to the provider, `returned` the code that was sent to our client, `unproven` the same code until the person has
-- proved that they own the account with the address, and `used` an ID token that must not be used again.
CREATE TABLE private.sign_on_flows (
  token_hash bytea PRIMARY KEY,
  stage text NOT NULL CHECK (stage IN ('started', 'returned', 'unproven', 'used')),
  browser_hash bytea,
  code_challenge text,
  redirect_to text,
  session_id uuid REFERENCES private.sessions ON DELETE CASCADE,
  identity jsonb,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_on_flows_by_expiry ON private.sign_on_flows (expires_at);
CREATE INDEX sign_on_flows_of_session ON private.sign_on_flows (session_id) WHERE session_id IS NOT NULL;
