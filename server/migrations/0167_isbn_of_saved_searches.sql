-- The ISBN-13 of a saved search whose text is an ISBN.
ALTER TABLE saved_searches ADD COLUMN searched_isbn text;
