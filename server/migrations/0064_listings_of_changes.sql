-- In a file of its own, because it locks listings.
ALTER TABLE listing_prices ADD FOREIGN KEY (listing_id) REFERENCES listings ON DELETE CASCADE;
ALTER TABLE saved_listing_changes ADD FOREIGN KEY (listing_id) REFERENCES listings ON DELETE CASCADE;
