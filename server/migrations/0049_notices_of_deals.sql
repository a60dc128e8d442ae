-- When the next email about a deal is due: a reminder, a warning or a question (docs/deals.md). The
-- default makes the job check deals that the previous version still inserts. A later file sets the
-- column for existing open deals.
ALTER TABLE deals ADD COLUMN next_notice_at timestamptz;
ALTER TABLE deals ALTER COLUMN next_notice_at SET DEFAULT now();
CREATE INDEX deals_by_next_notice ON deals (next_notice_at) WHERE next_notice_at IS NOT NULL;
