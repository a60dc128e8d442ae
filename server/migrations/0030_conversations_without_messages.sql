-- An index for the hourly job that removes conversations without messages (server/retention).
CREATE INDEX IF NOT EXISTS conversations_without_messages ON conversations (created_at) WHERE last_seq = 0;
