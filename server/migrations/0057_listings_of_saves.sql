-- In a file of its own, because this foreign key locks listings, and the file that creates the
-- table locks users.
ALTER TABLE saved_listings ADD FOREIGN KEY (listing_id) REFERENCES listings ON DELETE CASCADE;
