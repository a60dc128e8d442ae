-- In a file of its own, because listings can be read and written while these statements run.
ALTER TABLE listings VALIDATE CONSTRAINT listings_published_complete;
ALTER TABLE listings VALIDATE CONSTRAINT listings_held_in_review;
