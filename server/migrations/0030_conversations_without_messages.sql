-- For the hourly job that removes conversations that were opened without a message (server/retention).
CREATE INDEX IF NOT EXISTS conversations_without_messages ON conversations (created_at) WHERE last_seq = 0;
