-- One direction for all columns, so that a later page of the list is found by a row comparison instead of a filter.
CREATE INDEX moderation_cases_in_order ON private.moderation_cases ((-risk), opened_at, id) WHERE resolved_at IS NULL;
CREATE INDEX moderation_appeals_in_order ON private.moderation_cases ((-risk), opened_at, id)
  WHERE resolved_at IS NULL AND reopened_at IS NOT NULL;
DROP INDEX private.moderation_cases_open;
DROP INDEX private.moderation_cases_appealed;
