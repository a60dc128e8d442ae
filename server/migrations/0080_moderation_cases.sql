-- Reports and automatic signals about the same listing, person or message form one case.
CREATE TABLE private.moderation_cases (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  subject        text NOT NULL CHECK (subject IN ('listing', 'user', 'message')),
  -- The id of the listing or the message, which may be deleted later; null when the subject is the person.
  subject_id     uuid,
  -- The owner of the listing, the sender of the message, or the person; null after their account was deleted.
  person_id      uuid REFERENCES users ON DELETE SET NULL,
  -- The title of the listing or the name of the person when the case was opened.
  title          text NOT NULL,
  risk           smallint NOT NULL CHECK (risk BETWEEN 1 AND 3),
  report_count   int NOT NULL DEFAULT 0,
  opened_at      timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  resolved_at    timestamptz,
  -- The moderator who works on the case until an instant.
  assigned_to    uuid REFERENCES users ON DELETE SET NULL,
  assigned_until timestamptz,
  -- When a resolved case was opened again by an appeal. Later reports about the subject open another case.
  reopened_at    timestamptz,
  CONSTRAINT moderation_cases_subject_id CHECK (subject <> 'user' OR subject_id IS NULL)
);
CREATE UNIQUE INDEX moderation_cases_of_subject ON private.moderation_cases (subject, coalesce(subject_id, person_id))
  WHERE resolved_at IS NULL AND reopened_at IS NULL;
CREATE INDEX moderation_cases_open ON private.moderation_cases (risk DESC, opened_at, id) WHERE resolved_at IS NULL;
CREATE INDEX moderation_cases_assigned ON private.moderation_cases (assigned_until)
  WHERE resolved_at IS NULL AND assigned_until IS NOT NULL;
CREATE INDEX moderation_cases_resolved ON private.moderation_cases (resolved_at DESC, id DESC)
  WHERE resolved_at IS NOT NULL;
CREATE INDEX moderation_cases_of_person ON private.moderation_cases (person_id, opened_at);
CREATE INDEX moderation_cases_of_moderator ON private.moderation_cases (assigned_to) WHERE assigned_to IS NOT NULL;

-- What was reported, as it was at that moment. It contains no ids of accounts. The copies of its photos are files of
-- the server, `moderation/<id>/<index>.jpg`.
CREATE TABLE private.moderation_quotes (
  id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  case_id     uuid NOT NULL REFERENCES private.moderation_cases ON DELETE CASCADE,
  content     jsonb NOT NULL,
  photo_count int NOT NULL,
  quoted_at   timestamptz NOT NULL
);
CREATE UNIQUE INDEX moderation_quotes_once ON private.moderation_quotes (case_id, md5(content::text));

CREATE TABLE private.moderation_reports (
  id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  case_id     uuid NOT NULL REFERENCES private.moderation_cases ON DELETE CASCADE,
  quote_id    uuid NOT NULL REFERENCES private.moderation_quotes ON DELETE CASCADE,
  reporter_id uuid REFERENCES users ON DELETE SET NULL,
  reason      text NOT NULL
    CHECK (reason IN ('prohibited', 'scam', 'spam', 'harassment', 'impersonation', 'other')),
  report_text text NOT NULL CHECK (char_length(report_text) <= 4000),
  created_at  timestamptz NOT NULL,
  CONSTRAINT moderation_reports_once UNIQUE (case_id, reporter_id)
);
CREATE INDEX moderation_reports_of_quote ON private.moderation_reports (quote_id);
CREATE INDEX moderation_reports_of_reporter ON private.moderation_reports (reporter_id, created_at);

CREATE TABLE private.moderation_signals (
  case_id    uuid NOT NULL REFERENCES private.moderation_cases ON DELETE CASCADE,
  kind       text NOT NULL CHECK (kind IN ('similar_messages', 'many_reports', 'no_shows', 'prohibited_wording')),
  quote_id   uuid NOT NULL REFERENCES private.moderation_quotes ON DELETE CASCADE,
  detail     text NOT NULL,
  -- How often the signal was raised, and when last.
  count      int NOT NULL DEFAULT 1,
  raised_at  timestamptz NOT NULL,
  PRIMARY KEY (case_id, kind)
);
CREATE INDEX moderation_signals_of_quote ON private.moderation_signals (quote_id);
