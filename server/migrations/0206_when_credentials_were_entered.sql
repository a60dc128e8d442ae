-- When the person entered their credentials at the university's sign-on, if a log-in began there and this is known.
ALTER TABLE private.auth_passwords ADD COLUMN authenticated_at timestamptz;
