-- Whether the other party of a conversation sees what this person has read and when they were last active, and whether
-- they see that this person is typing. Both work in both directions.
ALTER TABLE users
  ADD COLUMN show_seen boolean NOT NULL DEFAULT true,
  ADD COLUMN show_typing boolean NOT NULL DEFAULT true;
