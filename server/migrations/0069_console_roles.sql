-- Who may use the console; null for everybody else.
ALTER TABLE private.credentials ADD COLUMN console_role text CHECK (console_role IN ('moderator', 'administrator'));

-- When the person proved their second factor in this session; null for a session without it.
ALTER TABLE private.sessions ADD COLUMN second_factor_at timestamptz;
