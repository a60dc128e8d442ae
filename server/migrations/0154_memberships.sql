-- Until when a person counts as a member of the campus (docs/decisions/0098). People without a row have not been scheduled
-- yet, or have never been members.
CREATE TABLE private.memberships (
  user_id        uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- Null when nobody has confirmed the membership since memberships are recorded.
  confirmed_at   timestamptz,
  confirmed_with text CHECK (confirmed_with IN ('address', 'email_link', 'sign_on', 'administrator')),
  -- The day on the campus from which on the membership counts as unconfirmed. Null if it is never asked about.
  due_on         date,
  -- How many of the questions before this day were asked.
  questions      smallint NOT NULL DEFAULT 0,
  -- The first day without the membership, while it ends.
  ends_on        date,
  -- How many of the notices before this day were sent.
  notices        smallint NOT NULL DEFAULT 0,
  ended_at       timestamptz,
  -- Whether the university's sign-on states that the person is no member.
  is_denied      boolean NOT NULL DEFAULT false,
  -- Whether the verified badge returns with the membership.
  had_badge      boolean,
  -- When the person last asked for the link that confirms the membership.
  link_mailed_at timestamptz
);
CREATE INDEX memberships_due ON private.memberships (due_on) WHERE ended_at IS NULL AND ends_on IS NULL;
CREATE INDEX memberships_ending ON private.memberships (ends_on) WHERE ended_at IS NULL AND ends_on IS NOT NULL;
