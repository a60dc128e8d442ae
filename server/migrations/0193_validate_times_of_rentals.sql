ALTER TABLE deals VALIDATE CONSTRAINT deals_times_of_rentals;
