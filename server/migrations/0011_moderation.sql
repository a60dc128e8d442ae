-- The state of moderated accounts and listings, and the log of security events.

ALTER TABLE private.credentials ADD COLUMN suspended_at timestamptz;

-- A hidden listing is a draft that cannot be published, because an administrator hid either the
-- listing or its owner's whole account.
ALTER TABLE listings
  ADD COLUMN hidden_at timestamptz,
  ADD COLUMN hidden_with text CHECK (hidden_with IN ('listing', 'account')),
  ADD COLUMN hidden_reason text CHECK (char_length(hidden_reason) BETWEEN 1 AND 500),
  ADD CONSTRAINT listings_hidden_are_drafts CHECK (hidden_at IS NULL OR status = 'draft'),
  ADD CONSTRAINT listings_hidden_somehow CHECK ((hidden_at IS NULL) = (hidden_with IS NULL));

-- Has no foreign key to users, because the log of an account's deletion outlives the account.
CREATE TABLE private.security_events (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL,
  event      text NOT NULL,
  user_id    uuid,
  -- A keyed hash of the client address: it identifies the same client again without storing the address.
  client     text,
  request_id text,
  detail     text
);
CREATE INDEX security_events_by_age ON private.security_events (at);
CREATE INDEX security_events_of_user ON private.security_events (user_id, at) WHERE user_id IS NOT NULL;
