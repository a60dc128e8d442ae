-- What the parties of a rental agreed on: the deposit, and a price for the days after the last one, which the owner proposes first.
ALTER TABLE deals
  ADD COLUMN deposit numeric,
  ADD COLUMN requested_extra_price numeric,
  ADD COLUMN extra_price numeric;
