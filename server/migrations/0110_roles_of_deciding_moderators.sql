-- The role with which a moderator chose an action. Only administrators may reverse decisions of administrators, also
-- after these have lost the role or their accounts. Commands count as administrators. Null counts as administrator: the
-- previous version does not store roles.
ALTER TABLE private.moderation_actions
  ADD COLUMN actor_role text CHECK (actor_role IN ('moderator', 'administrator'));
UPDATE private.moderation_actions a SET actor_role = CASE
  WHEN a.actor_name IS NOT NULL THEN 'administrator'
  ELSE coalesce((SELECT k.console_role FROM private.credentials k WHERE k.user_id = a.actor_id), 'moderator') END;
