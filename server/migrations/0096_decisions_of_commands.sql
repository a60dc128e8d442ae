-- Listings that commands took down before their decisions were recorded. Their owners can now read the decision and appeal.
WITH hidden AS (
  SELECT gen_random_uuid() AS case_id, l.id, l.user_id, coalesce(l.title, '') AS title, l.hidden_at,
    left(l.hidden_reason, 500) AS reason
  FROM listings l
  WHERE l.hidden_with = 'listing' AND l.hidden_reason <> '' AND l.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM private.moderation_cases c JOIN private.moderation_actions a ON a.case_id = c.id
    WHERE c.person_id = l.user_id AND c.subject = 'listing' AND c.subject_id = l.id AND a.action = 'unpublish'
      AND a.applied_at IS NOT NULL AND a.restored_at IS NULL)
), cases AS (
  INSERT INTO private.moderation_cases (id, subject, subject_id, person_id, title, risk, opened_at, updated_at, resolved_at)
  SELECT case_id, 'listing', id, user_id, title, 1, hidden_at, hidden_at, hidden_at FROM hidden
)
INSERT INTO private.moderation_actions (case_id, action, reason, actor_name, chosen_at, takes_effect_at, applied_at)
SELECT case_id, 'unpublish', reason, 'shell', hidden_at, hidden_at, hidden_at FROM hidden;
