-- Earlier prices of listings, to detect when a price drops below the lowest of the last 30 days.
-- `until` is the last time at which the price is known to have been in effect: an unchanged price
-- is recorded again at each comparison.
CREATE TABLE listing_prices (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  listing_id    uuid NOT NULL,
  price         numeric NOT NULL,
  rental_period text,
  until         timestamptz NOT NULL
);
CREATE INDEX listing_prices_of_listing ON listing_prices (listing_id, until);
CREATE INDEX listing_prices_by_time ON listing_prices (until);

-- Changes to saved listings; the people who saved a listing are notified of its change when it is due.
CREATE TABLE saved_listing_changes (
  listing_id uuid NOT NULL,
  change     text NOT NULL CHECK (change IN ('price', 'hold_ended', 'sold')),
  due_at     timestamptz NOT NULL,
  PRIMARY KEY (listing_id, change)
);
CREATE INDEX saved_listing_changes_by_time ON saved_listing_changes (due_at);
