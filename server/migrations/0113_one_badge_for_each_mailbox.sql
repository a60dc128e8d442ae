-- One mailbox proves one membership: of several accounts of a mailbox only the oldest keeps the badge.
WITH addresses AS (
  SELECT u.id, u.created_at, regexp_replace(u.email, '\+.*@', '@') AS mailbox
  FROM users u JOIN private.credentials c ON c.user_id = u.id WHERE c.confirmed_at IS NOT NULL
  UNION ALL
  SELECT u.id, u.created_at, regexp_replace(a.email, '\+.*@', '@')
  FROM users u JOIN private.campus_addresses a ON a.user_id = u.id WHERE a.verified_at IS NOT NULL
), newer AS (
  SELECT DISTINCT later.id FROM addresses later JOIN addresses earlier USING (mailbox)
  WHERE (earlier.created_at, earlier.id) < (later.created_at, later.id)
), unverified AS (
  UPDATE users SET usc_verified = false, updated_at = now() FROM newer
  WHERE users.id = newer.id AND users.usc_verified RETURNING users.id
), removed AS (
  DELETE FROM private.campus_addresses a USING newer WHERE a.user_id = newer.id AND a.verified_at IS NOT NULL
)
INSERT INTO private.security_events (at, event, user_id, actor, reason)
SELECT now(), 'verification_undone', id, 'system', 'an older account has the same mailbox' FROM unverified;
