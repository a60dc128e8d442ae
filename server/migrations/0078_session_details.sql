-- How the second factor was proved in a session (`totp` or `mfa/recovery_code`); null for a session without it.
ALTER TABLE private.sessions ADD COLUMN second_factor_method text;

-- When the person last entered their password or an emailed code again in this session; null if never.
ALTER TABLE private.sessions ADD COLUMN reauthenticated_at timestamptz;

-- Browser and system of the log-in, such as "Chrome on Android"; null for sessions of earlier versions.
ALTER TABLE private.sessions ADD COLUMN device_name text CHECK (char_length(device_name) <= 100);
