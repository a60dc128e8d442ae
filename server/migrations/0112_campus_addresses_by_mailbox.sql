CREATE INDEX campus_addresses_by_mailbox ON private.campus_addresses (private.mailbox_key(email))
  WHERE verified_at IS NOT NULL;
