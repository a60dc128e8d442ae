-- Event lines are messages of another kind, with data. `system` lines are written by the server:
-- they have no sender, and their id is derived from the deal and the number of the transition, so
-- that each line is stored once. The check is validated in 0036.
ALTER TABLE messages
  ADD COLUMN kind text NOT NULL DEFAULT 'text',
  ADD COLUMN data jsonb,
  ADD CONSTRAINT messages_kind_known CHECK (kind IN ('text', 'deal', 'system') AND (kind = 'text') = (data IS NULL)) NOT VALID;
