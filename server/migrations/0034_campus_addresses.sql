-- Campus addresses that people added to accounts with another log-in address (docs/decisions/0036).
-- An address without verified_at has not been confirmed with a code yet. Several accounts may have
-- added the same address, but only one of them can verify it. The codes are in private.codes, under
-- a key of the account instead of an email address.
CREATE TABLE private.campus_addresses (
  user_id      uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  email        text NOT NULL,
  requested_at timestamptz NOT NULL,
  verified_at  timestamptz,
  CONSTRAINT campus_addresses_email_canonical CHECK (email = lower(btrim(email)) AND char_length(email) <= 254)
);
CREATE UNIQUE INDEX campus_addresses_verified ON private.campus_addresses (email) WHERE verified_at IS NOT NULL;
CREATE INDEX campus_addresses_waiting ON private.campus_addresses (requested_at) WHERE verified_at IS NULL;
