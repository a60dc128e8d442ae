-- Indexes for finding all data of one person, and all expired rows.

CREATE INDEX forms_of_user ON private.forms (user_id);
CREATE INDEX reset_tokens_by_expiry ON private.reset_tokens (expires_at);
CREATE INDEX refresh_tokens_by_replacement ON private.refresh_tokens (replaced_at) WHERE replaced_at IS NOT NULL;
