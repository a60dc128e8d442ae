-- Administrators find people by a part of the address or name, whatever its case, accents and joints ("Mary-Ann", "Mary
-- Ann"). The index of migration 0067 remains for the previous version. With many accounts, create this one beforehand
-- (docs/migrations.md).
CREATE INDEX IF NOT EXISTS users_by_folded_text ON users
  USING gin (translate(private.fold(email || E'\n' || coalesce(full_name, '')), ' ''-', '') gin_trgm_ops);
