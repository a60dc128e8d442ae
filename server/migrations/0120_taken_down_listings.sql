-- Taken-down listings, whose photos every process loads in order not to serve them.
CREATE INDEX IF NOT EXISTS listings_taken_down ON listings (id) WHERE hidden_with = 'listing';
