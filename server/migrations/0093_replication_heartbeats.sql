-- Each serving process with DATABASE_READ_URL writes a rising number here every second. A standby that shows the number
-- has every change that was committed before it was written.
CREATE TABLE private.replication_heartbeats (
  writer uuid PRIMARY KEY,
  beat bigint NOT NULL,
  written_at timestamptz NOT NULL
);
