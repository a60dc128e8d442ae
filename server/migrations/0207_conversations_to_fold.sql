-- Finds the conversations whose texts are not folded for searches. In a file of its own: with the column of 0204 it would be
-- built under the lock of ALTER TABLE, which keeps readers out, too. For a table much larger than 1,000,000 rows, run both
-- statements beforehand, this one with CREATE INDEX CONCURRENTLY (docs/migrations.md).
CREATE INDEX IF NOT EXISTS conversations_to_fold ON conversations (id) WHERE folded_seq < last_seq;
