-- The deposit that the owner of an item for rent asks for.
ALTER TABLE listings ADD COLUMN deposit numeric;
