-- The actor of an audit entry and the reason. Both are null in entries of earlier versions, and in
-- those that the previous version writes while it is still running.
ALTER TABLE private.security_events
  ADD COLUMN actor text,
  ADD COLUMN reason text;

-- A form is open until somebody marks it as done.
ALTER TABLE private.forms
  ADD COLUMN done_at timestamptz,
  ADD COLUMN done_by text;
CREATE INDEX forms_newest ON private.forms (created_at DESC, id DESC);
CREATE INDEX forms_open ON private.forms (created_at DESC, id DESC) WHERE done_at IS NULL;
