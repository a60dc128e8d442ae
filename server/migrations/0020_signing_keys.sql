-- The keys that sign access tokens, shared by all processes of a database. A new key is published
-- here before it signs, so that every process can already verify with it. `sealed` is the private
-- key, encrypted and authenticated with the pepper in secrets.json: without that file, no row can
-- be read or forged.
CREATE TABLE private.signing_keys (
  kid text PRIMARY KEY,
  sealed text NOT NULL,
  signs_from timestamptz NOT NULL,
  verifies_until timestamptz
);
