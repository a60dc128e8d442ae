-- Addresses that may lead to the same mailbox have the same key: a tag after a plus sign and dots in the name are left
-- out. The campus decides which of these addresses do lead to one mailbox (toCanonicalEmail in contract/campus.ts).
CREATE FUNCTION private.mailbox_key(email text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@' || split_part(email, '@', 2);

CREATE INDEX users_by_mailbox ON users (private.mailbox_key(email));
