-- Uploads in progress: a person has four upload slots. The slot of a crashed process becomes free
-- when its lease ends, so losing all rows in a crash is harmless.
CREATE UNLOGGED TABLE private.uploads_under_way (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  place   smallint NOT NULL,
  until   timestamptz NOT NULL,
  PRIMARY KEY (user_id, place)
);
