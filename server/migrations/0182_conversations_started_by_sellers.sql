-- Whether the seller wrote first, as an answer to a wanted post (docs/decisions/0104). The limit on new conversations counts
-- the conversation for whoever started it.
ALTER TABLE conversations ADD COLUMN is_started_by_seller boolean NOT NULL DEFAULT false;
