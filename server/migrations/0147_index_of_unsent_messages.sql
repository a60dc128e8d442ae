-- Finds the unsent messages of a conversation. In a file of its own: with the columns it would be built under the lock of
-- ALTER TABLE, which keeps readers out, too. For a table much larger than 1,000,000 rows, run both statements beforehand,
-- this one with CREATE INDEX CONCURRENTLY (docs/migrations.md).
CREATE INDEX IF NOT EXISTS messages_unsent ON messages (conversation_id, unsent_number)
  WHERE unsent_number IS NOT NULL;
