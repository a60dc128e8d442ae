-- Listings that people saved, with title and price at that time. The title is shown for listings
-- that are no longer available. A later file adds the foreign key to the listing.
CREATE TABLE saved_listings (
  user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  listing_id    uuid NOT NULL,
  title         text NOT NULL,
  price         numeric(8, 2) NOT NULL,
  rental_period text NOT NULL,
  saved_at      timestamptz NOT NULL,
  PRIMARY KEY (user_id, listing_id)
);
CREATE INDEX saved_listings_by_time ON saved_listings (user_id, saved_at DESC, listing_id DESC);
CREATE INDEX saves_of_listing ON saved_listings (listing_id);
