-- In a file of its own, because deals can be read and written while these statements run.
ALTER TABLE deals VALIDATE CONSTRAINT deals_days_of_rentals;
ALTER TABLE deals VALIDATE CONSTRAINT deals_price_of_open_deals;
