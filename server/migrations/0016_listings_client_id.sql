-- The idempotency key that the form generates for a new listing. Saving again with the same key,
-- for example after a lost response, updates the same listing (rulings, "Listings").
ALTER TABLE listings ADD COLUMN client_id uuid;
