-- Answers of administrators to forms, each mailed to the form's sender.
CREATE TABLE private.form_answers (
  id          uuid PRIMARY KEY,
  form_id     uuid NOT NULL REFERENCES private.forms ON DELETE CASCADE,
  -- The administrator; null after their account was deleted.
  author_id   uuid REFERENCES users ON DELETE SET NULL,
  answer_text text NOT NULL CHECK (char_length(answer_text) BETWEEN 1 AND 4000),
  created_at  timestamptz NOT NULL
);
CREATE INDEX form_answers_of_form ON private.form_answers (form_id, created_at);
CREATE INDEX form_answers_of_author ON private.form_answers (author_id) WHERE author_id IS NOT NULL;
