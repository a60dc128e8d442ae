-- Before this version, one setting applied both to emails about messages and to emails about
-- deadlines of deals.
INSERT INTO notification_settings (user_id, channels_off)
SELECT id, '{deals.email}' FROM users WHERE NOT email_messages
ON CONFLICT DO NOTHING;
