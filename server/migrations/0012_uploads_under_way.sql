-- Uploads on their way: a person has four places. One whose process died is free again when it runs out, so losing them
-- all in a crash is harmless.
CREATE UNLOGGED TABLE private.uploads_under_way (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  place   smallint NOT NULL,
  until   timestamptz NOT NULL,
  PRIMARY KEY (user_id, place)
);
