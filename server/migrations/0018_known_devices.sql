-- Browsers in which an account was logged in by password, code or reset link. Only the SHA-256 of
-- the random id in the browser's cookie is stored. Each browser has its own daily counts of wrong
-- credentials and of requests for codes and links, so that strangers cannot use up the owner's
-- limits.
CREATE TABLE private.known_devices (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_hash   bytea NOT NULL,
  user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  first_used_at timestamptz NOT NULL,
  last_used_at  timestamptz NOT NULL,
  day_started   timestamptz NOT NULL,
  day_failures  int NOT NULL DEFAULT 0,
  day_requests  int NOT NULL DEFAULT 0,
  UNIQUE (device_hash, user_id)
);
CREATE INDEX known_devices_of_user ON private.known_devices (user_id, last_used_at);
CREATE INDEX known_devices_by_use ON private.known_devices (last_used_at);
