-- Requests for rental days that wait for another renter have no deadline, so a job looks for those whose days are over.
CREATE INDEX IF NOT EXISTS deals_waiting_for_days ON deals (last_day) WHERE is_waiting AND last_day IS NOT NULL;
