ALTER TABLE private.moderation_cases DROP CONSTRAINT moderation_cases_subject_check,
  ADD CONSTRAINT moderation_cases_subject_check CHECK (subject IN ('listing', 'user', 'message', 'wanted'));
