-- The overview of the console counts listings and completed deals per day. With many listings, create the indexes
-- beforehand (docs/migrations.md).
CREATE INDEX IF NOT EXISTS listings_by_creation ON listings (created_at);
CREATE INDEX IF NOT EXISTS deals_by_completion ON deals (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS moderation_cases_by_opening ON private.moderation_cases (opened_at);
