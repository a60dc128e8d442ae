-- Second factors of accounts. An authenticator app (`totp`) counts once its first code was entered (`verified_at`); until then
-- it is an enrollment in progress. Its secret is encrypted and authenticated under the pepper in secrets.json. The factor
-- `recovery_code` stands for the set of recovery codes. `last_used_step` is the time step of the newest accepted code: a
-- code of this step or an earlier one is not accepted again. `wrong_codes` counts wrong codes in a row.
CREATE TABLE private.second_factors (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id        uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind           text NOT NULL CHECK (kind IN ('totp', 'recovery_code')),
  name           text CHECK (char_length(name) <= 100),
  sealed_secret  text,
  created_at     timestamptz NOT NULL,
  verified_at    timestamptz,
  updated_at     timestamptz NOT NULL,
  last_used_step bigint,
  wrong_codes    int NOT NULL DEFAULT 0,
  last_wrong_at  timestamptz,
  CONSTRAINT second_factors_secret CHECK ((kind = 'totp') = (sealed_secret IS NOT NULL))
);
CREATE UNIQUE INDEX second_factors_of_user ON private.second_factors (user_id, kind) WHERE verified_at IS NOT NULL;
CREATE UNIQUE INDEX second_factors_in_enrollment ON private.second_factors (user_id, kind) WHERE verified_at IS NULL;
CREATE INDEX second_factors_by_age ON private.second_factors (created_at) WHERE verified_at IS NULL;

-- The recovery codes that are still unused, as keyed hashes.
CREATE TABLE private.recovery_codes (
  factor_id uuid NOT NULL REFERENCES private.second_factors ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (factor_id, code_hash)
);

-- The newest challenge of each session: the permission to enter a code within a few minutes.
CREATE TABLE private.factor_challenges (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  session_id uuid NOT NULL REFERENCES private.sessions ON DELETE CASCADE,
  factor_id  uuid NOT NULL REFERENCES private.second_factors ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  UNIQUE (session_id, factor_id)
);
CREATE INDEX factor_challenges_of_factor ON private.factor_challenges (factor_id);
