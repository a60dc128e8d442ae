-- Reviews of people by the other party of a completed deal (docs/deals.md).
CREATE TABLE reviews (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  deal_id      uuid REFERENCES deals ON DELETE SET NULL,
  author_party text NOT NULL CHECK (author_party IN ('buyer', 'seller')),
  author_id    uuid REFERENCES users ON DELETE SET NULL,
  -- Identifies the author for the rating, in which only the author's newest review of a person
  -- counts. Stays the same after the author's account is deleted.
  author_key   uuid NOT NULL,
  subject_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  rating       int NOT NULL CHECK (rating BETWEEN 1 AND 5),
  tags         text[] NOT NULL,
  review_text  text NOT NULL CHECK (char_length(review_text) <= 500),
  -- When the review becomes public; until then only its author sees it. This is the end of the
  -- period for reviews, or the moment at which both parties have written one.
  public_at    timestamptz NOT NULL,
  -- Whether the rating of the subject includes the review.
  is_counted   boolean NOT NULL DEFAULT false,
  -- When a moderator removed the review.
  removed_at   timestamptz,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  CONSTRAINT reviews_once UNIQUE (deal_id, author_party)
);
CREATE INDEX reviews_about ON reviews (subject_id, public_at DESC, id DESC);
CREATE INDEX reviews_of_author ON reviews (author_id);
CREATE INDEX reviews_to_count ON reviews (public_at) WHERE NOT is_counted;
