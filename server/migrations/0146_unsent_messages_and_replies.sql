-- The message was the n-th of its conversation that its author unsent: text and photos are gone. Null in other messages.
-- The message that this one replies to, by its number in the conversation.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS unsent_number integer, ADD COLUMN IF NOT EXISTS reply_to_seq bigint;
