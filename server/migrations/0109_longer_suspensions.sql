-- Suspensions by command are recorded as decisions, too. They may last longer than those of the console.
ALTER TABLE private.moderation_actions
  DROP CONSTRAINT moderation_actions_days_check,
  ADD CONSTRAINT moderation_actions_days_check CHECK (days BETWEEN 1 AND 9999);
