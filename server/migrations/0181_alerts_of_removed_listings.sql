ALTER TABLE wanted_alerts ADD FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE;
