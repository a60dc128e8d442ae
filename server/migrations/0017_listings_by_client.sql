-- In a file of its own, because listings can be read while this index is built; the lock of 0016
-- would prevent that.
CREATE UNIQUE INDEX IF NOT EXISTS listings_of_client ON listings (user_id, client_id) WHERE client_id IS NOT NULL;
