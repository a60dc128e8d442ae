-- SHA-256 of the device id of the browser that set password and name of an account nobody has confirmed yet: by
-- signing up, or by logging in with that password. Confirmed from another browser, the account keeps neither.
ALTER TABLE private.credentials ADD COLUMN signup_device bytea;
