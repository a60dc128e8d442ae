-- In a file of its own, because these foreign keys lock listings.
ALTER TABLE listing_prices ADD FOREIGN KEY (listing_id) REFERENCES listings ON DELETE CASCADE;
ALTER TABLE saved_listing_changes ADD FOREIGN KEY (listing_id) REFERENCES listings ON DELETE CASCADE;
