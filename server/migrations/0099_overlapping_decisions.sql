-- Cases about the same person or listing overlap. Each decision reverses only what it did itself.
ALTER TABLE private.moderation_actions
  -- Why the action could not take effect and was withdrawn; null otherwise.
  ADD COLUMN failure text,
  -- A digest of the texts and photos of the listing that the moderator saw; null for other subjects.
  ADD COLUMN listing_version text,
  -- The status of the listing before the action took effect; null for other subjects.
  ADD COLUMN listing_status text;
-- The action of a moderator that set the current suspension; null for a suspension by an administrator. The case may be
-- removed earlier than the suspension, so it is no reference.
ALTER TABLE private.credentials ADD COLUMN suspended_by uuid;
UPDATE private.credentials k SET suspended_by = a.id
FROM private.moderation_actions a JOIN private.moderation_cases c ON c.id = a.case_id
WHERE a.action = 'suspend' AND a.applied_at IS NOT NULL AND a.restored_at IS NULL AND c.person_id = k.user_id
  AND k.suspended_at BETWEEN a.applied_at AND a.applied_at + interval '1 minute';
