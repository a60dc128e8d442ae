-- In a file of its own, because these foreign keys lock listings.
ALTER TABLE saved_search_matches ADD FOREIGN KEY (listing_id) REFERENCES listings ON DELETE CASCADE;
ALTER TABLE listings_to_match ADD FOREIGN KEY (listing_id) REFERENCES listings ON DELETE CASCADE;
