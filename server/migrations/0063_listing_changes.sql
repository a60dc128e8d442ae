-- Earlier prices of listings, to recognize when a price falls below its lowest of the last 30 days. `until` is when the
-- price was last in effect, as far as is known: a price that stays is recorded each time it is compared.
CREATE TABLE listing_prices (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  listing_id    uuid NOT NULL,
  price         numeric NOT NULL,
  rental_period text,
  until         timestamptz NOT NULL
);
CREATE INDEX listing_prices_of_listing ON listing_prices (listing_id, until);
CREATE INDEX listing_prices_by_time ON listing_prices (until);

-- Changes of saved listings about which the people who saved them are notified when they are due.
CREATE TABLE saved_listing_changes (
  listing_id uuid NOT NULL,
  change     text NOT NULL CHECK (change IN ('price', 'hold_ended', 'sold')),
  due_at     timestamptz NOT NULL,
  PRIMARY KEY (listing_id, change)
);
CREATE INDEX saved_listing_changes_by_time ON saved_listing_changes (due_at);
