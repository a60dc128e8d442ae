-- Administrators find people by a part of the address or the name. With many accounts, create the indexes beforehand
-- (docs/migrations.md).
CREATE INDEX IF NOT EXISTS users_newest ON users (created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS users_by_text ON users
  USING gin (lower(email || E'\n' || coalesce(full_name, '')) gin_trgm_ops);
