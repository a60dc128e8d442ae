-- For finding what listings say about a book, also those that are sold.
CREATE INDEX IF NOT EXISTS listings_known_by_isbn ON listings (isbn, created_at DESC, id DESC)
  WHERE status IN ('published', 'sold') AND isbn IS NOT NULL;
