-- A file of its own: while it is built listings are read, which the lock of 0016 would not let them.
CREATE UNIQUE INDEX IF NOT EXISTS listings_of_client ON listings (user_id, client_id) WHERE client_id IS NOT NULL;
