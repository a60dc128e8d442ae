-- Places on the campus where people hand items over. Spots that an administrator removed stay in
-- the table, so that the next start does not add a shipped spot again.
CREATE TABLE meeting_spots (
  id                  uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name                text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  landmark            text CHECK (char_length(landmark) BETWEEN 1 AND 200),
  -- NULL means unknown. These four facts are shown only after an administrator has confirmed them.
  is_indoors          boolean,
  is_lit              boolean,
  has_camera_or_phone boolean,
  opening_hours       text CHECK (char_length(opening_hours) BETWEEN 1 AND 100),
  confirmed_at        timestamptz,
  removed_at          timestamptz
);
CREATE UNIQUE INDEX meeting_spots_by_name ON meeting_spots (lower(name)) WHERE removed_at IS NULL;
