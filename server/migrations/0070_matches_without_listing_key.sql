-- A listing matches up to thousands of saved searches at once, and checking the foreign keys of their rows took a third of
-- the time. Readers join the listings, and a daily job removes the rows of listings that are gone, so the index by listing
-- has no reader either. In a file of its own, because this locks listings.
ALTER TABLE saved_search_matches DROP CONSTRAINT saved_search_matches_listing_id_fkey;
DROP INDEX saved_search_matches_of_listing;
