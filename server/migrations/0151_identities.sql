-- The account of the university's sign-on with which a person logs in. It is known by issuer and subject, never by its email
-- address. `role` is the role that the university states; the person cannot change it.
CREATE TABLE private.identities (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL CHECK (char_length(subject) <= 255),
  email text,
  role text CHECK (role IN ('Student', 'Alumni', 'Staff')),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  UNIQUE (issuer, subject)
);
