-- Until now, one setting applied to emails about messages and to those before deadlines of deals.
INSERT INTO notification_settings (user_id, channels_off)
SELECT id, '{deals.email}' FROM users WHERE NOT email_messages
ON CONFLICT DO NOTHING;
