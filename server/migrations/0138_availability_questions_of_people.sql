-- When the person was last asked whether listings are still available, which happens once a day at most.
ALTER TABLE private.credentials ADD COLUMN availability_asked_at timestamptz;
