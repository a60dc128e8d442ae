-- The name that a form gives to what it posts before it has an id. Saved again under it, after an answer that was lost,
-- it is the same listing (rulings, "Listings").
ALTER TABLE listings ADD COLUMN client_id uuid;
