-- What moderators decided. An action takes effect ten seconds after it was chosen, unless it is undone before.
CREATE TABLE private.moderation_actions (
  id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  case_id         uuid NOT NULL REFERENCES private.moderation_cases ON DELETE CASCADE,
  action          text NOT NULL
    CHECK (action IN ('dismiss', 'warn', 'unpublish', 'request_changes', 'suspend', 'restore')),
  reason          text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 500),
  -- The days of a suspension; null for a permanent one, and for other actions.
  days            int CHECK (days BETWEEN 1 AND 365),
  -- The template from which the reason was made.
  template        text CHECK (char_length(template) <= 100),
  -- The moderator; null after their account was deleted, and for a command, which has `actor_name`.
  actor_id        uuid REFERENCES users ON DELETE SET NULL,
  actor_name      text,
  chosen_at       timestamptz NOT NULL,
  takes_effect_at timestamptz NOT NULL,
  applied_at      timestamptz,
  undone_at       timestamptz,
  -- When a later action restored what this one had changed.
  restored_at     timestamptz,
  -- The hash of the token in the email to a suspended person, with which they can appeal without logging in.
  appeal_hash     bytea UNIQUE
);
CREATE UNIQUE INDEX moderation_actions_pending ON private.moderation_actions (case_id)
  WHERE applied_at IS NULL AND undone_at IS NULL;
CREATE INDEX moderation_actions_of_case ON private.moderation_actions (case_id, chosen_at);
CREATE INDEX moderation_actions_due ON private.moderation_actions (takes_effect_at)
  WHERE applied_at IS NULL AND undone_at IS NULL;
CREATE INDEX moderation_actions_of_moderator ON private.moderation_actions (actor_id) WHERE actor_id IS NOT NULL;

-- The person concerned may appeal against each action once.
CREATE TABLE private.moderation_appeals (
  action_id   uuid PRIMARY KEY REFERENCES private.moderation_actions ON DELETE CASCADE,
  person_id   uuid REFERENCES users ON DELETE SET NULL,
  appeal_text text NOT NULL CHECK (char_length(appeal_text) BETWEEN 1 AND 1000),
  created_at  timestamptz NOT NULL,
  decided_at  timestamptz,
  is_granted  boolean,
  CONSTRAINT moderation_appeals_decided CHECK ((decided_at IS NULL) = (is_granted IS NULL))
);
CREATE INDEX moderation_appeals_of_person ON private.moderation_appeals (person_id);

-- The cases that an appeal opened again.
CREATE INDEX moderation_cases_appealed ON private.moderation_cases (risk DESC, opened_at, id)
  WHERE resolved_at IS NULL AND reopened_at IS NOT NULL;
