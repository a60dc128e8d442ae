-- The page of a sold listing stays public, so its title must be copied to its conversations when
-- the listing is removed.
CREATE OR REPLACE TRIGGER listings_keep_title_of_deleted BEFORE DELETE ON listings
  FOR EACH ROW WHEN (OLD.status IN ('published', 'sold')) EXECUTE FUNCTION private.keep_listing_title();
CREATE OR REPLACE TRIGGER listings_keep_title_of_withdrawn BEFORE UPDATE OF status ON listings
  FOR EACH ROW WHEN (OLD.status IN ('published', 'sold') AND NEW.status = 'draft') EXECUTE FUNCTION private.keep_listing_title();
