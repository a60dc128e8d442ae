-- The cap on the price of tickets under which a deal was started, as a percentage of the face value; 0 without a cap. Null in
-- deals that an earlier version started, and in deals about other things.
ALTER TABLE deals ADD COLUMN ticket_price_cap smallint;
