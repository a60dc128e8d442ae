-- SHA-256 of the device id of the browser that set the password and name of an unconfirmed account,
-- by signing up or by logging in with that password. If the account is confirmed in another
-- browser, password and name are cleared.
ALTER TABLE private.credentials ADD COLUMN signup_device bytea;
