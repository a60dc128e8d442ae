-- In a file of its own, because this foreign key locks listings, and the file that creates the
-- table locks deals.
ALTER TABLE pending_listing_changes ADD FOREIGN KEY (listing_id) REFERENCES listings ON DELETE CASCADE;
