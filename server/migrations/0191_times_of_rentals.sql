-- A rental can begin and end at a time of its first and last day (docs/decisions/0106). Deals without times are about whole
-- days, as before. A later file validates the check.
ALTER TABLE deals
  ADD COLUMN pickup_time time(0),
  ADD COLUMN return_time time(0),
  ADD CONSTRAINT deals_times_of_rentals CHECK (
    (kind = 'rental' OR coalesce(pickup_time, return_time) IS NULL)
    AND first_day + coalesce(pickup_time, '00:00'::time) < last_day + coalesce(return_time, '24:00'::time)
  ) NOT VALID,
  ADD CONSTRAINT deals_one_rental_at_a_time EXCLUDE USING gist (
    listing_id WITH =,
    tsrange(first_day + coalesce(pickup_time, '00:00'::time), last_day + coalesce(return_time, '24:00'::time)) WITH &&
  ) WHERE (kind = 'rental' AND state IN ('held', 'handed_over', 'out', 'back')),
  DROP CONSTRAINT deals_one_rental_per_day;
