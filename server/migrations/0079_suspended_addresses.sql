-- Keyed hashes of the verified addresses of accounts that were deleted while they were suspended, so that nobody returns under
-- them before the suspension would have ended, or for two years at most.
CREATE TABLE private.suspended_addresses (
  address_hash bytea PRIMARY KEY,
  until        timestamptz NOT NULL
);
CREATE INDEX suspended_addresses_by_end ON private.suspended_addresses (until);
