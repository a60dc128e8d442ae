-- What similar things sold for here (docs/decisions/0104), computed once a day. `deals_until` is the end of the half year whose
-- deals decided a range. One that is not shown any more is kept, because the next range must differ from it by several sellers.
CREATE TABLE sale_price_ranges (
  key text PRIMARY KEY,
  low numeric(8,2) NOT NULL,
  high numeric(8,2) NOT NULL CHECK (high > low),
  deals_until timestamptz NOT NULL,
  is_shown boolean NOT NULL
);
