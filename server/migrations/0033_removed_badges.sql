-- When an administrator removed the verified badge. The account cannot get it back by adding a campus address.
ALTER TABLE private.credentials ADD COLUMN badge_removed_at timestamptz;
