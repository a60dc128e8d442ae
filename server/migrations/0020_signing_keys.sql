-- The keys that sign access tokens, shared by all processes of a database: a new one is published here before it signs, so
-- every process verifies with it by then. `sealed` is the private key, encrypted and authenticated under the pepper in
-- secrets.json: without that file a row cannot be read, and none can be forged.
CREATE TABLE private.signing_keys (
  kid text PRIMARY KEY,
  sealed text NOT NULL,
  signs_from timestamptz NOT NULL,
  verifies_until timestamptz
);
